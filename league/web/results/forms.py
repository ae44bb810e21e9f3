"""Forms for reports of results."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy

from league.models import Player
from league.models.match import LONGEST_MATCH_SECONDS
from league.models.result_rules import STEPS
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.live import Finish
from league.services.results.rules.formats import (
    HEAVIEST,
    LIGHTEST,
    LONGEST_PROFESSION,
    places_by_score,
)
from league.web.core.local_time import LocalTime
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.forms import BoundField

    from league.models import Arena
    from league.web.results.lineups import Lineup, LineupSide

DRAW = "draw"
SMALLEST_PRESS = 0.5
"""Scores in smaller steps, such as times in thousandths of a second, are only typed."""
OUTCOMES: dict[tuple[int, ...], str] = {(0, 1): "0", (1, 0): "1", (0, 0): DRAW}
"""The outcomes of two sides, by their places."""
SCORE_PATH = re.compile(r"(?:sides|placings)\.([0-9]+)\.score")
"""The services' name for the score of a side."""
TIME_PATH = re.compile(r"sides\.([0-9]+)\.participants\.([0-9]+)\.seconds")
"""The services' name for the time that a participant of a side played."""


class ModeForm(forms.Form):
    """A form that can ask for the game mode of its match."""

    def ask_for_mode(self, arena: Arena, *, required: bool = True) -> None:
        """Add the field, in an arena with modes."""
        if arena.modes:
            self.fields["mode"] = forms.ChoiceField(
                required=required,
                label=_("Game mode"),
                choices=[(mode, mode) for mode in arena.modes],
                initial=arena.modes[0] if len(arena.modes) == 1 else None,
                widget=forms.RadioSelect,
                error_messages={"required": _("Choose the game mode.")},
            )

    def offer_fixture(self, fixture: str) -> None:
        """Ask whether the result counts for an open fixture of the two sides."""
        self.fields["for_fixture"] = forms.BooleanField(
            label=_("Counts for %(fixture)s") % {"fixture": fixture}, initial=True, required=False
        )

    @property
    def chosen_for_fixture(self) -> bool:
        """Whether the result counts for the fixture that the form offers."""
        return bool(self.cleaned_data.get("for_fixture"))

    @property
    def chosen_mode(self) -> str:
        """The chosen game mode, empty if the form does not ask for one or has no answer."""
        return str(self.cleaned_data.get("mode", ""))


@dataclass(frozen=True)
class PartFields:
    """The fields of one participant."""

    player: Player
    seconds: BoundField
    quit: BoundField
    profession: BoundField


@dataclass(frozen=True)
class SideFields:
    """The fields of one side. Two-sided matches have one outcome instead of places."""

    side: LineupSide
    place: BoundField | None
    score: BoundField
    plays: BoundField | None
    parts: list[PartFields]


