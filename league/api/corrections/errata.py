"""Errata of archived seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.fields import Text
from league.api.corrections.serializers import CorrectionPreviewForm
from league.api.corrections.views import CorrectionEndpoint, placings_of
from league.api.results.forms import LONGEST_REASON
from league.api.seasons.serializers import PlayerThenSerializer
from league.api.seasons.views import SeasonEndpoint
from league.models import Erratum, ErratumLine
from league.replica import from_replica
from league.services.core.clock import database_now
from league.services.corrections import errata

if TYPE_CHECKING:
    from rest_framework.request import Request


class ErratumForm(CorrectionPreviewForm):
    """A previewed erratum to publish."""

    reason = Text(max_length=LONGEST_REASON, help_text=gettext_lazy("Everyone can read it."))
    digest = Text(max_length=64, help_text=gettext_lazy("From the preview."))


class ErratumLineSerializer(serializers.ModelSerializer[ErratumLine]):
    """The change of an erratum for a player; null where they have no value."""

    player = PlayerThenSerializer(
        source="*", help_text=gettext_lazy("The player whose line this is.")
    )
    awards_was = serializers.ListField(
        child=serializers.CharField(), help_text=gettext_lazy("The awards in the archive.")
    )
    awards_is = serializers.ListField(
        child=serializers.CharField(), help_text=gettext_lazy("The awards without the mistake.")
    )

    class Meta:
        model = ErratumLine
        fields = [
            "player",
            "rank_was",
            "rank_is",
            "rating_was",
            "rating_is",
            "points_was",
            "points_is",
            "awards_was",
            "awards_is",
        ]
        extra_kwargs = {
            "rank_was": {"help_text": gettext_lazy("The rank in the archive.")},
            "rank_is": {"help_text": gettext_lazy("The rank without the mistake.")},
            "rating_was": {"help_text": gettext_lazy("The rating in the archive.")},
            "rating_is": {"help_text": gettext_lazy("The rating without the mistake.")},
            "points_was": {"help_text": gettext_lazy("The ladder points in the archive.")},
            "points_is": {"help_text": gettext_lazy("The ladder points without the mistake.")},
        }


class ErratumPreviewSerializer(serializers.Serializer[Any]):
    """The changes that an erratum would publish."""

    lines = ErratumLineSerializer(
        many=True, help_text=gettext_lazy("By the rank without the mistake.")
    )
    digest = serializers.CharField(
        help_text=gettext_lazy("Send it with the erratum to publish it.")
    )


class ErratumSerializer(serializers.ModelSerializer[Erratum]):
    """A published mistake in an archived season. The archive stays as it is."""

    match = serializers.IntegerField(
        source="match_id", help_text=gettext_lazy("The id of the match.")
    )
    season = serializers.IntegerField(
        source="season_id", help_text=gettext_lazy("The id of the season.")
    )
    lines = ErratumLineSerializer(
        many=True, help_text=gettext_lazy("By the rank without the mistake.")
    )

    class Meta:
        model = Erratum
        fields = ["season", "match", "kind", "mode", "reason", "at", "lines"]
        extra_kwargs = {
            "kind": {
                "help_text": gettext_lazy(
                    "`void`: the match should not have counted; `result`: it ended otherwise."
                )
            },
            "mode": {
                "help_text": gettext_lazy("The right game mode; empty if it does not change.")
            },
            "reason": {"help_text": gettext_lazy("Why, in words.")},
            "at": {"help_text": gettext_lazy("When it was published.")},
        }


class SeasonErrata(SeasonEndpoint):
    queryset = Erratum.objects.none()
    serializer_class = ErratumSerializer
    pagination_class = Cursors

    @method_decorator(from_replica)
    @extend_schema(operation_id="errata", responses=ErratumSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the errata of an archived season, oldest first. Later ones build on earlier ones."""
        rows = Erratum.objects.filter(season=self.find_archived(pk)).prefetch_related("lines")
        return self.page_response(rows.order_by("id"))


class ErratumPreview(CorrectionEndpoint):
    serializer_class = ErratumPreviewSerializer

    @extend_schema(operation_id="preview_erratum", request=CorrectionPreviewForm)
    def post(self, request: Request, pk: int) -> Response:
        """Preview, as staff, what an archive would say without the mistake in a match."""
        match, form = self.match(request, pk), self.body(CorrectionPreviewForm)
        seen = errata.preview(
            match, by=self.account(), placings=placings_of(form), mode=form["mode"]
        )
        return Response(ErratumPreviewSerializer(seen).data)


class Errata(CorrectionEndpoint):
    serializer_class = ErratumSerializer

    @extend_schema(
        operation_id="publish_erratum", request=ErratumForm, responses={201: ErratumSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Publish an erratum as previewed, as staff. The archive of the season stays as it is."""
        match, form = self.match(request, pk), self.body(ErratumForm)
        made = errata.publish(
            match,
            by=self.account(),
            reason=form["reason"],
            digest=form["digest"],
            now=database_now(),
            placings=placings_of(form),
            mode=form["mode"],
        )
        return Response(ErratumSerializer(made).data, status=status.HTTP_201_CREATED)
