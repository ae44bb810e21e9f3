"""The dumps in the API."""
