"""Messages between the sides of an arranged match, from its proposal until it is settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Arrangement, ArrangementMessage, NoticeKind, Status
from league.models.arrangement_parts import LONGEST_DATE_MESSAGE
from league.models.words import without_controls
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates.limits import (
    MESSAGES_WITHIN,
    MOST_MESSAGES,
    reports_until,
)
from league.services.dates.people import may_read, others, takes_part
from league.services.dates.steps import lock
from league.services.eligibility.reasons import refuse_banned
from league.services.following.blocks import refuse_blocked
from league.services.notices.writing import notify
from league.services.results.staff.threads import ONE_AFTER_ANOTHER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player, User

MOST_SHOWN = 200
"""The messages on a page. Programs can read them all."""
UNSETTLED = [Status.REPORTED, Status.DISPUTED]


def takes_messages(one: Arrangement, now: datetime) -> bool:
    """Return whether both sides can write about a match now.

    They can while it is proposed or agreed, and after its report for the time that a report could
    take, or until the result is settled if that is later.
    """
    if one.match is not None and one.match.status in UNSETTLED:
        return True
    begun = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED, Arrangement.State.PLAYED]
    return one.state in begun and now < reports_until(one)


def messages_of(one: Arrangement) -> Sequence[ArrangementMessage]:
    """Return the latest messages about a match with the names of their authors, oldest first."""
    named = one.messages.select_related("player", "author__player").only(
        "at", "text", "player__name", "author__username", "author__player__name"
    )
    return list(named.order_by("-id")[:MOST_SHOWN])[::-1]


def write(
    arrangement_id: int, *, by: User, player: Player | None, text: str, now: datetime
) -> ArrangementMessage:
    """Write about a match as a player of one of its sides or as staff, and tell the other side.

    Raises:
        Forbidden: the account is neither, or its player is banned.
        Conflict: the date is over.
        Refused: the other captain blocks the player.
        LimitReached: the author has written too much.
        Refused: the text is empty or too long.
    """
    text = checked_text(text)
    with transaction.atomic():
        one = lock(arrangement_id)
        check_reader(one, by, player)
        if player is not None:
            refuse_banned([], now, by=player)
            captains = {one.proposer_id, one.opponent_id} & others(one, player)
            refuse_blocked(captains, by=player)
        if not takes_messages(one, now):
            raise Conflict("over", _("This date is over, so nobody can write about it any more."))
        check_limit(by, now)
        author = player if takes_part(one, player) else None
        message = ArrangementMessage.objects.create(
            arrangement=one, author=by, player=author, at=now, text=text
        )
        notify(others(one, player), NoticeKind.MESSAGED, now, actor=player, arrangement=one)
    return message


def check_reader(one: Arrangement, user: User, player: Player | None) -> None:
    """Refuse accounts that belong to neither side nor to staff."""
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
