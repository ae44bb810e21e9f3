"""Durations in text: ``250ms``, ``30s``, ``90m``, ``4h``, ``3d``, ``1w``."""

from __future__ import annotations

import math
import re
from datetime import timedelta
from decimal import Decimal

UNITS = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "w": 604800.0,
}
EXAMPLES = "30s, 90m, 4h, 3d, 1w or 250ms"

_DURATION = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|h|d|w)\s*", re.IGNORECASE | re.ASCII)
_REFUSAL = f"a duration is zero or more, written like {EXAMPLES}"


def parse_duration(duration: object) -> float:
    """Return the seconds of a text such as ``30s``, a ``timedelta`` or a number of seconds.

    Text without a unit counts as seconds.

    Raises:
        ValueError: it is none of these, or it is negative, infinite or not a number.
    """
    return _seconds(duration, needs_unit=False)


def parse_duration_with_unit(duration: object) -> float:
    """Return what ``parse_duration`` does, but refuse text without a unit."""
    return _seconds(duration, needs_unit=True)


def format_duration(seconds: float) -> str:
    """Write seconds in the largest unit that divides them.

    ``parse_duration_with_unit`` reads the text back exactly.
    """
    if seconds == 0:
        return "0s"
    for unit in ("w", "d", "h", "m", "s"):
        count, rest = divmod(seconds, UNITS[unit])
        if rest == 0:
            return f"{int(count)}{unit}"
    milliseconds = seconds * 1000
    if milliseconds.is_integer() and milliseconds / 1000 == seconds:
        return f"{int(milliseconds)}ms"
    return f"{Decimal(repr(seconds)):f}s"


def _seconds(duration: object, *, needs_unit: bool) -> float:
    seconds = math.nan
    if isinstance(duration, timedelta):
        seconds = duration.total_seconds()
    elif isinstance(duration, int | float) and not isinstance(duration, bool):
        seconds = float(duration)
    elif isinstance(duration, str):
        seconds = _seconds_in_text(duration, needs_unit=needs_unit)
    if not math.isfinite(seconds) or seconds < 0:
        raise ValueError(_REFUSAL)
    return seconds


def _seconds_in_text(text: str, *, needs_unit: bool) -> float:
    match = _DURATION.fullmatch(text)
    if match:
        number, unit = float(match[1]), match[2].lower()
        # 250 / 1000 is exact, 250 * 0.001 is not.
        return number / 1000 if unit == "ms" else number * UNITS[unit]
    try:
        return math.nan if needs_unit else float(text)
    except ValueError:
        return math.nan
