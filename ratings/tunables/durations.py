"""Durations as people write them: ``3d``, ``1w``, ``30s``, ``90m``, ``4h``, ``250ms``."""

from __future__ import annotations

import math
import re
from datetime import timedelta

UNITS = {
    "ms": 0.001,
    "s": 1.0,
    "m": 60.0,
    "h": 3600.0,
    "d": 86400.0,
    "w": 604800.0,
}
EXAMPLES = "3d, 1w, 30s, 90m, 4h or 250ms"

_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|h|d|w)\s*", re.IGNORECASE | re.ASCII)


def seconds(duration: object) -> float:
    """The seconds of a written duration, a ``timedelta`` or a plain number of seconds.

    Raises ``ValueError`` when it is none of these, negative, infinite or not a number.
    """
    if isinstance(duration, timedelta):
        length = duration.total_seconds()
    elif isinstance(duration, int | float) and not isinstance(duration, bool):
        length = float(duration)
    elif isinstance(duration, str):
        length = _read(duration)
    else:
        raise ValueError(f"a duration is written like {EXAMPLES}")  # noqa: TRY004 - pydantic collects ValueErrors
    if not math.isfinite(length) or length < 0:
        raise ValueError("a duration is zero or more and finite")
    return length


def _read(text: str) -> float:
    written = _WRITTEN.fullmatch(text)
    if written:
        number, unit = float(written[1]), written[2].lower()
        # 250 / 1000 is exact where 250 * 0.001 is not.
        return number / 1000 if unit == "ms" else number * UNITS[unit]
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"a duration is written like {EXAMPLES}") from None


def written(length: float) -> str:
    """``length`` seconds in the largest unit that divides them.

    ``seconds`` reads it back exactly.
    """
    if length == 0:
        return "0s"
    for unit in ("w", "d", "h", "m", "s"):
        count, rest = divmod(length, UNITS[unit])
        if rest == 0:
            return f"{int(count)}{unit}"
    thousandths = length * 1000
    if thousandths.is_integer() and thousandths / 1000 == length:
        return f"{int(thousandths)}ms"
    return repr(length)
