"""The deliveries of webhooks: each attempt, what the receiver answered, and a button to replay."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.admin.core.base import Explained, NoChange, ReadOnly
from league.admin.core.exports import Exports
from league.models import EventType, WebhookAttempt, WebhookDelivery
from league.models.webhook import TEST
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.webhooks import managing
from league.services.webhooks.messages import message_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.safestring import SafeString

    from league.models import User


class AttemptInline(NoChange, admin.TabularInline[WebhookAttempt, WebhookDelivery]):
    """The attempts to deliver an event. Whoever sees the delivery sees them."""

    model = WebhookAttempt
    fields = ("at", "status", "milliseconds", "problem", "answer")
    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return True


class OfType(admin.SimpleListFilter):
    """Deliveries of events of one type."""

    title = gettext_lazy("event")
    parameter_name = "type"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:  # noqa: ARG002 - Django's signature
        return [*EventType.choices, (TEST, gettext_lazy("A test event"))]

    def queryset(
        self,
        request: HttpRequest,  # noqa: ARG002 - as above
        queryset: QuerySet[WebhookDelivery],
    ) -> QuerySet[WebhookDelivery]:
        known = self.value() in {*EventType.values, TEST}
        return queryset.filter(event__type=self.value()) if known else queryset


@admin.register(WebhookDelivery)
class WebhookDeliveryAdmin(Explained, Exports, ReadOnly):
    export_columns = (
        "id",
        "webhook__name",
        "event__type",
        "event__subject",
        "state",
        "created_at",
        "attempts",
        "next_attempt_at",
        "closed_at",
    )
    explanation = gettext_lazy(
        "What webhooks were told. A failed attempt is repeated for three days, with growing "
        "pauses, and an event may arrive twice. Deliveries are listed for 30 days."
    )
    list_display = ("created_at", "event_type", "webhook", "state", "attempts", "next_attempt_at")
    list_filter = ("state", OfType, "webhook", "created_at")
    list_select_related = ("event", "webhook")
    ordering = ("-id",)
    fields = (
        "webhook",
        "event_type",
        "message_id",
        "state",
        "created_at",
        "attempts",
        "next_attempt_at",
        "closed_at",
        "message",
    )
    readonly_fields = ("event_type", "message_id", "message")
    inlines = (AttemptInline,)
    change_form_template = "admin/league/webhook/delivery.html"
    actions = ("replay",)

    @admin.display(description=gettext_lazy("event"), ordering="event__type")
    def event_type(self, delivery: WebhookDelivery) -> str:
        return delivery.event.label

    @admin.display(description=gettext_lazy("id of the message"))
    def message_id(self, delivery: WebhookDelivery) -> SafeString:
        return format_html("<code>{}</code>", delivery.event.message_id)

    @admin.display(description=gettext_lazy("message as of now"))
    def message(self, delivery: WebhookDelivery) -> SafeString:
        text = json.dumps(json.loads(message_of(delivery.event)), ensure_ascii=False, indent=2)
        return format_html('<pre class="webhook-message" tabindex="0">{}</pre>', text)

    def may_replay(self, request: HttpRequest, delivery: WebhookDelivery | None) -> bool:
        user = cast("User", request.user)
        if delivery is None:
            return user.arenas_with(managing.PERMISSION) != frozenset()
        return user.has_perm(managing.PERMISSION, delivery.webhook)

    def has_replay_permission(self, request: HttpRequest) -> bool:
        return self.may_replay(request, None)

    @admin.action(description=gettext_lazy("Send again"), permissions=["replay"])
    def replay(self, request: HttpRequest, deliveries: QuerySet[WebhookDelivery]) -> None:
        self.send_again(request, list(deliveries))

    def send_again(self, request: HttpRequest, deliveries: list[WebhookDelivery]) -> None:
        by = cast("User", request.user)
        try:
            count = managing.replay(deliveries, by=by, now=database_now())
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
            return
        text = ngettext("%(count)d event is sent again.", "%(count)d events are sent again.", count)
        self.message_user(request, text % {"count": count})

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        delivery = context["original"]
        waits = delivery.state == WebhookDelivery.State.WAITING
        context["may_replay"] = not waits and self.may_replay(request, delivery)
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<int:delivery_id>/replay/",
            self.admin_site.admin_view(self.replay_view),
            name="league_webhookdelivery_replay",
        )
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def replay_view(self, request: HttpRequest, delivery_id: int) -> HttpResponse:
        """Send an event again that was delivered or given up."""
        if not self.may_replay(request, None):
            raise PermissionDenied
        delivery = get_object_or_404(
            WebhookDelivery.objects.select_related("webhook"), pk=delivery_id
        )
        if not self.may_replay(request, delivery):
            raise PermissionDenied
        if request.method == "POST":
            self.send_again(request, [delivery])
        return HttpResponseRedirect(
            reverse("admin:league_webhookdelivery_change", args=[delivery.pk])
        )
