"""What people fill in about matches and rosters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Player, StaffAction
from league.models.match import LONGEST_MATCH_SECONDS
from league.services.core.errors import Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.formats import LONGEST_PROFESSION
from league.services.results.live import Finish

if TYPE_CHECKING:
    from datetime import datetime

    from django.forms import BoundField

    from league.web.results.lineups import Lineup, LineupSide


DRAW = "draw"


LOCAL_TIME = "%Y-%m-%dT%H:%M"


@dataclass(frozen=True)
class PartFields:
    """The fields of one participant."""

    player: Player
    seconds: BoundField
    quit: BoundField
    profession: BoundField


@dataclass(frozen=True)
class SideFields:
    """The fields of one side; ``place`` is missing where one question answers it for both."""

    side: LineupSide
    place: BoundField | None
    score: BoundField
    plays: BoundField | None
    parts: list[PartFields]


class PlacingsForm(forms.Form):
    """How the sides of a line-up ended: places and scores."""

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lineup = lineup
        if lineup.is_two_sided:
            self.fields["outcome"] = forms.ChoiceField(
                label=_("Result"), choices=self.outcomes(), widget=forms.RadioSelect
            )
        for index, side in enumerate(lineup.sides):
            if not lineup.is_two_sided:
                self.fields[f"place-{index}"] = forms.IntegerField(
                    label=_("Place of %(side)s") % {"side": side.name},
                    min_value=1,
                    max_value=len(lineup.sides),
                )
            self.fields[f"score-{index}"] = forms.FloatField(
                label=_("Score of %(side)s") % {"side": side.name}, required=False
            )

    def outcomes(self) -> list[tuple[str, str]]:
        """The results that two sides can have."""
        first, second = self.lineup.sides
        won = [
            ("0", _("%(side)s won") % {"side": first.name}),
            ("1", _("%(side)s won") % {"side": second.name}),
        ]
        return [*won, (DRAW, _("Draw"))] if self.lineup.arena.draws_allowed else won

    def places(self) -> list[int]:
        """The place of each side, from 0."""
        if self.lineup.is_two_sided:
            outcome = self.cleaned_data["outcome"]
            return {"0": [0, 1], "1": [1, 0], DRAW: [0, 0]}[outcome]
        return [self.cleaned_data[f"place-{index}"] - 1 for index in range(len(self.lineup.sides))]

    def scores(self) -> list[float | None]:
        return [self.cleaned_data[f"score-{index}"] for index in range(len(self.lineup.sides))]

    def sides(self) -> list[SideFields]:
        """The fields, side by side, for the template."""
        return [self.side_fields(index, side) for index, side in enumerate(self.lineup.sides)]

    def side_fields(self, index: int, side: LineupSide) -> SideFields:
        place = None if self.lineup.is_two_sided else self[f"place-{index}"]
        return SideFields(side, place, self[f"score-{index}"], None, [])

    def refuse(self, refusal: Refused) -> None:
        """Show a service's refusal at the field that it names, else above the form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal.message)


class FinishForm(PlacingsForm):
    """How a match ended and what each participant's part in it was."""

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
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

    def part(self, player: Player) -> PlayedBy:
        return PlayedBy(
            player,
            seconds=self.cleaned_data[f"seconds-{player.pk}"],
            quit=self.cleaned_data[f"quit-{player.pk}"],
            profession=self.cleaned_data[f"profession-{player.pk}"].strip(),
        )

    def finishes(self) -> list[Finish]:
        """The result as the end of a live match takes it."""
        return [
            Finish(place, score, [self.part(player) for player in side.players])
            for side, place, score in zip(
                self.lineup.sides, self.places(), self.scores(), strict=True
            )
        ]


class WhenPlayed(forms.Form):
    """When a match ended, in the reader's zone; the token makes sending it twice harmless."""

    zone = forms.CharField(widget=forms.HiddenInput)
    client_token = forms.UUIDField(widget=forms.HiddenInput)
    played_at = forms.DateTimeField(
        label=gettext_lazy("When it ended"),
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME),
    )

    @staticmethod
    def beginning(now: datetime) -> dict[str, Any]:
        """What a fresh form holds."""
        return {
            "zone": timezone.get_current_timezone_name(),
            "client_token": uuid4(),
            "played_at": timezone.localtime(now),
        }


class ReportForm(FinishForm, WhenPlayed):
    """A whole report: also who of each side played, and when."""

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        for index, side in enumerate(lineup.sides):
            if lineup.chooses(side):
                self.fields[f"plays-{index}"] = forms.TypedMultipleChoiceField(
                    label=_("Who played for %(side)s") % {"side": side.name},
                    choices=[(player.pk, player.name) for player in side.players],
                    coerce=int,
                    initial=[player.pk for player in side.players[: lineup.arena.team_size_max]],
                    widget=forms.CheckboxSelectMultiple,
                    error_messages={"required": _("Tick who played.")},
                )

    def report(self) -> list[ReportedSide]:
        """The sides as the service takes them."""
        return [
            ReportedSide(
                side.captain,
                [self.part(player) for player in self.played(index, side)],
                place,
                score,
                side.roster,
            )
            for index, (side, place, score) in enumerate(
                zip(self.lineup.sides, self.places(), self.scores(), strict=True)
            )
        ]

    def played(self, index: int, side: LineupSide) -> list[Player]:
        if f"plays-{index}" not in self.fields:
            return list(side.players)
        ticked = self.cleaned_data[f"plays-{index}"]
        return [player for player in side.players if player.pk in ticked]


class DisputeForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("What is wrong with the report?"),
        help_text=gettext_lazy("Both sides and staff read this. Say what really happened."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Say what is wrong with the report.")},
    )


class DecisionForm(PlacingsForm):
    """What staff decide: the result as reported, another result, or none."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            (StaffAction.Kind.UPHELD, gettext_lazy("Uphold: the result counts as reported")),
            (StaffAction.Kind.CORRECTED, gettext_lazy("Correct: the result below counts")),
            (StaffAction.Kind.VOIDED, gettext_lazy("Void: no result counts")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Both sides read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give the reason: both sides will read it.")},
    )

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        self.fields["leavers"] = forms.TypedMultipleChoiceField(
            label=_("Who left before the end"),
            choices=[(player.pk, player.name) for side in lineup.sides for player in side.players],
            coerce=int,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )
        if self.data.get("verdict") != StaffAction.Kind.CORRECTED:
            for name, field in self.fields.items():
                if name == "outcome" or name.startswith("place-"):
                    field.required = False

    def placings(self) -> list[tuple[int, float | None]] | None:
        """Place and score of each side, for a correction."""
        if self.cleaned_data["verdict"] != StaffAction.Kind.CORRECTED:
            return None
        return list(zip(self.places(), self.scores(), strict=True))

    def leavers(self) -> set[int] | None:
        """Who left before the end, for a correction."""
        corrects = self.cleaned_data["verdict"] == StaffAction.Kind.CORRECTED
        return set(self.cleaned_data["leavers"]) if corrects else None
