"""Reporting results."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _
from psycopg.types.json import Jsonb

from league.models import Match, Season
from league.services.core.errors import Forbidden, Refused
from league.services.results import formats, meetings
from league.services.results.consent import check_consent

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player
    from league.services.core.types import ReportedSide


CLOCK_TOLERANCE = timedelta(minutes=5)
"""How far in the future the end of a match may be, because clocks differ."""


INSERT_REPORT = """
    WITH report AS (
        INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information,
            client_token, reported_at, reported_by_id, reported_by_side, confirm_deadline,
            dispute_reason, settlement)
        VALUES (%(arena)s, %(season)s, 'reported', %(played_at)s, 1, %(information)s,
            %(client_token)s, %(now)s, %(reporter)s, %(reporter_side)s, %(deadline)s, '', '')
        ON CONFLICT (client_token) DO NOTHING
        RETURNING *
    ), sides AS (
        INSERT INTO league_side (match_id, index, place, score, roster_id, captain_id)
        SELECT report.id, u.* FROM report, unnest(
            %(side_indexes)s::int[], %(places)s::int[], %(scores)s::float8[],
            %(rosters)s::bigint[], %(captains)s::bigint[]) AS u
        RETURNING id, index
    ), participants AS (
        INSERT INTO league_participant
            (match_id, side_id, player_id, position, seconds, quit, profession, live)
        SELECT report.id, sides.id, u.player, u.position, u.seconds, u.quit, u.profession, false
        FROM report, unnest(
            %(side_of)s::int[], %(players)s::bigint[], %(positions)s::int[],
            %(seconds)s::float8[], %(quits)s::bool[], %(professions)s::text[])
            AS u(side, player, position, seconds, quit, profession)
        JOIN sides ON sides.index = u.side
    )
    SELECT * FROM report
"""


def report(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    reporter: Player,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None = None,
    information: dict[str, str] | None = None,
) -> Match:
    """Report a result as a captain and return the match. The other sides then have time to answer.

    A repeated ``client_token`` returns the match of the first report.

    Raises:
        Forbidden: ``reporter`` leads no side.
        Refused: the result does not fit the arena, no season is running, or a side has players
            who are in no roster of its captain, or its opponents have met too often.
    """
    if client_token and (earlier := Match.objects.filter(client_token=client_token).first()):
        return earlier
    if not arena.is_open:
        raise closed(arena)
    if played_at > now + CLOCK_TOLERANCE:
        raise Refused("future", _("A match cannot end in the future."), field="played_at")
    season = season_of_result(arena, played_at, now)
    reporter_side = next(
        (index for index, side in enumerate(sides) if side.captain == reporter), None
    )
    if reporter_side is None:
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
    formats.check(arena, season.system(), sides)
    check_consent(arena, sides)
    with transaction.atomic():
        meetings.take_turn(meetings.sides_of(sides))
        if client_token and (earlier := Match.objects.filter(client_token=client_token).first()):
            return earlier
        meetings.check_limits(arena, season, sides, now)
        return insert_report(
            arena, season, sides, reporter, reporter_side, played_at, now, client_token, information
        )


def season_of_result(arena: Arena, played_at: datetime, now: datetime) -> Season:
    """Return the season for which a result reported now counts.

    Raises:
        Refused: the rules of the season in which it was played allow none.
    """
    running = arena.current_season(now)
    if running and played_at >= running.starts_at:
        return running
    played_in = Season.objects.played_in(played_at).filter(arena=arena).first()
    late = played_in.season_rules().calendar.late if played_in else "refuse"
    if played_in and late == "its-season" and played_in.archived_at is None:
        return played_in
    if running and late == "running":
        return running
    if running is None:
        raise closed(arena)
    raise Refused(
        "before_season",
        _("This match was played before the season started (%(start)s).")
        % {"start": running.starts_at.date().isoformat()},
        field="played_at",
    )


def closed(arena: Arena) -> Refused:
    return Refused("closed", _("No season is running in %(arena)s.") % {"arena": arena})


def insert_report(
    arena: Arena,
    season: Season,
    sides: Sequence[ReportedSide],
    reporter: Player,
    reporter_side: int,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None,
    information: dict[str, str] | None,
) -> Match:
    """Write a report in one statement. Return the earlier match if the token was already used."""
    everyone = [
        (index, position, participant)
        for index, side in enumerate(sides)
        for position, participant in enumerate(side.participants)
    ]
    inserted = Match.objects.raw(
        INSERT_REPORT,
        {
            "arena": arena.pk,
            "season": season.pk,
            "played_at": played_at,
            "information": Jsonb(information or {}),
            "client_token": client_token,
            "now": now,
            "reporter": reporter.pk,
            "reporter_side": reporter_side,
            "deadline": now + arena.confirmation_window,
            "side_indexes": list(range(len(sides))),
            "places": [side.place for side in sides],
            "scores": [number(side.score) for side in sides],
            "rosters": [side.roster.pk if side.roster else None for side in sides],
            "captains": [side.captain.pk for side in sides],
            "side_of": [index for index, _position, _participant in everyone],
            "positions": [position for _index, position, _participant in everyone],
            "players": [participant.player.pk for *_where, participant in everyone],
            "seconds": [number(participant.seconds) for *_where, participant in everyone],
            "quits": [participant.quit for *_where, participant in everyone],
            "professions": [participant.profession for *_where, participant in everyone],
        },
    )
    return next(iter(inserted), None) or Match.objects.get(client_token=client_token)


def number(value: float | None) -> float | None:
    return None if value is None else float(value)
