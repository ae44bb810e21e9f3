"""Buttons of messages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.services.discord import words

if TYPE_CHECKING:
    from collections.abc import Sequence

ACCEPT, DECLINE, CONFIRM = "accept", "decline", "confirm"
"""The actions of buttons, with which their ``custom_id`` begins."""
ROW, BUTTON = 1, 2
SUCCESS, DANGER, LINK = 3, 4, 5


def row_of(buttons: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": ROW, "components": list(buttons)}]


def button(label: str, does: str, style: int) -> dict[str, Any]:
    return {"type": BUTTON, "style": style, "label": label, "custom_id": does}


def link_button(label: str, path: str) -> dict[str, Any]:
    return {"type": BUTTON, "style": LINK, "label": label, "url": words.site(path)}


def of_ready_check(proposal: int) -> list[dict[str, Any]]:
    """Return the buttons that answer a ready check."""
    return [
        button(_("Accept"), f"{ACCEPT}:{proposal}", SUCCESS),
        button(_("Decline"), f"{DECLINE}:{proposal}", DANGER),
    ]


def of_report(match: int, revision: int) -> list[dict[str, Any]]:
    """Return the button that confirms a report as it is."""
    return [button(_("Confirm"), f"{CONFIRM}:{match}:{revision}", SUCCESS)]
