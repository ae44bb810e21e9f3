"""Formats of the pseudo-locale."""
