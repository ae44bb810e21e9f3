"""The divisions of an arena as rows: name, cut, colour and the share of players in each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import sentence
from league.admin.core.fields import ParameterField, form_values
from league.services.core.numbers import write_score
from league.services.standings.shares import Population, expected_population, of_arena, shares
from ratings import divisions
from ratings.divisions import LONGEST_NAME, MOST, Cuts, Scale
from ratings.percentile import Division, DivisionError
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from league.models import Arena

CUTS = {declared.name: declared for declared in declarations(Cuts)}
SPARE = 3
"""Empty rows below those in use."""
GREY = "#8c8c8c"


class RowForm(forms.Form):
    """One division. A row without a name is left out."""

    name = forms.CharField(label=gettext_lazy("Name"), required=False, max_length=LONGEST_NAME)
    first = forms.CharField(
        label=gettext_lazy("Begins at"),
        required=False,
        widget=forms.TextInput(attrs={"inputmode": "decimal", "size": 8}),
    )
    colour = forms.CharField(
        label=gettext_lazy("Colour"),
        required=False,
        initial=GREY,
        widget=forms.TextInput(attrs={"type": "color"}),
    )

    def clean_first(self) -> float | None:
        """Return the cut, ``None`` for the lowest division."""
        text = self.cleaned_data["first"].strip().replace(",", ".")
        if not text:
            return None
        try:
            cut = float(text)
        except ValueError:
            cut = math.nan
        if not math.isfinite(cut):
            raise forms.ValidationError(_("Must be a number, or empty for the lowest division."))
        return cut

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("first") is not None and not given.get("name") and "name" not in self.errors:
            self.add_error("name", _("Give the division a name, or leave its cut empty too."))
        return given


RowSet = forms.formset_factory(
    RowForm, extra=SPARE, max_num=MOST, absolute_max=MOST + SPARE, validate_max=True
)


@dataclass(frozen=True)
class DivisionRow:
    """A row of the table with its share of players in words, empty if it has no division."""

    form: RowForm
    share: str


class DivisionsForm(forms.Form):
    """The cuts and margins of divisions, with a row for each division."""

    def __init__(self, data: Any = None, *, instance: Arena, **options: Any) -> None:
        super().__init__(data, **options)
        self.arena = instance
        scale = instance.rules().divisions
        for name, declared in CUTS.items():
            self.fields[name] = ParameterField(declared)
        self.initial = form_values(scale.cuts.to_json())
        self.rows = RowSet(data, initial=rows_of(scale), prefix="row")
        self.scale: Scale | None = None if self.is_bound else scale

    def is_valid(self) -> bool:
        """Read cuts and rows; add what is wrong to its field, its row or above the rows."""
        fields_fit, rows_fit = super().is_valid(), self.rows.is_valid()
        typed = {name: self.cleaned_data.get(name) for name in CUTS} if fields_fit else {}
        filled = {name: value for name, value in typed.items() if value not in (None, "")}
        try:
            cuts = read_parameters(Cuts, filled)
        except ParameterError as error:
            for name, problem in error.problems.items():
                self.add_error(name, sentence(problem))
            return False
        if not (fields_fit and rows_fit):
            return False
        try:
            self.scale = Scale(cuts, self.typed_divisions(cuts))
        except DivisionError as error:
            self.add_error(None, sentence(error.sentence))
            return False
        if clash := self.clash():
            self.add_error("by", sentence(clash))
            return False
        return True

    def typed_divisions(self, cuts: Cuts) -> tuple[Division, ...]:
        """Return the named rows, lowest first."""
        everybody = Scale(cuts, ()).everybody
        found = [
            Division(
                row["name"],
                everybody if row["first"] is None else row["first"],
                row["colour"].lower(),
            )
            for row in (form.cleaned_data for form in self.rows)
            if row.get("name")
        ]
        return tuple(sorted(found, key=lambda each: each.first, reverse=cuts.by == "rank"))

    def clash(self) -> str:
        """Return why these divisions do not suit the rating system, empty if they do."""
        if not (self.scale and self.scale.divisions and self.scale.cuts.by == "rating"):
            return ""
        if not self.arena.system().shows.lowest_first:
            return ""
        return _("The ranks of a ladder are cut by percentile or rank.")

    def save(self) -> Arena:
        if self.scale is None:
            raise ValueError("the divisions are not valid, so they cannot be saved")
        self.arena.season_rules = {
            **self.arena.season_rules,
            "cuts": self.scale.cuts.to_json(),
            "divisions": divisions.divisions_as_json(self.scale.divisions),
        }
        self.arena.full_clean()
        self.arena.save()
        return self.arena

    @cached_property
    def population(self) -> Population:
        """Return the players of the arena that this one copies, or those to be expected."""
        copied = of_arena(self.arena.copied_from) if self.arena.copied_from else None
        return copied or expected_population(self.arena.system())

    def table(self) -> list[DivisionRow]:
        """Return the rows with the share of players in each."""
        found: dict[str, float | None] = {}
        if self.scale:
            known = shares(self.scale, self.population)
            found = {
                division.name: share
                for division, share in zip(self.scale.divisions, known, strict=True)
            }
        return [DivisionRow(form, self.share_of(form, found)) for form in self.rows]

    def share_of(self, form: RowForm, found: dict[str, float | None]) -> str:
        given = getattr(form, "cleaned_data", form.initial)
        name = given.get("name") or ""
        if name not in found:
            return ""
        share = found[name]
        if share is None:
            return _("by number of players")
        return _("%(percent)s %%") % {"percent": write_score(round(100 * share, 1))}

    def problems(self) -> list[str]:
        """Return all that is wrong, for the line below the rows."""
        forms_: list[forms.Form] = [self, *self.rows]
        found = [text for form in forms_ for name in form.errors for text in form.errors[name]]
        return list(dict.fromkeys([*map(str, found), *map(str, self.rows.non_form_errors())]))

    def basis(self) -> str:
        """Say whose shares these are."""
        by = self.scale.cuts.by if self.scale else self.initial["by"]
        if by == "percentile":
            return _("Percentiles keep these shares, whoever plays.")
        counted = self.population.players
        if counted:
            return _("Shares of the %(count)d ranked players of the arena you copied.") % {
                "count": counted
            }
        if by == "rank":
            return _("Nobody plays here yet, so ranks have no shares.")
        return _(
            "Nobody plays here yet. These are the shares if players’ strengths spread as widely as "
            "the rating system assumes of newcomers."
        )


def rows_of(scale: Scale) -> list[dict[str, Any]]:
    """Return divisions as the initial values of rows."""
    return [
        {
            "name": division.name,
            "first": "" if division.first == scale.everybody else plain(division.first),
            "colour": division.colour or GREY,
        }
        for division in scale.divisions
    ]
