"""Records of play: histories, totals and matches as lists show them."""
