"""What changed from one version of an arena to the next, in the words of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from simple_history.template_utils import HistoricalRecordContextHelper

from league.admin.core.fields import form_value
from league.admin.seasons.forms import in_words
from ratings.registry import SYSTEMS
from ratings.seasons.rules import read_rules
from ratings.tunables.parameters import ParameterError, declarations

if TYPE_CHECKING:
    from simple_history.models import ModelDelta


class ChangesInWords(HistoricalRecordContextHelper):
    """Names each rating parameter that changed, where the parent would print all of them."""

    def context_for_delta_changes(self, delta: ModelDelta) -> list[dict[str, Any]]:
        changes = []
        for change in delta.changes:
            if change.field == "rating_parameters":
                record: Any = delta.new_record
                old, new = cast("dict[str, Any]", change.old), cast("dict[str, Any]", change.new)
                changes += parameter_changes(record.rating_system, old, new)
            elif change.field == "season_rules":
                changes += rule_changes(
                    cast("dict[str, Any]", change.old), cast("dict[str, Any]", change.new)
                )
            else:
                shown = self.format_delta_change(change)
                changes.append({"field": shown.field, "old": shown.old, "new": shown.new})
        return changes


def parameter_changes(
    system: str, old: dict[str, Any], new: dict[str, Any]
) -> list[dict[str, Any]]:
    """The parameters of ``system`` that differ, with their labels."""
    if system not in SYSTEMS:
        return [{"field": "rating parameters", "old": old, "new": new}]
    return [
        {
            "field": declaration.label,
            "old": form_value(old.get(declaration.name, "–")),
            "new": form_value(new.get(declaration.name, "–")),
        }
        for declaration in declarations(SYSTEMS[system].Parameters)
        if old.get(declaration.name) != new.get(declaration.name)
    ]


def rule_changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, Any]]:
    """The rules of seasons that differ, with their labels."""
    try:
        before, after = in_words(read_rules(old)), in_words(read_rules(new))
    except ParameterError:  # of a version that knew other rules
        return [{"field": "season rules", "old": old, "new": new}]
    return [
        {"field": label, "old": was, "new": value}
        for (label, was), (_label, value) in zip(before, after, strict=True)
        if was != value
    ]
