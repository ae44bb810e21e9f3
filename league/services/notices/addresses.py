"""The mail addresses for a player's notices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.account.models import EmailAddress

from league.models import BouncingAddress

if TYPE_CHECKING:
    from league.models import Player


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
