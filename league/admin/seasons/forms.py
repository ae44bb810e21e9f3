"""Form fields for the rules of an arena's seasons, generated from their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import sentence
from league.admin.core.fields import (
    add_problem,
    declared_fields,
    field_name,
    form_values,
    parameter_fields,
    typed_values,
)
from league.admin.core.sections import section
from league.services.seasons.differences import labelled_rules
from ratings import divisions
from ratings.divisions import Cuts
from ratings.percentile import DivisionError
from ratings.points import tables
from ratings.points.rules import CONQUEST, PointsError
from ratings.registry import KNOWN_SYSTEMS
from ratings.seasons.rules import SEASON_RULES, SeasonRules, read_rules
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from league.models import Arena

__all__ = ["SEASON_FIELDS", "fieldsets", "initial_values", "labelled_rules", "validated_rules"]

TITLES = {
    "start": gettext_lazy("Seasons: starting ratings"),
    "ranked": gettext_lazy("Seasons: requirements for a rank"),
    "decay": gettext_lazy("Seasons: decay"),
    "calendar": gettext_lazy("Seasons: calendar"),
    "points": gettext_lazy("Seasons: ladder points"),
    "challenges": gettext_lazy("Seasons: ladder challenges"),
    "fair_play": gettext_lazy("Seasons: fair play"),
    "teams": gettext_lazy("Seasons: teams and rosters"),
    "cuts": gettext_lazy("Divisions"),
}
DIVISIONS = "season_divisions"
POINT_TABLE = "season_point_table"
MODE_POINTS = "season_mode_points"
LISTS = {"cuts": (DIVISIONS,), "points": (POINT_TABLE, MODE_POINTS)}
"""The multi-line fields, by the group they follow."""
IN_WORDS = {"start": "season_start_in_words"}
"""The effect of a group's rules in words, a method of the arena's admin, by group."""


def rule_field(group: str, name: str) -> str:
    """Return the name of a rule's form field."""
    return field_name(f"season_{group}", name)


class DivisionsField(forms.CharField):
    """Divisions, one on each line."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label=gettext_lazy("Divisions"),
            initial=divisions.format_divisions(divisions.DEFAULT),
            widget=forms.Textarea(attrs={"rows": 8, "cols": 40}),
            help_text=gettext_lazy(
                "One on each line, lowest first: name, colour and where it begins, such as “Gold, "
                "#8a6a00, 51”. It begins at a percentile, a rating or, for ranks, its worst rank. "
                "The lowest division takes all remaining players and needs no number. Leave it "
                "empty for no divisions."
            ),
        )


class PointTableField(forms.CharField):
    """A table of ladder points, one line for each win chance."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label=gettext_lazy("Own table of points"),
            initial=tables.format_table(CONQUEST),
            widget=forms.Textarea(attrs={"rows": 8, "cols": 60}),
            help_text=gettext_lazy(
                "One line for each win chance: the lowest chance it applies to (0 to 1), then the "
                "points for each share of the winning score, such as “0.2: 0 = -1, 0.6 = 0, 0.8 = "
                "1, 1 = 2”. The highest chance and the highest share reached count, and both begin "
                "at 0. Used only if the points are those of “the table below”."
            ),
        )


