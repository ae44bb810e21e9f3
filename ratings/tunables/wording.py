"""Numbers and values as messages show them."""

from __future__ import annotations

from decimal import Decimal

from ratings.tunables.sentences import Sentence

_LONGEST_QUOTE = 40


def plain(number: float) -> str:
    """Write a number without needless zeros or exponents: ``30``, ``0.06``."""
    exact = float(number)
    if exact.is_integer():
        return str(int(exact))
    text = repr(exact)
    return f"{Decimal(text):f}" if "e" in text else text


def quote(value: object) -> Sentence | str:
    """Quote a value in a message, shortened, with JSON's words for true and false."""
    if value is None or value == "":
        return Sentence("nothing")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value) if isinstance(value, int) else repr(value).removesuffix(".0")
    text = f"“{value}”" if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
