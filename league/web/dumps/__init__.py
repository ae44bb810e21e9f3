"""Pages and files of the dumps."""
