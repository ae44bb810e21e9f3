"""The drift of a season's ratings, measured against its anchors.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000, under "Closed System". An anchor's
rating stays, so what it means stays. If the others gain from matches against it, they are better
than their ratings say: the same number means more than it did.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean
from typing import TYPE_CHECKING

from django.db import connection

from league.models import Player

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date

    from league.models import Season
    from ratings.system import Shows

MOST_MATCHES = 5_000
"""The most matches of the anchors that are read, latest first."""

BY_MONTH = """
    WITH met AS MATERIALIZED (
        SELECT e.match_id, p.side_id, m.played_at
        FROM league_ratingevent AS e
        JOIN league_match AS m ON m.id = e.match_id AND m.kind = 'game'
        JOIN league_participant AS p ON p.match_id = e.match_id AND p.player_id = e.player_id
        WHERE e.season_id = %(season)s AND e.player_id = ANY(%(anchors)s)
            AND e.superseded_by_id IS NULL AND NOT e.ignored
        ORDER BY e.games DESC LIMIT %(most)s
    )
    SELECT date_trunc('month', met.played_at AT TIME ZONE %(zone)s)::date AS month,
        count(DISTINCT met.match_id), avg(e.rating_after - e.rating_before),
        array_agg(e.rating_before), array_agg(e.rating_after)
    FROM met
    JOIN league_participant AS p ON p.match_id = met.match_id AND p.side_id <> met.side_id
    JOIN league_ratingevent AS e ON e.match_id = met.match_id AND e.player_id = p.player_id
        AND e.superseded_by_id IS NULL
    WHERE e.season_id = %(season)s AND e.player_id <> ALL(%(anchors)s)
    GROUP BY month ORDER BY month
"""


@dataclass(frozen=True)
class Month:
    """The opponents' results against the anchors in a month."""

    begins: date
    matches: int
    change: float
    """The mean change of an opponent's rating in a match, in rating points."""
    shown: float
    """The same as the arena shows ratings."""


@dataclass(frozen=True)
class Drift:
    """The drift of a season, by month, and who it was measured against."""

    anchors: Sequence[Player]
    months: Sequence[Month]

    @property
    def matches(self) -> int:
        return sum(month.matches for month in self.months)

    @property
    def change(self) -> float:
        """The mean change in all these matches."""
        return self.mean(attrgetter("change"))

    @property
    def shown(self) -> float:
        """The same as the arena shows ratings."""
        return self.mean(attrgetter("shown"))

    def mean(self, of: Callable[[Month], float]) -> float:
        total = sum(month.matches * of(month) for month in self.months)
        return total / self.matches if self.matches else 0.0


def drift_of(season: Season) -> Drift | None:
    """Return a season's drift, ``None`` without anchors. Two queries, none without anchors."""
    if not season.anchors:
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            BY_MONTH,
            {
                "season": season.pk,
                "anchors": season.anchors,
                "most": MOST_MATCHES,
                "zone": season.arena.time_zone,
            },
        )
        months = [
            Month(begins, matches, change, shown_change(season.shows, before, after))
            for begins, matches, change, before, after in cursor.fetchall()
        ]
    return Drift(list(Player.ever.filter(pk__in=season.anchors).order_by("pk")), months)


def shown_change(shows: Shows, before: Sequence[float], after: Sequence[float]) -> float:
    """Return the mean change of ratings as they are shown."""
    return fmean(shows.movement(*both) for both in zip(before, after, strict=True))
