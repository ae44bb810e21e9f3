"""A leaderboard's table, with what stands above and below its rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from league.services.ladder.lists import challengeable
from league.services.standings.filters import LOOKED_AT, Picked, text_of
from league.templatetags.ranks import table_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Player, Season
    from league.services.arenas.pages import Seen
    from league.services.core.errors import Refused
    from league.services.standings.leaderboards import Listing, Row


@dataclass(frozen=True)
class Wanted:
    """Which of the ranked a reader asks for, as written; empty texts ask for nothing."""

    search: str
    division: str
    sure: str
    """The widest deviation."""

    @classmethod
    def of(cls, request: HttpRequest) -> Self:
        search, division, sure = (
            request.GET.get(name, "").strip() for name in ("q", "division", "sure")
        )
        return cls(search, division, sure)


def board(
    request: HttpRequest,
    seen: Seen,
    season: Season,
    page: Listing | Picked,
    wanted: Wanted,
    me: Player | None,
) -> SafeString:
    """The rows of a page of the leaderboard, and the way to its neighbours.

    Where the rows can still change, the page asks whether they have.
    """
    shown = len(page.rows) if isinstance(page, Picked) else page.total
    players = "player" if shown == 1 else "players"
    found = f" found for “{escape(wanted.search)}”" if wanted.search else ""
    here = " shown" if isinstance(page, Picked) else ""
    caution = f". {text}" if (text := caution_of(page)) else ""
    status = f'<p class="hidden-text" role="status">{shown} {players}{here}{found}{caution}</p>'
    return mark_safe(status + rows_of(request, seen, season, page, wanted, me))  # noqa: S308 - escaped above and there


def rows_of(
    request: HttpRequest,
    seen: Seen,
    season: Season,
    page: Listing | Picked,
    wanted: Wanted,
    me: Player | None,
) -> SafeString:
    """The same without what a screen reader is told of it: what is renewed while it is read."""
    inner: str
    if page.rows:
        shows = season.system().shows
        buttons = challenge_buttons(request, season, page.rows, me, seen.now) if me else None
        inner = table_of(page.rows, shows, seen.arena.slug, me, buttons=buttons)
    else:
        inner = render_to_string(
            "standings/_empty_board.html", emptiness(request, seen, page, wanted)
        )
    if isinstance(page, Picked):
        inner += stretch_pager(request, page)
    elif page.rows:
        inner += pager(request, page)
    if caution := caution_of(page):
        inner = f'<p class="notice warning caution small">{caution}</p>{inner}'
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
            "ladder/_challenge_button.html",
            {"arena": season.arena, "player_id": one.player_id, "name": one.player.name},
            request,
        )
        for one in challengeable(season, me, now, shown)
    }


def pager(request: HttpRequest, page: Listing) -> str:
    """Where on the board this is, and the ways up and down."""
    better = link(request, "prev", "Better", page=page.previous) if page.previous else ""
    further = link(request, "next", "Further down", page=page.next) if page.next else ""
    here = f'<span class="soft">Page {page.number} of {page.pages}</span>' if page.pages > 1 else ""
    return (
        '<nav class="pages" aria-label="Pages of the leaderboard"><span class="soft">'
        f'{page.first}–{page.last} of {page.total}</span><span class="row">{better}{here}{further}'
        "</span></nav>"
    )


def stretch_pager(request: HttpRequest, page: Picked) -> str:
    """The ways up and down where nobody has counted."""
    ways = []
    if page.better:
        ways.append(link(request, "first", "From the top", after=None, before=None))
        ways.append(link(request, "prev", "Better", before=text_of(page.better), after=None))
    if page.further:
        ways.append(link(request, "next", "Further down", after=text_of(page.further), before=None))
    if not ways:
        return ""
    shown = f"{len(page.rows)} shown"
    if page.paused:
        shown += f" of the next {LOOKED_AT} players at most"
    return (
        '<nav class="pages" aria-label="Pages of the leaderboard"><span class="soft">'
        f'{shown}</span><span class="row">{"".join(ways)}</span></nav>'
    )


def caution_of(page: Listing | Picked) -> str:
    """What a search left out, as text of a page; empty where it left nothing out."""
    return escape(page.caution) if not isinstance(page, Picked) else ""


def emptiness(
    request: HttpRequest, seen: Seen, page: Listing | Picked, wanted: Wanted
) -> dict[str, Any]:
    """What there is to say when there are no rows."""
    paused = isinstance(page, Picked) and page.paused
    everybody = address(request, division=None, sure=None, after=None, before=None, page=None)
    return {
        "arena": seen.arena,
        "search": wanted.search,
        "picky": bool(wanted.division or wanted.sure),
        "paged": isinstance(page, Picked) and bool(page.better),
        "looked_at": LOOKED_AT if paused else None,
        "more_names": bool(caution_of(page)),
        "everybody": mark_safe(everybody),  # noqa: S308 - escaped there
    }


def refused(refusal: Refused) -> SafeString:
    """What stands in the place of the rows for a choice that is none."""
    words = escape(refusal.message)
    return mark_safe(  # noqa: S308 - escaped above
        f'<div class="card-body"><p class="errors" id="refusal" role="alert">{words}</p></div>'
    )


def link(request: HttpRequest, rel: str, words: str, **changes: str | int | None) -> str:
    return f'<a rel="{rel}" href="{address(request, **changes)}">{words}</a>'


def address(request: HttpRequest, **changes: str | int | None) -> str:
    """The address of this page with some of what it asks for changed, as an attribute holds it."""
    query = request.GET.copy()
    query.pop("seen", None)
    for name, value in changes.items():
        query.pop(name, None)
        if value is not None:
            query[name] = str(value)
    return escape(f"{request.path}?{query.urlencode()}")
