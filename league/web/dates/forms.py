"""Forms for arranging a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models.arrangement import LONGEST_REASON
from league.models.names import NAME_MAX_LENGTH
from league.services.core.errors import Refused
from league.services.results.rules.formats import plays_in_rosters
from league.web.core.local_time import LocalTime
from league.web.results.lineups import my_roster, players_named, rosters_named

if TYPE_CHECKING:
    from league.models import Arena, Arrangement, Player, Roster
    from league.services.results.rules.formats import plays_in_rosters
from league.web.results.lineups import Lineup


class TimeForm(forms.Form):
    """A time in the zone of the reader who was shown the form."""

    zone = forms.CharField(widget=forms.HiddenInput)
    play_at = LocalTime(
        label=gettext_lazy("Day and time"),
        error_messages={"required": gettext_lazy("Choose a day and a time.")},
    )

    @staticmethod
    def fresh_values() -> dict[str, Any]:
        """Return the initial values of a new form."""
        return {"zone": timezone.get_current_timezone_name()}

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal.message)


class MoveForm(TimeForm):
    """Another time for a proposal, with the revision that the reader has seen."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=10**6)

    @staticmethod
    def for_proposal(one: Arrangement) -> MoveForm:
        """Return a form with the time and the revision of an arrangement."""
        return MoveForm(
            initial={
                **TimeForm.fresh_values(),
                "play_at": timezone.localtime(one.play_at),
                "revision": one.revision,
            }
        )


class CallOffForm(forms.Form):
    """A captain's reason to call a date off, with the revision that they have seen."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Both sides and staff can read it."),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 2}),
        error_messages={"required": gettext_lazy("Give a reason. The other side will read it.")},
    )
    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=10**6)

    @staticmethod
    def for_date(one: Arrangement) -> CallOffForm:
        return CallOffForm(initial={"revision": one.revision}, auto_id="call_off_%s")

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal.message)


class ClaimForm(forms.Form):
    """The players who came, and those who did not. Sides that are always complete have nothing to
    choose.
    """

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.lineup = lineup
        labels = {
            "came": _("Players of yours who came"),
            "absent": _("Players of the other side who did not come"),
        }
        for (name, label), side in zip(labels.items(), lineup.sides, strict=True):
            if lineup.chooses(side):
                self.fields[name] = forms.TypedMultipleChoiceField(
                    label=label,
                    choices=[(player.pk, player.name) for player in side.players],
                    coerce=int,
                    initial=[player.pk for player in side.players[: lineup.arena.team_size_max]],
                    widget=forms.CheckboxSelectMultiple,
                    error_messages={"required": _("Select the players.")},
                )

    def players(self) -> dict[str, list[Player]]:
        """Return the players of both sides for ``no_shows.claim``."""
        return {
            name: [
                player
                for player in side.players
                if name not in self.fields or player.pk in self.cleaned_data[name]
            ]
            for name, side in zip(("came", "absent"), self.lineup.sides, strict=True)
        }

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the form."""
        self.add_error(refusal.field if refusal.field in self.fields else None, refusal.message)


class DenialForm(forms.Form):
    """A captain's reason to deny a no-show."""

    reason = forms.CharField(
        label=gettext_lazy("What happened?"),
        help_text=gettext_lazy("Both sides and staff will read this."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Describe what happened.")},
    )


class ProposalForm(TimeForm):
    """A match to propose: the opponent, the time, and the rosters in an arena for teams."""

    opponent = forms.CharField(max_length=NAME_MAX_LENGTH)
    field_order = ("roster", "opponent", "play_at")

    def __init__(self, arena: Arena, me: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.arena, self.me = arena, me
        self.in_rosters = plays_in_rosters(arena)
        opponent = self.fields["opponent"]
        opponent.label = _("The other roster") if self.in_rosters else _("Your opponent")
        opponent.help_text = (
            _("The name of the roster that you want to play.")
            if self.in_rosters
            else _("Their player name, in upper or lower case.")
        )
        opponent.widget.attrs.update(list="names", autocomplete="off", spellcheck="false")
        if self.in_rosters:
            rosters = [(str(roster.pk), roster.name) for roster in arena.rosters.led_by(me)]
            self.fields["roster"] = forms.ChoiceField(
                label=_("Your roster"),
                choices=rosters,
                widget=forms.RadioSelect,
                initial=rosters[0][0] if len(rosters) == 1 else None,
                error_messages={"required": _("Choose one of the rosters that you lead.")},
            )
        self.order_fields(self.field_order)

    def sides(self) -> tuple[Player, Roster | None, Roster | None]:
        """Return the opponent, my roster and theirs.

        Raises:
            Refused: a name is unknown, or the roster is not mine.
        """
        name = self.cleaned_data["opponent"]
        if not self.in_rosters:
            (opponent,) = players_named([name])
            return opponent, None, None
        mine = my_roster(self.arena, self.me, self.cleaned_data["roster"])
        (theirs,) = rosters_named(self.arena, [name])
        return theirs.captain, mine, theirs
