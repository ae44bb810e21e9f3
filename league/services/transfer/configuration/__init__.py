"""Arenas in the published XML form."""
