"""Responses to Discord: messages without mentions, edits and autocomplete choices."""

from __future__ import annotations

from enum import IntEnum
from typing import TYPE_CHECKING, Any

from league.services.discord import words
from league.services.discord.components import row_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Answer = dict[str, Any]

# Discord's flag EPHEMERAL, and its limits of what completes an option.
ONLY_FOR_THE_ASKER = 1 << 6
MOST_CHOICES = 25
LONGEST_CHOICE = 100


class Does(IntEnum):
    """Discord's types of responses."""

    PONG = 1
    MESSAGE = 4
    CHANGE_MESSAGE = 7
    CHOICES = 8


PONG: Answer = {"type": Does.PONG}


def message(
    text: str,
    *,
    title: str = "",
    page: str = "",
    is_private: bool = True,
    buttons: Sequence[dict[str, Any]] = (),
) -> Answer:
    """Return a message in Markdown, under a title that links to a page of the site."""
    shown: dict[str, Any] = {"description": words.shorten(text, words.LONGEST_DESCRIPTION)}
    if title:
        shown["title"] = words.shorten(words.plain(title), words.LONGEST_TITLE)
    if page:
        shown["url"] = words.site(page)
    data: dict[str, Any] = {"embeds": [shown], "allowed_mentions": {"parse": []}}
    if is_private:
        data["flags"] = ONLY_FOR_THE_ASKER
    if buttons:
        data["components"] = row_of(buttons)
    return {"type": Does.MESSAGE, "data": data}


def change(text: str) -> Answer:
    """Return an answer that replaces the message whose button was pressed."""
    data = {
        "content": words.shorten(text, words.LONGEST_CONTENT),
        "embeds": [],
        "components": [],
        "allowed_mentions": {"parse": []},
    }
    return {"type": Does.CHANGE_MESSAGE, "data": data}


def choices(found: Iterable[tuple[str, str]]) -> Answer:
    """Return autocomplete choices, each with a name and a value. Names are not Markdown."""
    listed = [
        {"name": words.shorten(name, LONGEST_CHOICE), "value": value}
        for name, value in found
        if 0 < len(value) <= LONGEST_CHOICE and name
    ]
    return {"type": Does.CHOICES, "data": {"choices": listed[:MOST_CHOICES]}}
