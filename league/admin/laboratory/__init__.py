"""The rating laboratory."""
