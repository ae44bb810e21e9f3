"""The form of a competition, with fields for its rules from their declarations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy

from league.admin.competitions.tie_break_list import TieBreaksField
from league.admin.core.base import sentence
from league.admin.core.fields import ParameterField, field_name, form_values
from league.admin.core.moments import Moment, check_year
from league.admin.core.reasons import ReasonField
from league.admin.core.sections import Conditions, only, section, unless
from league.models import Competition, Season
from league.models.competition_rules import (
    COMPETITION_RULES,
    TableRules,
    read_competition_rules,
)
from league.services.competitions.impartiality import refuse_own_competition
from league.services.competitions.running.starting import is_over
from league.services.competitions.standings.tie_breaks import TIE_BREAKS
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import User
    from league.models.competition_rules import CompetitionRules

TITLES = {
    "entry": gettext_lazy("Entries: places, check-in and who can enter"),
    "dates": gettext_lazy("Dates: rounds, moves and unplayed fixtures"),
    "play": gettext_lazy("Play: rounds, groups, series and withdrawals"),
    "table": gettext_lazy("Table: points and tie-breaks"),
}
FORMAT = Competition.Format
CONDITIONS: Conditions = {
    field_name("entry", "late_until"): (only("format", FORMAT.SWISS),),
    field_name("play", "legs"): (
        only("format", FORMAT.TABLE, FORMAT.GROUPS, FORMAT.GROUPS_KNOCKOUT),
    ),
    field_name("play", "groups"): (only("format", FORMAT.GROUPS, FORMAT.GROUPS_KNOCKOUT),),
    field_name("play", "qualify"): (only("format", FORMAT.GROUPS_KNOCKOUT),),
    field_name("play", "rounds"): (only("format", FORMAT.SWISS),),
    field_name("play", "pairing"): (only("format", FORMAT.SWISS),),
    field_name("play", "apart"): (only("format", FORMAT.SWISS),),
    field_name("play", "alternate"): (only("format", FORMAT.SWISS),),
    field_name("play", "byes"): (only("format", FORMAT.SWISS),),
    field_name("play", "half_byes"): (only("format", FORMAT.SWISS),),
    field_name("play", "half_byes_until"): (only("format", FORMAT.SWISS),),
    field_name("play", "best_of"): (
        only("format", FORMAT.SINGLE, FORMAT.DOUBLE, FORMAT.GROUPS_KNOCKOUT),
    ),
    field_name("play", "third_place"): (only("format", FORMAT.SINGLE, FORMAT.GROUPS_KNOCKOUT),),
    field_name("play", "second_final"): (only("format", FORMAT.DOUBLE),),
    "table": (unless("format", FORMAT.SINGLE, FORMAT.DOUBLE),),
}
TIE_BREAKS_FIELD = field_name("table", "tie_breaks")
RULES = {
    field_name(group, declaration.name): ParameterField(declaration)
    for group, model in COMPETITION_RULES.items()
    for declaration in declarations(model)
}
RULES[TIE_BREAKS_FIELD] = TieBreaksField(
    next(each for each in declarations(TableRules) if each.name == "tie_breaks")
)
FIXED_ONCE_OPEN = ("season", "format")
FIXED_ONCE_DRAWN = ("starts_at",)
UNDRAWN = {Competition.State.DRAFT, Competition.State.REGISTRATION}


def fieldsets() -> list[tuple[Any, dict[str, Any]]]:
    """Return a section for each group of rules."""
    return [
        section(
            group, TITLES[group], [field_name(group, each.name) for each in declarations(model)]
        )
        for group, model in COMPETITION_RULES.items()
    ]


NUMBERS = re.compile(r"\s*(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?(?!\s*[-–\d])")
"""“3 – 8” or “3”, and then anything but more numbers."""


class CompetitionForm(forms.ModelForm[Competition]):
    """A competition.

    Its season and format are fixed once players can enter, and its rules except for dates once it
    is drawn.
    """

    locals().update(RULES)
    by: User

    class Meta:
        model = Competition
        fields = ("season", "name", "format", "level", "starts_at")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        state = self.instance.state
        self.label_parts()
        if self.instance.pk:
            self.initial.update(initial_values(self.instance.ruled_by()))
        if state != Competition.State.DRAFT:
            self.fix(FIXED_ONCE_OPEN)
        if state not in UNDRAWN:
            groups = [name for name in RULES if name.split("__")[0] != "dates"]
            self.fix([*FIXED_ONCE_DRAWN, *groups])

    def label_parts(self) -> None:
        """Label the inputs for the day and the time, which share the label of their field."""
        field = self.fields.get("starts_at")
        parts = getattr(field.widget, "widgets", ()) if field else ()
        for part, label in zip(
            parts, (_("First round: day"), _("First round: time")), strict=False
        ):
            part.attrs["aria-label"] = label

    def fix(self, names: Any) -> None:
        for name in names:
            if name in self.fields:
                self.fields[name].disabled = True

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        rules = self.typed_rules()
        try:
            read = read_competition_rules(rules)
            self.check_dates(read)
            self.instance.rules = read.to_json()
        except ParameterError as error:
            for name, problem in error.problems.items():
                self.add_error(name.replace(".", "__"), sentence(problem))
        else:
            self.check_tie_breaks()
        self.check_start(given)
        self.check_season(given)
        return given

    def typed_rules(self) -> dict[str, dict[str, Any]]:
        """Return the rules as typed, by group."""
        typed: dict[str, dict[str, Any]] = {group: {} for group in COMPETITION_RULES}
        for name in RULES:
            if name not in self.fields:
                continue
            group, parameter = name.split("__")
            value = self.cleaned_data.get(name)
            typed[group][parameter] = self[name].initial if value is None else value
        return typed

    def check_dates(self, rules: CompetitionRules) -> None:
        """Refuse other dates of a drawn competition to organisers who play in it."""
        before = self.instance.ruled_by()
        if self.instance.state in UNDRAWN or rules.dates == before.dates:
            return
        try:
            refuse_own_competition(
                self.instance,
                self.by,
                _("You play in this competition. Ask another organiser to change its dates."),
            )
        except Forbidden as refusal:
            self.add_error(None, str(refusal))

    def check_tie_breaks(self) -> None:
        unknown = [
            name
            for name in self.instance.ruled_by().table.tie_break_names
            if name not in TIE_BREAKS
        ]
        if unknown:
            self.add_error(
                TIE_BREAKS_FIELD,
                [
                    _("“%(name)s” is not a tie-break. Choose from these:") % {"name": unknown[0]},
                    *(f"{each.name}: {each.explanation}" for each in TIE_BREAKS.values()),
                ],
            )

    def check_start(self, given: dict[str, Any]) -> None:
        starts_at = given.get("starts_at")
        changed = "starts_at" in self.changed_data
        if starts_at and changed and starts_at <= timezone.now():
            self.add_error("starts_at", _("Choose a first round in the future."))
        elif starts_at and changed:
            self.check_field("starts_at", starts_at)

    def check_season(self, given: dict[str, Any]) -> None:
        """Refuse a season in which nothing can be played any more by the first round."""
        season, starts_at = given.get("season"), given.get("starts_at")
        if season is None or not {"season", "starts_at"} & set(self.changed_data):
            return
        if is_over(season, timezone.now()):
            self.add_error(
                "season",
                _(
                    "%(season)s is over. Choose a season that is not, or open a new one on the "
                    "page of the arena."
                )
                % {"season": season},
            )
        elif starts_at and is_over(season, starts_at):
            self.add_error(
                "starts_at",
                _(
                    "%(season)s is over by then. Choose an earlier first round, another season, or "
                    "a later end of the season on the page of the arena."
                )
                % {"season": season},
            )

    def check_field(self, name: str, moment: datetime) -> None:
        """Add an error for a year that cannot be shown to everyone."""
        try:
            check_year(moment)
        except ValidationError as error:
            self.add_error(name, error)


def initial_values(rules: CompetitionRules) -> dict[str, Any]:
    return {
        field_name(group, name): value
        for group, values in rules.to_json().items()
        for name, value in form_values(values).items()
    }


class ReasonForm(forms.Form):
    """The reason for a step."""

    reason = ReasonField(
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
        max_length=500,
    )


class PlainForm(forms.Form):
    """A step that needs no reason."""


class PairsForm(forms.Form):
    """The games of the next round of a Swiss, by the seeds of the entrants."""

    pairs = forms.CharField(
        label=gettext_lazy("Games"),
        help_text=gettext_lazy(
            "This is the round by the rules. Each line is a game: the seeds of both sides, home "
            "first. A seed alone has a bye. Text after the seeds is ignored."
        ),
        max_length=100_000,
        widget=forms.Textarea(attrs={"rows": 12, "class": "vLargeTextField"}),
    )
    knowingly = forms.BooleanField(
        label=gettext_lazy("Break rules"),
        required=False,
        help_text=gettext_lazy("Draw the round although it breaks a rule named above."),
    )
    reason = ReasonField(
        required=False,
        help_text=gettext_lazy("Needed if you change the games. Everyone can read it."),
        max_length=500,
    )

    def clean_pairs(self) -> list[list[int]]:
        """Return the numbers of each line."""
        return [
            [int(number) for number in found.groups() if number]
            for line in self.cleaned_data["pairs"].splitlines()
            if line.strip()
            for found in [numbers_of(line)]
        ]


def numbers_of(line: str) -> re.Match[str]:
    """Return the one or two numbers that a line begins with."""
    found = NUMBERS.match(line)
    if found is None:
        raise ValidationError(_("Begin each line with a number: “%(line)s”.") % {"line": line[:80]})
    return found


class SeasonChoice(forms.Form):
    """An earlier season of the arena."""

    season = forms.ModelChoiceField(label=gettext_lazy("Season"), queryset=Season.objects.none())

    def offer(self, one: Competition) -> None:
        """Offer the seasons whose competitions are over."""
        field = self.fields["season"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - for the types
        rows = Season.objects.select_related("arena").filter(arena=one.season.arena_id)
        over = rows.filter(competitions__state=Competition.State.OVER)
        field.queryset = over.distinct().order_by("-starts_at")


class VerdictForm(ReasonForm):
    """The result that staff give a fixture."""

    result = forms.ChoiceField(label=gettext_lazy("Result"), widget=forms.RadioSelect)
    forfeit = forms.BooleanField(
        label=gettext_lazy("Forfeit"),
        required=False,
        help_text=gettext_lazy("The loser did not play and gets the points for a forfeit."),
    )
    field_order = ("result", "forfeit", "reason")

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["result"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
        field.choices = choices


class ByeForm(ReasonForm):
    """A round that an entrant sits out."""

    round = forms.IntegerField(label=gettext_lazy("Round"), min_value=1, max_value=1000)
    choice = forms.ChoiceField(
        label=gettext_lazy("It counts"),
        choices=[
            ("draw", gettext_lazy("as a draw")),
            ("nothing", gettext_lazy("no points")),
            ("play", gettext_lazy("they play after all")),
        ],
        widget=forms.RadioSelect,
    )
    field_order = ("round", "choice", "reason")


class MatchForm(ReasonForm):
    """The rated match that counts for a fixture."""

    match = forms.ChoiceField(
        label=gettext_lazy("Match"),
        help_text=gettext_lazy("The latest rated matches of the two sides that count for no date."),
    )
    field_order = ("match", "reason")
    refusal = gettext_lazy("This match cannot count for this fixture.")

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["match"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the types
        field.choices = choices or [("", _("There is no such match now."))]
        field.error_messages |= {
            "required": _("Choose a match."),
            "invalid_choice": self.refusal,
        }


class CountedMatchForm(MatchForm):
    """The match that counts for a fixture no longer."""

    match = forms.ChoiceField(
        label=gettext_lazy("Match"),
        help_text=gettext_lazy("The rated matches that count for this fixture."),
    )
    refusal = gettext_lazy("This match does not count for this fixture.")


class DateForm(ReasonForm):
    """The time at which a fixture is played."""

    play_at = Moment(
        label=gettext_lazy("Date"),
        help_text=gettext_lazy("In the arena’s time zone. It may be after the end of the round."),
        widget=forms.DateTimeInput(format="%Y-%m-%dT%H:%M", attrs={"type": "datetime-local"}),
    )
    field_order = ("play_at", "reason")

    def clean_play_at(self) -> Any:
        moment = self.cleaned_data["play_at"]
        if moment <= timezone.now():
            raise ValidationError(_("Choose a time in the future."))
        return moment
