"""A leaderboard's table, with what stands above and below its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from league.services.challenge_lists import challengeable
from league.templatetags.ranks import table_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Arena, Player, Season
    from league.services.leaderboards import Row
    from league.services.pages import Page
    from ratings.system import Shows


def board(
    request: HttpRequest,
    arena: Arena,
    shows: Shows,
    page: Page[Row],
    search: str,
    me: Player | None,
    buttons: Mapping[int, str] | None = None,
) -> SafeString:
    """The rows of a page of the leaderboard, and the way to its neighbours.

    ``buttons`` are the markup that stands at the end of players' rows, by player id.
    """
    players = "player" if page.total == 1 else "players"
    found = f" found for “{escape(search)}”" if search else ""
    status = f'<p class="hidden-text" role="status">{page.total} {players}{found}</p>'
    if page.rows:
        rest = table_of(page.rows, shows, arena.slug, me, buttons=buttons) + pager(request, page)
    else:
        rest = render_to_string("_empty_board.html", {"arena": arena, "search": search})
    return mark_safe(status + rest)  # noqa: S308 - escaped above and there


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


def pager(request: HttpRequest, page: Page[Row]) -> str:
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
    query = request.GET.copy()
    query["page"] = str(number)
    return f'<a rel="{rel}" href="{escape(f"{request.path}?{query.urlencode()}")}">{words}</a>'
