"""“See the site as…” on the pages of players and accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.conf import settings
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.reasons import ReasonField
from league.models import Player, User
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.people import impersonation
from league.services.people.roles import name_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern


class ReasonForm(forms.Form):
    reason = ReasonField(
        help_text=gettext_lazy("It stays in the record."),
    )


class SeenAs(admin.ModelAdmin[Any]):
    """A link on the page of a player or an account."""

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        row = context.get("original")
        account = row.user if isinstance(row, Player) else row
        if account and impersonation.may_see_as(cast("User", request.user), account):
            context["see_as"] = reverse("admin:league_user_see_as", args=[account.pk])
        return super().render_change_form(request, context, *args, **options)


class SeeingAs(SeenAs):
    """The page that asks for the reason, on the pages of accounts."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.see_as_view)
        mine = path("<int:user_id>/see-as/", view, name="league_user_see_as")
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def see_as_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Ask why, and show the first page as that player sees it."""
        account = get_object_or_404(User.objects.select_related("player"), pk=user_id)
        if not impersonation.may_see_as(cast("User", request.user), account):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            try:
                impersonation.begin(
                    request.session,
                    account,
                    by=cast("User", request.user),
                    reason=form.cleaned_data["reason"],
                    now=database_now(),
                )
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
            else:
                response = HttpResponseRedirect(reverse("home"))
                response.set_cookie(
                    impersonation.COOKIE,
                    "1",
                    secure=settings.SESSION_COOKIE_SECURE,
                    httponly=True,
                    samesite="Lax",
                )
                return response
        name = name_of(account)
        context = {
            **self.admin_site.each_context(request),
            "title": _("See the site as %(name)s") % {"name": name},
            "opts": self.opts,
            "form": form,
            "minutes": int(impersonation.LASTS.total_seconds() // 60),
            "back": reverse("admin:league_user_change", args=[account.pk])
            if self.has_view_permission(request, account)
            else reverse("admin:index"),
        }
        return TemplateResponse(request, "admin/league/user/see_as.html", context)
