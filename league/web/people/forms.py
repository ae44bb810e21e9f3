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
        label=gettext_lazy("Players beside you"),
        help_text=gettext_lazy(
            "One player name a line. Who is new is invited, and is in it once they accept. You "
            "lead the roster and are always in it."
        ),
        required=False,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def names(self) -> list[str]:
        lines = self.cleaned_data["members"].splitlines()
        return [line.strip() for line in lines if line.strip()]

    @staticmethod
    def filled(roster: Roster) -> dict[str, str]:
        """What the form of an existing roster holds: who is in it or has been asked."""
        asked = roster.invitations.open().values("player")
        others = Player.objects.filter(Q(memberships__roster=roster) | Q(pk__in=asked))
        others = others.exclude(pk=roster.captain_id).distinct().order_by("name")
        return {
            "name": roster.name,
            "members": "\n".join(others.values_list("name", flat=True)),
        }


class NameForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Player name"), max_length=NAME_MAX_LENGTH)
