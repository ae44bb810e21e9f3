"""Endpoints for webhooks: organisers have those of their arenas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.response import Response

from league.api.core.cursors import Cursors
from league.api.core.endpoint import Endpoint
from league.api.core.idempotency import SECRETIVE
from league.api.webhooks.serializers import (
    DeliverySerializer,
    NewWebhookSerializer,
    WebhookChanges,
    WebhookForm,
    WebhookSerializer,
)
from league.models import Arena, Scope, Webhook, WebhookDelivery
from league.models.reach import in_arenas
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.webhooks import managing, signing

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.permissions import BasePermission
    from rest_framework.request import Request


class WebhookEndpoint(Endpoint):
    """Webhooks are only visible to staff who look after them."""

    queryset: Any = Webhook.objects.none()
    serializer_class: Any = WebhookSerializer
    scopes: tuple[Scope, ...] = (Scope.STAFF,)

    def get_permissions(self) -> list[BasePermission]:
        return [IsAuthenticated()]

    def mine(self) -> QuerySet[Webhook]:
        """Return the webhooks that the account may see. Raises ``Forbidden`` if it is no staff."""
        arenas = self.account().arenas_with("league.view_webhook")
        if arenas == frozenset():
            raise Forbidden("not_staff", _("Only staff who look after webhooks may see them."))
        rows = Webhook.objects.select_related("arena").order_by("pk")
        return rows if arenas is None else rows.filter(in_arenas(Webhook, arenas))

    def webhook(self, pk: int) -> Webhook:
        return self.get_or_404(self.mine(), _("There is no such webhook."), pk=pk)


def with_secret(webhook: Webhook) -> Webhook:
    webhook.secret = signing.secret_of(webhook)  # type: ignore[attr-defined] # shown this once
    return webhook


class Webhooks(WebhookEndpoint):
    secretive = frozenset({"post"})
    pagination_class = Cursors

    @extend_schema(operation_id="webhooks", responses=WebhookSerializer(many=True))
    def get(self, _request: Request) -> Response:
        """List the webhooks that you look after, oldest first."""
        return self.page_response(self.mine())

    @extend_schema(
        operation_id="make_webhook",
        request=WebhookForm,
        responses={201: NewWebhookSerializer},
        extensions={SECRETIVE: True},
    )
    def post(self, _request: Request) -> Response:
        """Make a webhook of an arena or of the whole league. Its secret is returned only now."""
        self.mine()
        form, arena = self.body(WebhookForm), None
        if form["arena"] is not None:
            arena = Arena.objects.filter(slug=form["arena"]).first()
            if arena is None:
                raise ValidationError({"arena": [_("There is no such arena.")]})
        made = managing.make(
            arena,
            form["name"],
            form["address"],
            form["events"],
            by=self.account(),
            now=database_now(),
        )
        answer = NewWebhookSerializer(with_secret(made)).data
        return Response(answer, status=status.HTTP_201_CREATED)


class WebhookDetail(WebhookEndpoint):
    @extend_schema(operation_id="webhook")
    def get(self, _request: Request, pk: int) -> Response:
        """Return a webhook that you look after."""
        return Response(self.serialize(self.webhook(pk)))

    @extend_schema(
        operation_id="change_webhook", request=WebhookChanges, responses={200: WebhookSerializer}
    )
    def patch(self, _request: Request, pk: int) -> Response:
        """Change a webhook, pause it or resume it."""
        webhook = self.webhook(pk)
        changes = self.body(WebhookChanges)
        paused = changes.pop("paused", None)
        by, now = self.account(), database_now()
        if changes:
            webhook = managing.change(webhook, changes, by=by, now=now)
        if paused is not None:
            step = managing.pause if paused else managing.resume
            webhook = step(webhook, by=by, now=now)
        return Response(WebhookSerializer(webhook).data)

    @extend_schema(operation_id="delete_webhook", responses={204: None})
    def delete(self, _request: Request, pk: int) -> Response:
        """Delete a webhook, with its deliveries."""
        managing.delete(self.webhook(pk), by=self.account(), now=database_now())
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookSecret(WebhookEndpoint):
    secretive = frozenset({"post"})

    @extend_schema(
        operation_id="change_webhook_secret",
        request=None,
        responses={200: NewWebhookSerializer},
        extensions={SECRETIVE: True},
    )
    def post(self, _request: Request, pk: int) -> Response:
        """Give a webhook a new secret, returned only now. The previous one signs on for a day."""
        changed = managing.change_secret(self.webhook(pk), by=self.account(), now=database_now())
        return Response(NewWebhookSerializer(with_secret(changed)).data)


class WebhookTest(WebhookEndpoint):
    serializer_class = DeliverySerializer

    @extend_schema(operation_id="test_webhook", request=None, responses={201: DeliverySerializer})
    def post(self, _request: Request, pk: int) -> Response:
        """Send a test event to a webhook."""
        sent = managing.send_test(self.webhook(pk), by=self.account(), now=database_now())
        return Response(DeliverySerializer(sent).data, status=status.HTTP_201_CREATED)


class Deliveries(WebhookEndpoint):
    queryset = WebhookDelivery.objects.none()
    serializer_class = DeliverySerializer
    pagination_class = Cursors

    @extend_schema(operation_id="deliveries", responses=DeliverySerializer(many=True))
    def get(self, _request: Request, pk: int) -> Response:
        """List the deliveries of a webhook in the last 30 days, newest first, with all attempts."""
        return self.page_response(deliveries_of(self.webhook(pk)))


def deliveries_of(webhook: Webhook) -> QuerySet[WebhookDelivery]:
    rows = WebhookDelivery.objects.filter(webhook=webhook).select_related("event")
    return rows.prefetch_related("log").order_by("-pk")


class Replay(WebhookEndpoint):
    serializer_class = DeliverySerializer

    @extend_schema(
        operation_id="replay_delivery", request=None, responses={200: DeliverySerializer}
    )
    def post(self, _request: Request, pk: int, delivery_id: int) -> Response:
        """Send an event again that was delivered or given up. One that waits is left as it is."""
        rows = deliveries_of(self.webhook(pk))
        delivery = self.get_or_404(rows, _("There is no such delivery."), pk=delivery_id)
        managing.replay([delivery], by=self.account(), now=database_now())
        return Response(DeliverySerializer(rows.get(pk=delivery_id)).data)
