"""Queues, tickets and ready checks."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from league.api.core.fields import LARGEST_ID, Flag, Number, Strict, Text, Whole
from league.api.core.references import PlayerLinkSerializer
from league.models import Proposal, Ticket
from league.models.name_lists import MODES, REGIONS
from league.models.preference import EVERYBODY
from league.services.queue import ready_checks
from league.services.queue.queueing import MOST_ARENAS, arenas_of
from league.services.results.rules.formats import LONGEST_PROFESSION


class BandSerializer(serializers.Serializer[Any]):
    """The number of waiting players with ratings from ``low`` to below ``high``."""

    low = serializers.FloatField()
    high = serializers.FloatField()
    players = serializers.IntegerField()


class WaitSerializer(serializers.Serializer[Any]):
    """Waiting times of recent tickets."""

    median = serializers.DurationField()
    most = serializers.DurationField(help_text=_("Nine in ten waited no longer than this."))


class ReadyCheckSerializer(serializers.ModelSerializer[Proposal]):
    """A match that was found. Everyone has to accept it in time; it never says who has not."""

    ready = serializers.SerializerMethodField()
    asked = serializers.SerializerMethodField()

    class Meta:
        model = Proposal
        fields = [
            "id",
            "state",
            "proposed_at",
            "deadline",
            "mode",
            "region",
            "ready",
            "asked",
            "match",
        ]

    def get_ready(self, proposal: Proposal) -> int:
        return ready_checks.members_of(proposal).exclude(accepted_at=None).count()

    def get_asked(self, proposal: Proposal) -> int:
        return ready_checks.members_of(proposal).count()


class TicketSerializer(serializers.ModelSerializer[Ticket]):
    """Your place in the queue."""

    captain = PlayerLinkSerializer()
    members = serializers.SerializerMethodField()
    absent = serializers.SerializerMethodField(
        help_text=_(
            "Members who have not read this queue since they were queued, here or on its page. No "
            "match is made before they have."
        )
    )
    ready_check = ReadyCheckSerializer(source="proposal", allow_null=True)
    arenas = serializers.SerializerMethodField(
        help_text=_("The slugs of the arenas in which it waits, first that which it joined.")
    )

    class Meta:
        model = Ticket
        fields = [
            "id",
            "state",
            "arenas",
            "captain",
            "members",
            "absent",
            "modes",
            "queued_at",
            "ready_check",
        ]

    def get_arenas(self, ticket: Ticket) -> list[str]:
        return [arena.slug for arena in arenas_of(ticket)]

    @extend_schema_field(PlayerLinkSerializer(many=True))
    def get_members(self, ticket: Ticket) -> Any:
        members = ticket.members.select_related("player").order_by("id")
        return PlayerLinkSerializer([member.player for member in members], many=True).data

    @extend_schema_field(PlayerLinkSerializer(many=True))
    def get_absent(self, ticket: Ticket) -> Any:
        absent = ticket.members.filter(seen_at=None).select_related("player").order_by("id")
        return PlayerLinkSerializer([member.player for member in absent], many=True).data


class RegionWishesSerializer(serializers.Serializer[Any]):
    """Regions in which a player would play, and their latencies."""

    regions = serializers.ListField(
        child=serializers.CharField(), help_text=_("Empty for any region.")
    )
    strict = serializers.BooleanField(
        help_text=_("Whether this choice never widens, however long the wait.")
    )
    latencies = serializers.DictField(
        child=serializers.FloatField(), help_text=_("Milliseconds by region.")
    )


class RankFilterSerializer(serializers.Serializer[Any]):
    """The largest distance in rank to a player."""

    percentiles = serializers.FloatField(
        help_text=_("The widest distance in percentiles of the leaderboard.")
    )
    strict = serializers.BooleanField(
        help_text=_("Whether it never widens, however long the wait.")
    )


class QueueSerializer(serializers.Serializer[Any]):
    """A queue as it is now, with player counts but no names."""

    is_open = serializers.BooleanField()
    team_size = serializers.IntegerField()
    modes = serializers.ListField(
        child=serializers.CharField(), help_text=_("Game modes to choose from when you queue.")
    )
    regions = serializers.ListField(
        child=serializers.CharField(), help_text=_("Where matches can be played.")
    )
    my_regions = RegionWishesSerializer(
        allow_null=True, help_text=_("Your own choice of regions, if there are any.")
    )
    my_filter = RankFilterSerializer(
        allow_null=True, help_text=_("Your own rank filter; null if you can meet everyone.")
    )
    ready_window = serializers.DurationField(
        help_text=_("How long players have to accept a match.")
    )
    bars_timeouts = serializers.BooleanField(
        help_text=_("Whether a timeout for dishonor keeps a player out.")
    )
    bands = BandSerializer(many=True)
    usual_wait = WaitSerializer(allow_null=True)
    ticket = TicketSerializer(
        allow_null=True, help_text=_("Your own ticket, if you are in this queue.")
    )


class JoinForm(Strict):
    """Join alone, or with a roster that you lead."""

    roster = Whole(required=False, allow_null=True, default=None, min_value=1, max_value=LARGEST_ID)
    modes = serializers.ListField(
        child=Text(max_length=MODES.longest),
        required=False,
        allow_null=True,
        default=None,
        max_length=MODES.most,
        help_text=_("The game modes you would play; by default all that the arena has."),
    )
    profession = Text(
        required=False,
        allow_blank=True,
        default="",
        max_length=LONGEST_PROFESSION,
        help_text=_("The profession you will play; empty for the one you played last."),
    )
    also = serializers.ListField(
        child=Text(max_length=60),
        required=False,
        default=list,
        max_length=MOST_ARENAS - 1,
        help_text=_(
            "The slugs of other arenas in which you also wait, if you queue alone. The first match "
            "found takes you out of all queues."
        ),
    )


class RegionsForm(Strict):
    """Your choice of regions, measured latencies, or both. What you leave out stays as it is."""

    regions = serializers.ListField(
        child=Text(max_length=REGIONS.longest),
        required=False,
        allow_null=True,
        default=None,
        max_length=REGIONS.most,
        help_text=_("The regions in which you would play."),
    )
    strict = Flag(
        required=False,
        default=False,
        help_text=_("True to wait rather than play in other regions. Sent with `regions`."),
    )
    latencies = serializers.DictField(
        child=Number(),
        required=False,
        default=dict,
        help_text=_("Milliseconds by region, as your game has measured them."),
    )


class RankFilterForm(Strict):
    """The largest distance in percentile between you and those who can be matched with you."""

    percentiles = Number(
        allow_null=True,
        min_value=1,
        max_value=EVERYBODY,
        help_text=_("The widest distance in percentiles; null or 100 to meet everyone."),
    )
    strict = Flag(
        required=False,
        default=False,
        help_text=_("True to wait rather than meet others."),
    )


class ReadyForm(Strict):
    accept = Flag(help_text=_("Whether you are ready. Declining earns dishonor."))
