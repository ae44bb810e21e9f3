"""The first hundred of each season, for the largest moves and the records.

Reading a hundred players takes the same time however many there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from league.services.core.columns import binary_cursor, to_array_literal
from league.services.standings.days import TOGETHER, WEEK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.utils.functional import Promise

    from league.models import Season

READ = 100
MOVERS = 4
LEAST_STREAK = 3

# Of the ranks recorded in the last eight days, those of the first.
LEADING = f"""
    SELECT season.id, s.player_id, p.name, s.rank,
        substring(past.ranks FROM (s.player_id %% {TOGETHER})::int * 4 + 1 FOR 4),
        r.games, r.outcome, r.streak
    FROM unnest(%s::bigint[]) AS season(id)
    CROSS JOIN LATERAL (
        SELECT player_id, rank() OVER (ORDER BY key) AS rank FROM (
            SELECT key, player_id FROM league_standing
            WHERE season_id = season.id AND active ORDER BY key, player_id LIMIT {READ}
        ) AS first
    ) AS s
    JOIN league_rating AS r ON r.season_id = season.id AND r.player_id = s.player_id
    JOIN league_player AS p ON p.id = s.player_id AND NOT p.is_unlisted
    LEFT JOIN league_standingdayranks AS past
        ON past.season_id = season.id AND past.chunk = s.player_id / {TOGETHER} AND past.day = (
            SELECT min(day) FROM league_standingday WHERE season_id = season.id AND day >= %s
        )
"""  # noqa: S608 - literals of this file


@dataclass(frozen=True)
class Leading:
    """One of the first players of a season."""

    season: Season
    player_id: int
    name: str
    rank: int
    rank_then: int
    """A week ago, 0 if unranked or not known."""
    games: int
    streak: int
    """Consecutive wins up to now."""

    @property
    def climbed(self) -> int:
        return self.rank_then - self.rank if self.rank_then else 0


@dataclass(frozen=True)
class Record:
    """The best of the first players in something."""

    label: Promise
    value: int
    holder: Leading


def read_leading(seasons: Sequence[Season], now: datetime) -> list[Leading]:
    """Return the first players of each season. One statement."""
    known = {season.pk: season for season in seasons}
    since = (now - WEEK - timedelta(hours=14)).date()  # a day begins with its arena's
    with binary_cursor() as cursor:
        cursor.execute(LEADING, [to_array_literal(known), since])
        return [of(known[row[0]], *row[1:]) for row in cursor.fetchall()]


def of(season: Season, *row: Any) -> Leading:
    player, name, rank, then, games, outcome, streak = row
    return Leading(
        season=season,
        player_id=player,
        name=name,
        rank=rank,
        rank_then=int.from_bytes(then, "big") if then else 0,
        games=games,
        streak=streak if outcome == 1 else 0,
    )


def movers_in(leading: Sequence[Leading]) -> list[Leading]:
    """Return the players who have climbed most within a week."""
    climbers = [one for one in leading if one.climbed > 0]
    return sorted(climbers, key=lambda one: (-one.climbed, one.rank, one.player_id))[:MOVERS]


def records_in(leading: Sequence[Leading]) -> list[Record]:
    """Return the longest run of wins now, and the most matches in a season, of the first players:
    others can have more, and the page says so."""
    records = []
    if leading:
        running = max(leading, key=attrgetter("streak"))
        if running.streak >= LEAST_STREAK:
            records.append(Record(_("Wins in a row"), running.streak, running))
        busiest = max(leading, key=attrgetter("games"))
        if busiest.games:
            records.append(Record(_("Matches this season"), busiest.games, busiest))
    return records
