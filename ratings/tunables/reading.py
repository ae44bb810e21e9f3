"""Parameters from a mapping or JSON text, with a sentence for each mistake."""

from __future__ import annotations

import difflib
import json
from typing import TYPE_CHECKING, TypeVar

from pydantic import ValidationError

from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters
from ratings.tunables.sentences import Sentence
from ratings.tunables.wording import quote

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ratings.tunables.declarations import Declaration

Model = TypeVar("Model", bound=Parameters)


class ParameterError(ValueError):
    """Parameters that cannot be used: ``problems`` has one sentence by parameter name."""

    def __init__(self, problems: Mapping[str, Sentence]) -> None:
        self.problems = dict(problems)
        super().__init__("\n".join(f"{name}: {problem}" for name, problem in problems.items()))


def read_parameters(model: type[Model], values: Mapping[str, object] | None) -> Model:
    """Return the parameters with these values, and defaults for the rest.

    Raises:
        ParameterError: a name is unknown, a value has the wrong kind or is out of range, or a rule
            between parameters is broken, with a sentence for each.
    """
    values = values or {}
    declared = {declaration.name: declaration for declaration in declarations(model)}
    problems = {name: _unknown(name, declared) for name in values if name not in declared}
    for name, declaration in declared.items():
        # Python takes True for 1, but nobody who writes true means a number.
        if isinstance(values.get(name), bool) and declaration.kind != "boolean":
            problems[name] = _must_be(declaration.expected, values[name])
    known = {name: values[name] for name in declared if name in values and name not in problems}
    try:
        parameters = model.model_validate(known)
    except ValidationError as error:
        problems.update(_sentences(error, declared, values))
        raise ParameterError(problems) from None
    if problems:
        raise ParameterError(problems)
    return parameters


def read_parameters_json(model: type[Model], text: str) -> Model:
    """Return the parameters in a JSON object.

    Raises:
        ParameterError: as ``read_parameters``, or the text is not a JSON object.
    """
    return read_parameters(model, read_object(text))


def read_object(text: str) -> dict[str, object]:
    """Return a JSON object with parameters, unread. Raises ``ParameterError`` if it is none."""
    try:
        values = json.loads(text)
    except ValueError as error:
        raise ParameterError(
            {"JSON": Sentence("cannot be read: %(why)s", why=str(error))}
        ) from None
    if not isinstance(values, dict):
        sentence = Sentence(
            "must be an object, such as %(example)s", example='{"rating_default": 1200}'
        )
        raise ParameterError({"JSON": sentence})
    return values


def _unknown(name: str, declared: Mapping[str, Declaration]) -> Sentence:
    near = difflib.get_close_matches(name, declared, n=1)
    if near:
        return Sentence("is not a parameter; did you mean %(name)s?", name=near[0])
    return Sentence("is not a parameter; choose from %(names)s", names=", ".join(declared))


def _must_be(expected: Sentence, given: object) -> Sentence:
    return Sentence(
        "must be %(expected)s; you gave %(given)s", expected=expected, given=quote(given)
    )


def _sentences(
    error: ValidationError, declared: Mapping[str, Declaration], values: Mapping[str, object]
) -> dict[str, Sentence]:
    problems: dict[str, Sentence] = {}
    for item in error.errors():
        if item["type"] == "clash":
            problems.update(item["ctx"]["clashes"])
            continue
        name = str(item["loc"][0])
        out_of_range = item["type"].startswith(("greater_than", "less_than"))
        expected = declared[name].allowed if out_of_range else declared[name].expected
        problems[name] = _must_be(expected, values[name])
    return problems
