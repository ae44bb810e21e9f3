"""The mails that players want, and when."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress

from league.models import MAILED, BouncingAddress, MailPreference, Notice, NoticeKind
from league.services.notices.writing import MAIL_AFTER, MUTED_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Player

Pace = MailPreference.Pace
WEEKLY = "weekly"
"""In a link that ends mails, this means the mail of the week."""
DAILY_AT = 8
"""The hour, UTC, of daily mails."""


def preference_of(player: Player) -> MailPreference:
    """Return a player's preference, the defaults if they have chosen nothing."""
    chosen = MailPreference.objects.filter(player=player).first()
    return chosen or MailPreference(player=player, muted=list(MUTED_BY_DEFAULT))


def choose(
    player: Player, pace: Pace, wanted: Iterable[str], *, weekly: bool = True
) -> MailPreference:
    """Store when a player wants mail, about which kinds, and whether about their week."""
    muted = [kind for kind in MAILED if kind not in set(wanted)]
    chosen, _new = MailPreference.objects.update_or_create(
        player=player, defaults={"pace": pace, "muted": muted, "weekly": weekly}
    )
    return chosen


def mute(player: Player, kind: str) -> None:
    """End mails of a kind, or all mails if ``kind`` is no kind, and drop those that wait."""
    chosen = preference_of(player)
    if kind == WEEKLY:
        defaults = {"pace": chosen.pace, "muted": chosen.muted, "weekly": False}
        MailPreference.objects.update_or_create(player=player, defaults=defaults)
        return
    if kind not in NoticeKind.values:
        chosen.pace = Pace.NEVER
    elif kind not in chosen.muted:
        chosen.muted = [*chosen.muted, kind]
    MailPreference.objects.update_or_create(
        player=player, defaults={"pace": chosen.pace, "muted": chosen.muted}
    )
    waiting = Notice.objects.filter(player=player, mail_at__isnull=False)
    if kind in NoticeKind.values:
        waiting = waiting.filter(kind=kind)
    waiting.update(mail_at=None)


def mail_time(created_at: datetime, pace: str) -> datetime:
    """Return when a notice is due to be mailed at a pace."""
    first = created_at + MAIL_AFTER
    if pace == Pace.HOURLY:
        return first.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    if pace == Pace.DAILY:
        today = first.replace(hour=DAILY_AT, minute=0, second=0, microsecond=0)
        return today if today >= first else today + timedelta(days=1)
    return first


def address_of(player: Player) -> str | None:
    """Return the address for a player's notices, ``None`` if there is none that works.

    Only a confirmed address of an active account gets them: anyone can type another person's.
    """
    if player.user is None or not player.user.is_active:
        return None
    confirmed = EmailAddress.objects.filter(user=player.user, verified=True)
    found: str | None = confirmed.order_by("-primary", "pk").values_list("email", flat=True).first()
    if found is None or BouncingAddress.objects.filter(address=found.lower()).exists():
        return None
    return found
