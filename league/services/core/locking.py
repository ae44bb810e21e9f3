"""Locked matches, with all that settling them needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from django.db import connection
from django.utils.translation import gettext as _

from league.models import Status
from league.models.queue import prediction_from_json
from league.models.season import fair_play_from_json, rules_from_json, system_from_json
from league.services.core.clock import microseconds
from league.services.core.errors import Conflict, Refused
from league.services.core.prediction_inputs import PredictionInputs, prediction_inputs_of
from league.services.core.shown_ratings import decayed_rating
from league.services.core.stored_matches import PARTICIPATION, Participation, match_from
from ratings.seasons.fair_play import FairPlay

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player
    from matchmaking.prediction import PredictionRules
    from ratings import history
    from ratings.points.tables import PointSeason
    from ratings.system import RatingSystem

# Whether a match still gets a forecast from its players' figures, and these figures.
PREDICTS = "m.forecast IS NULL AND queue.prediction IS NOT NULL AND m.kind = 'game'"
FIGURES = prediction_inputs_of(
    season="m.season_id", arena="m.arena_id", player="p.player_id", source="queue.rank_source"
)

DECAYED = decayed_rating(season="m.season_id", player="p.player_id")

# Not FOR UPDATE: a correction holds the season and writes new events of later matches. Their
# foreign keys must not wait for a transaction that holds such a match and waits for the season.
LOCK_MATCH = f"""
    SELECT {PARTICIPATION},
        m.status, m.season_id, m.reported_by_side, season.rating_system, season.rating_parameters,
        season.archived_at,
        CASE WHEN (season.rules->'points'->>'counts')::bool THEN season.rules::text END,
        season.starts_at, s.captain_id, r.id, season.arena_id, (season.rules->'fair_play')::text,
        m.revision, seen.revision, m.reported_by_id, coalesce(r.connected OR r.proven, false),
        coalesce(r.connected OR r.joined, false), m.forecast,
        CASE WHEN {PREDICTS} THEN queue.prediction::text END,
        CASE WHEN {PREDICTS} THEN {FIGURES} END,
        season.anchors, CASE WHEN m.forecast IS NULL THEN {DECAYED} END
    FROM league_match AS m
    JOIN league_match AS seen ON seen.id = m.id
    JOIN league_season AS season ON season.id = m.season_id
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id
    LEFT JOIN league_rating AS r ON r.season_id = m.season_id AND r.player_id = p.player_id
    LEFT JOIN league_arenaqueue AS queue ON queue.arena_id = m.arena_id
    WHERE m.id = %s
    ORDER BY s.index, p.position
    FOR NO KEY UPDATE OF m FOR KEY SHARE OF season
"""  # noqa: S608 - columns of ours


class Settling(NamedTuple):
    """The columns that ``LOCK_MATCH`` selects beside a participation."""

    status: str
    season_id: int
    reported_by_side: int | None
    rating_system: str
    rating_parameters: str
    archived_at: datetime | None
    point_rules: str | None
    """The season's rules as JSON if it counts ladder points."""
    starts_at: datetime
    captain_id: int
    rating_id: int | None
    arena_id: int
    fair_play: str | None
    """The season's rules of fair play as JSON, None for the defaults."""
    revision: int
    seen_revision: int
    """The revision that the sides belong to."""
    reported_by_id: int | None
    proven: bool
    limited: bool
    forecast: list[float] | None
    prediction: str | None
    """The rules that predict the match from its players' figures, as JSON."""
    figures: list[Any] | None
    """As :class:`PredictionInputs`."""
    anchors: list[int]
    decayed: float | None
    """The rating after decay, for a match that still gets a forecast."""


class LockedRow(NamedTuple):
    """A row of ``LOCK_MATCH``."""

    part: Participation
    settling: Settling


