"""Competitions: pairings, tables, brackets and chances."""
