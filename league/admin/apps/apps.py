"""Third-party apps that people can sign in to. Owners register them and issue their secrets."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from allauth.idp.oidc.admin import ClientAdmin  # noqa: F401 - which registers it
from allauth.idp.oidc.models import Client, Token
from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils.cache import add_never_cache_headers
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, override
from django.views.decorators.http import require_http_methods

from league.admin.core.audit import SECRET, record
from league.admin.core.base import Explained, PlainChoices
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.exports import Exports
from league.models import App, ConnectedApp, StaffAction
from league.models.lists import list_of
from league.models.moments import describe_moment
from league.services.apps import registering
from league.services.apps.scopes import OPENID, WORDS, describe_scopes
from league.services.core.clock import database_now
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

DOUBLE_CLICK = timedelta(seconds=5)
"""A second form within this time is a double click: nobody has read the secret yet."""

for _model in (Client, Token):  # the library's own pages, which check nothing
    admin.site.unregister(_model)


class Lines(forms.CharField):
    """A list of values, one per line."""

    def __init__(self, **given: Any) -> None:
        super().__init__(widget=forms.Textarea(attrs={"rows": 4}), **given)

    def to_python(self, value: Any) -> Any:
        return [
            line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()
        ]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool((initial or []) != self.to_python(data))


class AppForm(forms.ModelForm[App]):
    """The registration of an app."""

    type = forms.ChoiceField(
        label=gettext_lazy("Client type"),
        choices=[
            (
                Client.Type.CONFIDENTIAL,
                gettext_lazy("Confidential: has a server that keeps a secret"),
            ),
            (
                Client.Type.PUBLIC,
                gettext_lazy("Public: runs in a browser, on a phone or on a computer"),
            ),
        ],
        widget=forms.RadioSelect,
        initial=Client.Type.CONFIDENTIAL,
    )
    sends_back_to = Lines(
        label=gettext_lazy("Redirect URIs"),
        help_text=gettext_lazy(
            "Full addresses, one per line, such as https://app.example/back. A program on the "
            "user’s computer uses http://127.0.0.1/ and may listen on any port."
        ),
        required=False,
    )
    after_logout = Lines(
        label=gettext_lazy("Post-logout redirect URIs"),
        help_text=gettext_lazy("Full addresses, one per line, if the app uses them."),
        required=False,
    )
    asks_for = forms.MultipleChoiceField(
        label=gettext_lazy("Scopes"),
        help_text=gettext_lazy("What the app may request. Players see it in these words."),
        choices=[(scope, words) for scope, words in WORDS.items() if scope != OPENID],
        widget=forms.CheckboxSelectMultiple,
        required=False,
        initial=["profile"],
    )
    on_devices = forms.BooleanField(
        label=gettext_lazy("Uses device codes, for devices without a browser"),
        required=False,
    )

    class Meta:
        model = App
        fields = ("name", "type", "owner")
        labels: ClassVar[dict[str, Any]] = {
            "name": gettext_lazy("Name"),
            "owner": gettext_lazy("Developer’s account"),
        }
        help_texts: ClassVar[dict[str, Any]] = {
            "name": gettext_lazy("Players see it on the consent page."),
            "owner": gettext_lazy("The contact for this app. This gives the app no access to it."),
        }

    def __init__(self, *args: Any, **given: Any) -> None:
        if given.get("instance") is None:  # a secret by default would be hashed for each form
            given["instance"] = App(secret="")
        super().__init__(*args, **given)
        app = self.instance
        if app.pk and not app._state.adding:  # noqa: SLF001 - Django's documented name
            self.initial = {
                **self.initial,
                "sends_back_to": app.get_redirect_uris(),
                "after_logout": app.get_post_logout_redirect_uris(),
                "asks_for": [scope for scope in app.get_scopes() if scope != OPENID],
                "on_devices": Client.GrantType.DEVICE_CODE in app.get_grant_types(),
            }

    def clean(self) -> dict[str, Any]:
        """Set the app's registration, or say why it is invalid."""
        given = super().clean() or self.cleaned_data
        if self.errors:
            return given
        try:
            registering.describe(
                self.instance,
                given["name"],
                given["sends_back_to"],
                given["asks_for"],
                is_public=given["type"] == Client.Type.PUBLIC,
                after_logout=given["after_logout"],
                on_devices=given["on_devices"],
            )
        except Refused as refusal:
            self.add_error(FIELDS.get(refusal.field, refusal.field), refusal.message)
        return given


FIELDS = {"scopes": "asks_for", "redirect_uris": "sends_back_to"}
"""The form fields whose names differ from those in a refusal."""


