"""Pairings: round robins, groups, brackets and Swiss rounds. Pure functions over ids."""
