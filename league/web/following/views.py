"""Following players and teams, blocking players, and the list of both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Player, Team
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.following import blocks, follows
from league.web.core.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@player_required
def following(request: HttpRequest) -> HttpResponse:
    """List whom I follow and whom I block."""
    me = acting_player(request)
    context = {
        "follows": list(follows.follows_of(me)),
        "blocks": list(blocks.blocks_of(me)),
        "most_followed": follows.MOST_FOLLOWED,
        "most_blocked": blocks.MOST_BLOCKED,
    }
    return render(request, "following/following.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def follow_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a player, or stop following them."""
    return answer_about(request, get_object_or_404(Player, pk=pk))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def follow_team(request: HttpRequest, pk: int) -> HttpResponse:
    """Follow a team, or stop following it."""
    return answer_about(request, get_object_or_404(Team, pk=pk))


def answer_about(request: HttpRequest, whom: Player | Team) -> HttpResponse:
    """Follow or stop following, and return to the page of the button."""
    if request.method == "POST":
        me = acting_player(request)
        if request.POST.get("stop"):
            follows.unfollow(me, whom)
            messages.success(request, _("You no longer follow %(name)s.") % {"name": whom})
        else:
            follows.follow(me, whom, now=database_now())
            text = _("You follow %(name)s. You find their results on the home page.")
            messages.success(request, text % {"name": whom})
    return back(request, whom)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def block(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask before blocking a player, block them, or unblock them."""
    me, whom = acting_player(request), get_object_or_404(Player, pk=pk)
    if request.method != "POST":
        context = {"player": whom, "blocked": blocks.blocks(me, whom)}
        return render(request, "following/block.html", context)
    if request.POST.get("stop"):
        blocks.unblock(me, whom)
        messages.success(request, _("%(name)s can reach you again.") % {"name": whom})
    else:
        blocks.block(me, whom, now=database_now())
        messages.success(request, _("You have blocked %(name)s.") % {"name": whom})
    return back(request, whom)


def back(request: HttpRequest, whom: Player | Team) -> HttpResponse:
    return redirect("following" if request.POST.get("page") == "settings" else whom)
