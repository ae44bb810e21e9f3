"""The week in one page, of the league or of an arena."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Arena
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.home import week as service
from league.web.core.acting import player_of
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

FIRST_YEAR = 1900


@require_safe
def latest(request: HttpRequest) -> HttpResponse:
    """Lead to the last week in which somebody played."""
    arena = arena_in(request)
    monday = service.latest_week(database_now(), arena)
    return redirect(address_of(monday, arena))


@limit_gets("costly")
@require_safe
def week(request: HttpRequest, year: str, number: str) -> HttpResponse:
    """Show what a week brought: movers, surprises, new faces, records, and what is next."""
    arena, now = arena_in(request), database_now()
    this_week = service.monday_of(now)
    try:
        monday = date.fromisocalendar(int(year), int(number), 1)
    except ValueError as error:
        raise Http404(_("There is no such week.")) from error
    if monday.year < FIRST_YEAR or monday > this_week:
        raise Http404(_("This week has not begun."))
    shown = service.week_of(monday, arena, now)
    me = player_of(request)
    context = {
        "week": shown,
        "arena": arena,
        "arenas": list(Arena.objects.published().order_by("sort_name")),
        "is_now": monday == this_week,
        "surprise": sheets([shown.surprise] if shown.surprise else [], me=me),
        "best": sheets([shown.best] if shown.best else [], me=me),
        "earlier": address_of(shown.earlier, arena) if shown.earlier else "",
        "later": address_of(shown.later, arena) if shown.later else "",
        "address": address_of(monday),
        "now": now,
    }
    return render(request, "home/week.html", context)


def arena_in(request: HttpRequest) -> Arena | None:
    """Return the arena that the address names, ``None`` for the whole league."""
    slug = request.GET.get("arena", "")
    return get_object_or_404(Arena.objects.published(), slug=slug) if slug else None


def address_of(monday: date, arena: Arena | None = None) -> str:
    """Return the address of a week, such as ``/week/2026-48/``."""
    year, number, _day = monday.isocalendar()
    address = reverse("week", args=[f"{year:04}", f"{number:02}"])
    return f"{address}?arena={arena.slug}" if arena else address