class PlacingsForm(ModeForm):
    """Places and scores of the sides of a line-up."""

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lineup = lineup
        if lineup.is_two_sided:
            self.fields["outcome"] = forms.ChoiceField(
                label=_("Who won?"),
                choices=self.outcomes(),
                widget=forms.RadioSelect,
                required=False,  # the scores may say it, see `clean`
            )
            self.fields["won_level"] = forms.BooleanField(
                label=_("The score was level, and one side won all the same, as on penalties."),
                required=False,
            )
        for index, side in enumerate(lineup.sides):
            if not lineup.is_two_sided:
                self.fields[f"place-{index}"] = forms.IntegerField(
                    label=_("Place of %(side)s") % {"side": side.name},
                    min_value=1,
                    max_value=len(lineup.sides),
                    required=False,  # the scores may say it, see `clean`
                )
            self.fields[f"score-{index}"] = score_field(lineup.arena, side.name)
        if self.scores_decide and self.outcome_of(self.initial) == self.initial.get("outcome"):
            # Whoever changes such a score changes the winner with it.
            self.initial.pop("outcome", None)

    @property
    def scores_decide(self) -> bool:
        """Whether the scores say who won. Otherwise somebody has to choose."""
        return self.lineup.arena.result_settings().scores != "free"

    def outcome_of(self, values: Mapping[str, Any]) -> str:
        """Return the outcome that the scores of two sides say, empty if they say none."""
        places = self.places_by_score(values)
        return OUTCOMES.get(tuple(places), "") if places else ""

    def places_by_score(self, values: Mapping[str, Any]) -> list[int] | None:
        sides = range(len(self.lineup.sides))
        return places_by_score(self.lineup.arena, [values.get(f"score-{one}") for one in sides])

    def clean(self) -> dict[str, Any]:
        """Take the places from the scores if nobody chose them, and ask about a level score."""
        cleaned = super().clean() or self.cleaned_data
        if not self.asks_result():
            return cleaned
        if self.lineup.is_two_sided:
            self.settle_outcome(cleaned)
        else:
            self.settle_places(cleaned)
        return cleaned

    def settle_outcome(self, cleaned: dict[str, Any]) -> None:
        if "outcome" not in cleaned or any(name.startswith("score-") for name in self.errors):
            return
        says = self.outcome_of(cleaned)
        if cleaned["outcome"]:
            if says == DRAW and cleaned["outcome"] != DRAW and not cleaned["won_level"]:
                self.add_error("won_level", _("The score is level. Tick this, or correct it."))
        elif says and (says != DRAW or self.lineup.arena.draws_allowed):
            cleaned["outcome"] = says
        elif says:
            self.add_error("outcome", _("Choose who won."))
            self.add_error("won_level", _("The score is level. Tick this, or correct it."))
        elif not self.scores_decide:
            self.add_error("outcome", _("Choose who won."))
        else:
            scores = [cleaned.get(f"score-{index}") for index in (0, 1)]
            if scores == [None, None]:
                self.add_error("outcome", _("Enter the score. Without one, choose who won."))
            else:
                missing = f"score-{scores.index(None)}"
                self.add_error(missing, _("Enter this score, too, or choose who won."))

    def settle_places(self, cleaned: dict[str, Any]) -> None:
        names = [f"place-{index}" for index in range(len(self.lineup.sides))]
        if any(name in self.errors for name in names):
            return
        missing = [name for name in names if cleaned.get(name) is None]
        places = self.places_by_score(cleaned) if len(missing) == len(names) else None
        if places:
            cleaned |= {name: place + 1 for name, place in zip(names, places, strict=True)}
            return
        for name in missing:
            self.add_error(name, _("Enter a place."))

    def asks_result(self) -> bool:
        """Return whether the form needs a result."""
        return True

    def outcomes(self) -> list[tuple[str, str]]:
        """Return the possible results of two sides."""
        won = [
            (str(index), _("%(side)s won") % {"side": side.name})
            for index, side in enumerate(self.lineup.sides)
        ]
        return [*won, (DRAW, _("Draw"))] if self.lineup.arena.draws_allowed else won

    def places(self) -> list[int]:
        """Return the place of each side, from 0."""
        if self.lineup.is_two_sided:
            places = {outcome: list(places) for places, outcome in OUTCOMES.items()}
            return places[self.cleaned_data["outcome"]]
        return [self.cleaned_data[f"place-{index}"] - 1 for index in range(len(self.lineup.sides))]

    def scores(self) -> list[float | None]:
        return [self.cleaned_data[f"score-{index}"] for index in range(len(self.lineup.sides))]

    def sides(self) -> list[SideFields]:
        """Return the fields of each side for the template."""
        return [self.side_fields(index, side) for index, side in enumerate(self.lineup.sides)]

    def side_fields(self, index: int, side: LineupSide) -> SideFields:
        place = None if self.lineup.is_two_sided else self[f"place-{index}"]
        return SideFields(side, place, self[f"score-{index}"], None, [])

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the form."""
        field = refusal.field
        if score := SCORE_PATH.fullmatch(field):
            field = f"score-{score[1]}"
        self.add_error(field if field in self.fields else None, refusal.message)


def score_field(arena: Arena, side: str) -> forms.FloatField:
    """Return the field of a score. Services check the limits, of which it tells the browser."""
    rules = arena.result_settings()
    step = 1 / STEPS[rules.score_steps]
    limits = {
        "min": plain(rules.lowest_score),
        "max": plain(rules.highest_score),
        "step": plain(step),
    }
    if rules.lowest_score >= 0:  # the keyboards of phones that have only digits have no minus
        limits["inputmode"] = "decimal" if step < 1 else "numeric"
    if step >= SMALLEST_PRESS:
        # One press of a button counts a whole point, but in chess, say, a half.
        press = step if rules.highest_score - rules.lowest_score <= 1 else 1
        limits |= {
            "data-press": plain(press),
            "data-more": _("More for %(side)s") % {"side": side},
            "data-less": _("Less for %(side)s") % {"side": side},
        }
    return forms.FloatField(
        label=_("Score of %(side)s") % {"side": side},
        required=False,
        widget=forms.NumberInput(attrs=limits),
    )


class FinishForm(PlacingsForm):
    """A match result with each participant's time, profession and whether they quit.

    It asks for the game mode if the arena has modes and the match does not have one yet.
    """

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        if not lineup.mode:
            self.ask_for_mode(lineup.arena)
        for player in (player for side in lineup.sides for player in side.players):
            self.fields[f"seconds-{player.pk}"] = forms.FloatField(
                label=_("Seconds played"),
                required=False,
                min_value=0,
                max_value=LONGEST_MATCH_SECONDS,
            )
            self.fields[f"quit-{player.pk}"] = forms.BooleanField(
                label=_("Quit before the end"), required=False
            )
            self.fields[f"profession-{player.pk}"] = forms.CharField(
                label=_("Profession"), required=False, max_length=LONGEST_PROFESSION
            )

    def side_fields(self, index: int, side: LineupSide) -> SideFields:
        fields = super().side_fields(index, side)
        parts = [
            PartFields(
                player,
                self[f"seconds-{player.pk}"],
                self[f"quit-{player.pk}"],
                self[f"profession-{player.pk}"],
            )
            for player in side.players
        ]
        plays = self[f"plays-{index}"] if f"plays-{index}" in self.fields else None
        return SideFields(side, fields.place, fields.score, plays, parts)

    def participants(self, index: int) -> list[Player]:
        """Return the players of a side who took part: those selected, or all."""
        players = self.lineup.sides[index].players
        selected = self.cleaned_data.get(f"plays-{index}")
        return [player for player in players if selected is None or player.pk in selected]

    @property
    def refuses_parts(self) -> bool:
        """Whether a field of a participant has an error."""
        return any(name.startswith(("seconds-", "quit-", "profession-")) for name in self.errors)

    @property
    def asks_times(self) -> bool:
        """Whether a report of somebody who quit needs times."""
        return self.lineup.arena.system().counts_time

    def refuse(self, refusal: Refused) -> None:
        if path := TIME_PATH.fullmatch(refusal.field):
            index, nth = map(int, path.groups())
            player = self.participants(index)[nth]
            self.add_error(f"seconds-{player.pk}", refusal.message)
        else:
            super().refuse(refusal)

    def part(self, player: Player) -> PlayedBy:
        return PlayedBy(
            player,
            seconds=self.cleaned_data[f"seconds-{player.pk}"],
            quit=self.cleaned_data[f"quit-{player.pk}"],
            profession=self.cleaned_data[f"profession-{player.pk}"].strip(),
        )

    def finishes(self) -> list[Finish]:
        """Return the result for ``live.finish``."""
        placed = enumerate(zip(self.places(), self.scores(), strict=True))
        return [
            Finish(place, score, [self.part(player) for player in self.participants(index)])
            for index, (place, score) in placed
        ]


class ChangeForm(FinishForm):
    """A reported result, changed by its reporter."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=1)


