"""The reasons for a match, for its players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.endpoint import Endpoint
from league.api.core.throttles import COSTLY
from league.models import Proposal
from league.services.queue import reasons

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class WhyTeamSerializer(serializers.Serializer[Any]):
    """Figures of a team when its match was found."""

    rating = serializers.FloatField(help_text=gettext_lazy("The mean rating."))
    games = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("The mean number of rated matches; null if it was not weighed."),
    )
    waited = serializers.DurationField(help_text=gettext_lazy("The mean wait of its parties."))
    largest = serializers.IntegerField(help_text=gettext_lazy("Players in its largest party."))


class WhySerializer(serializers.Serializer[Any]):
    """The figures by which the matcher chose a match of yours."""

    mine = WhyTeamSerializer(help_text=gettext_lazy("Your team."))
    theirs = WhyTeamSerializer(help_text=gettext_lazy("The other team."))
    own_wait = serializers.DurationField(help_text=gettext_lazy("How long you waited."))
    longest = serializers.DurationField(help_text=gettext_lazy("The longest wait of any party."))
    chance = serializers.FloatField(
        allow_null=True, help_text=gettext_lazy("The chance of your team; null if not predicted.")
    )
    fair = serializers.ListField(
        child=serializers.FloatField(),
        allow_null=True,
        help_text=gettext_lazy("The lowest and highest chance that is allowed; null without."),
    )
    spread = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy(
            "Rating points between the highest and the lowest party; null if not weighed."
        ),
    )
    allowed = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("How many of them the waits made up for; null if not decisive."),
    )
    first = serializers.BooleanField(
        help_text=gettext_lazy("Whether a party came first because it had waited too long.")
    )
    reach = serializers.IntegerField(
        source="whole_reach",
        allow_null=True,
        help_text=gettext_lazy(
            "How many points the search reached around the first party; null if there was no such."
        ),
    )
    repeats = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("Pairs of opponents who had just met; null if not weighed."),
    )
    professions = serializers.IntegerField(
        allow_null=True,
        help_text=gettext_lazy("Professions that both teams have; null if not weighed."),
    )
    filter = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("The percentiles of your own rank filter; null without one."),
    )
    stacks = serializers.IntegerField(
        help_text=gettext_lazy("Your own stacks of dishonor, if they were weighed.")
    )
    latency = serializers.FloatField(
        allow_null=True,
        help_text=gettext_lazy("Your own to the region, in milliseconds; null if not known."),
    )
    parties = serializers.IntegerField(help_text=gettext_lazy("Parties that were waiting."))
    players = serializers.IntegerField(help_text=gettext_lazy("Players that were waiting."))
    counted = serializers.DictField(
        child=serializers.FloatField(),
        help_text=gettext_lazy("What each of these counted in the score of the match, by name."),
    )


class Why(Endpoint):
    serializer_class = WhySerializer
    throttle_classes = COSTLY

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="why")
    def get(self, _request: Request, pk: int) -> Response:
        """Say why the matcher made a match of yours, while the league keeps what it saw."""
        me = self.player()
        missing = _("Of match %(id)d nothing is kept that you can read.") % {"id": pk}
        proposal = self.get_or_404(Proposal.objects.select_related("arena"), missing, match=pk)
        found = reasons.why(proposal, me)
        if found is None:
            raise NotFound(missing)
        return Response(self.serialize(found))
