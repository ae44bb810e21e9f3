"""Write notices in the transaction of what they are about.

Only players with an account get them. A notice that repeats an unread one is not written, so that
nobody can fill another player's inbox by inviting or queueing them again and again. There is one
exception: each found match gets a notice, so that a player who missed one does not miss the next.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Exists, OuterRef

from league.models import (
    MAILED,
    MailPreference,
    Notice,
    NoticeKind,
    Participant,
    Player,
    Side,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import Model

    from league.models.player import PlayerQuerySet

MAIL_AFTER = timedelta(minutes=1)
"""The time that a notice waits for its reader on the site before it is mailed."""
MUTED_BY_DEFAULT = [NoticeKind.RATED]
"""The kinds that are mailed only to those who asked for them."""
ABOUT = (
    "match",
    "challenge",
    "roster",
    "arena",
    "arrangement",
    "award",
    "letter",
    "competition",
    "team",
)
"""The rows that a notice can be about."""


def notify(
    players: Iterable[Player | int],
    kind: NoticeKind,
    now: datetime,
    *,
    actor: Player | None = None,
    **about: Model | int | None,
) -> None:
    """Tell players about something. The rows it is about, named as in ``ABOUT``, give its text."""
    told = [key(player) for player in players]
    if not told:
        return
    rows = dict.fromkeys(ABOUT) | {name: key(row) for name, row in about.items()}
    readers = Player.ever.filter(pk__in=told)
    if kind != NoticeKind.FOUND:
        same = Notice.objects.unseen().filter(player=OuterRef("pk"), kind=kind, **rows)
        readers = readers.exclude(Exists(same))
    write(readers, kind, now, actor_id=key(actor), **{f"{name}_id": rows[name] for name in rows})


def notify_of_match(
    match_id: int, kind: NoticeKind, now: datetime, *, actor: int | None = None
) -> None:
    """Tell everyone in a match except ``actor`` what became of its result.

    Requests to confirm it are answered by this.
    """
    captains = Side.objects.filter(match=match_id).values("captain")
    requests = Notice.objects.unseen().filter(kind=NoticeKind.REPORTED, match=match_id)
    requests.filter(player__in=captains).update(seen_at=now, mail_at=None)
    others = Participant.objects.filter(match=match_id).exclude(player=actor)
    readers = Player.ever.filter(pk__in=others.values("player"))
    write(readers, kind, now, actor_id=actor, match_id=match_id)


def write(readers: PlayerQuerySet, kind: NoticeKind, now: datetime, **values: int | None) -> None:
    """Write a notice to each of these players who has an account."""
    with_accounts = readers.filter(user__isnull=False).select_related("mail_preference")
    Notice.objects.bulk_create(
        Notice(
            player=reader, kind=kind, created_at=now, mail_at=mail_at(reader, kind, now), **values
        )
        for reader in with_accounts.only("mail_preference__muted", "mail_preference__pace")
    )


def mail_at(reader: Player, kind: NoticeKind, now: datetime) -> datetime | None:
    """Return when to consider mailing a notice, ``None`` if its reader wants no such mail."""
    preference = getattr(reader, "mail_preference", None)
    muted = preference.muted if preference else MUTED_BY_DEFAULT
    is_off = preference is not None and preference.pace == MailPreference.Pace.NEVER
    return now + MAIL_AFTER if kind in MAILED and kind not in muted and not is_off else None


def key(row: Any) -> int | None:
    """Return the id of a row that may be given as its id."""
    found: int | None = getattr(row, "pk", row)
    return found
