"""Form fields for the rules of an arena's results, generated from their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.admin.core.base import sentence
from league.admin.core.fields import ParameterField, field_name, form_values
from league.models.result_rules import ResultRules, read_result_rules
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from django import forms

    from league.models import Arena

GROUP = "results"
FIELDS = {
    field_name(GROUP, declaration.name): ParameterField(declaration)
    for declaration in declarations(ResultRules)
}


def initial_values(arena: Arena) -> dict[str, Any]:
    """Return the initial values of the fields for an arena's rules."""
    values = form_values(arena.accepts().written())
    return {field_name(GROUP, name): value for name, value in values.items()}


def validated_rules(form: forms.BaseForm) -> ResultRules | None:
    """Return the typed rules, or ``None`` after adding an error to each wrong field."""
    typed = {}
    for declaration in declarations(ResultRules):
        name = field_name(GROUP, declaration.name)
        value = form.cleaned_data.get(name)
        typed[declaration.name] = form[name].initial if value is None else value
    try:
        return read_result_rules(typed)
    except ParameterError as error:
        for name, problem in error.problems.items():
            form.add_error(field_name(GROUP, name), sentence(problem))
        return None


def labelled_rules(rules: ResultRules) -> list[tuple[str, str]]:
    """Return the label and value of every rule in words."""
    values = form_values(rules.written())
    lines = []
    for declaration in declarations(ResultRules):
        value = str(values[declaration.name])
        labels = {choice.value: choice.label for choice in declaration.choices}
        lines.append((declaration.label, labels.get(value, value)))
    return lines
