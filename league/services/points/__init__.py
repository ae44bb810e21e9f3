"""Ladder points: given with each rated result, shown on a board, taken back by corrections."""
