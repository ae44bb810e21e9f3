"""Trials of other rules for seasons."""
