"""Leaderboards, rating distributions and inactive players."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from league.services.core.errors import Refused
from league.services.standings import filters, leaderboards
from league.services.standings.board import version_of
from league.services.standings.distributions import shape_of
from league.web.arenas.lookups import season_of, seen_or_404
from league.web.core.caching import kept_briefly
from league.web.core.fragments import asks_for_part
from league.web.core.frames import framed
from league.web.core.parameters import whole_number
from league.web.people.acting import player_of
from league.web.standings.boards import Wanted, board, refused, rows_of
from league.web.standings.distributions import picture as distribution_picture

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Season
    from league.services.arenas.pages import Seen
    from league.services.standings.filters import Picked
    from league.services.standings.leaderboards import Listing


@require_safe
@kept_briefly
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Who stands where, with a search by name and filters; htmx asks for the table alone."""
    seen = seen_or_404(slug)
    season = season_of(request, seen)
    me = player_of(request)
    wanted = Wanted.of(request)
    refusal, table, shows, mine = None, SafeString(), None, None
    if season:
        asked = request.GET.get("seen")
        if asked and whole_number(asked) == version_of(season.pk):
            return HttpResponse(status=204)
        try:
            page = page_of(request, seen, season, wanted)
        except Refused as error:
            refusal, table = error, refused(error)
        else:
            part = rows_of if asked else board
            table = part(request, seen, season, page, wanted, me)
        if asks_for_part(request):
            return HttpResponse(table)
        shows = season.system().shows
        mine = leaderboards.standing(season, me, now=seen.now) if me else None
    answer = framed(
        request,
        "standings/leaderboard.html",
        {
            "arena": seen.arena,
            "season": season,
            "seasons": seen.seasons,
            "wanted": wanted,
            "divisions": season.season_rules().divisions.divisions[::-1] if season else (),
            "refusal": refusal,
            "shows": shows,
            "my_row": mine,
        },
        table,
        depends_on=None
        if wanted.search or refusal
        else (seen.state, season.pk if season else 0, "season" in request.GET, wanted),
    )
    if refusal:
        answer.status_code = 400
    return answer


def page_of(request: HttpRequest, seen: Seen, season: Season, wanted: Wanted) -> Listing | Picked:
    """The part of the board that is asked for: numbered pages, but of a choice without a search.

    Raises:
        Refused: the choice is none.
    """
    choice = filters.chosen(season, division=wanted.division, sure=wanted.sure)
    if choice and not wanted.search:
        after, before = (filters.edge_of(request.GET.get(name, "")) for name in ("after", "before"))
        return filters.pick(season, choice, now=seen.now, after=after, before=before, moves=True)
    return leaderboards.leaderboard(
        season,
        now=seen.now,
        search=wanted.search,
        choice=choice,
        page=whole_number(request.GET.get("page")),
        moves=True,
    )


@require_safe
def distribution(request: HttpRequest, slug: str) -> HttpResponse:
    """How the ratings of the ranked lie, with the reader's place."""
    seen = seen_or_404(slug)
    season = season_of(request, seen)
    me = player_of(request)
    mine = leaderboards.standing(season, me, now=seen.now) if me and season else None
    picture = None
    if season and not season.lowest_first and (shape := shape_of(season)):
        picture = distribution_picture(shape, mine.rating if mine and mine.rank else None)
    return render(
        request,
        "standings/distribution.html",
        {
            "arena": seen.arena,
            "season": season,
            "shows": season.system().shows if season else None,
            "picture": picture,
            "my_row": mine,
        },
    )


@require_safe
def inactive(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is off the board for absence, and the ranks at which they would return."""
    seen = seen_or_404(slug)
    season = season_of(request, seen)
    absent = None
    if season:
        absent = leaderboards.inactive(
            season, now=seen.now, after=filters.edge_of(request.GET.get("after", ""))
        )
    return render(
        request,
        "standings/inactive.html",
        {
            "arena": seen.arena,
            "season": season,
            "shows": season.system().shows if season else None,
            "absent": absent,
        },
    )
