"""The language in which a reader sees pages, and gets mails and messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

from league.services.site import frame

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from league.models import Player, User


def find_language(code: str) -> str:
    """Return the language of the site that a tag such as ``pt-PT`` or ``de_AT`` asks for.

    Empty if there is none.
    """
    try:
        return get_supported_language_variant(code.replace("_", "-").lower())
    except LookupError:
        return ""


def best_of(header: str) -> str:
    """Return the best language for an ``Accept-Language`` header, empty if there is none."""
    found = (find_language(tag) for tag, _quality in parse_accept_lang_header(header))
    return next(filter(None, found), "")


def of_league() -> str:
    """Return the language for readers about whom nothing better is known."""
    return find_language(frame.current().language) or settings.LANGUAGE_CODE


def of_account(user: User | None) -> str:
    """Return the language of what is written to an account."""
    return (find_language(user.language) if user else "") or of_league()


def speaking_to(player: Player | None) -> AbstractContextManager[None]:
    """Write to a player, or to everybody, in their language."""
    return translation.override(of_account(player.user if player else None))
