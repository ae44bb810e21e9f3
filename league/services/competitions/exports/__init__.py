"""Competitions as calendars and files."""
