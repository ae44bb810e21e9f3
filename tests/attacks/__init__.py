"""Attacks on a running site, as a cheat would try them: ``make attack``."""