class ModePointsField(forms.CharField):
    """Tables of ladder points, each below the name of its game mode."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            label=gettext_lazy("Points by game mode"),
            widget=forms.Textarea(attrs={"rows": 8, "cols": 60}),
            help_text=gettext_lazy(
                "Tables for game modes that have points of their own. Put the mode on a line, such "
                "as “[Conquest]”, and its table below, as above. All other modes use the points "
                "above."
            ),
        )


SEASON_FIELDS: dict[str, forms.Field] = {
    name: field
    for group, model in SEASON_RULES.items()
    for name, field in parameter_fields(model, f"season_{group}").items()
}
SEASON_FIELDS[DIVISIONS] = DivisionsField()
SEASON_FIELDS[POINT_TABLE] = PointTableField()
SEASON_FIELDS[MODE_POINTS] = ModePointsField()


def fieldsets() -> list[tuple[Any, dict[str, Any]]]:
    """Return a fieldset for each group of rules."""
    return [
        section(
            group,
            TITLES[group],
            [
                *([IN_WORDS[group]] if group in IN_WORDS else []),
                *(rule_field(group, declaration.name) for declaration in declared_fields(model)),
                *LISTS.get(group, ()),
                *(["time_zone"] if group == "calendar" else []),
            ],
        )
        for group, model in SEASON_RULES.items()
    ]


def initial_values(rules: SeasonRules) -> dict[str, Any]:
    """Return the initial values of the fields for these rules."""
    written = rules.complete()
    values: dict[str, Any] = {
        rule_field(group, name): value
        for group in SEASON_RULES
        for name, value in form_values(written[group]).items()
    }
    return {
        **values,
        DIVISIONS: divisions.format_divisions(rules.divisions),
        POINT_TABLE: tables.format_table(rules.points.table),
        MODE_POINTS: tables.format_mode_tables(rules.points.by_mode),
    }


def validated_rules(form: forms.BaseModelForm[Arena], rating_system: str) -> SeasonRules | None:
    """Return the typed rules, or ``None`` after adding an error to each wrong field.

    They have to suit the rating system.
    """
    stored = form.instance.rules().complete()
    given: dict[str, Any] = {
        group: typed_values(form, model, f"season_{group}", stored[group])
        for group, model in SEASON_RULES.items()
    }
    problems: dict[str, str] = {}
    try:
        listed = {
            "divisions": parse_divisions(form, given["cuts"], problems),
            "point_table": parse_points(form, given["points"], problems),
            "mode_points": parse_mode_points(form, problems),
        }
        rules = read_rules({**given, **listed})
    except ParameterError as error:
        problems = {**error.problems, **problems}
    else:
        clash = rules.clash_with(KNOWN_SYSTEMS[rating_system])
        problems = problems or dict([clash] if clash else [])
    for where, problem in problems.items():
        group, _dot, name = where.partition(".")
        if name:
            add_problem(form, SEASON_RULES[group], f"season_{group}", name, sentence(problem))
        else:
            form.add_error(f"season_{where}", sentence(problem))
    return None if problems else rules


def parse_divisions(form: forms.BaseForm, cuts: dict[str, Any], problems: dict[str, str]) -> Any:
    """Return the divisions as JSON, adding what is wrong with them to ``problems``."""
    text = form.cleaned_data.get(DIVISIONS)
    text = form[DIVISIONS].initial if text is None else text
    try:
        scale = divisions.parse_divisions(text, read_parameters(Cuts, cuts))
        return divisions.divisions_as_json(scale.divisions)
    except ParameterError:
        return []  # the cuts' own fields show this error
    except DivisionError as error:
        problems["divisions"] = error.sentence
        return []


def parse_points(form: forms.BaseForm, points: dict[str, Any], problems: dict[str, str]) -> Any:
    """Return the table of points as JSON if it is used, adding what is wrong to ``problems``."""
    if points.get("table") != tables.OWN:
        return None
    text = form.cleaned_data.get(POINT_TABLE)
    text = form[POINT_TABLE].initial if text is None else text
    try:
        return tables.table_as_json(tables.parse_table(text))
    except PointsError as error:
        problems["point_table"] = error.sentence
        return tables.table_as_json(CONQUEST)  # any valid table: the error is in problems


def parse_mode_points(form: forms.BaseForm, problems: dict[str, str]) -> Any:
    """Return the tables of the arena's game modes as JSON, adding what is wrong to ``problems``."""
    text = form.cleaned_data.get(MODE_POINTS)
    try:
        found = tables.parse_mode_tables(form[MODE_POINTS].initial or "" if text is None else text)
    except PointsError as error:
        problems["mode_points"] = error.sentence
        return []
    known = {mode.casefold() for mode in form.cleaned_data.get("modes") or ()}
    for table in found:
        if table.mode.casefold() not in known:
            text = _("%(mode)s is not a game mode of this arena")
            problems["mode_points"] = text % {"mode": table.mode}
    return tables.mode_tables_as_json(found)
