"""Pages of the whole league, across arenas: its schedule, its competitions, and where to play."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import F
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.models import Arena, Arrangement, Competition
from league.services.competitions.own import entries_of
from league.services.competitions.pages import with_entered
from league.services.core.clock import database_now
from league.services.core.keyset import edge_of
from league.services.core.pages import Page
from league.services.dates.lists import to_play
from league.services.home.front import front
from league.services.home.since import suggestions_for
from league.services.ladder.lists import challengeable
from league.services.results.records.lines import lines_of, rated_part
from league.services.standings.leaderboards import player_rows
from league.web.core.acting import player_of
from league.web.core.parameters import whole_number
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest, HttpResponse

DATES_A_PAGE, MOST_MINE, MOST_COMPETITIONS, OVER_A_PAGE = 60, 20, 200, 30
RESULTS_A_PAGE = 50
SHOWN_OF_GROUP = 6
"""Dates of a competition on a day before the others are folded."""
State = Competition.State


class Group(NamedTuple):
    """The dates of an arena on a day: of one competition, or those that captains agreed on."""

    arena: Arena
    competition: str
    shown: Sequence[Arrangement]
    more: Sequence[Arrangement]


class Day(NamedTuple):
    day: date
    groups: Sequence[Group]


def by_day(rows: Iterable[Any]) -> list[Day]:
    """Return dates by the reader's day, and within it by competition or arena."""
    found: dict[date, dict[tuple[int, str], list[Arrangement]]] = {}
    for one in rows:  # with the round that in_lines has added
        group = one.arena_id, one.round["competition"] or ""
        found.setdefault(timezone.localdate(one.play_at), {}).setdefault(group, []).append(one)
    return [
        Day(
            day,
            [
                Group(its[0].arena, name, its[:SHOWN_OF_GROUP], its[SHOWN_OF_GROUP:])
                for (_arena, name), its in groups.items()
            ],
        )
        for day, groups in found.items()
    ]


@require_safe
def schedule(request: HttpRequest) -> HttpResponse:
    """Show the reader's next matches, those being played, and the coming dates of all arenas or
    of one."""
    me, now = player_of(request), database_now()
    shown = front(now)
    arenas = [entry.arena for entry in shown.arenas]
    arena = next((one for one in arenas if one.slug == request.GET.get("arena")), None)
    coming = Arrangement.objects.accepted().filter(play_at__gt=now, arena__is_draft=False)
    if arena:
        coming = coming.filter(arena=arena)
    rows = coming.in_lines().order_by("play_at", "id")
    asked, total = whole_number(request.GET.get("page")), coming.count()
    page = Page.cut(asked, total, DATES_A_PAGE, lambda part: list(rows[part]))
    is_first, today = page.number == 1, timezone.localdate(now)
    days = by_day(page.rows)
    if is_first and days and days[0].day != today:
        days.insert(0, Day(today, []))
    live = [one for one in shown.live if arena in {None, one.arena}]
    live_dates = [one for one in shown.live_dates if arena in {None, one.arena}]
    context = {
        "now": now,
        "page": page,
        "days": days,
        "today": today,
        "tomorrow": today + timedelta(days=1),
        "arenas": [one for one in arenas if one.is_open],
        "chosen": arena,
        "live": sheets(live, me=me) if is_first else [],
        "live_dates": live_dates if is_first else [],
        "mine": list(to_play(me).in_lines()[:MOST_MINE]) if me and is_first and not arena else [],
    }
    return render(request, "home/schedule.html", context)


@require_safe
def results(request: HttpRequest) -> HttpResponse:
    """List all rated matches of the league or of one arena, latest first."""
    shown = front(database_now())
    arenas = [entry.arena for entry in shown.arenas]
    arena = next((one for one in arenas if one.slug == request.GET.get("arena")), None)
    edge = edge_of(request.GET.get("after", ""), request.GET.get("before", ""))
    part = rated_part(arena, edge, RESULTS_A_PAGE)
    lines = lines_of([place.pk for place in part.rows])
    listed = [lines[place.pk] for place in part.rows if place.pk in lines]
    context = {
        "arenas": arenas,
        "chosen": arena,
        "everywhere": arena is None,
        "results": sheets(listed, me=player_of(request)),
        "newer": part.newer.text if part.newer else "",
        "older": part.older.text if part.older else "",
    }
    return render(request, "home/results.html", context)


@require_safe
def competitions(request: HttpRequest) -> HttpResponse:
    """List the competitions of all arenas: the reader's, being played, open for entries, over."""
    me = player_of(request)
    published = with_entered(Competition.objects.published().filter(season__arena__is_draft=False))
    listed = published.select_related("season__arena")
    over = Competition.objects.published().filter(state=State.OVER, season__arena__is_draft=False)
    latest = listed.filter(state=State.OVER).order_by(F("over_at").desc(nulls_last=True), "-pk")
    asked = whole_number(request.GET.get("page"))
    page = Page.cut(asked, over.count(), OVER_A_PAGE, lambda part: list(latest[part]))
    current = list(listed.unfinished().order_by("starts_at", "pk")[:MOST_COMPETITIONS])
    context = {
        "own": entries_of(me, database_now()) if me and page.number == 1 else None,
        "running": [one for one in current if one.state == State.RUNNING],
        "open": [one for one in current if one.state == State.REGISTRATION],
        "page": page,
    }
    return render(request, "home/competitions.html", context)


@require_safe
def arenas(request: HttpRequest) -> HttpResponse:
    """List all arenas with their leaders and the reader's rank, those in which most is played
    first."""
    me, now = player_of(request), database_now()
    shown = front(now)
    rows = player_rows(me, shown.seasons, now=now) if me else {}
    entries = [
        replace(one, own=rows.get(one.season.pk)) if one.season else one for one in shown.arenas
    ]
    return render(request, "home/arenas.html", {"arenas": entries})


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    """Show whom to play, and how in each open arena: queue, challenge, proposal, report."""
    me, now = player_of(request), database_now()
    shown = front(now)
    entries = [one for one in shown.arenas if one.arena.is_open and one.season]
    context: dict[str, Any] = {"entries": entries}
    if me:
        season, suggested = suggestions_for(me, shown.seasons, now=now)
        ladders = [one.season for one in entries if one.season and one.arena.is_ladder]
        alone = {one.pk for one in ladders if not challengeable(one, me, now)}
        context |= {"suggested_in": season, "suggested": suggested, "alone": alone}
    return render(request, "home/play.html", context)
