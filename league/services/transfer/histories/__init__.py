"""Whole histories of results, imported into an arena at once."""
