"""The arena form: format, results, limits, rating parameters and season rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.arenas import declared
from league.admin.core.base import sentence
from league.admin.core.fields import WrittenDurationField, field_name, form_values, parameter_fields
from league.admin.seasons.forms import SEASON_FIELDS, initial_values, validated_rules
from league.models import Arena, Format
from league.models.arena import (
    LONGEST_TURN,
    LONGEST_WINDOW,
    MAX_SIDES,
    SHORTEST_TURN,
    SHORTEST_WINDOW,
)
from league.models.name_lists import FIGURES, MODES
from ratings.registry import SYSTEMS
from ratings.system import UnsupportedMatch
from ratings.tunables.declarations import declarations
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from ratings.system import RatingSystem

PARAMETER_FIELDS = parameter_fields()

ParametersForm = type(
    "ParametersForm", (forms.Form,), {**PARAMETER_FIELDS, **declared.FIELDS, **SEASON_FIELDS}
)
"""One field for each parameter of each system and each rule; see :class:`ArenaForm`."""

NEW = Arena()
"""The source of a new arena's defaults."""


class ArenaForm(ParametersForm, forms.ModelForm[Arena]):  # type: ignore[misc,valid-type] # a class made from the registry
    """An arena with its rules.

    It has fields for the parameters of every system. Only those of the chosen system are validated
    and saved; the others are ignored.
    """

    rating_system = forms.ChoiceField(
        label=gettext_lazy("Rating system"),
        initial=NEW.rating_system,
        choices=[(name, gettext_lazy(system.label)) for name, system in SYSTEMS.items()],
        help_text=gettext_lazy("How results change ratings. Its parameters are below."),
    )
    confirmation_window = WrittenDurationField(
        minimum=SHORTEST_WINDOW,
        maximum=LONGEST_WINDOW,
        label=gettext_lazy("Confirmation window"),
        initial=NEW.confirmation_window,
        help_text=gettext_lazy(
            "How long the other sides have to confirm or dispute a report. From 1m (a minute) to "
            "30d (30 days), written like 12h, 2d or 1w."
        ),
    )
    veto_turn = WrittenDurationField(
        minimum=SHORTEST_TURN,
        maximum=LONGEST_TURN,
        label=gettext_lazy("Time to ban"),
        initial=NEW.veto_turn,
        help_text=gettext_lazy(
            "How long a captain has to ban a map, from 10s to 10m. After that, a map is drawn and "
            "banned for them."
        ),
    )

    figures = forms.CharField(
        required=False,
        label=gettext_lazy("Match figures"),
        widget=forms.Textarea(attrs={"rows": 4, "cols": 40}),
        help_text=gettext_lazy(
            "One per line, such as hits, shots or laps; 12 at most. Captains enter them for their "
            "side, and game servers through the API. They are shown with the match, summed on the "
            "players’ pages and never rated. Renaming one starts a new column."
        ),
    )

    class Meta:
        model = Arena
        fields = (
            "name",
            "slug",
            "description",
            "is_open",
            "format",
            "sides_min",
            "sides_max",
            "team_size_min",
            "team_size_max",
            "draws_allowed",
            "modes",
            "regions",
            "maps",
            "map_choice",
            "veto_turn",
            "confirmation_window",
            "figures",
            "rating_system",
            "time_zone",
        )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        arena = self.instance
        for parameter, value in form_values(arena.rating_parameters).items():
            self.initial.setdefault(field_name(arena.rating_system, parameter), value)
        self.initial["figures"] = "\n".join(arena.figures)
        self.initial = {
            **declared.RESULTS.initial_values(arena),
            **declared.LIMITS.initial_values(arena),
            **declared.DISPLAY.initial_values(arena),
            **initial_values(arena),
            **self.initial,
        }

    @property
    def unused(self) -> set[str]:
        """The parameters of the systems that are not chosen. Their fields are not on the page."""
        chosen = self.cleaned_data.get("rating_system", "")
        used = {
            field_name(chosen, one.name)
            for one in (declarations(SYSTEMS[chosen].Parameters) if chosen in SYSTEMS else ())
        }
        return PARAMETER_FIELDS.keys() - used

    def clean(self) -> dict[str, Any]:
        super().clean()
        self.check_format()
        for one in declared.DECLARED:
            one.save_typed(self)
        if chosen := self.cleaned_data.get("rating_system"):
            self.read_parameters(chosen)
            rules = validated_rules(self, chosen)
            self.instance.season_rules = rules.to_json() if rules else {}
        return self.cleaned_data

    def clean_modes(self) -> list[str]:
        return MODES.read(self.cleaned_data["modes"])

    def clean_figures(self) -> list[str]:
        return FIGURES.read(self.cleaned_data["figures"].splitlines())

    def check_format(self) -> None:
        """Refuse bounds in the wrong order, and teams in a free-for-all."""
        given = self.cleaned_data
        for least, most in (("sides_min", "sides_max"), ("team_size_min", "team_size_max")):
            low, high = given.get(least), given.get(most)
            if low is not None and high is not None and low > high:
                self.add_error(
                    least,
                    _("Must be at most “%(most)s” (%(high)d); you gave %(low)d.")
                    % {"most": self.fields[most].label, "high": high, "low": low},
                )
        if given.get("format") == Format.FREE_FOR_ALL and given.get("team_size_max", 1) != 1:
            self.add_error(
                "team_size_max",
                _("Must be 1 in a free-for-all, where every side is one player; you gave %(n)d.")
                % {"n": given["team_size_max"]},
            )

    def read_parameters(self, chosen: str) -> None:
        """Give the arena the typed parameters of the chosen system, or add errors to the form."""
        self.instance.rating_parameters = {}
        system = SYSTEMS[chosen]
        names = {one.name: field_name(chosen, one.name) for one in declarations(system.Parameters)}
        shown = any(self.add_prefix(name) in self.data for name in names.values())
        typed = {}
        for parameter, name in names.items():
            value = self.cleaned_data.get(name) if shown else None
            typed[parameter] = self[name].initial if value is None else value
        try:
            parameters = read_parameters(system.Parameters, typed)
        except ParameterError as error:
            for parameter, problem in error.problems.items():
                self.add_error(field_name(chosen, parameter), sentence(problem))
            return
        if self.is_rated_by(system(parameters)):
            self.instance.rating_parameters = parameters.to_json()

    def is_rated_by(self, system: RatingSystem) -> bool:
        """Return whether the chosen system can rate the chosen format."""
        given = self.cleaned_data
        for sides, size in (("sides_min", "team_size_min"), ("sides_max", "team_size_max")):
            if 2 <= (given.get(sides) or 0) <= MAX_SIDES and given.get(size):
                try:
                    system.check([given[size]] * given[sides])
                except UnsupportedMatch as error:
                    self.add_error("rating_system", sentence(error.sentence))
                    return False
        return True
