"""Rules set by name, in addition to an XML file: ``falloff=min``, ``fairness=0.05``."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from pydantic import ValidationError

from matchmaking.rules.arena import Choices, Rules
from matchmaking.rules.laurel import LaurelRules
from ratings.tunables.declarations import Declaration, declarations
from ratings.tunables.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Iterable


class ChoiceError(ValueError):
    """A choice that cannot be applied, with the reason and the alternatives."""


def apply_choices(rules: Rules, choices: Iterable[str]) -> Rules:
    """Return the rules with these choices, each written ``NAME=VALUE``; the last of a name counts.

    Names are those of ``Choices`` and ``LaurelRules``.

    Raises:
        ChoiceError: A choice has an unknown name or an impossible value.
    """
    for choice in choices:
        name, sign, value = (part.strip() for part in choice.partition("="))
        if not sign:
            raise ChoiceError(f"“{choice}” must be written NAME=VALUE, such as falloff=min")
        rules = _with(rules, name, value)
    return rules


def _with(rules: Rules, name: str, value: str) -> Rules:
    for part, model in (("choices", Choices), ("laurel", LaurelRules)):
        declared = {declaration.name: declaration for declaration in declarations(model)}
        if name in declared:
            chosen = _change(getattr(rules, part), declared[name], value)
            return rules.model_copy(update={part: chosen})
    raise ChoiceError(f"{name} is not a choice; {_suggestion(name)}")


def _change(model: Parameters, declaration: Declaration, value: str) -> Parameters:
    try:
        return type(model).model_validate({**dict(model), declaration.name: value})
    except ValidationError as error:
        item = error.errors()[0]
        if item["type"] == "clash":
            raise ChoiceError(f"{declaration.name}={value}: {item['msg']}") from None
        raise ChoiceError(
            f"{declaration.name} must be {declaration.expected}; you gave “{value}”"
        ) from None


def _suggestion(name: str) -> str:
    names = [
        declaration.name for model in (Choices, LaurelRules) for declaration in declarations(model)
    ]
    near = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {near[0]}?" if near else f"choose from {', '.join(names)}"
