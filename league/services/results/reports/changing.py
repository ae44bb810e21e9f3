"""Reporters change or withdraw their reports until somebody answers."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from league.models import (
    Confirmation,
    Match,
    Notice,
    NoticeKind,
    Participant,
    ReportChange,
    Settlement,
    Side,
    Status,
)
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.core.types import PlayedBy
from league.services.dishonor import discipline
from league.services.notices.writing import notify
from league.services.results.reports import claims
from league.services.results.reports.answers import check_revision, status_conflict
from league.services.results.reports.digests import result_digest
from league.services.results.rules import formats
from league.services.results.rules.limits import MOST_CHANGES
from league.services.results.rules.modes import mode_of_answer
from league.services.results.rules.times import complete_rows

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player
    from league.services.core.locking import LockedMatch
    from league.services.results.reports.live import Finish


def withdraw(match_id: int, *, by: Player, now: datetime, revision: int = 1) -> Match:
    """Withdraw a report that nobody has answered. The match is void.

    A match that was started before its report has to have a result, so its report can only be
    changed.

    Raises:
        Forbidden: ``by`` did not report it.
        Conflict: it has been answered, changed since ``revision``, or was started.
    """
    with committing("withdrawal"):
        check_own(lock(match_id), by, revision)
        match = Match.objects.get(pk=match_id)
        if match.began_live:
            raise Conflict(
                "began_live",
                _("This match was started, so it needs a result. You can change your report."),
            )
        match.status, match.settlement, match.settled_at = (
            Status.VOID,
            Settlement.WITHDRAWN,
            now,
        )
        match.save(update_fields=["status", "settlement", "settled_at"])
    return match


def change(
    match_id: int,
    finishes: Sequence[Finish],
    *,
    by: Player,
    now: datetime,
    revision: int = 1,
    mode: str = "",
) -> Match:
    """Change the result of a report that nobody has answered. The deadline starts again.

    ``mode`` is its game mode, by default the one it has. A match that began with one keeps it.

    Players without a part in ``finishes`` keep theirs, and players who left by themselves stay
    leavers.

    Raises:
        Forbidden: ``by`` did not report it.
        Conflict: it has been answered, or changed since ``revision``.
        LimitReached: it has been changed too often.
        Refused: the result does not fit the arena.
    """
    with committing("changed report"):
        check_own(lock(match_id), by, revision)
        match = Match.objects.select_related("arena").get(pk=match_id)
        if match.revision > MOST_CHANGES:
            raise LimitReached(
                "changes",
                _("You have changed this report %(count)d times. It can no longer be changed.")
                % {"count": MOST_CHANGES},
            )
        sides = list(match.sides.order_by("index"))
        was = [[side.place, side.score] for side in sides]
        place(match, sides, [(finish.place, finish.score) for finish in finishes])
        record_parts(match, [part for finish in finishes for part in finish.played])
        match.mode = mode_of_answer(match, mode)
        match.revision += 1
        match.confirm_deadline = now + match.arena.confirmation_window
        match.save(update_fields=["revision", "confirm_deadline", "result_digest", "mode"])
        ReportChange.objects.create(match=match, revision=match.revision, by=by, at=now, was=was)
        tell_again(match, sides, by, now)
    return match


def tell_again(match: Match, sides: Sequence[Side], by: Player, now: datetime) -> None:
    """Tell the captains of the other sides about the new version of a report."""
    notified = [side for side in sides if side.notified_at and side.captain_id != by.pk]
    Side.objects.filter(pk__in=[side.pk for side in notified]).update(notified_at=now)
    captains = [side.captain_id for side in notified]
    claims.ask(match, by, now)
    # A notice that repeats an unread one is not written, but this one is about another result.
    earlier = Notice.objects.unseen().filter(match=match, kind=NoticeKind.REPORTED)
    earlier.filter(player__in=captains).update(seen_at=now, mail_at=None)
    notify(captains, NoticeKind.REPORTED, now, actor=by, match=match)


def check_own(locked: LockedMatch, by: Player, revision: int) -> None:
    """Refuse anybody but the reporter, and answered or changed reports."""
    if locked.reported_by != by.pk:
        raise Forbidden("not_the_reporter", _("Only the player who reported it can change this."))
    if locked.status != Status.REPORTED:
        raise status_conflict(locked)
    if Confirmation.objects.filter(match=locked.pk).exists():
        raise Conflict("answered", _("A side has already confirmed this result."))
    check_revision(locked, revision)


def place(
    match: Match, sides: Sequence[Side], placings: Sequence[tuple[int, float | None]]
) -> None:
    """Write the places and scores of a match's sides, and its digest to the object.

    Raises:
        Refused: they do not fit the arena.
    """
    formats.check_placings(match.arena, placings, len(sides))
    for side, (place, score) in zip(sides, placings, strict=True):
        side.place, side.score = place, score
    Side.objects.bulk_update(sides, ["place", "score"])
    players: dict[int, list[int]] = {side.pk: [] for side in sides}
    for side_id, player in match.participants.values_list("side", "player"):
        players[side_id].append(player)
    match.result_digest = result_digest(
        (players[side.pk], side.place, side.score) for side in sides
    )


def record_parts(match: Match, played: Sequence[PlayedBy]) -> None:
    """Write times, quits and professions of these participants.

    Raises as :func:`times.completed`.
    """
    known = {part.player_id: part for part in match.participants.select_related("player")}
    left = set(discipline.penalties_for_leaving(match.pk).values_list("player", flat=True))
    named = [part.player.pk for part in played]
    for part in played:
        formats.check_part(part)
        participant = known.get(part.player.pk)
        if participant is None:
            raise Refused(
                "participants", _("%(player)s is not in this match.") % {"player": part.player}
            )
        participant.seconds, participant.profession = part.seconds, part.profession
        participant.quit = part.quit or participant.player_id in left
    order = {player: place for place, player in enumerate(dict.fromkeys([*named, *known]))}
    rows = sorted(known.values(), key=lambda row: (row.side_id, order[row.player_id]))
    complete_rows(match, [list(side) for _side, side in groupby(rows, key=attrgetter("side_id"))])
    Participant.objects.bulk_update(known.values(), ["seconds", "quit", "profession"])
