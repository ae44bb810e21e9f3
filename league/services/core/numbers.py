"""Numbers as the reader's language writes them."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.formats import get_format, number_format
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Sequence

MINUS = "\N{MINUS SIGN}"
FINEST = 6
"""A chance in percent has fewer decimals than this."""


def percent(value: float, decimals: int = 0) -> str:
    """Return a share from 0 to 1 in percent, which no line breaks: ``41 %``."""
    return _("%(number)s %%") % {"number": number(100 * value, decimals)}


def percents(chances: Sequence[float], decimals: int = 0) -> list[str]:
    """Return the chances of all possible outcomes in percent, adding up to 100.

    Each is rounded up or down, up where most is missing (the method of largest remainders).
    """
    if not math.isclose(sum(chances), 1.0, abs_tol=1e-6):  # also of those that are not known
        return [percent(chance, decimals) for chance in chances]
    steps = 100 * 10**decimals
    exact = [round(steps * chance, 9) for chance in chances]
    whole = [math.floor(value) for value in exact]
    missing = sorted(range(len(exact)), key=lambda at: (whole[at] - exact[at], -exact[at]))
    for at in missing[: steps - sum(whole)]:
        whole[at] += 1
    return [percent(value / steps, decimals) for value in whole]


def fine_percents(chances: Sequence[float]) -> list[str]:
    """Return chances as :func:`percents`, so finely that none seems to reach a whole percent."""
    for decimals in range(FINEST):
        shown = [round(100 * chance, decimals) for chance in chances]
        if all(math.floor(one) <= 100 * chance for one, chance in zip(shown, chances, strict=True)):
            break
    return percents(chances, decimals)


def number(value: float, decimals: int) -> str:
    """Return a number as the reader's language writes it, with a real minus sign."""
    return format_with(value, decimals, decimal_separator(get_language()))


def write_score(value: float) -> str:
    """Return a score, with decimals only if it has any: 3 or 1.5."""
    return number(value, 0) if value == int(value) else str(number_format(f"{value:.15g}"))


def format_with(value: float, decimals: int, separator: str) -> str:
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


def ordinal(place: int | str) -> str:
    """Return a place or a rank as an ordinal: “1st”, “2nd”, “11th”, in German “1.”.

    Languages tell apart what English does not, so 1 has a form of its own: “1er” but “21e”.
    """
    value = int(place)
    if value == 1:
        return pgettext("ordinal", "1st")
    if value % 100 not in {11, 12, 13}:
        if value % 10 == 1:
            return pgettext("ordinal", "%(number)sst") % {"number": value}
        if value % 10 == 2:
            return pgettext("ordinal", "%(number)snd") % {"number": value}
        if value % 10 == 3:
            return pgettext("ordinal", "%(number)srd") % {"number": value}
    return pgettext("ordinal", "%(number)sth") % {"number": value}
