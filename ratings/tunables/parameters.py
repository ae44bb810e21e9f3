"""The one declaration of each tunable: name, label, help, unit, range, default and source.

A rating system declares its parameters as a ``Parameters`` model. Everything else reads from there:
an admin form, the documentation, an API schema, ``manage.py systems --json`` and the configuration
file's errors. ``declarations`` gives them as plain fields, ``read`` turns a mapping into parameters
or raises ``ParameterError`` with one sentence for each wrong value.
"""

from __future__ import annotations

import difflib
import json
import math
import typing
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeVar, cast

from annotated_types import Ge, Gt, Le, Lt
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)
from pydantic_core import PydanticCustomError

from ratings.tunables import durations

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo

Kind = Literal["number", "integer", "duration", "choice", "boolean", "numbers", "date", "moment"]
Value = float | int | str | bool | Sequence[float]

_LONGEST_QUOTE = 40


class _IsDuration:
    """Marks a field as a duration for ``declarations``."""


Duration = Annotated[
    float,
    _IsDuration(),
    BeforeValidator(durations.seconds),
    PlainSerializer(durations.written, return_type=str, when_used="json"),
]
"""Seconds, read from and written to JSON as ``3d``, ``1w``, ``30s``."""


class _MayBeInfinite:
    """Marks a number that may be infinite for ``declarations``."""


NumberOrInf = Annotated[
    float,
    _MayBeInfinite(),
    Field(allow_inf_nan=True),
    PlainSerializer(
        lambda number: "inf" if math.isinf(number) else number,
        return_type=float | str,
        when_used="json",
    ),
]
"""A number that may be infinite, which JSON and forms write as ``inf``."""


class _AreNumbers:
    """Marks a list of numbers for ``declarations``."""


def _split(numbers: object) -> object:
    """A written list as its parts; pydantic reads the numbers."""
    return (
        [part for part in numbers.split(",") if part.strip()]
        if isinstance(numbers, str)
        else numbers
    )


PositiveNumbers = Annotated[
    tuple[Annotated[float, Gt(0), Le(1_000_000)], ...], _AreNumbers(), BeforeValidator(_split)
]
"""Numbers above 0 in an order that counts: a JSON list, or text such as ``0.5, 0.75``."""


class _IsDate:
    """Marks a day for ``declarations``."""


def _day(written: object) -> str:
    text = str(written).strip()
    return date.fromisoformat(text).isoformat() if text else ""


DayOrNone = Annotated[str, _IsDate(), BeforeValidator(_day)]
"""A day written ``2026-01-31``, or nothing."""


class _IsMoment:
    """Marks a moment for ``declarations``."""


def _moment(written: object) -> str:
    text = str(written).strip()
    if not text:
        return ""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError("a moment needs its zone")
    try:
        return moment.astimezone(UTC).isoformat()
    except OverflowError as error:
        raise ValueError("there is no such moment in UTC") from error


MomentOrNone = Annotated[str, _IsMoment(), BeforeValidator(_moment)]
"""A moment with its zone, written ``2026-01-31T20:00+01:00``, or nothing; kept in UTC."""


class ParameterError(ValueError):
    """Parameters that cannot be used: ``problems`` has one sentence by parameter name."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        self.problems = dict(problems)
        super().__init__("\n".join(f"{name}: {problem}" for name, problem in problems.items()))


class Parameters(BaseModel):
    """Parameters of a rating system: immutable, complete, in range."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, validate_default=True
    )

    def clashes(self) -> dict[str, str]:
        """Rules between parameters that these break: one sentence by the name to change."""
        return {}

    @model_validator(mode="after")
    def _refuse_clashes(self) -> Self:
        clashes = self.clashes()
        if clashes:
            sentences = "; ".join(f"{name} {problem}" for name, problem in clashes.items())
            context = {"sentences": sentences, "clashes": clashes}
            raise PydanticCustomError("clash", "{sentences}", context)
        return self

    def written(self) -> dict[str, Value]:
        """The parameters as they stand in a JSON file: durations as ``3d``, ``1w``, ``30s``."""
        return self.model_dump(mode="json")


