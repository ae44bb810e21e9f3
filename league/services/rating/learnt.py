"""The game of an arena, as its rating system has learnt it from a season's results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from league.models import Rating
from league.services.rating.rate import states_of

if TYPE_CHECKING:
    from league.models import Season
    from ratings.types import Learnt

LATEST = 200
"""Players whose memory is read. They share what they know with all others."""
USUAL_PACE = (0.8, 1.25)
"""A pace between these is not worth a sentence."""


def learnt_in(season: Season) -> Learnt | None:
    """Return what is known of a season's game and worth a sentence, ``None`` for nothing."""
    columns = ("pk", "rating", "deviation", "volatility", "games", "last_played_at", "memory")
    played = Rating.objects.filter(season=season, games__gt=0).order_by("-last_played_at", "pk")
    rows = played.values_list(*columns)[:LATEST]
    if not rows:
        return None
    learnt = season.system().describe_game(states_of(rows)[1])
    if learnt is None:
        return None
    slow, fast = USUAL_PACE
    if learnt.pace is not None and slow < learnt.pace < fast:
        learnt = replace(learnt, pace=None)
    return learnt if season.arena.draws_allowed else replace(learnt, draws=None)
