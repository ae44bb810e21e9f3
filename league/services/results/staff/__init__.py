"""What staff decide and enter, and how players object."""
