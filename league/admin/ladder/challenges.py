"""Challenges on ladders, which staff can call off with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from league.admin.core.base import Explained, NameSearch, ReadOnly
from league.admin.core.exports import Exports
from league.admin.core.reasons import ReasonField
from league.admin.frontpage.kinds import Attention
from league.models import Challenge
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.ladder.challenges import call_off

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.urls import URLPattern

    from league.models import User


class ReasonForm(forms.Form):
    """The reason for calling off a challenge."""

    reason = ReasonField(
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
    )


@admin.register(Challenge)
class ChallengeAdmin(Explained, Exports, NameSearch, ReadOnly):
    explanation = gettext_lazy(
        "Players send and answer challenges themselves, and you enter those of players without an "
        "account on the page of the ladder. Open a challenge to call it off, at no cost. To undo "
        "the cost of an ignored or declined one, void the match linked to it."
    )
    export_columns = (
        "id",
        "season__arena__slug",
        "season__name",
        "challenger__name",
        "challenged__name",
        "state",
        "made_at",
        "answer_by",
        "accepted_at",
        "play_by",
        "closed_at",
        "match_id",
    )
    list_display = ("__str__", "season", "state", "made_at", "answer_by", "match")
    list_filter = (Attention, "state", "made_at", "season__arena")
    list_select_related = ("season__arena", "challenger", "challenged", "match__arena")
    ordering = ("-id",)
    search_fields = ("challenger__search_name", "challenged__search_name")
    search_help_text = gettext_lazy("Part of a player's name.")
    change_form_template = "admin/league/challenge/change_form.html"
    fields = (
        "season",
        ("challenger", "challenged"),
        "state",
        ("made_at", "answer_by"),
        ("accepted_at", "play_by"),
        "closed_at",
        "match",
        "action",
    )

    def view_on_site(self, challenge: Challenge) -> str:
        return challenge.get_absolute_url()

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        context["may_call_off"] = may_call_off(request, context["original"])
        return super().render_change_form(request, context, *args, **options)

    def get_urls(self) -> list[URLPattern]:
        mine = path(
            "<int:challenge_id>/call-off/",
            self.admin_site.admin_view(self.call_off_view),
            name="league_challenge_call_off",
        )
        return [mine, *super().get_urls()]

    @method_decorator(require_http_methods(["GET", "HEAD", "POST"]))
    def call_off_view(self, request: HttpRequest, challenge_id: int) -> HttpResponse:
        """Ask for a reason and call the challenge off."""
        people = ("season__arena", "challenger", "challenged")
        challenge = get_object_or_404(Challenge.objects.select_related(*people), pk=challenge_id)
        back = reverse("admin:league_challenge_change", args=[challenge_id])
        if not self.has_view_permission(request, challenge):
            raise PermissionDenied
        if not request.user.has_perm("league.decide_match", challenge):
            raise PermissionDenied
        form = ReasonForm(request.POST or None)
        if form.is_valid():
            account = cast("User", request.user)
            reason = form.cleaned_data["reason"]
            try:
                call_off(challenge_id, by=account, reason=reason, now=database_now())
            except Refused as refusal:
                form.add_error(refusal.field or None, refusal.message)
            else:
                message = _("The challenge is called off, at no cost.")
                self.message_user(request, message, messages.SUCCESS)
                return HttpResponseRedirect(back)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Call off: %(challenge)s") % {"challenge": challenge},
            "opts": self.opts,
            "form": form,
            "back": back,
        }
        return TemplateResponse(request, "admin/league/challenge/call_off.html", context)


def may_call_off(request: HttpRequest, challenge: Challenge) -> bool:
    """Return whether the account may call off this challenge, which has no match yet."""
    waits = challenge.state == Challenge.State.OPEN or challenge.is_agreed
    return waits and request.user.has_perm("league.decide_match", challenge)
