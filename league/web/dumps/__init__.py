"""The data page and the files of the dumps."""
