"""Matches that are being played, and what their game servers send."""
