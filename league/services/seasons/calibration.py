"""A season's forecasts, and what they would have been with a correction.

Forecasts and ratings stay as they are. The slope of each match is fitted to the arena's matches
under the same rating system that were rated before it and played on earlier days
(``ratings.lab.calibration``).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.models import Season
from ratings.lab.calibration import correct
from ratings.lab.evaluation import Chances

if TYPE_CHECKING:
    from ratings.types import Floats, Integers

MOST_MATCHES = 50_000
"""The number of latest matches that are read. Earlier ones would hardly change a slope."""

LATEST = """
    SELECT (m.played_at AT TIME ZONE 'UTC')::date - DATE '1970-01-01', m.forecast,
        (SELECT array_agg(s.place ORDER BY s.index) FROM league_side AS s WHERE s.match_id = m.id)
    FROM league_match AS m
    WHERE m.season_id = %s AND m.status = 'rated' AND m.kind = 'game' AND m.forecast IS NOT NULL
        AND NOT 'NaN' = ANY (m.forecast)
    ORDER BY m.rated_order DESC LIMIT %s
"""


def calibrated(season: Season) -> dict[str, Any] | None:
    """Return how good a season's forecasts were, and would be corrected; ``None`` without any.

    ``matches`` are those that count, at most the latest ``MOST_MATCHES``. ``loss`` holds the sums
    of ``-ln`` of the chances of the first places, ``bins`` the reliability: both as forecast and
    corrected. ``slopes`` are pairs of the first day and the slope from then on.
    """
    own = latest(season.pk, MOST_MATCHES)
    if not own:
        return None
    rows, earlier = own, 0
    for before in before_it(season):
        found = latest(before, MOST_MATCHES - len(rows))
        rows, earlier = found + rows, earlier + len(found)
        if len(rows) >= MOST_MATCHES:
            break
    days = np.array([day for day, _forecast, _places in rows], dtype=np.int64)
    counts = np.array([len(places) for _day, _forecast, places in rows], dtype=np.int64)
    chance = np.concatenate([forecast for _day, forecast, _places in rows])
    places = np.concatenate([places for _day, _forecast, places in rows])
    result = correct(chance, places, counts, days)
    first = int(counts[:earlier].sum())
    match = np.repeat(np.arange(len(own)), counts[earlier:])
    both = {"forecast": chance[first:], "corrected": result.chance[first:]}
    judged = {name: Chances.of(match, places[first:], chances) for name, chances in both.items()}
    return {
        "matches": len(own),
        "earlier": earlier,
        "loss": {name: each.log_loss() * len(own) for name, each in judged.items()},
        "bins": {
            name: [asdict(one) for one in each.calibration()] for name, each in judged.items()
        },
        "slopes": changes(days[earlier:], result.power[earlier:]),
    }


def before_it(season: Season) -> list[int]:
    """Return the arena's earlier seasons under the same rating system, newest first."""
    earlier = Season.objects.filter(
        arena=season.arena_id,
        rating_system=season.rating_system,
        starts_at__lt=season.starts_at,
    )
    return list(earlier.order_by("-starts_at").values_list("pk", flat=True))


def latest(season_id: int, most: int) -> list[tuple[int, list[float], list[int]]]:
    """Return the days, forecasts and places of a season's latest matches as they were rated."""
    with connection.cursor() as cursor:
        cursor.execute(LATEST, [season_id, most])
        rows = cursor.fetchall()
    return [row for row in reversed(rows) if len(row[1]) == len(row[2])]


def changes(days: Integers, powers: Floats) -> list[list[Any]]:
    """Return each slope with the day of the first match that it corrected."""
    begins = np.flatnonzero(np.diff(powers, prepend=np.nan) != 0)
    dates = days[begins].astype("datetime64[D]")
    return [
        [str(day), round(power, 6)]
        for day, power in zip(dates, powers[begins].tolist(), strict=True)
    ]
