"""The form that starts a comparison of rating systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.moments import Moment
from league.admin.seasons.seasons import MOMENT
from league.models.explained import translate
from league.services.laboratory import entries
from ratings.registry import SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena


@dataclass(frozen=True)
class Parameter:
    """A parameter that can be fitted, as a box to tick."""

    name: str
    label: str
    allowed: str
    checked: bool


@dataclass(frozen=True)
class Row:
    """A rating system of the form."""

    name: str
    label: str
    summary: str
    checked: bool
    is_own: bool
    field: str
    parameters: list[Parameter]
    errors: Any

    @property
    def fitted(self) -> str:
        return ", ".join(each.label for each in self.parameters if each.checked)


class CompareForm(forms.Form):
    """Which systems to compare, which of their parameters to fit, and by which matches."""

    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Systems"),
        error_messages={
            "required": gettext_lazy("Choose a system to compare with."),
            "invalid_choice": gettext_lazy("“%(value)s” cannot rate the matches of this arena."),
        },
    )
    split = Moment(
        label=gettext_lazy("Judge matches from"),
        help_text=gettext_lazy(
            "In the arena’s time zone. Earlier matches train the systems, and parameters are "
            "fitted to them. The default is the time of the middle match."
        ),
        widget=MOMENT,
    )

    def __init__(self, *args: Any, arena: Arena, **options: Any) -> None:
        super().__init__(*args, **options)
        self.arena = arena
        chosen = entries.suggested(arena)
        able = entries.systems_for(arena)
        self.fields["systems"].initial = chosen
        self.fields["systems"].choices = [(name, name) for name in able]  # type: ignore[attr-defined]
        for name in able:
            system = entries.start_of(arena, name)
            known = entries.can_be_fitted(system)
            self.fields[f"fit_{name}"] = forms.MultipleChoiceField(
                choices=[(each.name, each.label) for each in known],
                initial=[each.name for each in known if each.name in system.fitted],
                required=False,
                error_messages={
                    "invalid_choice": _("There is no parameter “%(value)s” that can be fitted.")
                },
            )

    def chosen(self) -> dict[str, list[str]]:
        """Return the chosen systems, each with the parameters to fit."""
        given = self.cleaned_data
        return {name: given[f"fit_{name}"] for name in given["systems"]}

    def rows(self) -> Iterator[Row]:
        """Yield the systems with what is ticked, the arena's own first."""
        ticked = self["systems"].value() or []
        able = [name for name, _label in self.fields["systems"].choices]  # type: ignore[attr-defined]
        for name in sorted(able, key=lambda each: each != self.arena.rating_system):
            system, field = SYSTEMS[name], f"fit_{name}"
            fitted = self[field].value() or []
            yield Row(
                name,
                _(system.label),
                _(system.summary),
                name in ticked,
                name == self.arena.rating_system,
                field,
                [
                    Parameter(each.name, each.label, translate(each.allowed), each.name in fitted)
                    for each in entries.can_be_fitted(entries.start_of(self.arena, name))
                ],
                self.errors.get(field),
            )
