"""Numbers as the reader's language writes them."""

from __future__ import annotations

from functools import lru_cache

from django.utils.formats import get_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

MINUS = "\N{MINUS SIGN}"


def percent(value: float) -> str:
    """Return a share from 0 to 1 in percent."""
    return _("%(number)s%%") % {"number": number(100 * value, 0)}


def number(value: float, decimals: int) -> str:
    """Return a number as the reader's language writes it, with a real minus sign."""
    return written(value, decimals, decimal_separator(get_language()))


def written(value: float, decimals: int, separator: str) -> str:
    """Return a number with a decimal separator, as :func:`number` does for many at once."""
    text = f"{abs(value):.{decimals}f}"
    if decimals:
        text = text.replace(".", separator)
    return f"{MINUS}{text}" if value < 0 and not rounds_to_zero(value, decimals) else text


@lru_cache
def decimal_separator(language: str | None) -> str:
    return str(get_format("DECIMAL_SEPARATOR", language))


def rounds_to_zero(value: float, decimals: int) -> bool:
    """Return whether a number reads as 0 with this many decimals."""
    return not f"{abs(value):.{decimals}f}".strip("0.")
