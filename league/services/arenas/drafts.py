"""Drafts: arenas that only staff who may change them see, until they publish them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from league.models import Arena, User

CHANGE = "league.change_arena"


def may_see_draft(user: User | AnonymousUser, arena: Arena) -> bool:
    """Return whether an account may change a draft, and so see it."""
    return user.is_staff and (user.has_perm(CHANGE) or user.has_perm(CHANGE, arena))
