"""The seasons of an arena and their archives."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import Exists, OuterRef, Q
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.models import Arena, Award, Competition, Season
from league.models.skeletons import address_of
from league.rates import limit_gets
from league.services.competitions.listing import list_competitions
from league.services.core.clock import database_now
from league.services.core.exports import TYPES, too_long
from league.services.seasons import accuracy, archives, errata, results
from league.services.seasons.changing import versions_of
from league.services.seasons.results import places_of
from league.services.teams.pages import board
from league.services.teams.rating import rates_teams
from league.web.core.acting import player_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from league.services.teams.pages import BoardRow

MOST_COMPETITIONS = 100
PODIUM = 3
"""The last rank on the podium. Equal ranks share a step."""


@require_safe
def seasons(request: HttpRequest, slug: str) -> HttpResponse:
    """List all seasons of an arena: planned, running, over."""
    arena = get_object_or_404(Arena.objects.published().select_related("queue"), slug=slug)
    runs = archives.seasons_of(arena, database_now())
    context = {
        "arena": arena,
        "runs": runs,
        "accuracies": accuracy.accuracies(run.season for run in runs),
    }
    return render(request, "seasons/seasons.html", context)


@require_safe
def season(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show a season's archive, or redirect to its leaderboard if it has none yet."""
    played = Exists(Competition.objects.published().filter(season=OuterRef("pk")))
    rows = Season.objects.select_related("arena__queue")
    found = rows.annotate(has_errata=errata.has_errata(), has_competitions=played)
    season: Any = get_object_or_404(found, pk=pk)
    if season.archived_at is None:
        if season.opened_at is None:
            return redirect("seasons", season.arena.slug)
        return redirect(f"{reverse('leaderboard', args=[season.arena.slug])}?season={pk}")
    me = player_of(request)
    page = archives.standings_page(season, whole_number(request.GET.get("page")))
    by_place = season.arena.sides_max > 2
    is_first = page.number == 1
    podium = [row for row in page.rows if is_first and row.rank and row.rank <= PODIUM]
    on_podium = Q(kind=Award.Kind.TOP, value__lte=PODIUM)
    awards = list(season.awards.exclude(on_podium) if podium else season.awards.all())
    return render(
        request,
        "seasons/season.html",
        {
            "season": season,
            "arena": season.arena,
            "shows": season.shows,
            "awards": awards,
            "versions": versions_of(season),
            "divisions": season.season_rules().divisions.divisions,
            "page": page,
            "podium": podium,
            "teams": best_teams(season) if is_first and rates_teams(season) else [],
            "places": places_of(season, [row.player_id for row in page.rows]) if by_place else None,
            "my_page": archives.page_of(season, me) if me else None,
            "accuracies": accuracy.accuracies([season]),
            "competitions": list_competitions(season, MOST_COMPETITIONS)
            if season.has_competitions
            else [],
            "errata": errata.errata_of(season) if season.has_errata else [],
        },
    )


def best_teams(season: Season) -> list[BoardRow]:
    """Return the teams on the podium of a season."""
    return [row for row in board(season) if row.rank and row.rank <= PODIUM]


@limit_gets("export")
@require_safe
def export(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """Download the archive of a season."""
    season = get_object_or_404(Season.objects.select_related("arena"), pk=pk)
    if season.archived_at is None:
        raise Http404
    if kind == "xlsx" and not archives.fits_a_sheet(season):
        messages.error(request, too_long())
        return redirect("season", season.pk)
    lines, content_type = {
        "csv": (archives.as_csv, TYPES["csv"]),
        "json": (archives.as_json, "application/json"),
        "xlsx": (archives.as_xlsx, TYPES["xlsx"]),
    }[kind]
    return download(lines(season), season, f".{kind}", content_type)


@limit_gets("export")
@require_safe
def export_results(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """Download the results of a season so far."""
    seasons = Season.objects.select_related("arena")
    season = get_object_or_404(seasons, pk=pk, opened_at__isnull=False, arena__is_draft=False)
    if kind == "xlsx" and not results.fits_a_sheet(season):
        messages.error(request, too_long())
        return redirect("season", season.pk)
    lines, content_type = {
        "csv": (results.as_csv, TYPES["csv"]),
        "json": (results.as_json, "application/json"),
        "xlsx": (results.as_xlsx, TYPES["xlsx"]),
    }[kind]
    return download(lines(season), season, f"-results.{kind}", content_type)


def download(
    pieces: Iterable[Any], season: Season, ending: str, content_type: str
) -> StreamingHttpResponse:
    """Return a file of a season, which is sent while it is made."""
    name = f"{season.arena.slug}-{address_of(season.name) or season.pk}{ending}"
    return StreamingHttpResponse(
        pieces,
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
