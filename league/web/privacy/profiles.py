"""My picture, text, country and links, and their removal by moderators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Player
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.privacy import profile as service
from league.web.core.acting import account_of, acting_player, player_required
from league.web.privacy.forms import AvatarForm, ProfileForm, RemovalForm

if TYPE_CHECKING:
    from django import forms
    from django.http import HttpRequest

    from league.models import Profile


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def profile(request: HttpRequest) -> HttpResponse:
    """Write what my page says about me, and choose its country and links."""
    me = acting_player(request)
    shown = service.profile_of(me)
    form = ProfileForm(request.POST or None, initial=filled_with(shown))
    if request.method == "POST" and form.is_valid():
        given = form.cleaned_data
        try:
            service.save(me, **given, now=database_now())
        except Forbidden:
            raise
        except Refused as refusal:
            form.add_error(refusal.field, refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("profile")
    return page(request, form, AvatarForm())


def page(request: HttpRequest, form: forms.Form, picture_form: forms.Form) -> HttpResponse:
    context = {"form": form, "picture_form": picture_form, "player": acting_player(request)}
    status = 400 if form.is_bound or picture_form.is_bound else 200
    return render(request, "privacy/profile.html", context, status=status)


@limit_gets("costly", if_asked=("action",))
@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def upload(request: HttpRequest) -> HttpResponse:
    """Upload or remove my picture. GET requests return to the form."""
    me = acting_player(request)
    if request.method != "POST":
        return redirect("profile")
    if request.POST.get("action") == "remove":
        service.take_down(me)
        messages.success(request, _("Removed."))
        return redirect("profile")
    form = AvatarForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            service.upload(me, form.cleaned_data["image"], database_now())
        except Forbidden:
            raise
        except Refused as refusal:
            form.add_error("image", refusal.message)
        else:
            messages.success(request, _("Saved."))
            return redirect("profile")
    shown = service.profile_of(me)
    return page(request, ProfileForm(initial=filled_with(shown)), form)


def filled_with(shown: Profile) -> dict[str, str]:
    """Return what the form of a profile has at first."""
    return {"about": shown.about, "country": shown.country, "links": "\n".join(shown.links)}


@require_safe
def avatar(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """Send a player's picture. The address of a replaced or removed picture is not found."""
    content = service.content_of(pk, digest)
    if content is None:
        raise Http404
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    headers = {
        "Cache-Control": "public, max-age=86400",
        "X-Content-Type-Options": "nosniff",
        "X-Robots-Tag": "noindex",
        "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    }
    return HttpResponse(content, content_type="image/webp", headers=headers)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def remove(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask a moderator for the reason, and remove a player's picture, links and text."""
    account, player = account_of(request), get_object_or_404(Player, pk=pk)
    if not account.has_perm("league.change_player"):
        raise Forbidden("not_staff", _("You need the permission to change players."))
    form = RemovalForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            service.remove_by_staff(player, by=account, reason=reason, now=database_now())
        except Forbidden:
            raise
        except Refused as refusal:
            form.add_error(refusal.field or None, refusal.message)
        else:
            messages.success(request, _("Removed."))
            return redirect(player)
    context = {"form": form, "player": player}
    status = 400 if form.is_bound else 200
    return render(request, "privacy/remove_profile.html", context, status=status)
