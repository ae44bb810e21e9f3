"""What the tests stand on."""
