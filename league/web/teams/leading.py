"""Pages for a team's leaders: founding, name and picture, invitations, roles and rosters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods

from league.models import Arena, Format, Player, Roster, Team, TeamRole
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.teams import founding, inviting, membership, pages, pictures, rosters
from league.services.teams.access import check_captain, check_leads
from league.web.core.acting import acting_player, player_required
from league.web.results.lineups import players_named
from league.web.teams.forms import InviteForm, LineUpForm, LinkForm, PictureForm, TeamForm

if TYPE_CHECKING:
    from collections.abc import Callable

    from django import forms
    from django.http import HttpRequest


def attempt(form: forms.Form, act: Callable[[], Any]) -> Any:
    """Return what a service returns, or ``None`` with its refusal at the form's field."""
    try:
        return act()
    except Forbidden:
        raise
    except Refused as refusal:
        known = refusal.field in form.fields
        form.add_error(refusal.field if known else None, refusal.message)
    except ValidationError as error:
        for field, sentences in error.message_dict.items():
            form.add_error(field if field in form.fields else None, sentences)
    return None


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def new(request: HttpRequest) -> HttpResponse:
    """Found a team."""
    form = TeamForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        given, me, now = form.cleaned_data, acting_player(request), database_now()
        founded = attempt(
            form, lambda: founding.found(given["name"], given["tag"], form.colours, by=me, now=now)
        )
        if founded:
            messages.success(request, _("You have founded %(team)s.") % {"team": founded})
            return redirect("team_manage", founded.pk)
    status = 400 if form.is_bound else 200
    return render(request, "teams/edit.html", {"form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def edit(request: HttpRequest, pk: int) -> HttpResponse:
    """Change a team's name, tag and colours."""
    team, me = get_object_or_404(Team, pk=pk), acting_player(request)
    check_captain(team, me)
    form = TeamForm(request.POST or None, initial=TeamForm.initial_values(team))
    if request.method == "POST" and form.is_valid():
        given, now = form.cleaned_data, database_now()
        changed = attempt(
            form,
            lambda: founding.change(
                team, given["name"], given["tag"], form.colours, by=me, now=now
            ),
        )
        if changed:
            messages.success(request, _("Saved."))
            return redirect(team)
    return edit_page(request, team, form, PictureForm())


def edit_page(
    request: HttpRequest, team: Team, form: TeamForm, picture_form: PictureForm
) -> HttpResponse:
    context = {"team": team, "form": form, "picture_form": picture_form}
    status = 400 if form.is_bound or picture_form.is_bound else 200
    return render(request, "teams/edit.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def picture(request: HttpRequest, pk: int) -> HttpResponse:
    """Upload or remove a team's picture. GET requests return to its form."""
    team, me = get_object_or_404(Team, pk=pk), acting_player(request)
    if request.method != "POST":
        return redirect("team_edit", pk)
    if request.POST.get("action") == "remove":
        pictures.take_down(team, by=me)
        messages.success(request, _("Removed."))
        return redirect("team_edit", pk)
    check_captain(team, me)
    form = PictureForm(request.POST, request.FILES)
    if form.is_valid():
        file, now = form.cleaned_data["image"], database_now()
        if attempt(form, lambda: pictures.upload(team, file, by=me, now=now)):
            messages.success(request, _("Saved."))
            return redirect("team_edit", pk)
    return edit_page(request, team, TeamForm(initial=TeamForm.initial_values(team)), form)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def manage(request: HttpRequest, pk: int) -> HttpResponse:
    """Show members, invitations and links to a team's leaders. POST requests invite."""
    team, me = get_object_or_404(Team, pk=pk), acting_player(request)
    check_leads(team, me)
    is_link = request.POST.get("action") == "link"
    sent = request.POST if request.method == "POST" else None
    form = InviteForm(None if is_link else sent)
    link_form = LinkForm(sent if is_link else None)
    if is_link and link_form.is_valid():
        if attempt(link_form, lambda: make_link(team, link_form, me)):
            return redirect("team_manage", pk)
    elif form.is_valid():
        invited = attempt(form, lambda: invite(team, form, me))
        if invited:
            text = _("You have invited %(player)s.") % {"player": invited.player}
            messages.success(request, text)
            return redirect("team_manage", pk)
    return manage_page(request, team, me, form, link_form)


def invite(team: Team, form: InviteForm, me: Player) -> Any:
    (player,) = players_named([form.cleaned_data["player"]], "player")
    return inviting.invite(team, player, by=me, now=database_now())


def make_link(team: Team, form: LinkForm, me: Player) -> Any:
    return inviting.make_link(team, form.cleaned_data["places"], by=me, now=database_now())


def manage_page(
    request: HttpRequest, team: Team, me: Player, form: InviteForm, link_form: LinkForm
) -> HttpResponse:
    open_ones = list(pages.open_links(team, database_now()))
    members = pages.members_of(team)
    own = next(one for one in members if one.player_id == me.pk)
    context = {
        "team": team,
        "members": members,
        "leads_all": own.role == TeamRole.CAPTAIN,
        "roles": [(role.value, role.label) for role in membership.GIVEN],
        "asked": [one for one in open_ones if one.player_id],
        "links": [(one, inviting.token_of(one)) for one in open_ones if not one.player_id],
        "form": form,
        "link_form": link_form,
        "rosters": list(pages.rosters_of(team)),
        "own_rosters": list(Roster.objects.led_by(me).filter(team=None).select_related("arena")),
        "against_disbanding": founding.reasons_against_disbanding(team),
    }
    status = 400 if form.is_bound or link_form.is_bound else 200
    return render(request, "teams/manage.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def line_up(request: HttpRequest, pk: int, roster_id: int | None = None) -> HttpResponse:
    """Create or change a roster of a team."""
    team, me = get_object_or_404(Team, pk=pk), acting_player(request)
    check_leads(team, me)
    mine = team.rosters.select_related("arena")
    roster = get_object_or_404(mine, pk=roster_id) if roster_id else None
    arenas = Arena.objects.published().filter(format=Format.TEAMS, team_size_max__gt=1)
    initial = (
        LineUpForm.initial_values(roster) if roster else {"name": team.name, "captain": str(me.pk)}
    )
    members = pages.members_of(team)
    form = LineUpForm(arenas, members, roster, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        players = {str(one.player_id): one.player for one in members}
        given = form.cleaned_data
        saved = attempt(
            form,
            lambda: rosters.line_up(
                team,
                form.arena_of(roster),
                given["name"],
                [players[one] for one in given["members"]],
                players[given["captain"]],
                by=me,
                now=database_now(),
                roster=roster,
            ),
        )
        if saved:
            messages.success(request, _("Saved %(roster)s.") % {"roster": saved})
            return redirect("team_manage", pk)
    context = {"team": team, "roster": roster, "form": form}
    return render(request, "teams/roster.html", context, status=400 if form.is_bound else 200)
