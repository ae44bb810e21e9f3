"""What the API reads and writes, as JSON."""
