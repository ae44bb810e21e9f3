"""The chances of places and rounds. Pure but for the odds."""
