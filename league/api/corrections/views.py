"""Corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league import tasks
from league.api.core.endpoint import Endpoint
from league.api.corrections.serializers import (
    CorrectionForm,
    CorrectionPreviewForm,
    CorrectionPreviewSerializer,
    CorrectionRequestSerializer,
)
from league.models import CorrectionRequest, Match
from league.services import corrections
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class CorrectionEndpoint(Endpoint):
    """An address about correcting one match: staff's, to read too."""

    serializer_class: Any = CorrectionRequestSerializer

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def match(self, request: Request, pk: int) -> Match:
        """The match of the address. Raises ``NotFound``, and ``Forbidden`` for all but staff."""
        missing = _("There is no match %(id)d.") % {"id": pk}
        match = self.get_or_404(Match.objects.select_related("arena", "season"), missing, pk=pk)
        if not request.user.has_perm("league.decide_match"):
            raise Forbidden("not_staff", _("Only staff can correct a rated result."))
        return match


class CorrectionPreview(CorrectionEndpoint):
    serializer_class = CorrectionPreviewSerializer

    @extend_schema(operation_id="preview_correction", request=CorrectionPreviewForm)
    def post(self, request: Request, pk: int) -> Response:
        """Show what it would do to void or correct a rated result, as staff; nothing changes."""
        match = self.match(request, pk)
        wanted = self.body(CorrectionPreviewForm)
        seen = corrections.preview(match, by=self.account(), placings=placings_of(wanted))
        return Response(CorrectionPreviewSerializer(seen).data)


class Corrections(CorrectionEndpoint):
    @extend_schema(
        operation_id="correct",
        request=CorrectionForm,
        responses={202: CorrectionRequestSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Void or correct a rated result as previewed, as staff; a long one takes a while."""
        match = self.match(request, pk)
        wanted = self.body(CorrectionForm)
        asked = corrections.ask(
            match,
            by=self.account(),
            reason=wanted["reason"],
            digest=wanted["digest"],
            horizon=wanted["horizon"],
            now=database_now(),
            placings=placings_of(wanted),
        )
        begun = tasks.begin_correction(asked)
        return Response(CorrectionRequestSerializer(begun).data, status=202)


class CorrectionDetail(CorrectionEndpoint):
    @extend_schema(operation_id="correction")
    def get(self, request: Request, pk: int, request_id: int) -> Response:
        """Show how a correction stands that was asked for, as staff."""
        match = self.match(request, pk)
        missing = _("There is no correction %(id)d of this match.") % {"id": request_id}
        requests = CorrectionRequest.objects.select_related("correction")
        asked = self.get_or_404(requests, missing, pk=request_id, match=match)
        return Response(CorrectionRequestSerializer(asked).data)


def placings_of(wanted: dict[str, Any]) -> list[tuple[int, float | None]] | None:
    """Checked placings as the service takes them."""
    placings = wanted["placings"]
    return [(row["place"], row["score"]) for row in placings] if placings else None
