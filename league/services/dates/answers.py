"""Answers to a proposed time: accepting, declining and withdrawing it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Arrangement, ArrangementStep, NoticeKind
from league.services.core.errors import Conflict, Forbidden
from league.services.core.isolation import gettext as _
from league.services.dates.steps import locked_for, note
from league.services.eligibility.reasons import refuse_banned
from league.services.notices.reading import mark_answered

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Player


def accept(arrangement_id: int, *, by: Player, seen: int, now: datetime) -> Arrangement:
    """Accept the proposed time. ``seen`` is the revision of the proposal that ``by`` read.

    Raises:
        Forbidden: ``by`` is not the captain who is asked, or is banned.
        Conflict: the proposal is no longer open, its time has changed, or the other is banned.
    """
    with transaction.atomic():
        one = open_to(arrangement_id, by, now)
        check_seen(one, seen)
        refuse_banned([one.other(by)], now, by=by)
        if not one.arena.is_open:
            raise Conflict("closed", _("%(arena)s is closed.") % {"arena": one.arena})
        one.accepted_at = now
        close(one, Arrangement.State.ACCEPTED, now, by=by)
    return one


def decline(arrangement_id: int, *, by: Player, seen: int, now: datetime) -> Arrangement:
    """Decline the proposed time, without another one. Raises as :func:`accept`."""
    with transaction.atomic():
        one = open_to(arrangement_id, by, now)
        check_seen(one, seen)
        close(one, Arrangement.State.DECLINED, now, by=by)
    return one


def withdraw(arrangement_id: int, *, by: Player, now: datetime) -> Arrangement:
    """Withdraw a proposed time that the other captain has not answered.

    Raises:
        Forbidden: ``by`` is the captain who is asked, or neither of the two.
        Conflict: the proposal is no longer open.
    """
    with transaction.atomic():
        one = locked_for(arrangement_id, by)
        check_open(one, now)
        if one.asked_id == by.pk:
            raise Forbidden("asked", _("It is your turn to answer. Decline the time instead."))
        close(one, Arrangement.State.WITHDRAWN, now, by=by)
    return one


def open_to(arrangement_id: int, player: Player, now: datetime) -> Arrangement:
    """Lock an open proposal that ``player`` may answer, and return it."""
    one = locked_for(arrangement_id, player)
    check_open(one, now)
    if one.asked_id != player.pk:
        raise Forbidden("not_asked", _("It is the other captain’s turn to answer."))
    mark_answered(player, NoticeKind.WAITING, now, arrangement=one)
    return one


def check_open(one: Arrangement, now: datetime) -> None:
    if one.state != Arrangement.State.PROPOSED:
        raise Conflict(
            str(one.state),
            _("This proposal is no longer open. Its state: %(state)s.")
            % {"state": one.get_state_display()},
        )
    if one.play_at <= now:
        raise Conflict("too_late", _("The proposed time has passed."))


def check_seen(one: Arrangement, seen: int) -> None:
    """Refuse answers to a time that has been replaced in the meantime."""
    if one.revision != seen:
        raise Conflict(
            "changed", _("The proposed time has changed in the meantime. Look at it again.")
        )


def close(one: Arrangement, state: Arrangement.State, now: datetime, *, by: Player) -> None:
    one.state, one.answered_at = state, now
    one.save(update_fields=["state", "answered_at", "accepted_at"])
    note(one, ArrangementStep.Kind(state), now, by=by)
