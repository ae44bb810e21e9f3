"""Endpoints for corrections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league import waking
from league.api.core.endpoint import Endpoint
from league.api.corrections.serializers import (
    CorrectionForm,
    CorrectionPreviewForm,
    CorrectionPreviewSerializer,
    CorrectionRequestSerializer,
)
from league.api.results.forms import settle_places
from league.models import CorrectionRequest, Match, Scope
from league.services import corrections
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


PERMISSIONS = (own_matches.CORRECT, own_matches.VOID)


class CorrectionEndpoint(Endpoint):
    """An endpoint about corrections of one match, for staff only."""

    serializer_class: Any = CorrectionRequestSerializer
    takes_long = True
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def match(self, request: Request, pk: int) -> Match:
        """Return the match. Raises ``NotFound``, or ``Forbidden`` unless the account is staff."""
        missing = _("There is no match %(id)d.") % {"id": pk}
        match = self.get_or_404(Match.objects.select_related("arena", "season"), missing, pk=pk)
        if not any(request.user.has_perm(each, match) for each in PERMISSIONS):
            raise Forbidden("not_staff", _("Only staff can correct a rated result."))
        return match


class CorrectionPreview(CorrectionEndpoint):
    serializer_class = CorrectionPreviewSerializer

    @extend_schema(operation_id="preview_correction", request=CorrectionPreviewForm)
    def post(self, request: Request, pk: int) -> Response:
        """Preview voiding or correcting a rated result, as staff."""
        match = self.match(request, pk)
        form = self.body(CorrectionPreviewForm)
        previewed = corrections.preview(
            match, by=self.account(), placings=placings_of(match, form), mode=form["mode"]
        )
        return Response(CorrectionPreviewSerializer(previewed).data)


class Corrections(CorrectionEndpoint):
    @extend_schema(
        operation_id="correct",
        request=CorrectionForm,
        responses={202: CorrectionRequestSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Void or correct a rated result as previewed, as staff. Long replays run in a task."""
        match = self.match(request, pk)
        form = self.body(CorrectionForm)
        requested = corrections.ask(
            match,
            by=self.account(),
            reason=form["reason"],
            digest=form["digest"],
            horizon=form["horizon"],
            now=database_now(),
            placings=placings_of(match, form),
            mode=form["mode"],
        )
        begun = waking.begin_correction(requested)
        return Response(CorrectionRequestSerializer(begun).data, status=202)


class CorrectionDetail(CorrectionEndpoint):
    @extend_schema(operation_id="correction")
    def get(self, request: Request, pk: int, request_id: int) -> Response:
        """Return a requested correction, as staff."""
        match = self.match(request, pk)
        missing = _("There is no correction %(id)d of this match.") % {"id": request_id}
        requests = CorrectionRequest.objects.select_related("correction")
        requested = self.get_or_404(requests, missing, pk=request_id, match=match)
        return Response(self.serialize(requested))


def placings_of(match: Match, form: dict[str, Any]) -> list[tuple[int, float | None]] | None:
    """Return the placings for the service."""
    placings = form["placings"]
    settle_places(placings or (), lambda: match.arena, path="placings")
    return [(row["place"], row["score"]) for row in placings] if placings else None
