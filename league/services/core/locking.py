"""A match under lock, with all that settling it needs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from django.db import connection
from django.utils.translation import gettext as _

from league.models import Status
from league.models.season import rules_from_json, system_from_json
from league.services.core.clock import microseconds
from league.services.core.errors import Conflict, Refused
from ratings import history

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player
    from ratings.points.tables import PointSeason
    from ratings.system import RatingSystem

# Not FOR UPDATE: a correction, which holds the season, writes new events of any later match, and
# their foreign key must not wait for who has that match and waits for the season.
LOCK_MATCH = """
    SELECT m.id, m.status, m.season_id, m.played_at, m.weight, m.perf_ceiling,
        m.reported_by_side, season.rating_system, season.rating_parameters, season.archived_at,
        CASE WHEN (season.rules->'points'->>'counts')::bool THEN season.rules::text END,
        season.starts_at,
        s.index, s.place, s.score, s.captain_id,
        p.player_id, p.seconds, p.quit, p.profession, r.id, m.played
    FROM league_match AS m
    JOIN league_season AS season ON season.id = m.season_id
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id
    LEFT JOIN league_rating AS r ON r.season_id = m.season_id AND r.player_id = p.player_id
    WHERE m.id = %s
    ORDER BY s.index, p.position
    FOR NO KEY UPDATE OF m FOR KEY SHARE OF season
"""
STATUS, PLACE = 1, 13
"""Where among these columns ``m.status`` and ``s.place`` are."""

Row = tuple[Any, ...]


@dataclass
class LockedMatch:
    """A match under lock with all that rating it needs."""

    pk: int
    status: Status
    season_id: int
    system: RatingSystem
    """The season's, with the parameters it began with."""
    reported_by_side: int | None
    match: history.Match
    captains: dict[int, int] = field(default_factory=dict)
    """Side by index to the captain's player id."""
    newcomers: list[int] = field(default_factory=list)
    points: PointSeason | None = None
    """How the season gives ladder points, if it does."""
    starts_at: int = 0
    """Of the season, in microseconds since 1970."""

    def side_led_by(self, player: Player) -> int | None:
        """The side that ``player`` is captain of, preferring one that did not report."""
        led = [index for index, captain in self.captains.items() if captain == player.pk]
        led.sort(key=lambda index: index == self.reported_by_side)
        return led[0] if led else None


def lock(match_id: int) -> LockedMatch:
    """The match, locked against everyone else who would settle it, and all that rating needs.

    Raises:
        Refused: there is no such match.
        Conflict: its season is archived.
    """
    rows = locked_rows(match_id)
    if not rows:
        raise Refused("no_match", _("There is no such match."))
    if is_from_before_its_report(rows):
        rows = locked_rows(match_id)
    (
        pk,
        status,
        season_id,
        played_at,
        weight,
        ceiling,
        reporter,
        rules,
        parameters,
        archived,
        points,
        starts_at,
    ) = rows[0][:12]
    if archived is not None:
        raise Conflict(
            "archived",
            _(
                "The season of this match is over and its standings are frozen: nothing counts "
                "for it any more."
            ),
        )
    captains: dict[int, int] = {}
    newcomers: list[int] = []
    sides: dict[int, tuple[int, float | None, list[history.Participant]]] = {}
    for index, place, score, captain, player, seconds, quit_, profession, rating in (
        row[12:-1] for row in rows
    ):
        captains[index] = captain
        if rating is None:
            newcomers.append(player)
        _place, _score, participants = sides.setdefault(index, (place, score, []))
        participants.append(history.Participant(str(player), seconds, quit_, profession))
    match = history.Match(
        match_id=str(pk),
        played_at_us=microseconds(played_at),
        sides=tuple(
            history.Side(place=place, participants=tuple(participants), score=score)
            for place, score, participants in sides.values()
        ),
        weight=weight,
        perf_ceiling=math.inf if ceiling is None else ceiling,
        played=rows[0][-1],
    )
    return LockedMatch(
        pk=pk,
        status=Status(status),
        season_id=season_id,
        system=system_from_json(rules, parameters),
        reported_by_side=reporter,
        match=match,
        captains=captains,
        newcomers=newcomers,
        points=rules_from_json(points).points if points else None,
        starts_at=microseconds(starts_at),
    )


def locked_rows(match_id: int) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(LOCK_MATCH, [match_id])
        rows: list[Row] = cursor.fetchall()
    return rows


def is_from_before_its_report(rows: Sequence[Row]) -> bool:
    """Whether the sides are older than the match. Who has waited for the lock sees the match as it
    has become, but what is joined to it as it was; what a report writes beside it begins with the
    places, and nothing else changes sides without settling the match."""
    return rows[0][STATUS] != Status.LIVE and rows[0][PLACE] is None
