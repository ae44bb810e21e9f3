"""Changes between two versions of an arena, with the labels of its form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.utils.translation import gettext as _
from simple_history.template_utils import HistoricalRecordContextHelper

from league.admin.arenas.declared import DECLARED, Declared
from league.admin.core.fields import form_value
from league.services.core.declared import declarations
from league.services.seasons.differences import rule_differences
from ratings.registry import KNOWN_SYSTEMS
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from simple_history.models import ModelDelta


STORED = {one.field: one for one in DECLARED}


class ChangesInWords(HistoricalRecordContextHelper):
    """List each changed rating parameter, where the parent class would print all of them."""

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
            elif declared := STORED.get(change.field):
                changes += declared_changes(
                    declared, cast("dict[str, Any]", change.old), cast("dict[str, Any]", change.new)
                )
            else:
                line = self.format_delta_change(change)
                changes.append({"field": line.field, "old": line.old, "new": line.new})
        return changes


def parameter_changes(
    system: str, old: dict[str, Any], new: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the parameters of ``system`` that differ, with their labels."""
    if system not in KNOWN_SYSTEMS:
        return [{"field": _("rating parameters"), "old": old, "new": new}]
    return [
        {
            "field": declaration.label,
            "old": form_value(old.get(declaration.name, "–")),
            "new": form_value(new.get(declaration.name, "–")),
        }
        for declaration in declarations(KNOWN_SYSTEMS[system].Parameters)
        if old.get(declaration.name) != new.get(declaration.name)
    ]


def rule_changes(old: dict[str, Any], new: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the season rules that differ, with their labels."""
    try:
        return [dict(one) for one in rule_differences(old, new)]
    except ParameterError:  # from a version with other rules
        return [{"field": _("season rules"), "old": old, "new": new}]


def declared_changes(
    declared: Declared, old: dict[str, Any], new: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the declared values that differ, with their labels."""
    try:
        before = declared.label_values(declared.read(old))
        after = declared.label_values(declared.read(new))
    except ParameterError:  # from a version with other rules
        return [{"field": declared.label, "old": old, "new": new}]
    return differing(before, after)


def differing(before: list[tuple[str, str]], after: list[tuple[str, str]]) -> list[dict[str, Any]]:
    return [
        {"field": label, "old": was, "new": value}
        for (label, was), (_label, value) in zip(before, after, strict=True)
        if was != value
    ]
