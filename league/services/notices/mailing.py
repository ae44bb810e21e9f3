"""Mail the notices that their readers have not seen on the site.

Nobody gets more than one mail about the same thing, or more than ``MOST_AN_HOUR`` single mails in
an hour. What is left waits for a mail that lists everything.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import ngettext

from league.models import Match, Notice, NoticeKind
from league.services.core.isolation import gettext as _
from league.services.notices.links import answer_token, stop_token
from league.services.notices.preferences import Pace, address_of, mail_time, preference_of
from league.services.notices.reading import with_names
from league.services.notices.texts import asks_whether_left, tell
from league.services.site import frame
from league.services.site.colours import mail_sheet
from league.services.site.languages import speaking_to

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Player

logger = logging.getLogger(__name__)

LIMIT = 200
"""The most notices of one sweep."""
MOST_AN_HOUR = 6
"""Single mails to one player in an hour. More become a mail that lists them."""
NEWS_EACH_TIME = {
    NoticeKind.REPORTED,
    NoticeKind.DATED,
    NoticeKind.WAITING,
    NoticeKind.CALLED_OFF,
    NoticeKind.MESSAGED,
    NoticeKind.TEAM_INVITED,
    NoticeKind.TEAM_CAPTAIN,
    NoticeKind.TEAM_CHANGED,
    NoticeKind.TEAM_JOINED,
    NoticeKind.TEAM_REMOVED,
}
"""Kinds of which a new notice tells something new: the earlier ones have been read."""
MOST_LISTED = 50
ALL_KINDS = "all"
"""In a link that ends mails, this means mails of every kind."""


@dataclass(frozen=True)
class Line:
    """A notice in a mail, with the address of its page."""

    text: str
    url: str


def mail_due(now: datetime) -> int:
    """Write the mails about notices that are due and return how many. Safe to run concurrently."""
    with transaction.atomic():
        due = list(
            with_names(Notice.objects.to_mail(now))
            .select_related("player__user")
            # Notices that another worker is mailing are not waited for, and not mailed twice.
            .select_for_update(of=("self",), skip_locked=True)[:LIMIT]
        )
        due.sort(key=lambda notice: (notice.player_id, notice.pk))
        groups = groupby(due, key=lambda notice: notice.player_id)
        return sum(mail_or_skip(list(notices), now) for _player, notices in groups)


def mail_or_skip(notices: Sequence[Notice], now: datetime) -> int:
    """Mail a player's notices. If that is impossible, others must not wait for it."""
    try:
        with transaction.atomic():
            return mail_player(notices, now)
    except ValueError:  # an address or a header that no mail can have
        logger.exception("Notices of player %d cannot be mailed.", notices[0].player_id)
        settle(notices)
        return 0


def mail_player(notices: Sequence[Notice], now: datetime) -> int:
    """Mail or postpone a player's notices that are due. Return the number of mails."""
    player = notices[0].player
    address, preference = address_of(player), preference_of(player)
    if address is None or preference.pace == Pace.NEVER:
        settle(notices)
        return 0
    wanted = [notice for notice in notices if is_wanted(notice, preference.muted)]
    settle([notice for notice in notices if notice not in wanted])
    pace = preference.pace
    if pace == Pace.AT_ONCE and mailed_lately(player, now) + len(wanted) > MOST_AN_HOUR:
        pace = Pace.HOURLY
    ready = [notice for notice in wanted if mail_time(notice.created_at, pace) <= now]
    for notice in wanted:
        if notice not in ready:
            Notice.objects.filter(pk=notice.pk).update(mail_at=mail_time(notice.created_at, pace))
    if not ready:
        return 0
    settle(ready, now)
    with speaking_to(player):
        if pace == Pace.AT_ONCE:
            for notice in ready:
                single(notice, address).send()
            return len(ready)
        digest(player, ready, address).send()
    return 1


def is_wanted(notice: Notice, muted: Sequence[str]) -> bool:
    """Return whether a notice is still news, wanted, and was not mailed before."""
    if notice.seen_at or notice.kind in muted:
        return False
    if notice.kind == NoticeKind.REPORTED and notice.match_id is not None:
        still = Match.objects.awaiting(notice.player).filter(pk=notice.match_id)
        if not (still.exists() or asks_whether_left(notice)):
            return False
    if notice.kind in NEWS_EACH_TIME:
        return True
    about = (
        "kind",
        "match",
        "challenge",
        "roster",
        "arena",
        "arrangement",
        "award",
        "letter",
        "team",
        "season",
        "badge",
    )
    same = {name: getattr(notice, name) for name in about}
    earlier = Notice.objects.filter(player=notice.player, emailed_at__isnull=False, **same)
    return not earlier.exists()


def mailed_lately(player: Player, now: datetime) -> int:
    lately = Notice.objects.filter(player=player, emailed_at__gt=now - timedelta(hours=1))
    return lately.count()


def settle(notices: Sequence[Notice], mailed_at: datetime | None = None) -> None:
    """Record that it is decided whether notices are mailed."""
    ids = [notice.pk for notice in notices]
    Notice.objects.filter(pk__in=ids).update(mail_at=None, emailed_at=mailed_at)


def site(path: str) -> str:
    return f"{settings.SITE_URL}{path}"


def line_of(notice: Notice) -> Line:
    notice_text = tell(notice)
    return Line(notice_text.text, site(notice_text.url))


def single(notice: Notice, address: str) -> EmailMultiAlternatives:
    """Return the mail about one notice, with links to answer a report."""
    line = line_of(notice)
    answer = ""
    if notice.kind == NoticeKind.REPORTED and notice.match and not asks_whether_left(notice):
        token = answer_token(notice.match, notice.player, address)
        answer = site(reverse("notice_answer", args=[token]))
    context: dict[str, object] = {"lines": [line], "answer": answer}
    return message(notice.player, line.text, context, notice.kind, address)


def digest(player: Player, notices: Sequence[Notice], address: str) -> EmailMultiAlternatives:
    """Return one mail about several notices."""
    subject = ngettext("%(count)d notice", "%(count)d notices", len(notices))
    lines = [line_of(notice) for notice in notices[:MOST_LISTED]]
    context: dict[str, object] = {"lines": lines, "more": len(notices) - len(lines)}
    return message(player, subject % {"count": len(notices)}, context, ALL_KINDS, address)


def message(
    player: Player, subject: str, context: dict[str, object], kind: str, address: str
) -> EmailMultiAlternatives:
    shown = frame.current()
    stop = site(reverse("notice_stop", args=[stop_token(player, kind)]))
    context |= {
        "player": player,
        "league": shown.name,
        "look": mail_sheet(shown.accent, shown.dark_accent),
        "logo": site(reverse("site_logo", args=[shown.logo.digest])) if shown.logo else "",
        "stop": stop,
        "stops_all": kind == ALL_KINDS,
        "inbox": site(reverse("inbox")),
        "settings": site(reverse("mail_settings")),
    }
    made = EmailMultiAlternatives(
        _("%(league)s: %(subject)s") % {"league": shown.name, "subject": " ".join(subject.split())},
        render_to_string("notices/mail.txt", context).strip() + "\n",
        to=[address],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
    made.attach_alternative(render_to_string("notices/mail.html", context), "text/html")
    return made
