"""Teams in the API."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.references import PlayerLinkSerializer
from league.models import Roster, Team, TeamInvitation, TeamMember, TeamRating
from league.services.teams import inviting, pages


class TeamSerializer(serializers.ModelSerializer[Team]):
    """A team."""

    class Meta:
        model = Team
        fields = ["id", "name", "tag", "colour", "second_colour", "created_at", "disbanded_at"]


class TeamMemberSerializer(serializers.ModelSerializer[TeamMember]):
    """A present member of a team, with their role and when they got it."""

    player = PlayerLinkSerializer()
    since = serializers.DateTimeField(source="joined_at")

    class Meta:
        model = TeamMember
        fields = ["player", "role", "since"]


class TeamRosterSerializer(serializers.ModelSerializer[Roster]):
    arena = serializers.SlugField(source="arena.slug")

    class Meta:
        model = Roster
        fields = ["id", "arena", "name"]


class TeamRatingSerializer(serializers.ModelSerializer[TeamRating]):
    """A team's own rating in a season that rates teams."""

    class Meta:
        model = TeamRating
        fields = ["season", "rating", "deviation", "games", "wins", "draws", "losses"]


class TeamDetailSerializer(TeamSerializer):
    """A team with its members, rosters and ratings."""

    picture = serializers.SerializerMethodField(
        help_text=_("The address of the picture; null without one.")
    )
    members = serializers.SerializerMethodField()
    rosters = serializers.SerializerMethodField()
    ratings = TeamRatingSerializer(many=True)

    class Meta(TeamSerializer.Meta):
        fields = [*TeamSerializer.Meta.fields, "picture", "members", "rosters", "ratings"]

    def get_picture(self, team: Team) -> str | None:
        address = reverse("team_picture", args=[team.pk, team.picture]) if team.picture else ""
        return address or None

    @extend_schema_field(TeamMemberSerializer(many=True))
    def get_members(self, team: Team) -> list[dict[str, Any]]:
        return TeamMemberSerializer(pages.members_of(team), many=True).data  # type: ignore[return-value] # a list of dictionaries

    @extend_schema_field(TeamRosterSerializer(many=True))
    def get_rosters(self, team: Team) -> list[dict[str, Any]]:
        return TeamRosterSerializer(pages.rosters_of(team), many=True).data  # type: ignore[return-value] # as above


class TeamRankSerializer(serializers.Serializer[Any]):
    """A team's place in a season."""

    rank = serializers.IntegerField(
        allow_null=True, help_text=_("Null until the team has played the placement matches.")
    )
    team = TeamSerializer()
    rating = TeamRatingSerializer()


class TeamInvitationSerializer(serializers.ModelSerializer[TeamInvitation]):
    """An open invitation to a team."""

    team = TeamSerializer()
    player = PlayerLinkSerializer(
        allow_null=True, help_text=_("The invited player, null for a link.")
    )
    invited_by = PlayerLinkSerializer()

    class Meta:
        model = TeamInvitation
        fields = ["id", "team", "player", "invited_by", "invited_at", "expires_at"]


class OpenInvitationSerializer(TeamInvitationSerializer):
    """An invitation as the leaders of its team see it."""

    token = serializers.SerializerMethodField(
        help_text=_("The end of its link, after /teams/join/; null for a player’s invitation.")
    )

    class Meta(TeamInvitationSerializer.Meta):
        fields = [*TeamInvitationSerializer.Meta.fields, "places", "used", "token"]
        extra_kwargs = {
            "places": {"help_text": _("How many players it lets in.")},
            "used": {"help_text": _("How many have accepted.")},
        }

    def get_token(self, invitation: TeamInvitation) -> str | None:
        return None if invitation.player_id else inviting.token_of(invitation)
