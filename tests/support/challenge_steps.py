"""Ladders with players in order, and the steps of a challenge."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from league.models import Arena, Challenge, Match, Player, Rating
from league.services.ladder import playing
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, arena, beats, side

LATER = NOW + timedelta(days=4)
"""After the time to answer a challenge of ``NOW``."""


def ladder_of(names: Sequence[str], **settings: object) -> tuple[Arena, list[Player]]:
    """A ladder with these players, the first at the top."""
    made = arena("ladder", rating_system="ladder", **settings)
    players = [account(name) for name in names]
    for better, worse in zip(players[::2], players[1::2], strict=True):
        confirm(beats(better, worse, made).pk, by=worse, now=NOW)
    return made, players


def ranks(ladder: Arena) -> dict[str, float]:
    rows = Rating.objects.filter(season__arena=ladder).order_by("rating")
    return dict(rows.values_list("player__name", "rating"))


def reported(made: Challenge, winner: Player, loser: Player, now: datetime, **more: Any) -> Match:
    """The winner reports a challenge."""
    result = [side(winner, place=0), side(loser, place=1)]
    sent: dict[str, Any] = {"reporter": winner, "played_at": now, "now": now, **more}
    return playing.report(made.pk, result, **sent)
