"""The rules of seasons with their labels, and the differences between two sets of rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from league.models.lists import list_of
from league.services.core.declared import declarations
from ratings import divisions
from ratings.points import tables
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SEASON_RULES, read_rules
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import TypedDict

    from ratings.seasons.rules import SeasonRules
    from ratings.tunables.declarations import Declaration

    class Difference(TypedDict):
        """A rule that differs, in words."""

        field: str
        old: str
        new: str


def labelled_rules(rules: SeasonRules) -> list[tuple[str, str]]:
    """Return the label and value of every rule."""
    lines = label_rules(rules)
    names = list_of(division.name for division in rules.divisions.divisions)
    lines["divisions"] = (_("Divisions"), names or _("none"))
    return list(lines.values())


def label_rules(rules: SeasonRules) -> dict[str, tuple[str, str]]:
    """Return the label and value of every rule, by its name."""
    written = rules.complete()
    lines = {
        f"{group}.{declaration.name}": (
            declaration.label,
            describe_value(declaration, written[group][declaration.name]),
        )
        for group, model in SEASON_RULES.items()
        for declaration in declarations(model)
    }
    if rules.points.ladder.table == tables.OWN:
        table = tables.format_table(rules.points.table)
        lines["point_table"] = (_("Own table of points"), table)
    if rules.points.by_mode:
        by_mode = tables.format_mode_tables(rules.points.by_mode)
        lines["mode_points"] = (_("Points by game mode"), by_mode)
    scale = divisions.format_divisions(rules.divisions)
    lines["divisions"] = (_("Divisions"), scale or _("none"))
    return lines


def describe_value(declaration: Declaration, value: Any) -> str:
    """Return a value as people read it."""
    if isinstance(value, str):
        return {choice.value: choice.label for choice in declaration.choices}.get(value, value)
    if isinstance(value, bool):
        return _("on") if value else _("off")
    if value is None:
        return ""
    return plain(value) if isinstance(value, int | float) else list_of(map(plain, value))


def differences(
    old: tuple[str, Mapping[str, Any], Mapping[str, Any]],
    new: tuple[str, Mapping[str, Any], Mapping[str, Any]],
) -> list[Difference]:
    """Return what differs between two sets of rating system, parameters and season rules."""
    return [*system_differences(old[0], old[1], new[0], new[1]), *rule_differences(old[2], new[2])]


def system_differences(
    old: str, old_values: Mapping[str, Any], new: str, new_values: Mapping[str, Any]
) -> list[Difference]:
    """Return the parameters that differ. For another rating system these are its own settings."""
    known = {each.name: each for each in declarations(KNOWN_SYSTEMS[new].Parameters)}
    if old != new:
        changed = [
            _difference(
                _("Rating system"), _(KNOWN_SYSTEMS[old].label), _(KNOWN_SYSTEMS[new].label)
            )
        ]
        was: Mapping[str, Any] = KNOWN_SYSTEMS[new].Parameters().to_json()
    else:
        changed, was = [], old_values
    for name, each in known.items():
        before, after = was.get(name, each.default), new_values.get(name, each.default)
        if before != after:
            changed.append(
                _difference(each.label, describe_value(each, before), describe_value(each, after))
            )
    return changed


def rule_differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[Difference]:
    """Return the season rules that differ."""
    before, after = label_rules(read_rules(old)), label_rules(read_rules(new))
    nothing = ("", "–")
    return [
        _difference(
            after.get(name, before.get(name, nothing))[0],
            before.get(name, nothing)[1],
            after.get(name, nothing)[1],
        )
        for name in dict.fromkeys([*before, *after])
        if before.get(name) != after.get(name)
    ]


def _difference(field: str, old: str, new: str) -> Difference:
    return {"field": str(field), "old": str(old), "new": str(new)}
