"""The commands of ``laurel-ratings``, which the site's commands of the same names share.

A command is a module with ``HELP``, ``add_arguments`` and ``run``. ``ratings.cli`` lists them.
"""
