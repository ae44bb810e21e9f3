"""The form of the dishonor rules, made from their declarations."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.utils.functional import keep_lazy_text
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from pydantic import ValidationError as BrokenRules

from league.admin.core.base import sentence
from league.admin.core.sections import section
from league.admin.queue.forms import RuleField, rule_value
from league.models import Discipline, Offence
from league.services.core.declared import translate_declaration
from matchmaking.dishonor import DishonorRules, Penalty
from ratings.tunables.declarations import Declaration, declarations

RULES = {declaration.name: declaration for declaration in declarations(DishonorRules)}
STACKS = next(each for each in declarations(Penalty) if each.name == "stacks")


def stacks_field(offence: Offence) -> str:
    return f"stacks_{offence.value}"


@keep_lazy_text
def stacks_for(offence: Any) -> str:
    return _("Stacks for %(offence)s") % {"offence": offence}


def stacks_of(offence: Offence) -> Declaration:
    """Return the declaration of one offence's stacks, with its published default."""
    return replace(
        STACKS,
        label=stacks_for(offence.label),
        default=DishonorRules().penalty(offence).stacks,
        xml=f"Penalty[@reason='{offence.value}']/@stacks",
    )


FIELDS = {name: RuleField(declaration) for name, declaration in RULES.items()} | {
    stacks_field(offence): RuleField(stacks_of(offence)) for offence in Offence
}
RulesForm = type("RulesForm", (forms.Form,), dict(FIELDS))
"""One field for each rule; see :class:`DisciplineForm`."""


class DisciplineForm(RulesForm, forms.ModelForm[Discipline]):  # type: ignore[misc,valid-type] # a class made from the declarations
    """The league's dishonor rules."""

    class Meta:
        model = Discipline
        fields = ("decay", "rounding")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rules = self.instance.dishonor()
        for name, declaration in RULES.items():
            self.initial.setdefault(name, rule_value(declaration, getattr(rules, name)))
        for offence in Offence:
            self.initial.setdefault(stacks_field(offence), rules.penalty(offence).stacks)

    def clean(self) -> dict[str, Any]:
        super().clean()
        typed: dict[str, Any] = {
            name: value
            for name in RULES
            if (value := self.cleaned_data.get(name)) not in {None, ""}
        }
        penalties = self.penalties()
        try:
            rules = DishonorRules.model_validate({**typed, "penalties": penalties})
        except BrokenRules as error:
            self.add_problems(error)
        else:
            self.instance.rules = rules.model_dump(mode="json")
        return self.cleaned_data

    def penalties(self) -> list[dict[str, Any]]:
        """Return the stacks as entered."""
        mine = []
        for offence in Offence:
            stacks = self.cleaned_data.get(stacks_field(offence))
            known = stacks if stacks not in {None, ""} else stacks_of(offence).default
            mine.append({"reason": offence.value, "stacks": known})
        return mine

    def add_problems(self, error: BrokenRules) -> None:
        """Add each problem to its field."""
        for problem in error.errors():
            first, *where = problem["loc"] or ("",)
            if first == "penalties" and where:
                field = stacks_field(list(Offence)[int(where[0])])
                declaration = STACKS
            elif first in RULES:
                field, declaration = str(first), RULES[str(first)]
            else:
                self.add_error(None, sentence(problem["msg"]))
                continue
            self.add_error(
                field,
                _("Must be %(expected)s; you gave “%(value)s”.")
                % {
                    "expected": translate_declaration(declaration).expected,
                    "value": str(problem["input"])[:40],
                },
            )


SECTIONS = [
    section("stacks", gettext_lazy("Stacks and timeouts"), [*RULES, "decay", "rounding"]),
    section(
        "offences",
        gettext_lazy("What each offence earns"),
        [stacks_field(offence) for offence in Offence],
    ),
]


def label_values(rules: DishonorRules) -> list[tuple[str, Any]]:
    """Return the label and value of every rule, for staff who may only read them."""
    lines = [
        (declaration.label, rule_value(declaration, getattr(rules, name)))
        for name, declaration in ((name, translate_declaration(one)) for name, one in RULES.items())
    ]
    return [
        *lines,
        *((str(stacks_of(offence).label), rules.penalty(offence).stacks) for offence in Offence),
    ]
