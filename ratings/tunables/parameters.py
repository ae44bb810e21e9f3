"""The base class of everything that can be tuned, and the declaration of one parameter.

A rating system or a matcher declares its parameters as a ``Parameters`` model with a ``parameter``
for each field: name, label, help, unit, range, default and source, once. Admin forms,
documentation, API schemas, commands and the readers of configuration files take them from there
(``ratings.tunables.declarations``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from ratings.tunables.durations import parse_duration
from ratings.tunables.sentences import Name, Sentence
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.tunables.kinds import Value


class Parameters(BaseModel):
    """Parameters that are immutable, complete and in range."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, allow_inf_nan=False, validate_default=True
    )

    def clashes(self) -> dict[str, Sentence]:
        """Return the rules between parameters that these break: a sentence by parameter name.

        Each sentence goes with the parameter to change.
        """
        return {}

    @classmethod
    def name_of(cls, name: str) -> Name:
        """Return the name of a parameter for a sentence that people read."""
        return Name(name, label=cls.model_fields[name].title or name)

    def too_high(self, low: str, high: str) -> Sentence:
        """Return the clash of a parameter that is above its highest value."""
        return Sentence(
            "must be at most %(high)s (%(most)s); you gave %(given)s",
            high=self.name_of(high),
            most=plain(getattr(self, high)),
            given=plain(getattr(self, low)),
        )

    def not_between(self, name: str, low: str, high: str) -> Sentence:
        """Return the clash of a parameter that is not between two others."""
        return Sentence(
            "must be from %(least)s to %(most)s, which are %(low)s and %(high)s; "
            "you gave %(given)s",
            least=plain(getattr(self, low)),
            most=plain(getattr(self, high)),
            low=self.name_of(low),
            high=self.name_of(high),
            given=plain(getattr(self, name)),
        )

    @model_validator(mode="after")
    def _refuse_clashes(self) -> Self:
        clashes = self.clashes()
        if clashes:
            sentences = "; ".join(f"{name} {problem}" for name, problem in clashes.items())
            context = {"sentences": sentences, "clashes": clashes}
            raise PydanticCustomError("clash", "{sentences}", context)
        return self

    def to_json(self) -> dict[str, Value]:
        """Return the parameters as JSON values, durations as ``3d``, ``1w``, ``30s``."""
        return self.model_dump(mode="json")


def parameter(
    default: Any,
    *,
    label: str,
    description: str,
    source: str,
    unit: str = "",
    minimum: float | str | None = None,
    maximum: float | str | None = None,
    above: float | None = None,
    choices: Mapping[str, str] | None = None,
    xml: str = "",
    expert: bool = False,
) -> Any:
    """Declare one parameter of a ``Parameters`` model.

    Args:
        minimum: The lowest allowed value; durations may be text (``"3d"``).
        maximum: The highest allowed value.
        above: A bound below every allowed value.
        choices: The label of each value of a ``Literal``.
        xml: The place in the published configuration (``Potentials/@min``), empty if it has none.
        expert: Whether it is left to files and programs, because whoever changes it knows its
            source well. Forms are shorter without it.
    """
    return Field(
        default=default,
        title=label,
        description=description,
        ge=_parse_bound(minimum),
        gt=above,
        le=_parse_bound(maximum),
        json_schema_extra={
            "unit": unit,
            "source": source,
            "choices": dict(choices or {}),
            "xml": xml,
            "expert": expert,
        },
    )


def _parse_bound(bound: float | str | None) -> float | None:
    return parse_duration(bound) if isinstance(bound, str) else bound
