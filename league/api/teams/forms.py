"""The bodies of requests about teams."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, Choice, Flag, Strict, Text, Whole, player_id
from league.models.names import NAME_MAX_LENGTH
from league.models.team import LONGEST_TAG
from league.services.teams.inviting import MOST_MEMBERS, MOST_PLACES
from league.services.teams.membership import GIVEN

LONGEST_TOKEN = 200


class TeamForm(Strict):
    """A new team. You become its captain."""

    name = Text(max_length=NAME_MAX_LENGTH)
    tag = Text(max_length=LONGEST_TAG, help_text=gettext_lazy("Two to five letters or digits."))
    colour = Text(default="#1c6a47", help_text=gettext_lazy("The first colour, as #1c6a47."))
    second_colour = Text(default="#e3bd62", help_text=gettext_lazy("The second one."))


class TeamChangeForm(Strict):
    """Changes of a team. Fields that are left out stay."""

    name = Text(required=False, max_length=NAME_MAX_LENGTH)
    tag = Text(
        required=False,
        max_length=LONGEST_TAG,
        help_text=gettext_lazy("Two to five letters or digits."),
    )
    colour = Text(required=False, help_text=gettext_lazy("The first colour, as #1c6a47."))
    second_colour = Text(required=False, help_text=gettext_lazy("The second one."))


class DisbandForm(Strict):
    tag = Text(max_length=LONGEST_TAG, help_text=gettext_lazy("The team's tag, to confirm."))


class TeamsQuery(serializers.Serializer[Any]):
    """Filters of the list of teams."""

    search = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=60,
        help_text=gettext_lazy("Part of a name, or a tag."),
    )
    player = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("Only the teams that this player is in."),
    )


class TeamInviteForm(Strict):
    """A player to invite, or the number of players that a link lets in."""

    player = player_id(required=False, help_text=gettext_lazy("The player to invite."))
    places = Whole(
        required=False,
        min_value=1,
        max_value=MOST_PLACES,
        help_text=gettext_lazy("Creates a link that lets this many players join."),
    )

    def validate(self, sent: dict[str, Any]) -> dict[str, Any]:
        if len(sent) != 1:
            raise serializers.ValidationError(_("Give either a player or places."))
        return sent


class TeamJoinForm(Strict):
    token = Text(
        max_length=LONGEST_TOKEN,
        help_text=gettext_lazy("The end of the link, after /teams/join/."),
    )


class RoleForm(Strict):
    role = Choice([role.value for role in GIVEN])


class SuccessorForm(Strict):
    player = player_id(help_text=gettext_lazy("The member who is to lead the team."))


class OfferAnswerForm(Strict):
    accept = Flag(help_text=gettext_lazy("True to lead the team, false to decline."))


class LineUpForm(Strict):
    """A roster of the team in an arena."""

    name = Text(max_length=NAME_MAX_LENGTH)
    members = serializers.ListField(
        child=player_id(),
        min_length=1,
        max_length=MOST_MEMBERS,
        help_text=gettext_lazy("Members of the team."),
    )
    captain = player_id(help_text=gettext_lazy("One of them, who reports the results."))


class NewLineUpForm(LineUpForm):
    arena = Text(max_length=60, help_text=gettext_lazy("The arena's slug."))


class AdoptForm(Strict):
    roster = Whole(
        min_value=1, max_value=LARGEST_ID, help_text=gettext_lazy("A roster that you lead.")
    )