@dataclass
class LockedMatch:
    """A locked match with all that rating it needs."""

    pk: int
    status: Status
    season_id: int
    system: RatingSystem
    """The season's rating system, with the parameters it began with."""
    reported_by_side: int | None
    match: history.Match
    captains: dict[int, int] = field(default_factory=dict)
    """Captains' player ids by side index."""
    newcomers: list[int] = field(default_factory=list)
    """Ids of the players without a rating in the season."""
    points: PointSeason | None = None
    """The season's point rules, if it gives ladder points."""
    starts_at: int = 0
    """The season's start, in microseconds since 1970."""
    arena_id: int = 0
    fair_play: FairPlay = field(default_factory=FairPlay)
    revision: int = 1
    """The version of the report."""
    reported_by: int | None = None
    """The id of the player who reported it."""
    proven: frozenset[int] = frozenset()
    """Ids of the players with enough different opponents and matches against them."""
    limited: frozenset[int] = frozenset()
    """Ids of those who can win little from anybody else, as they are connected to the league."""
    one_sided: float | None = None
    """The share of the weight that earlier wins over the same opponents leave, ``None`` for all."""
    forecast: list[float] | None = None
    """Each side's chance to win, if the match has its forecast already."""
    prediction: PredictionRules | None = None
    """The rules for its forecast, if its players' figures predict it and not their ratings."""
    figures: dict[int, PredictionInputs] = field(default_factory=dict)
    """The players' figures for these rules, by player id."""
    decayed: dict[int, float] = field(default_factory=dict)
    """The ratings after decay by player id, of those whose ratings decay."""

    @property
    def reporter_id(self) -> int:
        """The id of the player who reported it. Every report has one."""
        return cast("int", self.reported_by)

    def side_led_by(self, player: Player) -> int | None:
        """Return the side that ``player`` leads, preferring one that did not report."""
        led = [index for index, captain in self.captains.items() if captain == player.pk]
        led.sort(key=lambda index: index == self.reported_by_side)
        return led[0] if led else None


def lock(match_id: int) -> LockedMatch:
    """Lock a match against everything else that would settle it.

    Raises:
        Refused: there is no such match.
        Conflict: its season is archived.
    """
    rows = locked_rows(match_id)
    if not rows:
        raise Refused("no_match", _("There is no such match."))
    if is_outdated(rows[0]):
        rows = locked_rows(match_id)
    first = rows[0].settling
    if first.archived_at is not None:
        raise Conflict(
            "archived",
            _("This match's season is archived. Its standings no longer change."),
        )
    return LockedMatch(
        pk=match_id,
        status=Status(first.status),
        season_id=first.season_id,
        system=system_from_json(first.rating_system, first.rating_parameters, tuple(first.anchors)),
        reported_by_side=first.reported_by_side,
        match=match_from([row.part for row in rows]),
        captains={row.part.side: row.settling.captain_id for row in rows},
        newcomers=[row.part.player_id for row in rows if row.settling.rating_id is None],
        points=rules_from_json(first.point_rules).points if first.point_rules else None,
        starts_at=microseconds(first.starts_at),
        arena_id=first.arena_id,
        fair_play=fair_play_from_json(first.fair_play),
        revision=first.revision,
        reported_by=first.reported_by_id,
        proven=frozenset(row.part.player_id for row in rows if row.settling.proven),
        limited=frozenset(row.part.player_id for row in rows if row.settling.limited),
        forecast=first.forecast,
        prediction=prediction_from_json(first.prediction) if first.prediction else None,
        figures={
            row.part.player_id: PredictionInputs(*row.settling.figures)
            for row in rows
            if row.settling.figures
        },
        decayed={
            row.part.player_id: row.settling.decayed
            for row in rows
            if row.settling.decayed is not None
        },
    )


def locked_rows(match_id: int) -> list[LockedRow]:
    """Lock a match and return its participations in order."""
    end = len(Participation._fields)
    with connection.cursor() as cursor:
        cursor.execute(LOCK_MATCH, [match_id])
        return [
            LockedRow(Participation(*row[:end]), Settling(*row[end:])) for row in cursor.fetchall()
        ]


def is_outdated(row: LockedRow) -> bool:
    """Return whether the sides are older than the match.

    After waiting for the lock, a transaction reads the match as it has become, but the rows joined
    to it as they were. A report starts with the places, and its changes count as revisions. Nothing
    else changes sides without settling the match.
    """
    unreported = row.settling.status != Status.LIVE and row.part.place is None
    return unreported or row.settling.revision != row.settling.seen_revision