@dataclass(frozen=True)
class Choice:
    """One allowed value of a choice, and how a page words it."""

    value: str
    label: str


@dataclass(frozen=True)
class Declaration:
    """What a form, a page of documentation or a schema needs to know about one parameter.

    ``default`` is as written in JSON (a duration is text); bounds are plain numbers, of seconds for
    a duration, ``None`` where there is none.
    """

    name: str
    label: str
    help: str
    unit: str
    kind: Kind
    default: Value
    minimum: float | None
    maximum: float | None
    exclusive_minimum: bool
    exclusive_maximum: bool
    choices: tuple[Choice, ...]
    source: str
    infinite: bool = False
    """Whether ``inf`` is allowed too."""

    @property
    def allowed(self) -> str:
        """The range in words: ``from 30 to 350``, ``more than 0``, ``one of mean, sum, max``."""
        if self.kind == "choice":
            return "one of " + ", ".join(choice.value for choice in self.choices)
        if self.kind == "boolean":
            return "true or false"
        if self.kind == "numbers":
            return "numbers above 0 and at most 1000000, separated by commas"
        if self.kind == "date":
            return "a day written like 2026-01-31, or empty"
        if self.kind == "moment":
            return "a moment with its zone, written like 2026-01-31T20:00+01:00, or empty"
        return f"{self._range()} or inf" if self.infinite else self._range()

    @property
    def wanted(self) -> str:
        """What the value must be, kind and range: ``a number from 30 to 350``."""
        if self.kind in {"choice", "boolean", "numbers", "date", "moment"}:
            return self.allowed
        noun = {"integer": "a whole number", "duration": "a duration"}.get(self.kind, "a number")
        example = f", written like {durations.EXAMPLES}" if self.kind == "duration" else ""
        return f"{noun} {self.allowed}".rstrip() + example

    def _range(self) -> str:
        low = None if self.minimum is None else self._shown(self.minimum)
        high = None if self.maximum is None else self._shown(self.maximum)
        if low and high and not self.exclusive_minimum and not self.exclusive_maximum:
            return f"from {low} to {high}"
        above = (
            "" if low is None else f"{'more than' if self.exclusive_minimum else 'at least'} {low}"
        )
        below = (
            "" if high is None else f"{'less than' if self.exclusive_maximum else 'at most'} {high}"
        )
        return " and ".join(part for part in (above, below) if part)

    def _shown(self, bound: float) -> str:
        return durations.written(bound) if self.kind == "duration" else plain(bound)

    def as_json(self) -> dict[str, Any]:
        """The declaration as JSON holds it, with the range in words beside the numbers."""
        return {**asdict(self), "allowed": self.allowed}


def parameter(
    default: Value,
    *,
    label: str,
    description: str,
    source: str,
    unit: str = "",
    minimum: Value | None = None,
    maximum: Value | None = None,
    above: float | None = None,
    choices: Mapping[str, str] | None = None,
) -> Any:
    """Declare one parameter of a ``Parameters`` model.

    ``minimum`` and ``maximum`` are allowed themselves, ``above`` is not; durations may be written
    (``"3d"``). ``choices`` gives each value of a ``Literal`` its label.
    """
    return Field(
        default=default,
        title=label,
        description=description,
        ge=_bound(minimum),
        gt=above,
        le=_bound(maximum),
        json_schema_extra={"unit": unit, "source": source, "choices": dict(choices or {})},
    )


def _bound(bound: Value | None) -> float | None:
    return durations.seconds(bound) if isinstance(bound, str) else cast("float | None", bound)


def declarations(model: type[Parameters]) -> list[Declaration]:
    """The declarations of a model's parameters, in the order in which they were declared."""
    return [_declaration(name, field) for name, field in model.model_fields.items()]


