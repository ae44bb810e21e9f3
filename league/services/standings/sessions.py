"""Rate one session on its own: the table of an evening, from newcomers, without storing anything.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000: ratings can be applied per session,
without identities that last. They say less, as everybody starts with a blank slate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection

from league.models import Player
from league.models.season import system_from_json
from league.services.core.durations import describe_duration
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.stored_matches import PARTICIPATION, Participation, match_from
from ratings.history import History
from ratings.replay import replay

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Season
    from ratings.history import Match
    from ratings.system import RatingSystem

LONGEST = timedelta(hours=48)
MOST_MATCHES = 3_000
MOST_PARTS = 30_000
"""The most participations that are rated at once."""

PLAYED = f"""
    SELECT {PARTICIPATION}
    FROM (
        SELECT * FROM league_match
        WHERE arena_id = %(arena)s AND season_id = %(season)s
            AND played_at >= %(since)s AND played_at < %(until)s
            AND status = 'rated' AND kind = 'game'
        ORDER BY played_at, id LIMIT %(matches)s
    ) AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id
    ORDER BY m.played_at, m.id, s.index, p.position
    LIMIT %(parts)s
"""  # noqa: S608 - columns of ours


@dataclass(frozen=True)
class SessionLine:
    """A player's line in the table of a session."""

    rank: int
    player: Player
    rating: float
    deviation: float | None
    games: int
    wins: int


@dataclass(frozen=True)
class Session:
    matches: int
    rows: list[SessionLine]


def session(season: Season, since: datetime, until: datetime) -> Session:
    """Return the table of the rated matches played from ``since`` to before ``until``.

    Every match counts fully, in the order in which it was played. Two queries.

    Raises:
        Refused: the times are in the wrong order or too far apart, or there are too many matches.
            ``field`` names the time at fault.
    """
    check_times(since, until)
    matches = matches_of(season, since, until)
    if not matches:
        return Session(0, [])
    system = system_from_json(season.rating_system, season.parameters_as_json)
    return Session(len(matches), table(system, History.build(matches)))


def check_times(since: datetime, until: datetime) -> None:
    """Refuse times in the wrong order or too far apart, in any season or none."""
    if since >= until:
        raise Refused("order", _("The end must be after the start."), field="until")
    if until - since > LONGEST:
        message = _("A session lasts %(most)s at most. Choose an earlier end.")
        raise Refused("too_long", message % {"most": describe_duration(LONGEST)}, field="until")


def matches_of(season: Season, since: datetime, until: datetime) -> list[Match]:
    """Return the matches of a session in order, each with its full weight."""
    with connection.cursor() as cursor:
        cursor.execute(
            PLAYED,
            {
                "arena": season.arena_id,
                "season": season.pk,
                "since": since,
                "until": until,
                "matches": MOST_MATCHES + 1,
                "parts": MOST_PARTS + 1,
            },
        )
        parts = [Participation(*row) for row in cursor.fetchall()]
    matches = [
        replace(match_from(list(rows)), weight=1.0)
        for _match, rows in groupby(parts, key=attrgetter("match_id"))
    ]
    if len(matches) > MOST_MATCHES or len(parts) > MOST_PARTS:
        raise Refused(
            "too_many",
            _("More than %(most)d matches were played in this time. Choose a shorter one.")
            % {"most": MOST_MATCHES},
            field="until",
        )
    return matches


def table(system: RatingSystem, played: History) -> list[SessionLine]:
    """Rate a session from newcomers and return its rows, best first; equal ratings share a rank."""
    after = replay(system, played).states
    first = played.places == 0
    alone = np.add.reduceat(first, played.side_offsets[:-1]) == 1
    won = first & np.repeat(alone, np.diff(played.side_offsets))
    wins = np.bincount(played.player, np.repeat(won, played.sizes), len(played.players))
    people = Player.ever.in_bulk([int(name) for name in played.players])
    keys = after.rating if system.shows.lowest_first else -after.rating
    ascending = np.sort(keys)
    return [
        SessionLine(
            rank=int(np.searchsorted(ascending, keys[at])) + 1,
            player=people[int(played.players[at])],
            rating=float(after.rating[at]),
            deviation=None if np.isnan(after.deviation[at]) else float(after.deviation[at]),
            games=int(after.games[at]),
            wins=int(wins[at]),
        )
        for at in np.argsort(keys, kind="stable").tolist()
    ]
