"""Team ratings: a projection of the season's results, with each team as one player.

Nothing is written when a result is rated. A fingerprint of a season's results, corrections, rules
and rosters tells whether its teams have to be replayed, and the replay always begins at the start
of the season. So the ratings equal the replay to the last bit, whatever changed the results.
"""

from __future__ import annotations

import logging
import math
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from django.db import connection, transaction

from league.models import Season, TeamRating, TeamReplay
from league.outages import outage_behind
from league.services.core.clock import microseconds
from league.services.core.turns import try_turn
from league.services.rating import versions
from league.services.rating.rate import numbers, times
from league.services.rating.records import outcomes
from ratings.history import History, Match, Participant, Side
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from league.services.rating.versions import Stretch
    from ratings.types import Integers, States

logger = logging.getLogger(__name__)

RATES = "coalesce((s.rules->'teams'->>'rate')::bool, false)"
SEEN = f"""
    CASE WHEN {RATES} THEN concat_ws(' ', s.rules_version,
        (SELECT concat_ws(' ', count(*), sum(m.rated_order)) FROM league_match AS m
            WHERE m.season_id = s.id AND m.rated_order IS NOT NULL),
        (SELECT concat_ws(' ', count(*), max(c.id)) FROM league_correction AS c
            WHERE c.season_id = s.id),
        (SELECT concat_ws(' ', count(*), sum(r.team_id)) FROM league_roster AS r
            WHERE r.arena_id = s.arena_id AND r.team_id IS NOT NULL)
    ) ELSE '' END
"""  # noqa: S608 - a part of ours
SEEN_NOW = f"SELECT {SEEN} FROM league_season AS s WHERE s.id = %s"  # noqa: S608 - ours
# Seasons that rate teams, or did, and whose results may have changed since; or one of them.
CHANGED = f"""
    SELECT s.id FROM league_season AS s
    LEFT JOIN league_teamreplay AS t ON t.season_id = s.id
    WHERE (%(season)s::bigint IS NULL OR s.id = %(season)s)
        AND s.opened_at IS NOT NULL AND ({RATES} OR t.seen <> '')
        AND (s.archived_at IS NULL OR t.at IS NULL OR s.archived_at > t.at)
        AND ({SEEN}) IS DISTINCT FROM t.seen
    ORDER BY s.id
"""  # noqa: S608 - parts of ours
NAME = "team %d"
"""The name of a team in a history. Anchors are names of players, and never one of these."""

# Matches of which every side is a roster of a team. A team has played as long as its players.
MATCHES = """
    SELECT m.id, m.rated_order, m.played_at, m.weight, m.perf_ceiling, m.first_side,
        s.place, s.score, r.team_id,
        (SELECT CASE WHEN count(*) = count(p.seconds) THEN sum(p.seconds ORDER BY p.position) END
            FROM league_participant AS p WHERE p.side_id = s.id)
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_roster AS r ON r.id = s.roster_id
    WHERE m.season_id = %s AND m.status = 'rated' AND m.kind = 'game' AND r.team_id IS NOT NULL
        AND NOT EXISTS (
            SELECT FROM league_side AS o LEFT JOIN league_roster AS other ON other.id = o.roster_id
            WHERE o.match_id = m.id AND other.team_id IS NULL
        )
    ORDER BY m.rated_order, s.index
"""


class Played(NamedTuple):
    """A team's part in a match, as ``MATCHES`` selects it."""

    match_id: int
    rated_order: int
    played_at: datetime
    weight: float
    perf_ceiling: float | None
    first_side: int | None
    place: int
    score: float | None
    team_id: int
    seconds: float | None


@dataclass(frozen=True)
class Replayed:
    """The teams of a season, and their states after its last match."""

    teams: list[int]
    states: States
    wins: Integers
    draws: Integers

    def rows(self, season: Season) -> list[TeamRating]:
        """Return a row for each team."""
        states = self.states
        columns = zip(
            self.teams,
            states.rating.tolist(),
            numbers(states.deviation),
            numbers(states.volatility),
            states.games.tolist(),
            self.wins.tolist(),
            self.draws.tolist(),
            times(states.last_played),
            strict=True,
        )
        names = (
            "team_id",
            "rating",
            "deviation",
            "volatility",
            "games",
            "wins",
            "draws",
            "last_played_at",
        )
        return [
            TeamRating(season=season, **dict(zip(names, values, strict=True))) for values in columns
        ]


