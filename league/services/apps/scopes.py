"""What apps can ask people for: to know who they are, and what API tokens allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from league.models import Scope

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.utils.functional import Promise

OPENID, PROFILE, EMAIL = "openid", "profile", "email"
WORDS: dict[str, Promise | str] = {
    OPENID: _("Know you again by the number of your account"),
    PROFILE: _("See your player’s name, page and picture"),
    EMAIL: _("See your email address"),
    **{scope.value: scope.label for scope in Scope},
}
"""All scopes, in the order in which people are told of them."""


def ordered(scopes: Collection[str]) -> list[str]:
    """Return the known ones of some scopes, each once."""
    return [scope for scope in WORDS if scope in scopes]


def in_words(scopes: Collection[str]) -> list[str]:
    return [str(WORDS[scope]) for scope in ordered(scopes)]
