"""Sentences that keep their order, whatever the direction of the names in them.

A name in Arabic or Hebrew would draw the numbers and signs beside it into its own direction: a
score after it would read backwards, and a sentence that begins with it would run from right to
left. Unicode's isolates prevent both, on pages as in plain mails. They are written only around
values with such letters, in sentences for people, and never stored (``league.models.words``).
"""

from __future__ import annotations

import unicodedata
from typing import Any

from django.utils import translation
from django.utils.safestring import SafeData, mark_safe

FIRST_STRONG_ISOLATE, POP_ISOLATE = "\u2068", "\u2069"
FROM_THE_RIGHT = {"R", "AL"}


def isolate(value: Any) -> Any:
    """Return a value for a sentence, isolated if it has letters that run from right to left."""
    text = str(value)
    if text.isascii() or FROM_THE_RIGHT.isdisjoint(map(unicodedata.bidirectional, text)):
        return value
    whole = f"{FIRST_STRONG_ISOLATE}{text}{POP_ISOLATE}"
    return mark_safe(whole) if isinstance(value, SafeData) else whole  # noqa: S308 - safe before


class Sentence(str):
    """A translated text whose named values are isolated when they are filled in."""

    __slots__ = ()

    def __mod__(self, values: Any) -> str:
        if isinstance(values, dict):
            values = {name: isolate(value) for name, value in values.items()}
        return super().__mod__(values)


def gettext(message: str) -> str:
    return Sentence(translation.gettext(message))


def ngettext(singular: str, plural: str, number: int) -> str:
    return Sentence(translation.ngettext(singular, plural, number))