class WhenPlayed(forms.Form):
    """The end of a match, in the reader's zone, and a token against double submission."""

    zone = forms.CharField(widget=forms.HiddenInput)
    client_token = forms.UUIDField(widget=forms.HiddenInput)
    played_at = LocalTime(label=gettext_lazy("End of the match"))

    def ask_same_game(self) -> None:
        """Ask whether the report is about the game of another one that differs."""
        self.fields["same_game"] = forms.ChoiceField(
            label=_("Which game is this?"),
            choices=[
                ("yes", _("The same game, and my result is right. The two reports are a dispute.")),
                ("no", _("Another game")),
            ],
            widget=forms.RadioSelect,
            error_messages={"required": _("Choose one.")},
        )

    @property
    def chosen_same_game(self) -> bool | None:
        """Whether it is the same game, ``None`` if nobody was asked."""
        return {"yes": True, "no": False}.get(self.cleaned_data.get("same_game", ""))

    def renew_token(self) -> None:
        """Let the form be sent again, as the report of another match."""
        self.data = self.data.copy()  # type: ignore[attr-defined] # a QueryDict
        self.data["client_token"] = str(uuid4())  # type: ignore[index] # a copy can be changed

    @staticmethod
    def fresh_values(now: datetime) -> dict[str, Any]:
        """Return the initial values of a new form."""
        return {
            "zone": timezone.get_current_timezone_name(),
            "client_token": uuid4(),
            "played_at": timezone.localtime(now),
        }


