"""The scopes of apps: those of OpenID Connect and those of API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from league.models import Scope

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.utils.functional import Promise

OPENID, PROFILE, EMAIL = "openid", "profile", "email"
WORDS: dict[str, Promise | str] = {
    OPENID: _("Recognise you by your account number"),
    PROFILE: _("See your player’s name, page and picture"),
    EMAIL: _("See your email address"),
    **{scope.value: scope.label for scope in Scope},
}
"""All scopes with their descriptions, in the order of the consent page."""


def in_order(scopes: Collection[str]) -> list[str]:
    """Return the known scopes among these, each once, in their usual order."""
    return [scope for scope in WORDS if scope in scopes]


def describe_scopes(scopes: Collection[str]) -> list[str]:
    return [str(WORDS[scope]) for scope in in_order(scopes)]
