"""Webhooks: their addresses, secrets and tests. Arena organisers have those of their arenas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from league.admin.core.base import Explained, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.admin.core.reach import reach
from league.admin.frontpage.kinds import Attention
from league.models import EventType, Webhook, WebhookDelivery
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.webhooks import managing, signing

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern
    from django.utils.safestring import SafeString

    from league.models import User


class WebhookForm(forms.ModelForm[Webhook]):
    """A webhook: whose events it is told, which, and where."""

    events = forms.MultipleChoiceField(
        label=gettext_lazy("Events"),
        choices=EventType.choices,
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Webhook
        fields = ("arena", "name", "address", "events")

    def clean(self) -> dict[str, Any]:
        """Check the address as before each attempt, so that mistakes are found now."""
        given = super().clean() or self.cleaned_data
        arena = given.get("arena", self.instance.arena)
        if self.errors:
            return given
        asked = Webhook(
            pk=self.instance.pk, arena=arena, address=given["address"], events=given["events"]
        )
        try:
            managing.check_webhook(asked)
        except Refused as refusal:
            self.add_error(refusal.field or None, refusal.message)
        return given


@admin.register(Webhook)
class WebhookAdmin(Explained, Exports, PlainChoices, TellsOfChanges, admin.ModelAdmin[Webhook]):
    export_columns = (
        "id",
        "arena__slug",
        "name",
        "address",
        "events",
        "paused",
        "paused_at",
        "failures",
        "failing_since",
        "made_by__username",
        "made_at",
    )
    explanation = gettext_lazy(
        "A webhook tells another program what happens, with a signed request for each event. It is "
        "paused when every attempt has failed for a day, and those who look after it are told. "
        "Events wait for seven days for a paused webhook to be resumed."
    )
    form = WebhookForm
    change_form_template = "admin/league/webhook/change_form.html"
    list_display = ("name", "state", "of", "address", "made_by")
    list_filter = (Attention, "paused", "arena")
    list_select_related = ("arena", "made_by")
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("name", "address")
    search_help_text = gettext_lazy("Part of a name or of an address.")
    readonly_fields = ("of", "state", "failures", "failing_since", "made_by", "made_at")

    def get_fields(self, request: HttpRequest, obj: Webhook | None = None) -> Any:
        """A webhook stays with its arena: what it was told is for the staff of that one."""
        del request
        if obj is None:
            return ("arena", "name", "address", "events")
        return (
            "of",
            "name",
            "address",
            "events",
            "state",
            "failures",
            "failing_since",
            "made_by",
            "made_at",
        )

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        if arena := form.base_fields.get("arena"):
            arena.required = reach(request, Webhook, "add") is not None
            if not arena.required:
                arena.empty_label = _("The whole league")
        return form

    @admin.display(description=gettext_lazy("arena"), ordering="arena")
    def of(self, webhook: Webhook) -> str:
        return str(webhook.arena or _("The whole league"))

    @admin.display(description=gettext_lazy("state"), ordering="paused")
    def state(self, webhook: Webhook) -> SafeString | str:
        if webhook.paused:
            return format_html("<b>{}</b>", _("Paused: %(why)s") % {"why": why_paused(webhook)})
        if webhook.failures:
            text = ngettext(
                "%(count)d failure in a row", "%(count)d failures in a row", webhook.failures
            )
            return text % {"count": webhook.failures}
        return _("Active")

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        webhook = super().save_form(request, form, change)
        if not change:
            webhook.made_by, webhook.made_at = request.user, database_now()
            managing.forget_double_click(webhook)
        return webhook

    def response_add(
        self, request: HttpRequest, obj: Webhook, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the secret, this once."""
        del post_url_continue
        return self.secret_page(request, obj, 201)

    def secret_page(self, request: HttpRequest, webhook: Webhook, status: int) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The secret of “%(webhook)s”") % {"webhook": webhook},
            "webhook": webhook,
            "secret": signing.secret_of(webhook),
            "page": page_of(webhook),
        }
        response = render(request, "admin/league/webhook/secret.html", context, status=status)
        add_never_cache_headers(response)
        return response

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        webhook = context.get("original")
        if webhook is not None:
            context["may_run"] = self.has_change_permission(request, webhook)
            deliveries = reverse("admin:league_webhookdelivery_changelist")
            context["deliveries"] = f"{deliveries}?webhook__id__exact={webhook.pk}"
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<int:webhook_id>/run/",
            self.admin_site.admin_view(self.run_view),
            name="league_webhook_run",
        )
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def run_view(self, request: HttpRequest, webhook_id: int) -> HttpResponse:
        """Pause or resume a webhook, send it a test event, or change its secret."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        webhook = get_object_or_404(Webhook, pk=webhook_id)
        if not self.has_change_permission(request, webhook):
            raise PermissionDenied
        if request.method != "POST":
            return HttpResponseRedirect(page_of(webhook))
        by, now, step = cast("User", request.user), database_now(), request.POST.get("step", "")
        try:
            if step == "secret":
                changed = managing.change_secret(webhook, by=by, now=now)
                return self.secret_page(request, changed, 200)
            done = self.run(step, webhook, by, now)
        except Refused as refusal:
            self.message_user(request, refusal.message, messages.ERROR)
        else:
            self.message_user(request, done, messages.SUCCESS)
        return HttpResponseRedirect(page_of(webhook))

    def run(self, step: str, webhook: Webhook, by: User, now: Any) -> str:
        """Take a step and return what to say about it."""
        if step == "pause":
            managing.pause(webhook, by=by, now=now)
            return _("The webhook is paused. Events wait for it.")
        if step == "resume":
            managing.resume(webhook, by=by, now=now)
            return _("The webhook is resumed. What has waited is sent now.")
        if step == "test":
            managing.send_test(webhook, by=by, now=now)
            return _("A test event is on its way. The outcome will appear under Deliveries.")
        raise Refused("step", _("Unknown action."))

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count the deliveries that go with it, of which there can be many."""
        rows = list(objs)
        count = WebhookDelivery.objects.filter(webhook__in=rows).count()
        counts = {str(self.opts.verbose_name_plural): len(rows)}
        if count:
            counts[str(WebhookDelivery._meta.verbose_name_plural)] = count  # noqa: SLF001 - Django's documented name
        lacking = set()
        if not all(self.has_delete_permission(request, row) for row in rows):
            lacking.add(str(self.opts.verbose_name))
        return [str(row) for row in rows], counts, lacking, []

    def delete_model(self, request: HttpRequest, obj: Webhook) -> None:
        self.delete_queryset(request, Webhook.objects.filter(pk=obj.pk))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Webhook]) -> None:
        """Lock them first, so that nothing that happens now is told to them any more."""
        with transaction.atomic():
            locked: Iterable[int] = (
                Webhook.objects.select_for_update()
                .filter(pk__in=list(queryset.values_list("pk", flat=True)))
                .values_list("pk", flat=True)
            )
            super().delete_queryset(request, Webhook.objects.filter(pk__in=list(locked)))


def page_of(webhook: Webhook) -> str:
    return reverse("admin:league_webhook_change", args=[webhook.pk])


def why_paused(webhook: Webhook) -> str:
    return str(dict(Webhook.Paused.choices)[webhook.paused])
