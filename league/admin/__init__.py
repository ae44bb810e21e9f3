"""The admin: where staff set up arenas, look after people and see what happened."""

from league.admin import (
    amnesties,
    arenas,
    challenges,
    dishonor,
    matches,
    players,
    queues,
    ratings,
    rosters,
    seats,
    staff,
    ticks,
    users,
)

__all__ = [
    "amnesties",
    "arenas",
    "challenges",
    "dishonor",
    "matches",
    "players",
    "queues",
    "ratings",
    "rosters",
    "seats",
    "staff",
    "ticks",
    "users",
]
