"""The direct messages that players want."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import MAILED, DiscordPreference, NoticeKind
from league.services.notices.writing import MUTED_BY_DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Player

OFFERED = [
    NoticeKind.FOUND,
    NoticeKind.QUEUED,
    *(kind for kind in MAILED if kind != NoticeKind.DISCORD),
]
"""The kinds of notices that can be sent: those sent by mail, and those too urgent for it."""


def preference_of(player: Player) -> DiscordPreference:
    """Return a player's choice. By default, messages are off and the usual kinds are checked."""
    chosen = DiscordPreference.objects.filter(player=player).first()
    usual = [kind.value for kind in OFFERED if kind not in MUTED_BY_DEFAULT]
    return chosen or DiscordPreference(player=player, is_on=False, kinds=usual)


def choose(player: Player, *, is_on: bool, kinds: Iterable[str]) -> DiscordPreference:
    """Store a player's choice. Turning messages on clears an earlier refusal by Discord."""
    wanted = set(kinds)
    chosen, _new = DiscordPreference.objects.update_or_create(
        player=player,
        defaults={
            "is_on": is_on,
            "kinds": [kind.value for kind in OFFERED if kind in wanted],
            **({"refused_at": None} if is_on else {}),
        },
    )
    return chosen