def _declaration(name: str, field: FieldInfo) -> Declaration:
    extra = cast("dict[str, Any]", field.json_schema_extra or {})
    labels = extra.get("choices", {})
    minimum = _first(field, Ge, "ge")
    above = _first(field, Gt, "gt")
    maximum = _first(field, Le, "le")
    below = _first(field, Lt, "lt")
    return Declaration(
        name=name,
        label=field.title or name,
        help=field.description or "",
        unit=extra.get("unit", ""),
        kind=_kind(field),
        default=field.default,
        minimum=above if minimum is None else minimum,
        maximum=below if maximum is None else maximum,
        exclusive_minimum=minimum is None and above is not None,
        exclusive_maximum=maximum is None and below is not None,
        choices=tuple(Choice(value, label) for value, label in labels.items()),
        source=extra.get("source", ""),
        infinite=any(isinstance(item, _MayBeInfinite) for item in field.metadata),
    )


def _kind(field: FieldInfo) -> Kind:
    if any(isinstance(item, _IsDuration) for item in field.metadata):
        return "duration"
    if any(isinstance(item, _AreNumbers) for item in field.metadata):
        return "numbers"
    if any(isinstance(item, _IsDate) for item in field.metadata):
        return "date"
    if any(isinstance(item, _IsMoment) for item in field.metadata):
        return "moment"
    if typing.get_origin(field.annotation) is Literal:
        return "choice"
    kinds: dict[Any, Kind] = {float: "number", int: "integer", bool: "boolean"}
    return kinds[field.annotation]


def _first(field: FieldInfo, bound: type, name: str) -> float | None:
    return next((getattr(item, name) for item in field.metadata if isinstance(item, bound)), None)


ParametersOf = TypeVar("ParametersOf", bound=Parameters)


def read(model: type[ParametersOf], values: Mapping[str, object] | None) -> ParametersOf:
    """The parameters of ``values``, defaults where it is silent.

    Raises ``ParameterError`` with one sentence for each unknown name, wrong kind, value out of
    range, and each rule between parameters that is broken.
    """
    values = values or {}
    declared = {declaration.name: declaration for declaration in declarations(model)}
    problems = {name: _unknown(name, declared) for name in values if name not in declared}
    for name, declaration in declared.items():
        # Python takes True for 1; nobody who writes true means a number.
        if isinstance(values.get(name), bool) and declaration.kind != "boolean":
            problems[name] = f"must be {declaration.wanted}; you gave {quoted(values[name])}"
    known = {name: values[name] for name in declared if name in values and name not in problems}
    try:
        parameters = model.model_validate(known)
    except ValidationError as error:
        problems.update(_sentences(error, declared, values))
        raise ParameterError(problems) from None
    if problems:
        raise ParameterError(problems)
    return parameters


def read_json(model: type[ParametersOf], text: str) -> ParametersOf:
    """The parameters of a JSON object; ``ParameterError`` as ``read``, or for text that is none."""
    try:
        values = json.loads(text)
    except ValueError as error:
        raise ParameterError({"JSON": f"cannot be read: {error}"}) from None
    if not isinstance(values, dict):
        raise ParameterError({"JSON": 'must be an object, such as {"rating_default": 1200}'})
    return read(model, values)


def _unknown(name: str, declared: Mapping[str, Declaration]) -> str:
    near = difflib.get_close_matches(name, declared, n=1)
    if near:
        return f"is not a parameter; did you mean {near[0]}?"
    return f"is not a parameter; known are {', '.join(declared)}"


def _sentences(
    error: ValidationError, declared: Mapping[str, Declaration], values: Mapping[str, object]
) -> dict[str, str]:
    problems: dict[str, str] = {}
    for item in error.errors():
        if item["type"] == "clash":
            problems.update(item["ctx"]["clashes"])
            continue
        name = str(item["loc"][0])
        out_of_range = item["type"].startswith(("greater_than", "less_than"))
        wanted = declared[name].allowed if out_of_range else declared[name].wanted
        problems[name] = f"must be {wanted}; you gave {quoted(values[name])}"
    return problems


def plain(number: float) -> str:
    """A number without needless zeros or exponents: ``30``, ``0.06``."""
    return str(int(number)) if float(number).is_integer() else repr(float(number))


def quoted(value: object) -> str:
    """A value as a message quotes it: short, and JSON's word for it."""
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value) if isinstance(value, int) else repr(value).removesuffix(".0")
    text = f"“{value}”" if isinstance(value, str) else str(value)
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
