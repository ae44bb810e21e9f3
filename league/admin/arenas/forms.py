"""The arena form: format, results, limits, rating parameters and season rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from league.admin.arenas import declared
from league.admin.core.base import sentence
from league.admin.core.fields import (
    WrittenDurationField,
    add_problem,
    field_name,
    form_values,
    parameter_fields,
    typed_values,
)
from league.admin.seasons.forms import SEASON_FIELDS, initial_values, validated_rules
from league.models import Arena
from league.models.arena import (
    LONGEST_TURN,
    LONGEST_WINDOW,
    MAX_SIDES,
    SHORTEST_TURN,
    SHORTEST_WINDOW,
)
from league.models.name_lists import FIGURES, MODES
from ratings.registry import KNOWN_SYSTEMS, SYSTEMS
from ratings.seasons.rules import SEASON_RULES
from ratings.system import UnsupportedMatch
from ratings.tunables.reading import ParameterError, read_parameters

if TYPE_CHECKING:
    from ratings.system import RatingSystem

RulesForm = type("RulesForm", (forms.Form,), {**declared.FIELDS, **SEASON_FIELDS})
"""One field for each rule; see :class:`ArenaForm`."""

NEW = Arena()
"""The source of a new arena's defaults."""


class ArenaForm(RulesForm, forms.ModelForm[Arena]):  # type: ignore[misc,valid-type] # a class made from the declarations
    """An arena with its rules, and the parameters of the chosen rating system."""

    offered = ""
    """A system, or ``challenges``, whose fields are shown in case somebody chooses it."""

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
        if arena.rating_system in KNOWN_SYSTEMS.keys() - SYSTEMS.keys():
            former = (arena.rating_system, gettext(KNOWN_SYSTEMS[arena.rating_system].label))
            choices = self.fields["rating_system"]
            choices.choices = [*choices.choices, former]  # type: ignore[attr-defined] # a ChoiceField
        chosen = self.data.get(self.add_prefix("rating_system")) or self.initial.get(
            "rating_system", arena.rating_system
        )
        shown = {chosen, self.offered}
        for system in shown & KNOWN_SYSTEMS.keys():
            self.fields.update(parameter_fields(KNOWN_SYSTEMS[system].Parameters, system))
        if shown.isdisjoint({"ladder", "challenges"}):
            for name in parameter_fields(SEASON_RULES["challenges"], "season_challenges"):
                del self.fields[name]
        for parameter, value in form_values(arena.rating_parameters).items():
            self.initial.setdefault(field_name(arena.rating_system, parameter), value)
        self.initial["figures"] = "\n".join(arena.figures)
        self.initial = {
            **declared.RESULTS.initial_values(arena),
            **declared.LIMITS.initial_values(arena),
            **declared.DISPLAY.initial_values(arena),
            **initial_values(arena.rules()),
            **self.initial,
        }

    def clean(self) -> dict[str, Any]:
        super().clean()
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

    def read_parameters(self, chosen: str) -> None:
        """Give the arena the typed parameters of the chosen system, or add errors to the form."""
        arena, system = self.instance, KNOWN_SYSTEMS[chosen]
        stored = arena.rating_parameters if arena.rating_system == chosen else {}
        typed = typed_values(self, system.Parameters, chosen, stored)
        arena.rating_parameters = {}
        try:
            parameters = read_parameters(system.Parameters, typed)
        except ParameterError as error:
            for name, problem in error.problems.items():
                add_problem(self, system.Parameters, chosen, name, sentence(problem))
            return
        if self.is_rated_by(system(parameters)):
            arena.rating_parameters = parameters.to_json()

    def is_rated_by(self, system: RatingSystem) -> bool:
        """Return whether the chosen system can rate the chosen format."""
        given = self.cleaned_data
        for sides, size in (("sides_min", "team_size_min"), ("sides_max", "team_size_max")):
            if 2 <= (given.get(sides) or 0) <= MAX_SIDES and given.get(size):
                try:
                    system.check_sizes([given[size]] * given[sides])
                except UnsupportedMatch as error:
                    self.add_error("rating_system", sentence(error.sentence))
                    return False
        if system.against_two_sides and given.get("sides_max") == 2 and self.is_new(system):
            self.add_error("rating_system", gettext(system.against_two_sides))
            return False
        return True

    def is_new(self, system: RatingSystem) -> bool:
        """Return whether the arena did not rate matches of two sides by this system before."""
        earlier = Arena.objects.filter(pk=self.instance.pk, sides_max=2)
        return not earlier.filter(rating_system=system.name).exists()
