"""Roster pages: groups of players who play together, led by a captain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Prefetch
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Roster, RosterInvitation
from league.models.collation import reading_key
from league.models.lists import list_of
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.people import invitations
from league.services.people.players import save_roster
from league.services.results.rules.formats import plays_in_rosters
from league.web.core.acting import acting_player, player_required
from league.web.people.forms import RosterForm
from league.web.results.lineups import players_named

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@player_required
def rosters(request: HttpRequest, slug: str) -> HttpResponse:
    """List the player's rosters in an arena."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    me = acting_player(request)
    mine = arena.rosters.filter(members=me).select_related("captain", "team")
    season = arena.current_season(database_now())
    open_invitations = RosterInvitation.objects.open().select_related("player")
    context = {
        "arena": arena,
        "rosters": list(
            mine.prefetch_related(
                "members", Prefetch("invitations", open_invitations, to_attr="open_invitations")
            )
        ),
        "invitations": list(invitations.invitations_of(me).filter(roster__arena=arena)),
        "in_rosters": plays_in_rosters(arena),
        "stand_ins": season.season_rules().teams.stand_ins if season else 0,
        "stands_in": arena.stand_ins.filter(player=me).exists(),
    }
    return render(request, "people/rosters.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def new(request: HttpRequest, slug: str) -> HttpResponse:
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if not plays_in_rosters(arena):
        raise Refused("no_rosters", _("Everyone plays alone in %(arena)s.") % {"arena": arena})
    return edit_page(request, arena, None)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    roster = get_object_or_404(Roster, arena=arena, pk=pk)
    if roster.captain_id != acting_player(request).pk:
        raise Forbidden("not_the_captain", _("Only the captain can change a roster."))
    if roster.team_id is not None:
        return redirect("team_roster", roster.team_id, roster.pk)
    return edit_page(request, arena, roster)


def edit_page(request: HttpRequest, arena: Arena, roster: Roster | None) -> HttpResponse:
    """Show a roster's form, or save it and return to the list."""
    initial = RosterForm.initial_values(roster) if roster else {}
    form = RosterForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_roster(
                arena,
                acting_player(request),
                form.cleaned_data["name"],
                players_named(form.names(), field="members"),
                now=database_now(),
                roster=roster,
            )
        except Forbidden:
            raise
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        except ValidationError as error:
            for field, sentences in error.message_dict.items():
                form.add_error("name" if field != "__all__" else None, sentences)
        else:
            messages.success(request, saved_message(saved))
            return redirect("rosters", arena.slug)
    context = {"arena": arena, "roster": roster, "form": form}
    return render(request, "people/roster.html", context, status=400 if form.is_bound else 200)


def saved_message(saved: Roster) -> str:
    """Return a message that a roster was saved and who has not answered yet."""
    invitations = saved.invitations.open().select_related("player")
    invited = sorted((invitation.player.name for invitation in invitations), key=reading_key)
    if not invited:
        return _("Saved %(roster)s.") % {"roster": saved}
    return _("Saved %(roster)s. Invited: %(players)s.") % {
        "roster": saved,
        "players": list_of(invited),
    }


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or decline an invitation to a roster."""
    if request.method != "POST":
        return redirect("waiting")
    me = acting_player(request)
    accept = request.POST.get("answer") == "accept"
    roster = invitations.answer(pk, by=me, accept=accept, now=database_now())
    message = (
        _("You have joined %(roster)s.") if accept else _("You have declined to join %(roster)s.")
    )
    messages.success(request, message % {"roster": roster})
    return redirect("rosters", roster.arena.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def leave(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Leave a roster."""
    roster = get_object_or_404(Roster, arena__slug=slug, pk=pk)
    if request.method == "POST":
        invitations.leave(roster, by=acting_player(request))
        messages.success(request, _("You have left %(roster)s.") % {"roster": roster})
    return redirect("rosters", slug)
