"""The admin: where staff set up arenas, look after people and see what happened."""

from league.admin import arenas, matches, players, queues, ratings, rosters, staff, users

__all__ = ["arenas", "matches", "players", "queues", "ratings", "rosters", "staff", "users"]
