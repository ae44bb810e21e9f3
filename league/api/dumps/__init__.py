"""Data dumps in the API."""
