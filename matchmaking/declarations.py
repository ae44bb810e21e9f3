"""The one declaration of each rule: name, label, help, unit, range, default, XML place and source.

Rules are pydantic models whose fields are made by ``rule``. Forms, documentation and the reader of
the published XML take everything they need from ``declarations``.
"""

from __future__ import annotations

import math
import re
import typing
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

from annotated_types import Ge, Gt, Le
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, model_validator
from pydantic_core import PydanticCustomError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Self

    from pydantic.fields import FieldInfo

Kind = Literal["number", "integer", "duration", "choice", "boolean", "text", "time"]

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "w": 604800.0}
DURATION_EXAMPLES = "30s, 10m, 4h, 3d or 250ms"
MOMENT_EXAMPLE = "2015-03-20T09:00:00-07:00"

_WRITTEN = re.compile(r"\s*(\d+(?:\.\d+)?|\.\d+)\s*(ms|s|m|h|d|w)\s*", re.IGNORECASE | re.ASCII)


def seconds(duration: object) -> float:
    """The seconds of a written duration such as ``30s``, or of a number of seconds.

    Raises ``ValueError`` when it is none of these, negative, infinite or not a number.
    """
    length = math.nan
    if isinstance(duration, int | float) and not isinstance(duration, bool):
        length = float(duration)
    elif isinstance(duration, str) and (written := _WRITTEN.fullmatch(duration)):
        number, unit = float(written[1]), written[2].lower()
        # 250 / 1000 is exact where 250 * 0.001 is not.
        length = number / 1000 if unit == "ms" else number * UNITS[unit]
    if not math.isfinite(length) or length < 0:
        raise ValueError(f"a duration is zero or more and written like {DURATION_EXAMPLES}")
    return length


def written(length: float) -> str:
    """``length`` seconds in the largest unit that divides them; ``seconds`` reads it back."""
    if length == 0:
        return "0s"
    for unit in ("w", "d", "h", "m", "s"):
        if length % UNITS[unit] == 0:
            return f"{int(length // UNITS[unit])}{unit}"
    thousandths = length * 1000
    if thousandths.is_integer() and thousandths / 1000 == length:
        return f"{int(thousandths)}ms"
    return f"{Decimal(repr(length)):f}s"


class _IsDuration:
    """Marks a field as a duration for ``declarations``."""


Duration = Annotated[
    float,
    _IsDuration(),
    BeforeValidator(seconds),
    PlainSerializer(written, return_type=str, when_used="json"),
]
"""Seconds, read from and written to JSON and XML as ``30s``, ``10m``, ``4h``, ``250ms``."""


class _IsMoment:
    """Marks a field as a point in time for ``declarations``."""


def _moment(written: object) -> datetime:
    try:
        moment = datetime.fromisoformat(written) if isinstance(written, str) else written
    except ValueError:
        moment = None
    if not isinstance(moment, datetime) or moment.tzinfo is None:
        raise ValueError(f"a time is written like {MOMENT_EXAMPLE}")
    return moment


Moment = Annotated[datetime, _IsMoment(), BeforeValidator(_moment)]
"""A point in time with its offset from UTC, written as ISO 8601 has it."""


class Declared(BaseModel):
    """Rules that are immutable, complete and in range."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, validate_default=True
    )

    def clashes(self) -> dict[str, str]:
        """Rules between fields that these break: one sentence by the name to change."""
        return {}

    @model_validator(mode="after")
    def _refuse_clashes(self) -> Self:
        clashes = self.clashes()
        if clashes:
            sentences = "; ".join(f"{name} {problem}" for name, problem in clashes.items())
            raise PydanticCustomError(
                "clash", "{sentences}", {"sentences": sentences, "clashes": clashes}
            )
        return self


@dataclass(frozen=True)
class Declaration:
    """What a form, a page of documentation or a reader needs to know about one rule.

    Bounds are plain numbers, of seconds for a duration, ``None`` where there is none. ``xml`` is
    the path in the published configuration (``Potentials/@min``), empty for what it cannot say.
    """

    name: str
    label: str
    help: str
    unit: str
    kind: Kind
    default: Any
    minimum: float | None
    maximum: float | None
    exclusive_minimum: bool
    choices: Mapping[str, str]
    xml: str
    source: str

    @property
    def wanted(self) -> str:
        """What the value must be, kind and range: ``a number from 30 to 350``."""
        plain = {
            "choice": "one of " + ", ".join(self.choices),
            "boolean": "true or false",
            "time": f"a time with its offset from UTC, written like {MOMENT_EXAMPLE}",
            "text": "a text of 1 to 100 letters",
        }.get(self.kind)
        if plain:
            return plain
        noun = {"integer": "a whole number", "duration": "a duration"}.get(self.kind, "a number")
        above = "more than" if self.exclusive_minimum else "at least"
        low = "" if self.minimum is None else f"{above} {self._shown(self.minimum)}"
        high = "" if self.maximum is None else f"at most {self._shown(self.maximum)}"
        example = f", written like {DURATION_EXAMPLES}" if self.kind == "duration" else ""
        return " ".join((noun, " and ".join(part for part in (low, high) if part))) + example

    def _shown(self, bound: float) -> str:
        return written(bound) if self.kind == "duration" else f"{bound:,g}"


def rule(
    default: Any,
    *,
    label: str,
    description: str,
    source: str,
    xml: str = "",
    unit: str = "",
    minimum: float | None = None,
    maximum: float | None = None,
    above: float | None = None,
    choices: Mapping[str, str] | None = None,
) -> Any:
    """Declare one rule. ``minimum`` and ``maximum`` are allowed themselves, ``above`` is not."""
    return Field(
        default=default,
        title=label,
        description=description,
        ge=minimum,
        gt=above,
        le=maximum,
        json_schema_extra={
            "unit": unit,
            "source": source,
            "xml": xml,
            "choices": dict(choices or {}),
        },
    )


def declarations(model: type[BaseModel]) -> list[Declaration]:
    """The declarations of a model's rules, in the order in which they were declared.

    Fields that hold further models are left out.
    """
    return [
        _declaration(name, field)
        for name, field in model.model_fields.items()
        if field.json_schema_extra is not None
    ]


def _declaration(name: str, field: FieldInfo) -> Declaration:
    extra = cast("dict[str, Any]", field.json_schema_extra)
    minimum, above = _bound(field, Ge, "ge"), _bound(field, Gt, "gt")
    return Declaration(
        name=name,
        label=field.title or name,
        help=field.description or "",
        unit=extra["unit"],
        kind=_kind(field),
        default=field.default,
        minimum=above if minimum is None else minimum,
        maximum=_bound(field, Le, "le"),
        exclusive_minimum=above is not None,
        choices=extra["choices"],
        xml=extra["xml"],
        source=extra["source"],
    )


def _kind(field: FieldInfo) -> Kind:
    if any(isinstance(item, _IsDuration) for item in field.metadata):
        return "duration"
    if any(isinstance(item, _IsMoment) for item in field.metadata):
        return "time"
    if typing.get_origin(field.annotation) is Literal:
        return "choice"
    kinds: dict[Any, Kind] = {float: "number", int: "integer", bool: "boolean", str: "text"}
    return kinds[field.annotation]


def _bound(field: FieldInfo, bound: type, name: str) -> float | None:
    return next((getattr(item, name) for item in field.metadata if isinstance(item, bound)), None)
