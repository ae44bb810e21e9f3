"""Counter-reports: another side answers a report with the result as it saw it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from league.models import CounterReport, Match, NoticeKind, Side, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.notices.reading import mark_answered
from league.services.results.reports import answers, changing
from league.services.results.reports.claims import strike_out
from league.services.results.reports.digests import number
from league.services.results.rules import formats
from league.services.results.rules.modes import mode_of_answer

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Player
    from league.models.match import MatchQuerySet
    from league.services.core.locking import LockedMatch


def counter(
    match_id: int,
    placings: Sequence[tuple[int, float | None]],
    *,
    by: Player,
    now: datetime,
    comment: str = "",
    revision: int = 1,
    mode: str = "",
    sent_from: UUID | None = None,
) -> Match:
    """Answer a report with another result or game ``mode``, as the captain of another side.

    The match is disputed. The side that reported it can accept the other result until staff
    decide. Its silence means nothing.

    Raises as :func:`answers.confirm`, and ``Refused`` if the result does not fit the arena or is
    the reported one.
    """
    with committing("counter-report"):
        locked = lock(match_id)
        side = answers.answering_side(locked, by, revision)
        match = Match.objects.select_related("arena").get(pk=match_id)
        formats.check_placings(match.arena, placings, len(locked.match.sides))
        placings = [(place, number(score)) for place, score in placings]
        mode = mode_of_answer(match, mode)
        same = placings == [(side.place, side.score) for side in locked.match.sides]
        if same and mode == match.mode:
            raise Refused("same_result", _("This is the reported result. Confirm it instead."))
        CounterReport.objects.create(
            match=match,
            side=side,
            reporter=by,
            at=now,
            played_at=match.played_at,
            placings=placings,
            mode="" if mode == match.mode else mode,
            comment=comment.strip(),
            against_id=locked.reporter_id,
            state=CounterReport.State.OPEN,
            answer_by=now + match.arena.confirmation_window,
            sent_from=sent_from,
        )
        return answers.open_dispute(locked, by, comment.strip(), now)


def asking(player: Player) -> MatchQuerySet:
    """Return the disputed matches in which another result waits for the answer of ``player``."""
    led = Side.objects.filter(
        match=OuterRef("pk"), captain=player, index=OuterRef("reported_by_side")
    )
    other = CounterReport.objects.filter(match=OuterRef("pk"), state=CounterReport.State.OPEN)
    return Match.objects.filter(
        Exists(led), Exists(other.exclude(reporter=player)), status=Status.DISPUTED
    )


def accept(match_id: int, *, by: Player, now: datetime, sent_from: UUID | None = None) -> Match:
    """Accept a counter-report as the captain of the side that reported. This settles the match.

    The counter-report becomes the report, which ``by`` confirms.

    Raises:
        Forbidden: ``by`` does not lead the side that reported.
        Conflict: no counter-report waits for an answer.
    """
    with committing("accepted counter-report"):
        locked, waiting = lock_to_answer(match_id, by)
        match = Match.objects.select_related("arena").get(pk=match_id)
        sides = list(match.sides.order_by("index"))
        changing.place(match, sides, [(place, score) for place, score in waiting.placings])
        side = locked.reported_by_side
        match.mode = waiting.mode or match.mode
        match.status = Status.REPORTED
        match.reported_by, match.reported_by_side = waiting.reporter, waiting.side
        match.reported_from = waiting.sent_from
        match.revision += 1
        match.confirm_deadline = now + match.arena.confirmation_window
        match.save()
        match.confirmations.all().delete()  # of the other result
        # The counter-report says nothing about them, so nobody has agreed to these claims.
        strike_out(match_id, players_against(locked))
        close(waiting, CounterReport.State.ACCEPTED, by, now)
        return answers.count_confirmation(lock(match_id), by, side or 0, now, sent_from)


def players_against(locked: LockedMatch) -> list[int]:
    """Return the players of the sides that did not report."""
    return [
        int(part.player)
        for index, side in enumerate(locked.match.sides)
        if index != locked.reported_by_side
        for part in side.participants
    ]


def reject(match_id: int, *, by: Player, now: datetime) -> Match:
    """Reject a counter-report as the captain of the side that reported. Staff decide.

    Raises as :func:`accept`.
    """
    with transaction.atomic():
        _locked, waiting = lock_to_answer(match_id, by)
        close(waiting, CounterReport.State.REJECTED, by, now)
    return Match.objects.get(pk=match_id)


def lock_to_answer(match_id: int, by: Player) -> tuple[LockedMatch, CounterReport]:
    """Lock a match and return it with the counter-report that ``by`` may answer."""
    locked = lock(match_id)
    led = [index for index, captain in locked.captains.items() if captain == by.pk]
    if locked.reported_by_side not in led:
        raise Forbidden(
            "not_a_captain",
            _("Only the captain of the side that reported can answer the other result."),
        )
    waiting = (
        CounterReport.objects.select_related("reporter")
        .filter(match=match_id, state=CounterReport.State.OPEN)
        .first()
    )
    if locked.status != Status.DISPUTED:
        raise answers.status_conflict(locked)
    if waiting is None:
        raise Conflict("no_counter_report", _("No other result waits for an answer here."))
    if waiting.reporter_id == by.pk:
        raise Forbidden("own_report", _("You reported this result. The other side answers it."))
    return locked, waiting


def close(waiting: CounterReport, state: CounterReport.State, by: Player, now: datetime) -> None:
    waiting.state, waiting.answered_by, waiting.answered_at = state, by, now
    waiting.save(update_fields=["state", "answered_by", "answered_at"])
    mark_answered(by, NoticeKind.DISPUTED, now, match=waiting.match)
