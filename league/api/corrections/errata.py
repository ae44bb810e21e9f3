"""Errata of archived seasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.fields import Strict, Text
from league.api.corrections.views import CorrectionEndpoint
from league.api.results.forms import LONGEST_REASON
from league.api.seasons.views import SeasonEndpoint
from league.models import StaffAction
from league.replica import from_replica
from league.services.core.clock import database_now
from league.services.seasons import errata

if TYPE_CHECKING:
    from rest_framework.request import Request


class ErratumForm(Strict):
    """An erratum to publish."""

    reason = Text(
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("What is wrong, and what would be right. Everyone can read it."),
    )


class ErratumSerializer(serializers.ModelSerializer[StaffAction]):
    """A note on a mistake in an archived season. The archive stays as it is."""

    match = serializers.IntegerField(
        source="match_id", help_text=gettext_lazy("The id of the match.")
    )
    reason = serializers.CharField(
        help_text=gettext_lazy("What is wrong, and what would be right.")
    )

    class Meta:
        model = StaffAction
        fields = ["match", "reason", "at"]
        extra_kwargs = {"at": {"help_text": gettext_lazy("When it was published.")}}


class SeasonErrata(SeasonEndpoint):
    queryset = StaffAction.objects.none()
    serializer_class = ErratumSerializer
    pagination_class = Cursors

    @method_decorator(from_replica)
    @extend_schema(operation_id="errata", responses=ErratumSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the errata of an archived season, oldest first."""
        return self.page_response(errata.errata_of(self.find_archived(pk)))


class Errata(CorrectionEndpoint):
    serializer_class = ErratumSerializer

    @extend_schema(
        operation_id="publish_erratum", request=ErratumForm, responses={201: ErratumSerializer}
    )
    def post(self, request: Request, pk: int) -> Response:
        """Publish an erratum, as staff. The archive of the season stays as it is."""
        match, form = self.match(request, pk), self.body(ErratumForm)
        made = errata.publish(match, by=self.account(), reason=form["reason"], now=database_now())
        return Response(ErratumSerializer(made).data, status=status.HTTP_201_CREATED)
