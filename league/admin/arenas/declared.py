"""Form fields for the rules and limits of an arena, generated from their declarations."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _

from league.admin.core.base import sentence
from league.admin.core.fields import (
    add_problem,
    field_name,
    form_values,
    parameter_fields,
    typed_values,
)
from league.models import Arena
from league.models.limits import Limits, read_limits
from league.models.result_rules import ResultRules, read_result_rules
from league.services.core.declared import declarations as in_language
from league.services.core.declared import value_in_words
from ratings.display import DisplayRules, read_display_rules
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from django import forms
    from django_stubs_ext import StrPromise

    from ratings.tunables.parameters import Parameters


@dataclass(frozen=True)
class Declared:
    """A set of declared values that an arena stores as JSON."""

    group: str
    """The start of the names of its form fields."""
    label: StrPromise
    field: str
    """The field of the arena that stores it."""
    parameters: type[Parameters]
    read: Callable[[Mapping[str, Any]], Parameters]
    of: Callable[[Arena], Parameters]

    @property
    def names(self) -> list[str]:
        """The names of the form fields."""
        return list(parameter_fields(self.parameters, self.group))

    def initial_values(self, arena: Arena) -> dict[str, Any]:
        values = form_values(self.of(arena).to_json())
        return {field_name(self.group, name): value for name, value in values.items()}

    def save_typed(self, form: forms.BaseModelForm[Arena]) -> None:
        """Give the form's arena the typed values, or add an error to each wrong field."""
        stored = self.of(form.instance).to_json()
        typed = typed_values(form, self.parameters, self.group, stored)
        try:
            setattr(form.instance, self.field, self.read(typed).to_json())
        except ParameterError as error:
            for name, problem in error.problems.items():
                add_problem(form, self.parameters, self.group, name, sentence(problem))

    def label_values(self, parameters: Parameters) -> list[tuple[str, str]]:
        """Return the label and value of each in words."""
        values = parameters.to_json()
        return [
            (one.label, value_in_words(one, values[one.name]))
            for one in in_language(self.parameters)
        ]


RESULTS = Declared(
    "results",
    _("result rules"),
    "result_rules",
    ResultRules,
    read_result_rules,
    Arena.result_settings,
)
LIMITS = Declared("limits", _("limits"), "limits", Limits, read_limits, Arena.limit_settings)
DISPLAY = Declared(
    "display",
    _("shown ratings"),
    "display",
    DisplayRules,
    read_display_rules,
    Arena.display_settings,
)
DECLARED = (RESULTS, LIMITS, DISPLAY)
FIELDS = {
    name: field
    for one in DECLARED
    for name, field in parameter_fields(one.parameters, one.group).items()
}
