"""Checks of a result, and its weight."""
