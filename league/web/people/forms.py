"""Forms for rosters and player names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy

from league.models import Player
from league.models.names import NAME_MAX_LENGTH

if TYPE_CHECKING:
    from league.models import Roster


class RosterForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=NAME_MAX_LENGTH)
    members = forms.CharField(
        label=gettext_lazy("Other players"),
        help_text=gettext_lazy(
            "One player name per line. New players are invited and join when they accept. As the "
            "captain you are always in the roster."
        ),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def names(self) -> list[str]:
        lines = self.cleaned_data["members"].splitlines()
        return [line.strip() for line in lines if line.strip()]

    @staticmethod
    def initial_values(roster: Roster) -> dict[str, str]:
        """Return the initial values for a roster, with its members and invited players."""
        invited = roster.invitations.open().values("player")
        others = Player.objects.filter(Q(memberships__roster=roster) | Q(pk__in=invited))
        others = others.exclude(pk=roster.captain_id).distinct().order_by("sort_name")
        return {
            "name": roster.name,
            "members": "\n".join(others.values_list("name", flat=True)),
        }


class NameForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Player name"), max_length=NAME_MAX_LENGTH)
