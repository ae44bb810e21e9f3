"""Decisions and entries of staff, and objections of players."""
