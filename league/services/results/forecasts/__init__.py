"""What matches to come would mean, and against whom to play them."""
