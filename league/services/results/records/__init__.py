"""What has been played: histories, records and matches as lists show them."""
