"""The order of names that readers expect: the Unicode collation algorithm, in every list alike.

PostgreSQL has it only where it was built with ICU, which the embedded one is not. So each row
stores the key of its name, and lists are ordered by an index of these keys.
"""

from __future__ import annotations

from functools import cache
from unicodedata import normalize

from django.utils.translation import get_language
from pyuca.collator import Collator_10_0_0  # type: ignore[import-untyped] # it has no types

LAST = "\uffff"
"""A character that follows all letters."""
FOLLOWING = {
    "es": str.maketrans({"ñ": f"n{LAST}"}),
    "pl": str.maketrans(
        {
            **{
                letter: f"{before}{LAST}"
                for letter, before in zip("ąćęłńóś", "acelnos", strict=True)
            },
            "ź": f"z{LAST}",
            "ż": f"z{LAST}{LAST}",
        }
    ),
}
"""Letters of their own, after those that they look like."""
LONGEST_KEY = 600
"""Weights of a key, so that an index takes it. A name of 60 letters has some 180."""


@cache
def collator() -> Collator_10_0_0:
    """Return the collator with its table, which takes a tenth of a second to read."""
    return Collator_10_0_0()


def sort_key(name: str) -> str:
    """Return a text whose place among others, by code points, is that of ``name``.

    Each weight becomes a character: not 0, which PostgreSQL does not store, and no surrogate.
    """
    weights = collator().sort_key(name)[:LONGEST_KEY]
    return "".join(chr(weight + (1 if weight < 0xD7FF else 0x801)) for weight in weights)


def reading_key(name: str) -> str:
    """Return the place of ``name`` in a short list that the reader's language orders.

    Polish and Spanish have letters that follow others: ł is no l. Chinese goes by pinyin, the order
    the common characters in GB 2312. Stored keys know no reader: long lists go by an index of them.
    """
    language = (get_language() or "").partition("-")[0]
    if letters := FOLLOWING.get(language):
        name = normalize("NFC", name).casefold().translate(letters)
    elif language == "zh":
        name = "".join(map(by_pinyin, name))
    return sort_key(name)


@cache
def by_pinyin(character: str) -> str:
    """Return a character of GB 2312 as one for private use, in its order there, or any other."""
    try:
        first, second = character.encode("gb2312")
    except (UnicodeEncodeError, ValueError):  # no such character, or one byte
        return character
    if first < 0xB0:  # signs, and letters of other scripts
        return character
    return chr(0xF0000 + 94 * (first - 0xB0) + second - 0xA1)
