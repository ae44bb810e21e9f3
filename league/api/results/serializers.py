"""Serializers for matches."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.arenas.serializers import ArenaSerializer, SeasonLinkSerializer, SeasonSerializer
from league.api.core.fields import LARGEST_ID, Text
from league.api.core.references import PlayerLinkSerializer
from league.api.core.sparse import Expansion
from league.api.people.serializers import MatchEventSerializer
from league.api.points.serializers import MatchPointsSerializer
from league.models import (
    Confirmation,
    CounterReport,
    EvidenceImage,
    Match,
    MatchMessage,
    Objection,
    Participant,
    Side,
    StaffAction,
    Status,
)
from league.models.name_lists import MODES
from league.models.staff import ABOUT_MATCHES
from league.services.competitions import fixture_words
from league.services.results.playing.figures import figures_of
from league.services.results.staff.objections import closes_at, is_decided


class ParticipantSerializer(serializers.ModelSerializer[Participant]):
    player = PlayerLinkSerializer()

    class Meta:
        model = Participant
        fields = ["player", "seconds", "quit", "profession"]


class SideSerializer(serializers.ModelSerializer[Side]):
    """A side. Place 0 is best and equal places tie. It is null until a report."""

    captain = PlayerLinkSerializer()
    roster = serializers.SerializerMethodField()
    participants = ParticipantSerializer(many=True)

    class Meta:
        model = Side
        fields = [
            "index",
            "place",
            "score",
            "captain",
            "roster",
            "agreed_by",
            "agreed_at",
            "notified_at",
            "participants",
        ]

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_roster(self, side: Side) -> str | None:
        return side.roster.name if side.roster else None


class MatchSerializer(serializers.ModelSerializer[Match]):
    expands = {"arena": Expansion(ArenaSerializer), "season": Expansion(SeasonSerializer)}
    collects = frozenset({"sides"})
    arena = serializers.SlugField(source="arena.slug")
    season = SeasonLinkSerializer()
    side_count = serializers.IntegerField()
    sides = SideSerializer(many=True, source="best_sides")
    played = serializers.BooleanField(
        source="is_game",
        help_text="False for ranks lost by a refused challenge and for rating decay.",
    )
    forecast = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text="Each side's predicted chance to win, by index, with draws shared. Null until "
        "the match is rated, unless a queue made it.",
    )

    class Meta:
        model = Match
        fields = [
            "id",
            "arena",
            "season",
            "status",
            "mode",
            "region",
            "first_side",
            "played_at",
            "played",
            "side_count",
            "sides",
            "forecast",
        ]


class DecisionSerializer(serializers.ModelSerializer[StaffAction]):
    """A staff decision and its reason."""

    kind = serializers.ChoiceField(choices=ABOUT_MATCHES)
    own_match = serializers.BooleanField(
        help_text="Whether the organiser played in the match. Only if nobody else could decide it."
    )

    class Meta:
        model = StaffAction
        fields = ["kind", "reason", "at", "own_match"]


class ConfirmationSerializer(serializers.ModelSerializer[Confirmation]):
    """A side's confirmation of a report of more than two sides."""

    side = serializers.IntegerField(source="side.index")
    player = PlayerLinkSerializer()

    class Meta:
        model = Confirmation
        fields = ["side", "player", "at"]


class PlacingSerializer(serializers.Serializer[Any]):
    """A place and a score. Place 0 is best."""

    place = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True)


class CounterReportSerializer(serializers.ModelSerializer[CounterReport]):
    """The result according to another side."""

    reporter = PlayerLinkSerializer()
    sides = serializers.SerializerMethodField(help_text="Place and score of each side, in order.")

    class Meta:
        model = CounterReport
        fields = [
            "side",
            "reporter",
            "at",
            "sides",
            "mode",
            "comment",
            "state",
            "answer_by",
            "answered_at",
        ]

    @extend_schema_field(PlacingSerializer(many=True))
    def get_sides(self, counter: CounterReport) -> list[dict[str, Any]]:
        return [{"place": place, "score": score} for place, score in counter.placings]


class ImageSerializer(serializers.ModelSerializer[EvidenceImage]):
    """An image of a message, in WebP."""

    url = serializers.SerializerMethodField(help_text="Its address on this site.")
    removed_at = serializers.SerializerMethodField(help_text="When staff removed it.")

    class Meta:
        model = EvidenceImage
        fields = ["url", "description", "width", "height", "size", "removed_at"]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_removed_at(self, image: EvidenceImage) -> Any:
        removal = getattr(image, "removal", None)
        return serializers.DateTimeField().to_representation(removal.at) if removal else None

    @extend_schema_field(serializers.CharField())
    def get_url(self, image: EvidenceImage) -> str:
        where = {"pk": image.message.match_id, "message_id": image.pk}
        return reverse("api:match-image", kwargs=where)