def rates_teams(season: Season) -> bool:
    return season.season_rules().teams.rate


def refresh_all(now: datetime) -> int:
    """Rate the teams of seasons that have changed. Return how many. Safe to run twice."""
    return sum(attempt(season, now) for season in due())


def attempt(season_id: int, now: datetime) -> bool:
    """Rate the teams of a season. If that fails, the other seasons go on."""
    try:
        return refresh(season_id, now)
    except Exception as error:
        if outage_behind(error):
            raise
        logger.exception("The teams of season %d could not be rated.", season_id)
        return False


def is_due(season: Season) -> bool:
    """Return whether a season's teams have to be rated again."""
    return bool(due(season.pk))


def due(season_id: int | None = None) -> list[int]:
    """Return the seasons whose teams have to be rated again, or only the given one."""
    with connection.cursor() as cursor:
        cursor.execute(CHANGED, {"season": season_id})
        return [season for (season,) in cursor.fetchall()]


def refresh(season_id: int, now: datetime) -> bool:
    """Rate the teams of a season, unless another worker does. Return whether this call did.

    The fingerprint is read first: a result that is rated meanwhile is found by the next sweep.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        if not try_turn("teams of a season", season_id):
            return False
        cursor.execute(SEEN_NOW, [season_id])
        (seen,) = cursor.fetchone()
        season = Season.objects.get(pk=season_id)
        TeamRating.objects.filter(season=season).delete()
        if rates_teams(season):
            TeamRating.objects.bulk_create(replay(season).rows(season))
        TeamReplay.objects.update_or_create(season=season, defaults={"seen": seen, "at": now})
    return True


def replay(season: Season) -> Replayed:
    """Return the replay of a season's matches between teams, each under its rules."""
    rules = versions.stretches(season)
    orders, matches = select_supported(list(matches_of(season)), rules)
    history = History.build(matches)
    teams = [int(name.removeprefix(NAME[:-2])) for name in history.players]
    start = rules[0].system.newcomers(len(teams))
    if not teams:
        none = np.zeros(0, dtype=np.int64)
        return Replayed([], start, none, none)
    new = np.ones(len(teams), dtype=np.bool_)
    rated, _notes = versions.replay_season(rules, orders, history, start, new)
    found = np.array(outcomes(history))
    counted = ~rated.ignored
    return Replayed(
        teams,
        rated.states,
        np.bincount(history.player[counted & (found == 1)], minlength=len(teams)),
        np.bincount(history.player[counted & (found == 0)], minlength=len(teams)),
    )


def matches_of(season: Season) -> Iterator[tuple[int, Match]]:
    """Yield the rated matches between different teams with their places in the order of rating."""
    with connection.cursor() as cursor:
        cursor.execute(MATCHES, [season.pk])
        rows = [Played(*row) for row in cursor.fetchall()]
    for _match, group in groupby(rows, key=attrgetter("match_id")):
        sides = list(group)
        if len({side.team_id for side in sides}) == len(sides):
            yield sides[0].rated_order, match_from(sides)


def match_from(sides: Sequence[Played]) -> Match:
    """Return a match with each team as one player."""
    first = sides[0]
    return Match(
        match_id=str(first.match_id),
        played_at_us=microseconds(first.played_at),
        sides=tuple(
            Side(side.place, (Participant(NAME % side.team_id, side.seconds),), side.score)
            for side in sides
        ),
        weight=first.weight,
        perf_ceiling=math.inf if first.perf_ceiling is None else first.perf_ceiling,
        first=first.first_side,
    )


def select_supported(
    matches: list[tuple[int, Match]], rules: Sequence[Stretch]
) -> tuple[Integers, list[Match]]:
    """Return the matches that the rating system in force rates, and their places in the order."""
    kept = [
        (order, match)
        for order, match in matches
        if is_supported(match, versions.stretch_of(rules, order))
    ]
    orders = np.array([order for order, _match in kept], dtype=np.int64)
    return orders, [match for _order, match in kept]


def is_supported(match: Match, stretch: Stretch) -> bool:
    try:
        limited = math.isfinite(match.perf_ceiling)
        stretch.system.check_sizes([1] * len(match.sides), perf_ceiling=limited)
    except UnsupportedMatch:
        return False
    return not stretch.system.shows.lowest_first
