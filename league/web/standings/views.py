"""Leaderboards, rating distributions and inactive players."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.caching import cached_briefly
from league.rates import limit_gets
from league.services.core.errors import Refused
from league.services.ladder.lists import challengeable
from league.services.seasons.starting_lists import may_give
from league.services.standings import filters, leaderboards
from league.services.standings.board import standings_version
from league.services.standings.distributions import rating_distribution
from league.services.standings.drift import drift_of
from league.services.standings.filters import FilteredPage
from league.services.standings.provisional import provisional
from league.web.core.acting import player_of
from league.web.core.fragments import asks_for_part
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.parameters import whole_number
from league.web.standings.distributions import draw
from ratings.systems.fermi.population import discrimination

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Player, Season
    from league.services.standings.leaderboard_rows import LeaderboardPage, LeaderboardRow


@dataclass(frozen=True)
class Wanted:
    """The search and filters of a leaderboard, as typed; empty texts ask for nothing."""

    search: str
    division: str
    sure: str
    """The widest deviation."""
    games: str
    """The fewest matches."""

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        search, division, sure, games = (
            request.GET.get(name, "").strip() for name in ("q", "division", "sure", "games")
        )
        return cls(search, division, sure, games)


@limit_gets("costly", if_asked=("q", "division", "sure", "games"))
@require_safe
@cached_briefly
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a page of the leaderboard, with search and filters.

    htmx asks for the rows alone; with ``seen``, only if the standings have changed since.
    """
    arena_page = arena_page_or_404(slug)
    season = season_of(request, arena_page)
    me = player_of(request)
    context: dict[str, Any] = {
        "arena": arena_page.arena,
        "season": season,
        "seasons": arena_page.seasons,
        "wanted": (wanted := Wanted.of(request)),
        "why": "why" in request.GET,
    }
    template, status = "standings/leaderboard.html", 200
    if season:
        seen = request.GET.get("seen")
        if seen and whole_number(seen) == standings_version(season.pk):
            return HttpResponse(status=204)
        context["shows"] = season.shows
        try:
            context |= rows_context(request, season, wanted, me, arena_page.now)
            context["my_row"], context["pinned"] = my_rows(season, me, context, arena_page.now)
        except Refused as refusal:
            context["refusal"], status = refusal, 400
        if asks_for_part(request):
            template += "#rows" if seen and status == 200 else "#results"
            status = 200  # htmx shows nothing of an error
        else:
            context["by_deviation"] = filters.filters_by_deviation(season.shows)
            context["divisions"] = season.season_rules().divisions.divisions[::-1]
            now = arena_page.now
            context["may_start"] = season.is_running(now) and may_give(season, request.user)
    return render(request, template, context, status=status)


def rows_context(
    request: HttpRequest, season: Season, wanted: Wanted, me: Player | None, now: datetime
) -> dict[str, Any]:
    """Return what the rows and the links around them are rendered from.

    Raises:
        Refused: a filter is not valid.
    """
    page = page_of(request, season, wanted, now)
    context: dict[str, Any] = {
        "page": page,
        "filtered": isinstance(page, FilteredPage),
        "searched": filters.LOOKED_AT,
        "renews": season.ends_at is None or season.ends_at > now,
        "challengeable": (),
        "provisional": (),
    }
    if not (wanted.search or isinstance(page, FilteredPage) or page.next):
        context["provisional"] = provisional(season, now=now)
        context["all_inactive"] = not page.rows and leaderboards.has_inactive(season)
    if isinstance(page, FilteredPage):
        context["before"] = filters.cursor_text(page.previous) if page.previous else None
        context["after"] = filters.cursor_text(page.next) if page.next else None
    if me and season.lowest_first:
        listed = [row.player_id for row in page.rows]
        found = challengeable(season, me, now, listed)
        context["challengeable"] = {rating.player_id for rating in found}
    return context


def my_rows(
    season: Season, me: Player | None, context: dict[str, Any], now: datetime
) -> tuple[LeaderboardRow | None, LeaderboardRow | None]:
    """Return the reader's row, and the same if it is to be pinned below a page without it."""
    if me is None:
        return None, None
    rows = context["page"].rows
    listed = next((row for row in rows if row.player_id == me.pk), None)
    if listed:
        return listed, None
    mine = leaderboards.player_row(season, me, now=now)
    return mine, mine if mine and mine.rank and rows else None


def page_of(
    request: HttpRequest, season: Season, wanted: Wanted, now: datetime
) -> LeaderboardPage | FilteredPage:
    """Return the page asked for: numbered, except for a filter without a search.

    Raises:
        Refused: a filter is not valid.
    """
    chosen = filters.parse_filter(
        season, season.shows, division=wanted.division, deviation=wanted.sure, games=wanted.games
    )
    if chosen and not wanted.search:
        after, before = (
            filters.parse_cursor(request.GET.get(name, "")) for name in ("after", "before")
        )
        return filters.filtered_page(
            season, chosen, now=now, after=after, before=before, past_ranks=True
        )
    return leaderboards.leaderboard(
        season,
        now=now,
        search=wanted.search,
        chosen=chosen,
        page=whole_number(request.GET.get("page")),
        past_ranks=True,
    )


@require_safe
def distribution(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rating distribution of the ranked players, with the reader's place."""
    arena_page = arena_page_or_404(slug)
    season = season_of(request, arena_page)
    me = player_of(request)
    my_row = leaderboards.player_row(season, me, now=arena_page.now) if me and season else None
    chart = discriminates = None
    if season and not season.lowest_first and (found := rating_distribution(season)):
        chart = draw(found, my_row.rating if my_row and my_row.rank else None)
        temperature = season.system().temperature
        if found.width and temperature:
            discriminates = discrimination(found.width, temperature)
    return render(
        request,
        "standings/distribution.html",
        {
            "arena": arena_page.arena,
            "season": season,
            "shows": season.shows if season else None,
            "chart": chart,
            "discriminates": discriminates,
            "drift": drift_of(season) if season else None,
            "my_row": my_row,
        },
    )


@require_safe
def inactive(request: HttpRequest, slug: str) -> HttpResponse:
    """List inactive players, with the ranks at which they would return."""
    arena_page = arena_page_or_404(slug)
    season = season_of(request, arena_page)
    page = None
    if season:
        page = leaderboards.inactive(
            season, now=arena_page.now, after=filters.parse_cursor(request.GET.get("after", ""))
        )
    return render(
        request,
        "standings/inactive.html",
        {
            "arena": arena_page.arena,
            "season": season,
            "shows": season.shows if season else None,
            "page": page,
        },
    )
