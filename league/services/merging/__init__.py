"""Merging two players who are one person: rules, preview and the merge itself."""
