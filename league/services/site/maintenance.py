"""Maintenance: staff stop new matches for a while. Live ones end as usual, and all can be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import override

from league.models import Challenge, Maintenance, StaffAction
from league.models.own_words import Why, own_words
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.site import frame

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from league.models import User

PERMISSION = "league.change_maintenance"
LONGEST_MESSAGE = 500


def state() -> Maintenance:
    """Return whether it is on, with its message."""
    return Maintenance.objects.first() or Maintenance()


def turn_on(message: str, *, until: datetime | None, by: User, now: datetime) -> Maintenance:
    """Refuse new matches with a message from now on, or change the message.

    ``until`` is when staff expect to be done. Maintenance stays on until they turn it off.

    Raises:
        Forbidden: ``by`` may not.
        Refused: there is no message, or the expected end is past.
    """
    check_permission(by)
    message = message.strip()
    if not message or len(message) > LONGEST_MESSAGE:
        text = _("Write up to %(count)d characters. Players will read it.")
        raise Refused("message", text % {"count": LONGEST_MESSAGE}, field="message")
    if until is not None and until <= now:
        raise Refused("until", _("Choose a time in the future, or none."), field="until")
    with transaction.atomic():
        row, _new = Maintenance.objects.select_for_update().get_or_create(pk=1)
        before = describe_maintenance(row)
        row.since, row.until, row.message = row.since or now, until, message
        row.save()
        log(by, now, Why(message), before, row)
    return row


def turn_off(*, by: User, now: datetime) -> Maintenance:
    """Let new matches begin again, and postpone the deadlines of challenges.

    Raises:
        Forbidden: ``by`` may not.
        Conflict: it is off.
    """
    check_permission(by)
    with transaction.atomic():
        row = Maintenance.objects.select_for_update().filter(since__isnull=False).first()
        if row is None:
            raise Conflict("off", _("Maintenance is off already."))
        before = describe_maintenance(row)
        if row.since is not None and row.since < now:
            postpone(now - row.since)
        row.since, row.until = None, None
        row.save()
        log(by, now, own_words("maintenance off"), before, row)
    return row


def postpone(time: timedelta) -> None:
    """Give players who could not play their challenges that much more time."""
    unfinished = Challenge.objects.pending()
    unfinished.filter(state=Challenge.State.OPEN).update(answer_by=F("answer_by") + time)
    unfinished.filter(state=Challenge.State.ACCEPTED).update(play_by=F("play_by") + time)


def check_permission(by: User) -> None:
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_staff", _("You need the permission to change maintenance."))


def log(by: User, now: datetime, why: Why, before: dict[str, str], row: Maintenance) -> None:
    StaffAction.objects.create(
        actor=by,
        kind=StaffAction.Kind.MAINTENANCE,
        reason=why.text,
        details=why.details,
        before=before,
        after=describe_maintenance(row),
        at=now,
    )
    frame.forget()
    transaction.on_commit(frame.forget)


def describe_maintenance(row: Maintenance) -> dict[str, str]:
    """Return the state as the staff log has it."""
    with override("en"):
        return {
            _("Maintenance"): _("on") if row.since else _("off"),
            _("Message"): row.message if row.since else "",
            _("Expected end"): row.until.isoformat() if row.until else "",
        }
