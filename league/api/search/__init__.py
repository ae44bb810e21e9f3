"""Search in the API."""
