"""The API tokens of all accounts: staff make those of game servers, see all, and revoke them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin
from django.shortcuts import render
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from knox.admin import AuthTokenAdmin  # noqa: F401 - which registers it
from knox.models import AuthToken

from league.admin.core.base import Explained, NameSearch
from league.admin.core.exports import Exports
from league.admin.core.guard import OfAccounts
from league.admin.core.suggestions import Suggests
from league.models import AccessToken
from league.models.lists import list_of
from league.services.core.clock import database_now
from league.services.people import signing, tokens

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

DOUBLE_CLICK = timedelta(seconds=5)
"""Within which nobody has read the page with the secrets."""

admin.site.unregister(AuthToken)  # those of the previous release, which were copied to ours


class ServerTokenForm(forms.ModelForm[AccessToken]):
    """A new token of a game server."""

    class Meta:
        model = AccessToken
        fields = ("name", "user", "arenas", "signs", "expires_at")
        help_texts: ClassVar[dict[str, Any]] = {
            "user": gettext_lazy("The account of the game server, which may add matches."),
            "arenas": gettext_lazy("Where it starts, reports and voids its own matches."),
        }

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if arenas := self.fields.get("arenas"):  # none of them on a page to read
            arenas.required = True

    def clean_user(self) -> Any:
        user = self.cleaned_data["user"]
        if not user.has_perm(tokens.ADD_MATCHES):
            text = _("This account may not add matches, which a game server needs.")
            raise forms.ValidationError(text)
        return user

    def clean_expires_at(self) -> Any:
        ends = self.cleaned_data["expires_at"]
        if ends is not None and ends <= database_now():
            raise forms.ValidationError(_("A token expires in the future."))
        return ends


@admin.register(AccessToken)
class AccessTokenAdmin(
    Explained, Exports, Suggests, NameSearch, OfAccounts, admin.ModelAdmin[AccessToken]
):
    export_columns = (
        "id",
        "user__username",
        "name",
        "scopes",
        "is_bound",
        "signs",
        "made_at",
        "expires_at",
        "used_at",
    )
    explanation = gettext_lazy(
        "Programs act for an account with its tokens. Deleting a token ends it at once. People "
        "make their own tokens in their settings. Those of game servers are made here: they write "
        "only in some arenas."
    )
    form = ServerTokenForm
    fields = (
        "name",
        "user",
        "allows",
        "is_bound",
        "arenas",
        "signs",
        "start",
        "made_at",
        "expires_at",
        "used_at",
    )
    list_display = ("name", "user", "start", "allows", "is_bound", "used_at", "expires_at")
    list_filter = ("is_bound",)
    list_select_related = ("user",)
    list_per_page = 50
    show_full_result_count = False
    search_fields = ("name", "user__username")
    search_help_text = gettext_lazy("Part of a token's or an account's name.")
    autocomplete_fields = ("user",)
    readonly_fields = ("allows",)

    @admin.display(description=gettext_lazy("allows"))
    def allows(self, token: AccessToken) -> str:
        return list_of(token.allowed)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        return super().get_fields(request, obj) if obj else ServerTokenForm.Meta.fields

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def save_model(self, request: HttpRequest, obj: AccessToken, form: Any, change: bool) -> None:
        """Make the token. A double click leaves the one whose secrets the reader sees."""
        del change
        now = database_now()
        unseen = tokens.tokens_of(obj.user).filter(name=obj.name, used_at=None)
        unseen.filter(is_bound=True, made_at__gte=now - DOUBLE_CLICK).delete()
        made, secret = tokens.make_server_token(
            obj.user,
            obj.name,
            form.cleaned_data["arenas"],
            now=now,
            expires_at=obj.expires_at,
            signs=obj.signs,
        )
        obj.__dict__.update(made.__dict__)
        request.secret = secret  # type: ignore[attr-defined] # for the page below

    def response_add(
        self,
        request: HttpRequest,
        obj: AccessToken,
        post_url_continue: str | None = None,
    ) -> HttpResponse:
        """Show the secrets, this once."""
        del post_url_continue
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": _("The new token"),
            "token": obj,
            "secret": getattr(request, "secret", ""),
            "signing": signing.secret_of(obj) if obj.signs else "",
        }
        response = render(request, "admin/league/accesstoken/made.html", context, status=201)
        add_never_cache_headers(response)
        return response
