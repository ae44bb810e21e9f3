"""Award the ladder points of a whole season again, after many of its results have changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.services.core.columns import read_columns
from league.services.points import awarding
from league.services.points.correcting import SUPERSEDE, differing, given_at
from league.services.points.entries import KINDS

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Correction, Season
    from league.services.rating.tail import Tail
    from ratings.types import States

STORED = """
    SELECT e.id, e.match_id AS match, e.player_id AS player, e.odds, e.score_ratio,
        e.victory::int AS victory, e.deserted::int AS deserted, e.points
    FROM league_pointentry AS e WHERE e.season_id = %s AND e.superseded_by_id IS NULL
"""


def award_again(
    season: Season, tail: Tail, before: States, correction: Correction | None, now: datetime
) -> None:
    """Award the points of a season's results ``tail`` again. ``before`` are the states before each.

    ``correction`` supersedes the entries that are wrong; there are none without it.
    """
    if not season.season_rules().points.ladder.counts:
        return
    stored = read_columns(STORED, [season.pk], KINDS)
    given = awarding.earned_in(season, tail.history(), before, tail["forecast"], tail.orders)
    fresh, stale = differing(tail, given, stored)
    when: dict[int, datetime] = {}
    if correction is not None:
        with connection.cursor() as cursor:
            cursor.execute(SUPERSEDE, [correction.pk, stored["id"][stale].tolist()])
        when = given_at(season, np.unique(tail["match"][fresh]).tolist())
    matches = tail["match"].tolist()
    awarding.write(
        season,
        matches,
        tail["player"].tolist(),
        given,
        fresh,
        [when.get(match, now) for match in matches],
    )
    moved = np.union1d(stored["player"][stale], tail["player"][fresh])
    awarding.add_up(season, moved.tolist())
