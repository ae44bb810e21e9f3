"""Forms of teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy

from league.models import Arena
from league.models.names import NAME_MAX_LENGTH
from league.models.team import COLOUR, LONGEST_TAG
from league.services.teams.inviting import MOST_PLACES

if TYPE_CHECKING:
    from league.models import Roster, Team, TeamMember


class TeamForm(forms.Form):
    """A team's name, tag and colours."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_MAX_LENGTH)
    tag = forms.CharField(
        label=gettext_lazy("Tag"),
        max_length=LONGEST_TAG,
        help_text=gettext_lazy("Two to five letters or digits, shown where there is little space."),
    )
    colour = forms.CharField(
        label=gettext_lazy("First colour"),
        initial="#1c6a47",
        validators=[COLOUR],
        widget=forms.TextInput(attrs={"type": "color"}),
    )
    second_colour = forms.CharField(
        label=gettext_lazy("Second colour"),
        initial="#e3bd62",
        validators=[COLOUR],
        widget=forms.TextInput(attrs={"type": "color"}),
    )

    @property
    def colours(self) -> tuple[str, str]:
        return self.cleaned_data["colour"], self.cleaned_data["second_colour"]

    @staticmethod
    def initial_values(team: Team) -> dict[str, str]:
        fields = ("name", "tag", "colour", "second_colour")
        return {field: getattr(team, field) for field in fields}


class PictureForm(forms.Form):
    image = forms.FileField(
        label=gettext_lazy("New picture"),
        help_text=gettext_lazy("A PNG, JPEG or WebP image. It is cropped to a square."),
        widget=forms.FileInput(attrs={"accept": "image/png,image/jpeg,image/webp"}),
        error_messages={"required": gettext_lazy("Choose a file.")},
    )


class InviteForm(forms.Form):
    player = forms.CharField(label=gettext_lazy("Player name"), max_length=NAME_MAX_LENGTH)


class LinkForm(forms.Form):
    places = forms.IntegerField(
        label=gettext_lazy("For how many players"),
        min_value=1,
        max_value=MOST_PLACES,
        initial=1,
        help_text=gettext_lazy("Anybody with the link can join until its places are taken."),
    )


class LineUpForm(forms.Form):
    """A roster of a team: an arena, a name, members and the captain among them."""

    arena = forms.ModelChoiceField(
        queryset=Arena.objects.none(), label=gettext_lazy("Arena"), empty_label=None
    )
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_MAX_LENGTH,
        help_text=gettext_lazy("Shown in match lists. Usually the name of the team."),
    )
    members = forms.MultipleChoiceField(
        label=gettext_lazy("Players"), widget=forms.CheckboxSelectMultiple
    )
    captain = forms.ChoiceField(
        label=gettext_lazy("Captain"),
        help_text=gettext_lazy("Reports and confirms the roster’s results."),
    )

    def __init__(
        self,
        arenas: Any,
        members: list[TeamMember],
        roster: Roster | None,
        *args: Any,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        players = [(str(one.player_id), one.player.name) for one in members]
        for field in ("members", "captain"):
            self.fields[field].choices = players  # type: ignore[attr-defined] # of both
        self.fields["arena"].queryset = arenas  # type: ignore[attr-defined] # a model's choices
        if roster:
            del self.fields["arena"]

    @staticmethod
    def initial_values(roster: Roster) -> dict[str, Any]:
        members = roster.memberships.values_list("player", flat=True)
        return {
            "name": roster.name,
            "members": [str(player) for player in members],
            "captain": str(roster.captain_id),
        }

    def arena_of(self, roster: Roster | None) -> Arena:
        chosen: Arena = roster.arena if roster else self.cleaned_data["arena"]
        return chosen
