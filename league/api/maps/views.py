"""The map of a match, and the bans of its captains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from league.api.core.fields import LARGEST_ID, Strict, Text, Whole
from league.api.results.views import MatchEndpoint
from league.models import Match, MatchMap, Scope, Status
from league.models.name_lists import MAPS
from league.services.core.clock import database_now
from league.services.maps import vetoes
from league.services.maps.draws import promise_of

if TYPE_CHECKING:
    from datetime import datetime

    from rest_framework.request import Request


class BannedMapSerializer(serializers.Serializer[Any]):
    """A map that was banned."""

    turn = serializers.IntegerField(
        source="number", help_text=gettext_lazy("The number of the turn, from 1.")
    )
    map = serializers.CharField(help_text=gettext_lazy("The map that was banned."))
    side = serializers.IntegerField(
        help_text=gettext_lazy("The number of the side whose ban it was, from 0.")
    )
    drawn = serializers.SerializerMethodField(
        help_text=gettext_lazy("Whether it was drawn, because the time was up.")
    )
    at = serializers.DateTimeField(help_text=gettext_lazy("When it was banned."))

    def get_drawn(self, ban: Any) -> bool:
        return ban.by_id is None


class TurnSerializer(serializers.Serializer[Any]):
    """The side whose turn it is to ban a map."""

    turn = serializers.IntegerField(
        help_text=gettext_lazy("The number of the turn, from 1. Send it with the ban.")
    )
    side = serializers.IntegerField(help_text=gettext_lazy("The number of the side, from 0."))
    deadline = serializers.DateTimeField(
        help_text=gettext_lazy("After this, a map is drawn and banned for the side.")
    )


class MapsSerializer(serializers.Serializer[Any]):
    """The way in which a match gets its map, and the bans so far."""

    maps = serializers.ListField(
        child=serializers.CharField(), help_text=gettext_lazy("The maps that it could get.")
    )
    chosen = serializers.CharField(
        help_text=gettext_lazy("The map that it is played on; empty until it is chosen.")
    )
    by_veto = serializers.BooleanField(
        help_text=gettext_lazy("Whether the captains ban all maps but one. Otherwise it is drawn.")
    )
    bans = BannedMapSerializer(many=True, help_text=gettext_lazy("In the order of the turns."))
    left = serializers.ListField(
        child=serializers.CharField(), help_text=gettext_lazy("The maps that are not banned.")
    )
    turn = TurnSerializer(
        allow_null=True, help_text=gettext_lazy("Null once the map is chosen or the match is over.")
    )
    promise = serializers.CharField(
        help_text=gettext_lazy("The SHA-256 hash of the seed of all draws, in hexadecimal.")
    )
    seed = serializers.CharField(
        help_text=gettext_lazy("The seed itself; empty while maps can still be banned.")
    )


class MapBanForm(Strict):
    """The map that a captain bans in a turn."""

    map = Text(max_length=MAPS.longest, help_text=gettext_lazy("One of the maps that are left."))
    turn = Whole(
        min_value=1,
        max_value=LARGEST_ID,
        help_text=gettext_lazy("The turn for which you ban. If it is over, the answer is 409."),
    )


class MapEndpoint(MatchEndpoint):
    """An endpoint about the map of a match."""

    queryset = Match.objects.none()
    serializer_class = MapsSerializer

    def choice(self, pk: int) -> MatchMap:
        """Return how a match gets its map. Raises ``NotFound`` if it gets none."""
        self.check_exists(pk)
        missing = _("Match %(id)d gets no map on this site.") % {"id": pk}
        return self.get_or_404(MatchMap.objects.select_related("match"), missing, pk=pk)


class Maps(MapEndpoint):
    @extend_schema(operation_id="match_maps")
    def get(self, _request: Request, pk: int) -> Response:
        """Return the map of a match, or its captains' bans so far."""
        return Response(self.serialize(state_of(self.choice(pk), database_now())))


class Bans(MapEndpoint):
    scopes: tuple[Scope, ...] = (Scope.REPORT, Scope.QUEUE)

    @extend_schema(operation_id="ban_map", request=MapBanForm, responses={200: MapsSerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Ban a map, as the captain whose turn it is."""
        self.choice(pk)
        me, sent, now = self.player(), self.body(MapBanForm), database_now()
        vetoes.ban(pk, sent["map"], by=me, number=sent["turn"], now=now)
        return Response(MapsSerializer(state_of(self.choice(pk), now)).data)


def state_of(choice: MatchMap, now: datetime) -> dict[str, Any]:
    """Return what everybody may know of the map of a match."""
    if choice.turn is None:
        rest = {"bans": [], "left": choice.maps, "turn": None, "seed": choice.seed}
        return {**common(choice), "chosen": choice.chosen, **rest}
    veto = vetoes.veto_of(choice, list(choice.bans.order_by("number")), now)
    goes_on = choice.match.status == Status.LIVE and not veto.chosen
    turn = {"turn": veto.number, "side": veto.side, "deadline": veto.deadline}
    return {
        **common(choice),
        "chosen": veto.chosen,
        "bans": veto.bans,
        "left": veto.left,
        "turn": turn if goes_on and veto.deadline else None,
        "seed": "" if goes_on else choice.seed,
    }


def common(choice: MatchMap) -> dict[str, Any]:
    return {
        "maps": choice.maps,
        "by_veto": choice.turn is not None,
        "promise": promise_of(choice.seed),
    }
