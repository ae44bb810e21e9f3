"""Tie-breaks chosen from a list with a sentence each, and put in order by moving them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.forms.widgets import Script
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy

from league.admin.core.fields import ParameterField
from league.admin.core.sections import LOOK, OPEN_ALL
from league.models.lists import list_of
from league.services.competitions.standings.tie_breaks import TIE_BREAKS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.safestring import SafeString

    from ratings.tunables.declarations import Declaration

ADD, REMOVE, UP, DOWN = "add", "remove", "up", "down"


class TieBreakList(forms.HiddenInput):
    """The names of tie-breaks in their order, with a button for each way to change them.

    Without scripts, a button shows the form again, and nothing is saved.
    """

    input_type = "text"  # so that the row of the form is not hidden

    class Media:
        js = (Script("js/competitions/tie-breaks.js", defer=True),)

    def id_for_label(self, id_: str | None) -> str:  # noqa: ARG002 - a group of buttons has no single one
        return ""

    def value_from_datadict(self, data: Mapping[str, Any], files: Any, name: str) -> Any:
        typed = super().value_from_datadict(data, files, name)
        field, _colon, step = str(data.get(LOOK, "")).partition(":")
        if typed is None or field != name:
            return typed
        return ", ".join(move_name(names_in(typed), *step.partition(":")[::2]))

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: Any = None,  # noqa: ARG002 - Django passes it
    ) -> SafeString:
        chosen = names_in(value)
        others = [one for one in TIE_BREAKS if one not in chosen]
        given = self.build_attrs(self.attrs, attrs)
        context = {
            "name": name,
            "value": ", ".join(chosen),
            "chosen": [TIE_BREAKS.get(one, {"name": one, "label": one}) for one in chosen],
            "others": [] if given.get("disabled") else [TIE_BREAKS[one] for one in others],
            "attrs": given,
            "look": LOOK,
            "open_all": OPEN_ALL,
        }
        return render_to_string("admin/league/competition/_tie_breaks.html", context)


class TieBreaksField(ParameterField):
    """The tie-breaks of a table."""

    def __init__(self, declaration: Declaration) -> None:
        super().__init__(declaration)
        self.widget = TieBreakList()
        self.help_text = gettext_lazy(
            "What separates entrants with equal points, the most important first."
        )

    def in_words(self, typed: str) -> str:
        labels = [
            str(TIE_BREAKS[one].label) if one in TIE_BREAKS else one for one in names_in(typed)
        ]
        return list_of(labels) or gettext("none")


def names_in(value: Any) -> list[str]:
    """Return the names in a text, each once."""
    names = (name.strip().lower() for name in str(value or "").split(","))
    return list(dict.fromkeys(filter(None, names)))


def move_name(names: list[str], step: str, name: str) -> list[str]:
    """Return the names after one of them is added, removed or moved, the same if it cannot be."""
    if step == ADD and name in TIE_BREAKS and name not in names:
        return [*names, name]
    if name not in names:
        return names
    at = names.index(name)
    rest = names[:at] + names[at + 1 :]
    if step == REMOVE:
        return rest
    to = at + {UP: -1, DOWN: 1}.get(step, 0)
    to = min(max(to, 0), len(rest))
    return [*rest[:to], name, *rest[to:]]
