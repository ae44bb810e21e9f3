"""Messages between the sides of a date, a challenge or a match of a queue, until it is settled."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import (
    Arrangement,
    ArrangementMessage,
    Challenge,
    Match,
    NoticeKind,
    Status,
)
from league.models.arrangement_parts import LONGEST_DATE_MESSAGE
from league.models.match_states import OPEN
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates.limits import (
    MESSAGES_WITHIN,
    MOST_MESSAGES,
    REPORT_WITHIN,
    reports_until,
)
from league.services.dates.people import captains_of, may_read, others, takes_part
from league.services.dates.steps import lock
from league.services.eligibility.reasons import refuse_banned
from league.services.following.blocks import refuse_blocked
from league.services.ladder import challenges
from league.services.notices.writing import notify
from league.services.results.staff.threads import ONE_AFTER_ANOTHER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player, User
    from league.services.dates.people import Meeting

MOST_SHOWN = 200
"""The messages on a page. Programs can read them all."""
UNSETTLED = [Status.REPORTED, Status.DISPUTED]


def takes_messages(one: Meeting, now: datetime) -> bool:
    """Return whether the sides can write about a match now.

    They can while a date is proposed or agreed, while a challenge is accepted, and while a match is
    live or waits for an answer. After its report they can for the time that the report of a date
    could take.
    """
    if isinstance(one, Match):
        return one.status in OPEN or now < one.played_at + REPORT_WITHIN
    if one.match is not None and one.match.status in UNSETTLED:
        return True
    if isinstance(one, Challenge):
        return one.state == Challenge.State.ACCEPTED and (
            one.match is None or takes_messages(one.match, now)
        )
    begun = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED, Arrangement.State.PLAYED]
    return one.state in begun and now < reports_until(one)


def messages_of(*meetings: Meeting) -> Sequence[ArrangementMessage]:
    """Return the latest messages with the names of their authors, oldest first.

    Several meetings are the steps of one match, such as a challenge and its date.
    """
    about = reduce(or_, (Q(**{kind_of(one): one}) for one in meetings))
    named = ArrangementMessage.objects.filter(about).select_related("player", "author__player")
    shown = named.only("at", "text", "player__name", "author__username", "author__player__name")
    return list(shown.order_by("-id")[:MOST_SHOWN])[::-1]


def kind_of(one: Meeting) -> str:
    """Return the name of the field in which a message or a notice refers to a meeting."""
    return type(one).__name__.lower()


def write(
    about: Meeting, *, by: User, player: Player | None, text: str, now: datetime
) -> ArrangementMessage:
    """Write about a match as a player of one of its sides or as staff, and tell the other sides.

    Raises:
        Forbidden: the account is neither, or its player is banned.
        Conflict: it is over, or the challenge is not accepted.
        Refused: a captain of another side blocks the player.
        LimitReached: the author has written too much.
        Refused: the text is empty or too long.
    """
    text = checked_text(text)
    with transaction.atomic():
        one = lock_meeting(about)
        check_reader(one, by, player)
        check_is_talk(one)
        if player is not None:
            refuse_banned([], now, by=player)
            refuse_blocked(captains_of(one) & others(one, player), by=player)
        if not takes_messages(one, now):
            raise Conflict("over", OVER[kind_of(one)]())
        check_limit(by, now)
        author = player if takes_part(one, player) else None
        subject: dict[str, Any] = {kind_of(one): one}
        message = ArrangementMessage.objects.create(
            **subject, author=by, player=author, at=now, text=text
        )
        notify(others(one, player), NoticeKind.MESSAGED, now, actor=player, **subject)
    return message


OVER = {
    "arrangement": lambda: _("This date is over, so nobody can write about it any more."),
    "challenge": lambda: _("Players can write to each other about a challenge that is accepted."),
    "match": lambda: _("This match is over, so nobody can write about it any more."),
}
"""Refusals to write about a meeting."""


def lock_meeting(one: Meeting) -> Meeting:
    """Lock a meeting against answers and reports, and return it."""
    if isinstance(one, Arrangement):
        return lock(one.pk)
    if isinstance(one, Challenge):
        return challenges.lock(one.pk)
    rows = Match.objects.select_for_update(of=("self",), no_key=True).select_related("arena")
    return rows.get(pk=one.pk)


def check_is_talk(one: Meeting) -> None:
    """Refuse messages about a match that nobody knew of before its report."""
    if isinstance(one, Match) and not one.began_live:
        text = _("Players can write here about matches that were found in a queue or started here.")
        raise Conflict("not_begun", text)


def check_reader(one: Meeting, user: User, player: Player | None) -> None:
    """Refuse accounts that belong to no side and not to staff."""
    if not may_read(one, user, player):
        raise Forbidden("not_on_a_side", _("Only players of both sides and staff can do this."))


def checked_text(text: str) -> str:
    text = without_controls(text).strip()
    if not text:
        raise Refused("no_text", _("Write a message."), field="text")
    if len(text) > LONGEST_DATE_MESSAGE:
        raise Refused(
            "text",
            _("A message can have at most %(limit)d characters.") % {"limit": LONGEST_DATE_MESSAGE},
            field="text",
        )
    return text


def check_limit(author: User, now: datetime) -> None:
    """Refuse another message by an author who has written many."""
    with connection.cursor() as cursor:
        cursor.execute(ONE_AFTER_ANOTHER, [author.pk])
    recent = ArrangementMessage.objects.filter(author=author, at__gt=now - MESSAGES_WITHIN)
    oldest = list(recent.order_by("-at").values_list("at", flat=True)[:MOST_MESSAGES])
    if len(oldest) < MOST_MESSAGES:
        return
    wait = max(1, int((oldest[-1] + MESSAGES_WITHIN - now).total_seconds()))
    raise LimitReached(
        "messages",
        ngettext(
            "You can write %(count)d message about dates in a day. Try again later.",
            "You can write %(count)d messages about dates in a day. Try again later.",
            MOST_MESSAGES,
        )
        % {"count": MOST_MESSAGES},
        wait=wait,
    )
