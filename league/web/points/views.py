"""Ladder points: leaderboards, a player's points match by match, final points."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.contrib import messages
from django.http import Http404, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.models import Player, Season
from league.models.lists import list_of
from league.models.skeletons import address_of
from league.rates import limit_gets
from league.services.core.exports import TYPES, too_long
from league.services.points import archiving, grace, points_leaderboard
from league.services.privacy.reading import check_reads_history
from league.web.core.acting import player_of
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse
    from django.http.response import HttpResponseBase

    from league.models import Arena
    from ratings.points.rules import PointRule
    from ratings.points.tables import PointSeason


@require_safe
def points(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the leaderboard of ladder points, and the rules of points."""
    arena_page = arena_page_or_404(slug)
    season = season_of(request, arena_page)
    me = player_of(request)
    context: dict[str, object] = {
        "arena": arena_page.arena,
        "season": season,
        "seasons": arena_page.seasons,
    }
    rules = season.season_rules().points if season else None
    if season and rules and rules.ladder.counts:
        mine = points_leaderboard.points_standing(season, me) if me else None
        context |= {
            "page": page_of(request, season, mine),
            "rules": rules,
            "tables": tables_of(rules, arena_page.arena),
            "mine": mine,
            "grace": grace.no_start_until(season, arena_page.now),
            "here": reverse("points", args=[slug]),
        }
    return render(request, "points/points.html", context)


class Table(NamedTuple):
    """A table of points, and the game modes it is for, if they differ."""

    mode: str
    rules: tuple[PointRule, ...]


def tables_of(rules: PointSeason, arena: Arena) -> tuple[Table, ...]:
    own = {table.mode.casefold() for table in rules.by_mode}
    rest = list_of(mode for mode in arena.modes if mode.casefold() not in own)
    tables = tuple(Table(table.mode, table.rules) for table in rules.by_mode)
    if rest or not tables:
        tables += (Table(rest if tables else "", rules.table.rules),)
    return tables


def page_of(
    request: HttpRequest, season: Season, mine: points_leaderboard.PointsStanding | None
) -> points_leaderboard.PointsPage:
    """Return the page of the leaderboard asked for in the address, else the first."""
    if "me" in request.GET and mine and mine.row:
        return points_leaderboard.page_around(season, mine.row)
    before = points_leaderboard.PointsCursor.parse(request.GET.get("before", ""))
    if before:
        page = points_leaderboard.page(season, before=before)
        if page.rows:
            return page
    return points_leaderboard.page(
        season, after=points_leaderboard.PointsCursor.parse(request.GET.get("after", ""))
    )


@require_safe
def player_points(request: HttpRequest, pk: int, season_id: int) -> HttpResponse:
    """Show a player's points match by match, latest first, and why."""
    player = get_object_or_404(Player.ever, pk=pk)
    season = season_with_points(season_id)
    if player.merged_into_id and season.archived_at is None:
        return redirect("player_points", player.merged_into_id, season_id, permanent=True)
    check_reads_history(player, request.user, season)
    before = request.GET.get("before")
    entries, older = points_leaderboard.history(
        season, player, before=whole_number(before, limit=2**62) if before else None
    )
    return render(
        request,
        "points/player_points.html",
        {
            "player": player,
            "season": season,
            "standing": points_leaderboard.points_standing(season, player),
            "entries": entries,
            "older": older,
            "newest": before is None,
        },
    )


@require_safe
def final_points(request: HttpRequest, pk: int) -> HttpResponseBase:
    """Show the final points of an archived season at a permanent address, else its leaderboard."""
    season = season_with_points(pk)
    if season.archived_at is None:
        return redirect(f"{reverse('points', args=[season.arena.slug])}?season={pk}")
    me = player_of(request)
    return render(
        request,
        "points/season_points.html",
        {
            "season": season,
            "arena": season.arena,
            "page": archiving.frozen_page(season, whole_number(request.GET.get("page"))),
            "my_page": archiving.page_of(season, me) if me else None,
        },
    )


@limit_gets("export")
@require_safe
def export(request: HttpRequest, pk: int, kind: str) -> HttpResponseBase:
    """Export the final or current points of a season as a file."""
    season = season_with_points(pk)
    if kind == "xlsx" and not archiving.fits_a_sheet(season):
        messages.error(request, too_long())
        return redirect(season.arena)
    lines, content_type = {
        "csv": (archiving.as_csv, TYPES["csv"]),
        "json": (archiving.as_json, "application/json"),
        "xlsx": (archiving.as_xlsx, TYPES["xlsx"]),
    }[kind]
    name = f"{season.arena.slug}-{address_of(season.name) or season.pk}-points.{kind}"
    return StreamingHttpResponse(
        lines(season),
        content_type=content_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def season_with_points(pk: int) -> Season:
    """Return a season with ladder points. Raises ``Http404``."""
    season = get_object_or_404(Season.objects.opened().select_related("arena__queue"), pk=pk)
    if not season.season_rules().points.ladder.counts:
        raise Http404
    return season
