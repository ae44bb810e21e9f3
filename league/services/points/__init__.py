"""Ladder points: awarded with rated results, ranked on a leaderboard, revised by corrections."""
