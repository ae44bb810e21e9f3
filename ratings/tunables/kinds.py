"""The kinds of value that a parameter can have, as field types for ``Parameters``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Literal

from annotated_types import Ge, Le
from pydantic import BeforeValidator, Field, PlainSerializer

from ratings.tunables.durations import format_duration, parse_duration, parse_duration_with_unit
from ratings.tunables.spans import Span, format_span, parse_span

Kind = Literal[
    "number",
    "integer",
    "duration",
    "span",
    "choice",
    "boolean",
    "text",
    "numbers",
    "time",
    "optional_time",
]
Value = float | int | str | bool | Sequence[float]
"""A parameter's value in JSON."""

TIME_EXAMPLE = "2026-01-31T20:00+01:00"


@dataclass(frozen=True)
class FieldKind:
    """Marks a field's kind where its Python type does not tell."""

    kind: Kind


class MayBeInfinite:
    """Marks a number that may be infinite."""


_FORMAT = PlainSerializer(format_duration, return_type=str, when_used="json")

Duration = Annotated[float, FieldKind("duration"), BeforeValidator(parse_duration), _FORMAT]
"""Seconds, read from and written to JSON as ``3d``, ``1w``, ``30s``."""

DurationWithUnit = Annotated[
    float, FieldKind("duration"), BeforeValidator(parse_duration_with_unit), _FORMAT
]
"""A ``Duration`` whose text must have a unit."""

CalendarSpan = Annotated[
    Span,
    FieldKind("span"),
    BeforeValidator(parse_span),
    PlainSerializer(format_span, return_type=str, when_used="json"),
]
"""A ``Duration`` that can also be a number of calendar months, written ``3 months``."""

NumberOrInf = Annotated[
    float,
    MayBeInfinite(),
    Field(allow_inf_nan=True),
    PlainSerializer(
        lambda number: "inf" if math.isinf(number) else number,
        return_type=float | str,
        when_used="json",
    ),
]
"""A number that may be infinite, written ``inf`` in JSON and forms."""


def _split(numbers: object) -> object:
    if isinstance(numbers, str):
        return [part for part in numbers.split(",") if part.strip()]
    return numbers


PositiveNumbers = Annotated[
    tuple[Annotated[float, Ge(0.000_001), Le(1_000_000)], ...],
    FieldKind("numbers"),
    BeforeValidator(_split),
]
"""Ordered numbers from a millionth to a million: a JSON list, or text such as ``0.5, 0.75``."""


def _utc_time(value: object) -> str:
    text = str(value).strip()
    if not text:
        return ""
    time = datetime.fromisoformat(text)
    if time.tzinfo is None:
        raise ValueError("a time needs its UTC offset")
    try:
        return time.astimezone(UTC).isoformat()
    except OverflowError as error:
        raise ValueError("there is no such time in UTC") from error


TimeOrEmpty = Annotated[str, FieldKind("optional_time"), BeforeValidator(_utc_time)]
"""A time with its UTC offset, written ``2026-01-31T20:00+01:00``, or empty; kept in UTC."""


def _time(value: object) -> datetime:
    try:
        time = datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        time = None
    if not isinstance(time, datetime) or time.tzinfo is None:
        raise ValueError(f"a time needs its UTC offset, written like {TIME_EXAMPLE}")
    return time


Time = Annotated[datetime, FieldKind("time"), BeforeValidator(_time)]
"""A time that keeps its UTC offset, written in ISO 8601."""
