"""A leaderboard's table, with what stands above and below its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from league.services.challenge_lists import challengeable
from league.templatetags.ranks import table_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Player, Season
    from league.services.arenas import Seen
    from league.services.leaderboards import Listing, Row


def board(
    request: HttpRequest,
    seen: Seen,
    season: Season,
    page: Listing,
    search: str,
    me: Player | None,
) -> SafeString:
    """The rows of a page of the leaderboard, and the way to its neighbours.

    Where the rows can still change, the page asks whether they have.
    """
    players = "player" if page.total == 1 else "players"
    found = f" found for “{escape(search)}”" if search else ""
    status = f'<p class="hidden-text" role="status">{page.total} {players}{found}</p>'
    return mark_safe(status + rows_of(request, seen, season, page, search, me))  # noqa: S308 - escaped above and there


def rows_of(
    request: HttpRequest,
    seen: Seen,
    season: Season,
    page: Listing,
    search: str,
    me: Player | None,
) -> SafeString:
    """The same without what a screen reader is told of it: what is renewed while it is read."""
    arena = seen.arena
    if page.rows:
        shows = season.system().shows
        buttons = challenge_buttons(request, season, page.rows, me, seen.now) if me else None
        inner = table_of(page.rows, shows, arena.slug, me, buttons=buttons) + pager(request, page)
    else:
        inner = render_to_string("_empty_board.html", {"arena": arena, "search": search})
    over = season.ends_at is not None and season.ends_at <= seen.now
    again = "" if over else f' hx-get="{address(request, seen=page.version)}" hx-trigger="renew"'
    return mark_safe(  # noqa: S308 - escaped above and there
        f'<div id="rows" hx-swap="outerHTML" hx-target="this"{again}>{inner}</div>'
    )


def challenge_buttons(
    request: HttpRequest, season: Season, rows: Iterable[Row], me: Player, now: datetime
) -> dict[int, str]:
    """A button for each of those on a ladder's page whom ``me`` may challenge, by player id."""
    if not season.lowest_first:
        return {}
    shown = [row.player_id for row in rows]
    return {
        one.player_id: render_to_string(
            "_challenge_button.html",
            {"arena": season.arena, "player_id": one.player_id, "name": one.player.name},
            request,
        )
        for one in challengeable(season, me, now, shown)
    }


def pager(request: HttpRequest, page: Listing) -> str:
    """Where on the board this is, and the ways up and down."""
    better = link(request, "prev", "Better", page.previous) if page.previous else ""
    further = link(request, "next", "Further down", page.next) if page.next else ""
    here = f'<span class="soft">Page {page.number} of {page.pages}</span>' if page.pages > 1 else ""
    return (
        '<nav class="pages" aria-label="Pages of the leaderboard"><span class="soft">'
        f'{page.first}–{page.last} of {page.total}</span><span class="row">{better}{here}{further}'
        "</span></nav>"
    )


def link(request: HttpRequest, rel: str, words: str, number: int) -> str:
    return f'<a rel="{rel}" href="{address(request, page=number)}">{words}</a>'


def address(request: HttpRequest, **changes: int) -> str:
    """The address of this page with some of what it asks for changed, as an attribute holds it."""
    query = request.GET.copy()
    query.pop("seen", None)
    for name, value in changes.items():
        query[name] = str(value)
    return escape(f"{request.path}?{query.urlencode()}")
