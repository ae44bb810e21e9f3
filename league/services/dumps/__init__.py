"""Nightly dumps of all public data, for analysis."""
