"""Endpoints for messages about a match and their images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.parsers import MultiPartParser
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.parsers import Json
from league.api.results.forms import ImageMessageForm, ImageRemovalForm, MessageForm
from league.api.results.serializers import MessageSerializer
from league.api.results.views import MatchEndpoint
from league.models import Match, MatchMessage, Scope
from league.services.core.clock import database_now
from league.services.results.reports import images
from league.services.results.rules import own_matches
from league.services.results.staff import threads

if TYPE_CHECKING:
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request

IMAGE = {"contentMediaType": "image/webp"}


class Messages(MatchEndpoint):
    queryset = MatchMessage.objects.none()
    serializer_class = MessageSerializer
    pagination_class = Cursors
    parser_classes = [Json, MultiPartParser]
    scopes = (Scope.REPORT, Scope.STAFF)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="match_messages", responses=MessageSerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the messages about a match, oldest first.

        Captains and staff read those about a dispute, everyone who played those about an objection.
        """
        self.check_exists(pk)
        account = self.account()
        match, player = Match.objects.get(pk=pk), getattr(account, "player", None)
        threads.check_author(match, account, player)
        since = threads.read_since(match, account, player)
        found = MatchMessage.objects.filter(match=pk, at__gte=since)
        return self.page_response(found.select_related("player", "image__removal").order_by("id"))

    @extend_schema(
        operation_id="write_message",
        request={"application/json": MessageForm, "multipart/form-data": ImageMessageForm},
        responses={201: MessageSerializer},
    )
    def post(self, request: Request, pk: int) -> Response:
        """Write about a dispute as a captain, about an objection as a player, or as staff.

        A multipart form can have an image, from which the site keeps the pixels only.
        """
        self.check_exists(pk)
        account = self.account()
        with_image = bool(request.content_type) and "multipart" in request.content_type
        body = self.body(ImageMessageForm if with_image else MessageForm)
        message = threads.write(
            pk, by=account, player=getattr(account, "player", None), now=database_now(), **body
        )
        return Response(MessageSerializer(message).data, status=status.HTTP_201_CREATED)


class MatchImage(MatchEndpoint):
    queryset = MatchMessage.objects.none()
    serializer_class = None

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Accept clients that accept images only. Errors are JSON all the same."""
        del force
        return super().perform_content_negotiation(request, force=True)

    @extend_schema(operation_id="match_image", responses={(200, "image/webp"): IMAGE})
    def get(self, request: Request, pk: int, message_id: int) -> HttpResponse:
        """Return the image of a message, to those who may read the message."""
        self.check_exists(pk)
        account = self.account()
        match = Match.objects.get(pk=pk)
        since = threads.read_since(match, account, getattr(account, "player", None))
        content = images.content_of(pk, message_id, read_since=since) if since else None
        if content is None:
            raise NotFound(_("There is no image at this address."))
        request.META.pop("HTTP_IF_NONE_MATCH", None)  # see headers_of
        return HttpResponse(content, headers=images.headers_of(pk, message_id))


class ImageRemoving(MatchEndpoint):
    queryset = MatchMessage.objects.none()
    serializer_class = MessageSerializer
    scopes = (Scope.STAFF,)

    @extend_schema(
        operation_id="remove_match_image",
        request=ImageRemovalForm,
        responses={200: MessageSerializer},
    )
    def post(self, request: Request, pk: int, message_id: int) -> Response:
        """Remove the image of a message, as staff. Its readers see the reason."""
        self.check_exists(pk)
        text = _("Only staff can remove an image.")
        own_matches.check_permission(request.user, own_matches.DECIDE, pk, text)
        missing = _("There is no image at this address.")
        found = MatchMessage.objects.filter(match=pk, image__isnull=False)
        message = self.get_or_404(found, missing, pk=message_id)
        reason, now = self.body(ImageRemovalForm)["reason"], database_now()
        images.remove(pk, message_id, by=self.account(), reason=reason, now=now)
        message = found.select_related("player", "image__removal").get(pk=message.pk)
        return Response(MessageSerializer(message).data)
