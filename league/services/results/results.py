"""The life of a result: reported, confirmed or disputed, settled, rated."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.utils.translation import gettext as _
from psycopg.types.json import Jsonb

from league.models import Match, Participant, Season, Settlement, StaffAction, Status
from league.models.staff import OF_NO_MATCH
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.locking import LockedMatch, lock
from league.services.dishonor import abandons
from league.services.rating.rate import Settled
from league.services.results import formats
from league.services.results.consent import check_consent
from league.services.results.settling import settle
from ratings import history
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player, User
    from league.services.core.types import ReportedSide

logger = logging.getLogger(__name__)

CLOCK_TOLERANCE = timedelta(minutes=5)
"""How far in the future a played match may be dated: watches differ."""

INSERT_REPORT = """
    WITH made AS (
        INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information,
            client_token, reported_at, reported_by_id, reported_by_side, confirm_deadline,
            dispute_reason, settlement)
        VALUES (%(arena)s, %(season)s, 'reported', %(played_at)s, 1, %(information)s,
            %(client_token)s, %(now)s, %(reporter)s, %(reporter_side)s, %(deadline)s, '', '')
        ON CONFLICT (client_token) DO NOTHING
        RETURNING *
    ), sides AS (
        INSERT INTO league_side (match_id, index, place, score, roster_id, captain_id)
        SELECT made.id, u.* FROM made, unnest(
            %(side_indexes)s::int[], %(places)s::int[], %(scores)s::float8[],
            %(rosters)s::bigint[], %(captains)s::bigint[]) AS u
        RETURNING id, index
    ), participants AS (
        INSERT INTO league_participant
            (match_id, side_id, player_id, position, seconds, quit, profession, live)
        SELECT made.id, sides.id, u.player, u.position, u.seconds, u.quit, u.profession, false
        FROM made, unnest(
            %(side_of)s::int[], %(players)s::bigint[], %(positions)s::int[],
            %(seconds)s::float8[], %(quits)s::bool[], %(professions)s::text[])
            AS u(side, player, position, seconds, quit, profession)
        JOIN sides ON sides.index = u.side
    )
    SELECT * FROM made
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
    """A captain says how a match ended; the other side then has the arena's window to answer.

    The same ``client_token`` again gives the match that the first report made.

    Raises:
        Forbidden: ``reporter`` is no captain of a side.
        Refused: the result does not fit the arena, no season runs, or a side has players who are
            in no roster of its captain's.
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
        raise Forbidden("not_a_captain", _("Only a captain of one of the sides can report."))
    formats.check(arena, season.system(), sides)
    check_consent(arena, sides)
    return insert_report(
        arena, season, sides, reporter, reporter_side, played_at, now, client_token, information
    )


def season_of_result(arena: Arena, played_at: datetime, now: datetime) -> Season:
    """The season that a result counts for which arrives now.

    Raises:
        Refused: no season takes it, by the rules of the one in which it was played.
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
        _("This match was played before the season began (%(start)s).")
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
    """Write a checked report in one statement; a token already used gives the earlier match."""
    everyone = [
        (index, position, participant)
        for index, side in enumerate(sides)
        for position, participant in enumerate(side.participants)
    ]
    made = Match.objects.raw(
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
    return next(iter(made), None) or Match.objects.get(client_token=client_token)


def number(value: float | None) -> float | None:
    return None if value is None else float(value)


def confirm(match_id: int, *, by: Player, now: datetime) -> Match:
    """The captain of another side agrees: the result is settled and rated.

    Raises:
        Forbidden: ``by`` is no captain, or only of the side that reported.
        Conflict: the match is not waiting for confirmation (any more).
    """
    with transaction.atomic():
        locked = lock(match_id)
        side = answering_side(locked, by)
        return settle(locked, Settled(Settlement.CAPTAIN, by.pk, side), now)


def dispute(match_id: int, *, by: Player, reason: str, now: datetime) -> Match:
    """The captain of another side objects: staff will decide. Raises as :func:`confirm`."""
    if not reason.strip():
        raise Refused("no_reason", _("Say what is wrong with the report."), field="reason")
    with transaction.atomic():
        locked = lock(match_id)
        answering_side(locked, by)
        Match.objects.filter(pk=match_id).update(
            status=Status.DISPUTED,
            disputed_at=now,
            disputed_by=by,
            dispute_reason=reason.strip(),
        )
    return Match.objects.get(pk=match_id)


def decide(
    match_id: int,
    *,
    verdict: StaffAction.Kind,
    by: User,
    reason: str,
    now: datetime,
    placings: Sequence[tuple[int, float | None]] | None = None,
    leavers: Collection[int] | None = None,
) -> Match:
    """Staff settle a reported or disputed match: upheld, corrected to ``placings``, or void.

    A match that is still being played can only be made void. Penalties for leaving a match that
    is void, or that a correction says a player did not leave, are void too.

    ``placings`` are a place and a score for each side, in their order; ``leavers`` the ids of the
    players who left before the end, ``None`` for those that the report names.

    Raises:
        Forbidden: ``by`` may not decide results.
        Conflict: the match is past deciding.
        Refused: no reason, or a correction that does not fit the match.
    """
    if not by.has_perm("league.decide_match"):
        raise Forbidden("not_staff", _("Only staff can decide a result."))
    if not reason.strip():
        raise Refused("no_reason", _("Give the reason: both sides will read it."), field="reason")
    if verdict in OF_NO_MATCH:
        raise Refused("verdict", _("That decides no match."), field="verdict")
    with transaction.atomic():
        locked = lock(match_id)
        open_to = {Status.REPORTED, Status.DISPUTED}
        if verdict is StaffAction.Kind.VOIDED:
            open_to.add(Status.LIVE)
        if locked.status not in open_to:
            raise moved_on(locked)
        details: dict[str, Any] = {}
        if verdict is StaffAction.Kind.CORRECTED:
            details = correct(locked, placings, leavers)
            locked = lock(match_id)
        if verdict is StaffAction.Kind.VOIDED:
            Match.objects.filter(pk=match_id).update(
                status=Status.VOID, settled_at=now, settlement=Settlement.STAFF
            )
            Participant.objects.filter(match_id=match_id, live=True).update(live=False)
        else:
            settle(locked, Settled(Settlement.STAFF), now)
        action = StaffAction.objects.create(
            actor=by,
            kind=verdict,
            match_id=match_id,
            reason=reason.strip(),
            details=details,
            at=now,
        )
        abandons.clear(match_id, action, void=verdict is StaffAction.Kind.VOIDED)
    return Match.objects.get(pk=match_id)


def correct(
    locked: LockedMatch,
    placings: Sequence[tuple[int, float | None]] | None,
    leavers: Collection[int] | None,
) -> dict[str, Any]:
    """Put other places, scores and leavers on a match; what they were and are, for the ledger."""
    match = Match.objects.select_related("arena").get(pk=locked.pk)
    sides = list(match.sides.order_by("index"))
    if placings is None or len(placings) != len(sides):
        raise Refused(
            "placings", _("Give a place for each of the %(count)d sides.") % {"count": len(sides)}
        )
    formats.check_places(match.arena, [place for place, _score in placings])
    was = [{"place": side.place, "score": side.score} for side in sides]
    for side, (place, score) in zip(sides, placings, strict=True):
        side.place, side.score = place, score
    match.sides.bulk_update(sides, ["place", "score"])
    details = {"was": was, "is": [{"place": side.place, "score": side.score} for side in sides]}
    return details if leavers is None else details | correct_leavers(match, leavers)


def correct_leavers(match: Match, leavers: Collection[int]) -> dict[str, Any]:
    """Say who left a match before its end; who it was and is, for the ledger."""
    parts = match.participants.all()
    if set(leavers) - set(parts.values_list("player", flat=True)):
        raise Refused("leavers", _("Only who plays in a match can leave it."), field="leavers")
    was = sorted(parts.filter(quit=True).values_list("player", flat=True))
    parts.update(quit=False)
    parts.filter(player__in=leavers).update(quit=True)
    return {"left_was": was, "left_is": sorted(leavers)}


def confirm_expired(now: datetime, limit: int = 500) -> int:
    """Settle reports that nobody answered in time; how many. Safe to run twice at once.

    One that cannot be rated is logged for staff and left as it is; the others go on.
    """
    expired = Match.objects.expired(now).order_by("confirm_deadline")
    return sum(
        settle_expired(match_id, now) for match_id in expired.values_list("pk", flat=True)[:limit]
    )


def settle_expired(match_id: int, now: datetime) -> bool:
    try:
        with transaction.atomic():
            locked = lock(match_id)
            if locked.status != Status.REPORTED:
                return False
            settle(locked, Settled(Settlement.WINDOW), now)
    except Conflict:
        return False  # its season has been archived since
    except (history.HistoryError, UnsupportedMatch):
        logger.exception("Match %d cannot be rated: staff has to decide it.", match_id)
        return False
    return True


def answering_side(locked: LockedMatch, player: Player) -> int:
    """The side for which ``player`` may answer a report."""
    side = locked.side_led_by(player)
    if side is None:
        raise Forbidden("not_a_captain", _("Only the captain of another side can answer a report."))
    if locked.status != Status.REPORTED:
        raise moved_on(locked)
    if side == locked.reported_by_side:
        raise Forbidden(
            "own_report", _("You reported this result: the other side has to confirm it.")
        )
    return side


def moved_on(locked: LockedMatch) -> Conflict:
    """Why a match cannot be answered now."""
    sentences = {
        Status.LIVE: _("This match has no report yet."),
        Status.REPORTED: _("This match is waiting for confirmation."),
        Status.DISPUTED: _("This result is disputed: staff will decide."),
        Status.RATED: _("This result is already confirmed and rated."),
        Status.VOID: _("This match is void: its result does not count."),
    }
    return Conflict(str(locked.status), sentences[locked.status])
