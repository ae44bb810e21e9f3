"""Formats of dates in each language, where the site differs from Django."""