class MessageSerializer(serializers.ModelSerializer[MatchMessage]):
    """A message about a dispute. It is from staff if it has no player."""

    player = PlayerLinkSerializer(allow_null=True)
    image = serializers.SerializerMethodField()

    class Meta:
        model = MatchMessage
        fields = ["player", "at", "text", "link", "image"]

    @extend_schema_field(ImageSerializer(allow_null=True))
    def get_image(self, message: MatchMessage) -> Any:
        image = getattr(message, "image", None)
        return ImageSerializer(image).data if image else None


class ObjectionSerializer(serializers.ModelSerializer[Objection]):
    """A player's objection to the rated result, which staff decide."""

    player = PlayerLinkSerializer()

    class Meta:
        model = Objection
        fields = ["side", "player", "at", "reason", "state", "closed_at"]


class MatchFiguresSerializer(serializers.Serializer[Any]):
    """A player's figures in a match."""

    player = PlayerLinkSerializer()
    values = serializers.DictField(child=serializers.FloatField())


class CountsForSerializer(serializers.Serializer[Any]):
    """The fixture for which a match counts."""

    competition = serializers.IntegerField(source="competition_id", help_text="Its id.")
    name = serializers.CharField(source="competition.name")
    round = serializers.IntegerField(source="round.number", help_text="Within its stage.")
    number = serializers.IntegerField(help_text="Of the fixture, within the competition.")


class MatchDetailSerializer(MatchSerializer):
    """A match with all of its sides and rating events."""

    sides = SideSerializer(many=True)
    reported_by = PlayerLinkSerializer(allow_null=True)
    disputed_by = PlayerLinkSerializer(allow_null=True)
    confirmed_by = PlayerLinkSerializer(allow_null=True)
    information = serializers.DictField(help_text="Other information about the match.")
    confirmations = serializers.SerializerMethodField()
    counter_reports = CounterReportSerializer(many=True)
    decisions = DecisionSerializer(many=True, source="staff_actions")
    objections = ObjectionSerializer(many=True)
    objections_until = serializers.SerializerMethodField(
        help_text="Until when everyone who played can object to the result, null if it is not "
        "rated, final, or decided by staff."
    )
    events = MatchEventSerializer(many=True)
    event_count = serializers.IntegerField(
        help_text="How many single events, such as frags, its game server has sent. Where the "
        "season rates each event, they are rated and not the places."
    )
    figures = serializers.SerializerMethodField(
        help_text="Figures such as hits or laps, by the arena's columns. They are never rated."
    )
    fixture = serializers.SerializerMethodField(
        help_text="The fixture for which it counts, null if it counts for none."
    )
    points = MatchPointsSerializer(
        many=True, source="point_entries", help_text="Ladder points, if the season counts them."
    )

    class Meta(MatchSerializer.Meta):
        fields = [
            *MatchSerializer.Meta.fields,
            "weight",
            "information",
            "reported_at",
            "reported_by",
            "reported_by_side",
            "revision",
            "confirm_deadline",
            "disputed_at",
            "disputed_by",
            "dispute_reason",
            "settled_at",
            "settlement",
            "confirmed_by",
            "confirmed_by_side",
            "confirmations",
            "counter_reports",
            "decisions",
            "objections",
            "objections_until",
            "events",
            "event_count",
            "figures",
            "points",
            "fixture",
        ]

    @extend_schema_field(MatchFiguresSerializer(many=True))
    def get_figures(self, match: Match) -> Any:
        return MatchFiguresSerializer(figures_of(match), many=True).data

    @extend_schema_field(CountsForSerializer(allow_null=True))
    def get_fixture(self, match: Match) -> Any:
        found = fixture_words.fixture_of(match)
        return CountsForSerializer(found).data if found else None

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_objections_until(self, match: Match) -> str | None:
        closes = None if is_decided(match) else closes_at(match)
        return serializers.DateTimeField().to_representation(closes) if closes else None

    @extend_schema_field(ConfirmationSerializer(many=True))
    def get_confirmations(self, match: Match) -> Any:
        answers = [side.confirmation for side in match.sides.all() if hasattr(side, "confirmation")]
        return ConfirmationSerializer(answers, many=True).data


class MatchesForm(serializers.Serializer[Any]):
    """Filters of the match list."""

    arena = Text(required=False, max_length=60, help_text="An arena's slug.")
    player = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_ID, help_text="A player's id."
    )
    mode = Text(
        required=False,
        max_length=MODES.longest,
        help_text="A game mode of the arena, which has to be named too.",
    )
    status = serializers.ChoiceField(choices=Status.choices, required=False)

    def validate(self, attrs: Any) -> Any:
        if "mode" in attrs and "arena" not in attrs:
            raise serializers.ValidationError({"mode": [_("Name the arena, too.")]})
        return attrs
