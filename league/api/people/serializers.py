"""Players, rosters and personal tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer, SeasonSerializer
from league.api.core.fields import Choice, Flag, Moment, Strict, Text, Whole, player_id
from league.api.core.references import (
    SHOWN,
    ArenaLinkSerializer,
    PlayedSeasonSerializer,
    PlayerLinkSerializer,
    PlayerSerializer,
)
from league.api.core.sparse import Expansion
from league.models import AccessToken, Player, RatingEvent, Roster, RosterInvitation, Scope
from league.models.access_token import LONGEST_TOKEN_NAME
from league.models.arena import MAX_TEAM_SIZE
from league.models.names import NAME_MAX_LENGTH
from league.models.player import HIGHEST_LEVEL

if TYPE_CHECKING:
    from ratings.system import Shows


class LevelForm(Strict):
    level = Whole(
        allow_null=True,
        min_value=0,
        max_value=HIGHEST_LEVEL,
        help_text=_("The rank in queues that go by level; null for none."),
    )


class LevelSerializer(serializers.ModelSerializer[Player]):
    class Meta:
        model = Player
        fields = ["id", "level"]


class PlayerRatingSerializer(serializers.Serializer[Any]):
    """A player's standing in one season."""

    expands = {"arena": Expansion(ArenaSerializer), "season": Expansion(SeasonSerializer)}

    arena = ArenaLinkSerializer()
    season = PlayedSeasonSerializer()
    rank = serializers.IntegerField(
        allow_null=True, help_text="Null if not ranked. New results take about two seconds to show."
    )
    percentile = serializers.IntegerField(
        allow_null=True, help_text="From 1, the lowest, to 100, null if not ranked."
    )
    rating = serializers.FloatField()
    shown = serializers.FloatField(help_text=SHOWN)
    deviation = serializers.FloatField(
        allow_null=True, help_text="Including what inactivity has added since the last match."
    )
    volatility = serializers.FloatField(allow_null=True)
    games = serializers.IntegerField()
    last_played_at = serializers.DateTimeField(allow_null=True)
    provisional = serializers.BooleanField(
        help_text="True until enough matches are rated for the rating to settle."
    )


class EventSerializer(serializers.ModelSerializer[RatingEvent]):
    """The effect of a match on a player's rating."""

    change = serializers.FloatField(help_text="Rating after minus rating before.")
    ignored = serializers.BooleanField(
        help_text="Whether the rating system ignores the match, because all sides tied. It then "
        "changed nothing, and is not among the player's rated games."
    )
    shown_before = serializers.SerializerMethodField(help_text=SHOWN)
    shown_after = serializers.SerializerMethodField(help_text=SHOWN)
    why = serializers.DictField(
        child=serializers.FloatField(),
        help_text="The terms of the change, as named by the rating system.",
    )

    class Meta:
        model = RatingEvent
        fields = [
            "rated_at",
            "games",
            "ignored",
            "rating_before",
            "rating_after",
            "change",
            "deviation_before",
            "deviation_after",
            "volatility_before",
            "volatility_after",
            "shown_before",
            "shown_after",
            "why",
        ]

    @extend_schema_field(float)
    def get_shown_before(self, event: RatingEvent) -> float:
        return self.shows(event).show(event.rating_before)

    @extend_schema_field(float)
    def get_shown_after(self, event: RatingEvent) -> float:
        return self.shows(event).show(event.rating_after)

    def shows(self, event: RatingEvent) -> Shows:
        return event.season.shows


class MatchEventSerializer(EventSerializer):
    player = PlayerLinkSerializer()

    def shows(self, event: RatingEvent) -> Shows:
        return event.match.season.shows_in(event.match.arena)

    class Meta(EventSerializer.Meta):
        fields = ["player", *EventSerializer.Meta.fields]


class HistorySerializer(EventSerializer):
    expands = {
        "arena": Expansion(ArenaSerializer, "season.arena", "season__arena"),
        "season": Expansion(SeasonSerializer),
    }
    arena = serializers.SlugField(source="season.arena.slug")
    season = PlayedSeasonSerializer()
    match = serializers.IntegerField(source="match_id")
    played_at = serializers.DateTimeField(source="match.played_at")

    class Meta(EventSerializer.Meta):
        fields = ["arena", "season", "match", "played_at", *EventSerializer.Meta.fields]


class HistoryForm(serializers.Serializer[Any]):
    """Filters of a player's rating history."""

    arena = Text(required=False, max_length=60, help_text="An arena's slug.")


class RosterSerializer(serializers.ModelSerializer[Roster]):
    """A roster with its members."""

    expands = {"arena": Expansion(ArenaSerializer), "captain": Expansion(PlayerSerializer)}
    collects = frozenset({"members"})
    arena = serializers.SlugField(source="arena.slug")
    captain = PlayerLinkSerializer()
    members = PlayerLinkSerializer(many=True)

    class Meta:
        model = Roster
        fields = ["id", "arena", "name", "captain", "members"]


class InvitationSerializer(serializers.ModelSerializer[RosterInvitation]):
    """An open invitation."""

    roster = RosterSerializer()

    class Meta:
        model = RosterInvitation
        fields = ["id", "roster", "invited_at"]


class RosterForm(Strict):
    """A new roster that you lead. The players are invited."""

    name = Text(max_length=NAME_MAX_LENGTH)
    players = serializers.ListField(
        child=player_id(),
        required=False,
        default=list,
        max_length=MAX_TEAM_SIZE,
        help_text="The players to invite.",
    )


class RosterChangeForm(Strict):
    """Changes of a roster. Fields that are left out stay."""

    name = Text(required=False, max_length=NAME_MAX_LENGTH)
    players = serializers.ListField(
        child=player_id(),
        required=False,
        max_length=MAX_TEAM_SIZE,
        help_text="All who are to be in it. New ones are invited, others leave.",
    )


class InviteForm(Strict):
    player = player_id(help_text="The player to invite.")


class AnswerForm(Strict):
    accept = Flag(help_text="True to join, false to decline.")


class RosterQuery(serializers.Serializer[Any]):
    """Filters of the roster list."""

    search = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=NAME_MAX_LENGTH,
        help_text=_("Part of the roster's name, whatever its case and accents."),
    )


class TokenSerializer(serializers.ModelSerializer[AccessToken]):
    """A token, without its secret."""

    class Meta:
        model = AccessToken
        fields = ["id", "name", "scopes", "start", "made_at", "expires_at", "used_at"]
        extra_kwargs = {
            "name": {"help_text": _("What its owner calls it.")},
            "scopes": {"help_text": _("What it allows.")},
            "start": {"help_text": _("The first characters of the token.")},
            "expires_at": {"help_text": _("When it ends; null if it does not.")},
            "used_at": {"help_text": _("When it was last used, at most a minute late.")},
        }


class NewTokenSerializer(TokenSerializer):
    token = serializers.CharField(
        source="text", help_text=_("The full token. Store it: it is only shown once.")
    )

    class Meta(TokenSerializer.Meta):
        fields = [*TokenSerializer.Meta.fields, "token"]


class TokenForm(Strict):
    """A new token."""

    name = Text(max_length=LONGEST_TOKEN_NAME, help_text=_("What the token is for."))
    scopes = serializers.ListField(
        child=Choice(choices=Scope.choices),
        max_length=len(Scope),
        help_text=_("What it allows besides “read”."),
    )
    expires_at = Moment(
        required=False, allow_null=True, default=None, help_text=_("When it ends; null for never.")
    )
