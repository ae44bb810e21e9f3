"""The links between Discord users and accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from allauth.socialaccount.models import SocialAccount
from django.conf import settings

from league.models import User

if TYPE_CHECKING:
    from league.models import Player

PROVIDER = "discord"


def is_offered() -> bool:
    """Return whether accounts can be linked with Discord."""
    return PROVIDER in settings.SOCIALACCOUNT_PROVIDERS


def account_of(discord_id: str) -> User | None:
    """Return the account to which a Discord user is linked."""
    linked = User.objects.filter(socialaccount__provider=PROVIDER, socialaccount__uid=discord_id)
    return linked.select_related("player").first()


def link_of(user: User) -> SocialAccount | None:
    """Return an account's link to Discord, the newest if there are several."""
    return SocialAccount.objects.filter(provider=PROVIDER, user=user).order_by("-pk").first()


def discord_id_of(player: Player) -> str | None:
    """Return the Discord user of a player, ``None`` without a link or an active account."""
    if player.user is None or not player.user.is_active:
        return None
    link = link_of(player.user)
    return str(link.uid) if link else None


def name_of(link: SocialAccount) -> str:
    """Return a linked user's name on Discord, or the ID if it is not known."""
    data = link.extra_data if isinstance(link.extra_data, dict) else {}
    return str(data.get("global_name") or data.get("username") or link.uid)
