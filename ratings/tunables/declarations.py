"""The declarations of a ``Parameters`` model as plain fields for forms, schemas and readers."""

from __future__ import annotations

import typing
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, cast

from annotated_types import Ge, Gt, Le, Lt

from ratings.tunables import durations, spans
from ratings.tunables.durations import format_duration
from ratings.tunables.kinds import TIME_EXAMPLE, FieldKind, MayBeInfinite
from ratings.tunables.sentences import Sentence, mark
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

    from ratings.tunables.kinds import Kind
    from ratings.tunables.parameters import Parameters

_WITHOUT_RANGE: dict[Kind, Sentence] = {
    "boolean": Sentence("true or false"),
    "text": Sentence("text of 1 to 100 characters"),
    "numbers": Sentence("numbers from 0.000001 to 1000000, separated by commas"),
    "time": Sentence("a time with its UTC offset, written like %(example)s", example=TIME_EXAMPLE),
    "optional_time": Sentence(
        "a time with its UTC offset, written like %(example)s, or empty", example=TIME_EXAMPLE
    ),
}
EXAMPLES: dict[Kind, str] = {"duration": durations.EXAMPLES, "span": spans.EXAMPLES}
"""The notation for lengths of time, by kind."""
_EXPECTED: dict[Kind, str] = {
    "number": mark("a number %(allowed)s"),
    "integer": mark("a whole number %(allowed)s"),
    "duration": mark("a duration %(allowed)s, written like %(examples)s"),
    "span": mark("a length of time %(allowed)s, written like %(examples)s"),
}
_UNBOUNDED: dict[Kind, str] = {
    "number": mark("a number"),
    "integer": mark("a whole number"),
    "duration": mark("a duration, written like %(examples)s"),
    "span": mark("a length of time, written like %(examples)s"),
}


@dataclass(frozen=True)
class Choice:
    """One allowed value of a choice, and its label."""

    value: str
    label: str


@dataclass(frozen=True)
class Declaration:
    """A parameter as a form, a page of documentation, a schema or a reader needs it.

    ``default`` is the value in JSON (a duration is text). Bounds are plain numbers (seconds for a
    duration), or ``None``. ``xml`` is the place in the published configuration
    (``Potentials/@min``), empty if it has none.
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
    exclusive_maximum: bool
    choices: tuple[Choice, ...]
    source: str
    infinite: bool = False
    """Whether ``inf`` is allowed too."""
    xml: str = ""
    expert: bool = False
    """Whether forms leave it out."""

    @property
    def allowed(self) -> Sentence:
        """The range in words: ``from 30 to 350``, ``more than 0``, ``one of mean, sum, max``."""
        if self.kind == "choice":
            values = ", ".join(choice.value for choice in self.choices)
            return Sentence("one of %(values)s", values=values)
        if self.kind in _WITHOUT_RANGE:
            return _WITHOUT_RANGE[self.kind]
        bounds = self._range()
        return Sentence("%(range)s or inf", range=bounds) if self.infinite else bounds

    @property
    def expected(self) -> Sentence:
        """The kind and range in words: ``a number from 30 to 350``."""
        if self.kind == "choice" or self.kind in _WITHOUT_RANGE:
            return self.allowed
        allowed = self.allowed
        examples = {"examples": EXAMPLES[self.kind]} if self.kind in EXAMPLES else {}
        if not allowed:
            return Sentence(_UNBOUNDED[self.kind], **examples)
        return Sentence(_EXPECTED[self.kind], allowed=allowed, **examples)

    def _range(self) -> Sentence:
        low = None if self.minimum is None else self._format(self.minimum)
        high = None if self.maximum is None else self._format(self.maximum)
        if low and high and not self.exclusive_minimum and not self.exclusive_maximum:
            return Sentence("from %(low)s to %(high)s", low=low, high=high)
        above = mark("more than %(low)s") if self.exclusive_minimum else mark("at least %(low)s")
        below = mark("less than %(high)s") if self.exclusive_maximum else mark("at most %(high)s")
        lower = Sentence(above, low=low) if low else Sentence("")
        upper = Sentence(below, high=high) if high else Sentence("")
        if low and high:
            return Sentence("%(lower)s and %(upper)s", lower=lower, upper=upper)
        return lower or upper

    def _format(self, bound: float) -> str:
        return format_duration(bound) if self.kind in EXAMPLES else plain(bound)

    def as_json(self) -> dict[str, Any]:
        """Return the declaration for JSON, with the range in words beside the numbers."""
        fields = asdict(self)
        del fields["xml"], fields["expert"]
        return {**fields, "allowed": str(self.allowed)}


def declarations(model: type[Parameters]) -> list[Declaration]:
    """Return the declarations of a model's parameters, in the order of the model.

    Fields without ``parameter``, such as further models, are left out.
    """
    return list(_declarations(model))


@cache
def _declarations(model: type[Parameters]) -> tuple[Declaration, ...]:
    return tuple(
        _declaration(name, field)
        for name, field in model.model_fields.items()
        if field.json_schema_extra is not None
    )


def _declaration(name: str, field: FieldInfo) -> Declaration:
    extra = cast("dict[str, Any]", field.json_schema_extra)
    kind = _kind(field)
    minimum = _find_bound(field, Ge, "ge")
    above = _find_bound(field, Gt, "gt")
    maximum = _find_bound(field, Le, "le")
    below = _find_bound(field, Lt, "lt")
    return Declaration(
        name=name,
        label=field.title or name,
        help=field.description or "",
        unit=extra["unit"],
        kind=kind,
        default=_default(field, kind),
        minimum=above if minimum is None else minimum,
        maximum=below if maximum is None else maximum,
        exclusive_minimum=minimum is None and above is not None,
        exclusive_maximum=maximum is None and below is not None,
        choices=tuple(Choice(value, label) for value, label in extra["choices"].items()),
        source=extra["source"],
        infinite=any(isinstance(item, MayBeInfinite) for item in field.metadata),
        xml=extra["xml"],
        expert=extra["expert"],
    )


def _kind(field: FieldInfo) -> Kind:
    for item in field.metadata:
        if isinstance(item, FieldKind):
            return item.kind
    if typing.get_origin(field.annotation) is Literal:
        return "choice"
    kinds: dict[Any, Kind] = {float: "number", int: "integer", bool: "boolean", str: "text"}
    return kinds[field.annotation]


def _default(field: FieldInfo, kind: Kind) -> Any:
    if kind in EXAMPLES and isinstance(field.default, int | float):
        return format_duration(field.default)
    return field.default


def _find_bound(field: FieldInfo, bound: type, name: str) -> float | None:
    return next((getattr(item, name) for item in field.metadata if isinstance(item, bound)), None)