class ReportForm(FinishForm, WhenPlayed):
    """A full report, including the players of each side and the time."""

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        for index, side in enumerate(lineup.sides):
            if lineup.chooses(side):
                self.fields[f"plays-{index}"] = forms.TypedMultipleChoiceField(
                    label=_("Players of %(side)s") % {"side": side.name},
                    choices=[(player.pk, in_choice(player, side)) for player in side.players],
                    coerce=int,
                    initial=preselect(side, lineup.arena.team_size_max),
                    widget=forms.CheckboxSelectMultiple,
                    error_messages={"required": _("Select the players.")},
                )

    def report(self) -> list[ReportedSide]:
        """Return the sides for ``reporting.report``."""
        return [
            ReportedSide(side.captain, finish.played, finish.place, finish.score, side.roster)
            for side, finish in zip(self.lineup.sides, self.finishes(), strict=True)
        ]


def in_choice(player: Player, side: LineupSide) -> str:
    """Return a player's name as a choice of a side."""
    if player in side.stand_ins:
        return _("%(player)s (stand-in)") % {"player": player}
    return player.name


def preselect(side: LineupSide, most: int) -> list[int]:
    """Return the players of a side selected at first: its own, up to the largest team size."""
    own = [player.pk for player in side.players if player not in side.stand_ins]
    return own[:most]


class EntryForm(ReportForm):
    """A result that an organiser enters, with the reason for the record."""

    weight = forms.FloatField(
        label=gettext_lazy("Weight"),
        help_text=gettext_lazy("How much the match counts, usually 1. 2 counts as two matches."),
        initial=1,
        required=False,
        min_value=LIGHTEST,
        max_value=HEAVIEST,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everyone can read it, such as “Final, played on site”."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Give a reason. Everyone can read it.")},
    )

    def __init__(self, lineup: Lineup, *args: Any, asks_first: bool = False, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        if asks_first and len(lineup.sides) == 2:
            self.fields["first_side"] = forms.TypedChoiceField(
                label=_("First-side advantage"),
                help_text=_("The side that was at home, had White or served."),
                choices=[
                    ("", _("neither")),
                    *((index, side.name) for index, side in enumerate(lineup.sides)),
                ],
                coerce=int,
                empty_value=None,
                required=False,
            )

    def clean_weight(self) -> float:
        weight: float | None = self.cleaned_data["weight"]
        return 1.0 if weight is None else weight
