"""Check the stored team ratings against the replay of their matches, bit for bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import TeamRating
from league.services.integrity.ratings import differ
from league.services.teams import rating

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from league.models import Season
    from league.services.integrity.ratings import Difference

VALUES = ("rating", "deviation", "volatility", "games", "wins", "draws", "last_played_at")


def differences(season: Season, now: datetime) -> list[Difference]:
    """Return every rating of a team that differs from the replay.

    Ratings that are only due to be computed again are computed first: they lag a few seconds behind
    the results.
    """
    if rating.is_due(season):
        rating.refresh(season.pk, now)
    return list(compare(season))


def compare(season: Season) -> Iterator[Difference]:
    stored = {row.team_id: row for row in TeamRating.objects.filter(season=season)}
    rows = rating.replay(season).rows(season) if rating.rates_teams(season) else []
    for row in rows:
        held = stored.pop(row.team_id, None)
        for name in VALUES:
            what = f"{name} of team {row.team_id}"
            yield from differ(what, getattr(held, name, "no row"), getattr(row, name))
    for team in stored:
        yield from differ(f"rating of team {team}", "a row", "no match")
