"""The buttons of teams. Each sends a POST request and leads back to a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_http_methods

from league.models import Arena, Roster, Team
from league.models.names import fold
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.teams import founding, inviting, membership, rosters, stand_ins
from league.web.core.acting import acting_player, player_required
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def member(request: HttpRequest, pk: int, member_id: int) -> HttpResponse:
    """Give a member another role, offer them the captaincy, or remove them."""
    team = get_object_or_404(Team, pk=pk)
    if request.method != "POST":
        return redirect("team_manage", pk)
    me, now, action = acting_player(request), database_now(), request.POST.get("action")
    if action == "role":
        role = request.POST.get("role", "")
        membership.give_role(team, member_id, role, by=me, now=now)
        messages.success(request, _("Saved."))
    elif action == "offer":
        membership.offer_captaincy(team, member_id, by=me, now=now)
        messages.success(request, _("Offered. The captaincy passes to them when they accept."))
    elif action == "remove":
        gone = membership.remove(team, member_id, by=me, now=now)
        messages.success(request, _("You have removed %(player)s.") % {"player": gone})
    else:
        raise Refused("action", _("Choose an action."), field="action")
    return redirect("team_manage", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def captaincy(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline the captaincy, or withdraw the offer."""
    team = get_object_or_404(Team, pk=pk)
    if request.method != "POST":
        return redirect(team)
    me, answer = acting_player(request), request.POST.get("answer")
    if answer == "withdraw":
        membership.withdraw_offer(team, by=me)
        return redirect("team_manage", pk)
    accept = answer == "accept"
    membership.answer_offer(team, by=me, accept=accept, now=database_now())
    text = _("You are the captain of %(team)s.") if accept else _("You have declined.")
    messages.success(request, text % {"team": team} if accept else text)
    return redirect(team)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def withdraw(request: HttpRequest, pk: int, invitation_id: int) -> HttpResponse:
    """Withdraw an invitation or a link."""
    team = get_object_or_404(Team, pk=pk)
    if request.method == "POST":
        me = acting_player(request)
        inviting.withdraw(team, invitation_id, by=me, now=database_now())
        messages.success(request, _("Withdrawn."))
    return redirect("team_manage", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an invitation by name."""
    if request.method != "POST":
        return redirect("my_teams")
    me, accepts = acting_player(request), request.POST.get("answer") == "accept"
    team = inviting.answer(pk, by=me, accepts=accepts, now=database_now())
    text = _("You have joined %(team)s.") if accepts else _("You have declined to join %(team)s.")
    messages.success(request, text % {"team": team})
    return redirect(team if accepts else "my_teams")


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def leave(request: HttpRequest, pk: int) -> HttpResponse:
    """Leave a team."""
    team = get_object_or_404(Team, pk=pk)
    if request.method == "POST":
        membership.leave(team, by=acting_player(request), now=database_now())
        messages.success(request, _("You have left %(team)s.") % {"team": team})
    return redirect(team)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def disband(request: HttpRequest, pk: int) -> HttpResponse:
    """Disband a team, if the captain has typed its tag."""
    team = get_object_or_404(Team, pk=pk)
    if request.method != "POST":
        return redirect("team_manage", pk)
    if fold(request.POST.get("tag", "")) != team.folded_tag:
        raise Refused(
            "tag", _("Type the tag of the team, %(tag)s, to disband it.") % {"tag": team.tag}
        )
    founding.disband(team, by=acting_player(request), now=database_now())
    messages.success(request, _("You have disbanded %(team)s.") % {"team": team})
    return redirect(team)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def adopt(request: HttpRequest, pk: int) -> HttpResponse:
    """Bring a roster of mine into my team."""
    team = get_object_or_404(Team, pk=pk)
    if request.method == "POST":
        chosen = whole_number(request.POST.get("roster"), 0)
        roster = get_object_or_404(Roster, pk=chosen)
        rosters.adopt(team, roster, by=acting_player(request), now=database_now())
        text = _("%(roster)s now plays for %(team)s.") % {"roster": roster, "team": team}
        messages.success(request, text)
    return redirect("team_manage", pk)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def stand_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Offer to stand in for members of rosters in an arena, or withdraw the offer."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method == "POST":
        me = acting_player(request)
        if request.POST.get("offer") == "yes":
            stand_ins.offer(arena, me, now=database_now())
            messages.success(
                request,
                _("Captains in %(arena)s can now name you as a stand-in.") % {"arena": arena},
            )
        else:
            stand_ins.withdraw(arena, me)
            messages.success(request, _("You have withdrawn your offer to stand in."))
    return redirect("rosters", slug)
