"""Faults in a running site, and a model of what it must not lose: ``make chaos``."""
