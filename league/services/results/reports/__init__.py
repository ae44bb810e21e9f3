"""Reports of results, from a live match to the last answer."""
