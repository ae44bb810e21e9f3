"""Results that organisers enter. They count at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import IntegrityError
from django.utils.translation import gettext as _

from league.models import Match, Participant, Settlement, Side, StaffAction, Status
from league.services.core.constraints import violated_rule
from league.services.core.errors import Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.rating.rate import Settled
from league.services.results.reports.reporting import (
    CLOCK_TOLERANCE,
    closed_refusal,
    season_of_result,
)
from league.services.results.rules import formats, own_matches
from league.services.results.rules.modes import mode_of_result
from league.services.results.rules.times import with_times
from league.services.results.settling import settle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Season, User
    from league.services.core.types import ReportedSide


def enter(
    arena: Arena,
    sides: Sequence[ReportedSide],
    *,
    by: User,
    reason: str,
    played_at: datetime,
    now: datetime,
    client_token: UUID | None = None,
    weight: float = 1.0,
    mode: str = "",
    link: Callable[[Match], object] | None = None,
    first_side: int | None = None,
    details: Mapping[str, Any] | None = None,
) -> Match:
    """Enter a result of any players as an organiser, rate it at once and return the match.

    ``weight`` is that of the contest: 2 if it says as much about its players as two others.
    ``first_side`` is the number of the side that was at home, had White or served.
    It is a staff action with its reason and further ``details``. A repeated ``client_token``
    returns the first match.
    ``link`` is called with the match before it is rated, in the same transaction.

    Raises:
        Forbidden: ``by`` may not decide results, or played in this match and is not the only one
            who can decide it.
        Refused: the result does not fit the arena or names no game mode, no season is running, or
            there is no reason.
    """
    if not by.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can enter results."))
    if client_token and (earlier := Match.objects.filter(client_token=client_token).first()):
        return earlier
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason. Everyone can read it."), field="reason")
    if not arena.is_open:
        raise closed_refusal(arena)
    if played_at > now + CLOCK_TOLERANCE:
        raise Refused("future", _("A match cannot end in the future."), field="played_at")
    season = season_of_result(arena, played_at, arena.current_season(now))
    system = season.system()
    formats.check_format(arena, system, sides)
    formats.check_weight(system, weight)
    formats.check_first_side(len(sides), first_side)
    sides = with_times(system, sides)
    mode = mode_of_result(arena, mode)
    try:
        with committing("entered result"):
            match = write(season, sides, played_at, now, client_token, weight, mode, first_side)
            own = own_matches.check_own_match(match, by, own_matches.ENTER)
            if link is not None:
                link(match)
            rated = settle(lock(match.pk), Settled(Settlement.STAFF), now)
            StaffAction.objects.create(
                actor=by,
                kind=StaffAction.Kind.ENTERED,
                match=match,
                reason=reason.strip(),
                details={**(details or {}), **own},
                at=now,
            )
    except IntegrityError as error:
        if "client_token" not in violated_rule(error):
            raise
        return Match.objects.get(client_token=client_token)
    return rated


def write(
    season: Season,
    sides: Sequence[ReportedSide],
    played_at: datetime,
    now: datetime,
    client_token: UUID | None,
    weight: float,
    mode: str,
    first_side: int | None,
) -> Match:
    """Write a match that is over but not yet settled, with its sides and participants."""
    match = Match.objects.create(
        arena=season.arena,
        season=season,
        status=Status.LIVE,
        played_at=played_at,
        mode=mode,
        reported_at=now,
        client_token=client_token,
        weight=weight,
        contest_weight=weight,
        first_side=first_side,
    )
    rows = Side.objects.bulk_create(
        Side(
            match=match,
            index=index,
            place=side.place,
            score=side.score,
            roster=side.roster,
            captain=side.captain,
        )
        for index, side in enumerate(sides)
    )
    Participant.objects.bulk_create(
        Participant(
            match=match,
            side=row,
            player=part.player,
            position=position,
            seconds=part.seconds,
            quit=part.quit,
            profession=part.profession,
            stand_in=part.stand_in,
        )
        for row, side in zip(rows, sides, strict=True)
        for position, part in enumerate(side.participants)
    )
    return match
