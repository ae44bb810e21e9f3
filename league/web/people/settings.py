"""Settings: the player's name, and the way to all others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.models import User
from league.models.former_name import RENAME_COOLDOWN
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.discord import linking
from league.services.dishonor.discipline import costs_of, status_and_ban_of
from league.services.people.players import register
from league.services.people.renaming import rename, rename_again_at
from league.web.core.acting import account_of, acting_player, player_of, player_required
from league.web.people.forms import NameForm

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@login_required
def settings(request: HttpRequest) -> HttpResponse:
    return settings_page(request)


def settings_page(
    request: HttpRequest, *, form: NameForm | None = None, status: int = 200
) -> HttpResponse:
    context: dict[str, Any] = {
        "offers_discord": linking.is_offered(),
        "claim": account_of(request).claims.select_related("player").first(),
        "name_form": form or NameForm(),
    }
    if me := player_of(request):
        now = database_now()
        again = rename_again_at(me)
        status_now, ban = status_and_ban_of(me, now)
        context |= {
            "rename_again_at": again if again and again > now else None,
            "cooldown_days": RENAME_COOLDOWN.days,
            "status": status_now,
            "ban": ban,
            "costs": costs_of(me, now),
            "now": now,
        }
    return render(request, "people/settings.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def choose_name(request: HttpRequest) -> HttpResponse:
    """Create the player of an account that has none. GET requests return to the settings."""
    if request.method != "POST":
        return redirect("settings")
    if player_of(request):
        raise Conflict("has_player", _("Your account already has a player."))
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            account = User.objects.get(pk=account_of(request).pk)  # leaves request.user as it is
            player = register(account, form.cleaned_data["name"])
        except ValidationError as error:
            form.add_error("name", error.messages)
        else:
            messages.success(request, _("Welcome, %(name)s.") % {"name": player})
            return redirect("settings")
    return settings_page(request, form=form, status=400)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def change_name(request: HttpRequest) -> HttpResponse:
    """Give the account's player a new name. GET requests return to the settings."""
    if request.method != "POST":
        return redirect("settings")
    form = NameForm(request.POST)
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            renamed = rename(acting_player(request), name, now=database_now())
        except ValidationError as error:
            form.add_error("name", error.messages)
        else:
            messages.success(request, _("Your name is now %(name)s.") % {"name": renamed})
            return redirect("settings")
    return settings_page(request, form=form, status=400)