@admin.register(App)
class AppAdmin(Explained, Exports, PlainChoices, TellsOfChanges, admin.ModelAdmin[App]):
    export_columns = (
        "id",
        "name",
        "type",
        "redirect_uris",
        "scopes",
        "owner__username",
        "created_at",
    )
    explanation = gettext_lazy(
        "Third-party apps, to which players can sign in with their account and which may act for "
        "them with their consent. Deleting an app revokes all of its access."
    )
    form = AppForm
    change_form_template = "admin/league/app/change_form.html"
    list_display = ("app_name", "kind", "allows", "of", "connection_count", "creation_time")
    list_select_related = ("owner",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("name", "id", "owner__username")
    search_help_text = gettext_lazy("Part of the name of an app or an account, or a client ID.")
    autocomplete_fields = ("owner",)
    readonly_fields = (
        "client_id",
        "app_name",
        "kind",
        "sends",
        "allows",
        "of",
        "connection_count",
        "creation_time",
    )

    def get_fields(self, request: HttpRequest, obj: App | None = None) -> Any:
        if obj and not self.has_change_permission(request, obj):
            return (
                "client_id",
                "app_name",
                "kind",
                "sends",
                "allows",
                "of",
                "connection_count",
                "creation_time",
            )
        fields = (
            "name",
            "type",
            "sends_back_to",
            "after_logout",
            "asks_for",
            "on_devices",
            "owner",
        )
        return ("client_id", *fields, "connection_count", "creation_time") if obj else fields

    @admin.display(description=gettext_lazy("client ID"))
    def client_id(self, app: App) -> str:
        return str(app.pk)

    @admin.display(description=gettext_lazy("name"), ordering="name")
    def app_name(self, app: App) -> str:
        return app.name

    @admin.display(description=gettext_lazy("redirect URIs"))
    def sends(self, app: App) -> str:
        return ", ".join(app.get_redirect_uris())

    @admin.display(description=gettext_lazy("developer’s account"), ordering="owner")
    def of(self, app: App) -> str:
        return str(app.owner or "")

    @admin.display(description=gettext_lazy("registered"), ordering="created_at")
    def creation_time(self, app: App) -> str:
        return describe_moment(app.created_at)

    @admin.display(description=gettext_lazy("client type"), ordering="type")
    def kind(self, app: App) -> str:
        return _("public") if app.type == Client.Type.PUBLIC else _("confidential")

    @admin.display(description=gettext_lazy("scopes"))
    def allows(self, app: App) -> str:
        return list_of(describe_scopes(app.get_scopes()))

    @admin.display(description=gettext_lazy("connected accounts"))
    def connection_count(self, app: Any) -> int:
        count: int = app.connected
        return count

    def get_queryset(self, request: HttpRequest) -> QuerySet[App]:
        rows: QuerySet[App] = super().get_queryset(request)
        return rows.annotate(connected=Count("connections"))

    def save_model(self, request: HttpRequest, obj: App, form: Any, change: bool) -> None:
        """Save an app, and give a new one a secret. A double click replaces the unseen app."""
        if not change:
            since = database_now() - DOUBLE_CLICK
            unseen = App.objects.filter(name=obj.name, owner=obj.owner, connections=None)
            unseen.filter(created_at__gte=since).delete()
            obj.created_at = database_now()
            request.secret = registering.new_secret(obj)  # type: ignore[attr-defined] # shown below
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: App, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Show the client ID and, once only, the secret."""
        del post_url_continue
        return self.secret_page(request, obj, getattr(request, "secret", ""), 201)

    def secret_page(self, request: HttpRequest, app: App, secret: str, status: int) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The app “%(app)s”") % {"app": app},
            "app": app,
            "secret": secret if app.type == Client.Type.CONFIDENTIAL else "",
            "page": page_of(app),
        }
        response = render(request, "admin/league/app/secret.html", context, status=status)
        add_never_cache_headers(response)
        return response

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        app = context.get("original")
        if app is not None and app.type == Client.Type.CONFIDENTIAL:
            context["may_run"] = self.has_change_permission(request, app)
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<slug:app_id>/secret/",
            self.admin_site.admin_view(self.secret_view),
            name="league_app_secret",
        )
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def secret_view(self, request: HttpRequest, app_id: str) -> HttpResponse:
        """Replace an app's secret. The old one stops working at once."""
        if not self.has_change_permission(request):
            raise PermissionDenied
        app = get_object_or_404(App, pk=app_id)
        if request.method != "POST":
            return HttpResponseRedirect(page_of(app))
        secret = registering.new_secret(app)
        app.save(update_fields=["secret"])
        with override("en"):
            record(
                request,
                StaffAction.Kind.CHANGED,
                app,
                before={"Secret": SECRET},
                after={"Secret": "(changed)"},
            )
        return self.secret_page(request, app, secret, 200)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """Count the connected accounts instead of listing them, as there can be many."""
        rows = list(objs)
        count = ConnectedApp.objects.filter(client__in=[row.pk for row in rows]).count()
        counts = {str(self.opts.verbose_name_plural): len(rows)}
        if count:
            counts[str(ConnectedApp._meta.verbose_name_plural)] = count  # noqa: SLF001 - Django's documented name
        lacking = set()
        if not all(self.has_delete_permission(request, row) for row in rows):
            lacking.add(str(self.opts.verbose_name))
        return [str(row) for row in rows], counts, lacking, []


def page_of(app: App) -> str:
    return reverse("admin:league_app_change", args=[app.pk])
