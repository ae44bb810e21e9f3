"""The engines as libraries that can be installed without the site.

``ratings/`` becomes the distribution ``laurel-ratings`` and ``matchmaking/`` becomes
``laurel-matchmaking``. Each folder here holds what the distribution has besides the code.
"""
