"""Rosters: who plays together in an arena, led by a captain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Roster
from league.services.errors import Conflict, Forbidden, Refused
from league.services.players import save_roster
from league.web.forms import RosterForm
from league.web.lineups import players_named, plays_in_rosters
from league.web.people import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_safe
@player_required
def rosters(request: HttpRequest, slug: str) -> HttpResponse:
    """The rosters that I lead in an arena, and those that I am in."""
    arena = get_object_or_404(Arena, slug=slug)
    me = acting_player(request)
    mine = arena.rosters.filter(members=me).select_related("captain")
    context = {
        "arena": arena,
        "rosters": list(mine.prefetch_related("members")),
        "in_rosters": plays_in_rosters(arena),
    }
    return render(request, "rosters.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def new(request: HttpRequest, slug: str) -> HttpResponse:
    arena = get_object_or_404(Arena, slug=slug)
    if not plays_in_rosters(arena):
        raise Refused("no_rosters", _("In %(arena)s everyone plays alone.") % {"arena": arena})
    return edited(request, arena, None)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def edit(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    arena = get_object_or_404(Arena, slug=slug)
    roster = get_object_or_404(Roster, arena=arena, pk=pk)
    if roster.captain_id != acting_player(request).pk:
        raise Forbidden("not_the_captain", _("Only its captain can change a roster."))
    return edited(request, arena, roster)


def edited(request: HttpRequest, arena: Arena, roster: Roster | None) -> HttpResponse:
    """The form of a roster, or the list after it was saved."""
    initial = RosterForm.filled(roster) if roster else {}
    form = RosterForm(request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            saved = save_roster(
                arena,
                acting_player(request),
                form.cleaned_data["name"],
                players_named(form.names(), field="members"),
                roster=roster,
            )
        except (Forbidden, Conflict):
            raise
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, str(refusal))
        except ValidationError as error:
            for field, sentences in error.message_dict.items():
                form.add_error("name" if field != "__all__" else None, sentences)
        else:
            messages.success(request, _("Saved %(roster)s.") % {"roster": saved})
            return redirect("rosters", arena.slug)
    context = {"arena": arena, "roster": roster, "form": form}
    return render(request, "roster.html", context, status=400 if form.is_bound else 200)
