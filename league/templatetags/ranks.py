"""The rows of a leaderboard.

They are most of what the page says, and read more often than anything else, so they are put
together here by hand: a template takes six times as long. Every text that people choose goes
through ``escape``.
"""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe

from league.templatetags.laurel import day_text, is_midnight, number, provisional_mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from django.template import Context

    from league.models import Player
    from league.services.standings.leaderboards import Row
    from ratings.percentile import Division
    from ratings.system import Shows

register = template.Library()

MINE = ' id="me" class="me"'
COLUMNS = (
    '<th scope="col" class="number"><abbr title="Ranks moved since yesterday">Day</abbr></th>'
    '<th scope="col" class="number room-only"><abbr title="Ranks moved since last week">Week</abbr>'
    '</th><th scope="col" class="number wide-only"><abbr title="Won · drawn · lost">Record</abbr>'
    '</th><th scope="col" class="room-only">Streak</th><th scope="col" class="wide-only">'
    '<abbr title="Percentile: 100 is the best hundredth">Standing</abbr></th>'
    '<th scope="col" class="number room-only">Last match</th>'
)
YOU = ' <span class="chip">you</span>'


@register.simple_tag(takes_context=True)
def ranks(
    context: Context, rows: Iterable[Row], shows: Shows, *, brief: bool = False
) -> SafeString:
    """A table of rows on a page of an arena."""
    return table_of(rows, shows, context["arena"].slug, context.get("me"), brief=brief)


def table_of(
    rows: Iterable[Row],
    shows: Shows,
    arena: str,
    me: Player | None,
    *,
    brief: bool = False,
    buttons: Mapping[int, str] | None = None,
) -> SafeString:
    """A table of rows; ``brief`` leaves out what a page about something else has no room for.

    ``buttons`` are the markup that stands at the end of players' rows, by player id.
    """
    lines = Lines(shows, arena, me.pk if me else None, brief=brief, buttons=buttons or {})
    return mark_safe(  # noqa: S308 - put together below, names escaped
        f'<table class="ranks{" brief" if brief else ""}"><thead><tr>{lines.head()}</tr></thead>'
        f"<tbody>{''.join(map(lines.line, rows))}</tbody></table>"
    )


class Lines:
    """How rows of one leaderboard read."""

    def __init__(
        self,
        shows: Shows,
        arena: str,
        me: int | None,
        *,
        brief: bool,
        buttons: Mapping[int, str],
    ) -> None:
        self.shows = shows
        self.me = me
        self.brief = brief
        self.wide = "" if shows.lowest_first else " wide-only"
        self.buttons = buttons
        self.zone = timezone.get_current_timezone()
        self.zone_name = escape(timezone.get_current_timezone_name())
        self.player_begins, self.player_ends = player_address()
        self.query = f"?arena={escape(arena)}"

    def head(self) -> str:
        """The cells above the columns."""
        rating = (
            ""
            if self.shows.lowest_first
            else f'<th scope="col" class="number">{escape(self.shows.rating)}</th>'
        )
        more = f'<th scope="col" class="number{self.wide}">Matches</th>' if self.brief else COLUMNS
        if self.buttons:
            more += '<th scope="col"><span class="hidden-text">Challenge</span></th>'
        return '<th scope="col" class="number">Rank</th><th scope="col">Player</th>' + rating + more

    def line(self, row: Row) -> str:
        """A player's row."""
        mine = row.player_id == self.me
        more = (
            f'<td class="number{self.wide}">{row.games}</td>' if self.brief else self.details(row)
        )
        if self.buttons:
            more += f'<td class="number">{self.buttons.get(row.player_id, "")}</td>'
        return (
            f"<tr{MINE if mine else ''}>"
            f'<td class="number"><span class="rank rank-{row.rank}">{row.rank or "–"}</span></td>'
            f'<th scope="row"><a id="p{row.player_id}" '
            f'href="{self.player_begins}{row.player_id}{self.player_ends}{self.query}">'
            f"{escape(row.name)}</a>{YOU if mine else ''}</th>{self.rating(row)}{more}</tr>"
        )

    def details(self, row: Row) -> str:
        """What only the leaderboard itself has room for."""
        return (
            f'<td class="number">{moved(row.rank, row.rank_yesterday)}</td>'
            f'<td class="number room-only">{moved(row.rank, row.rank_last_week)}</td>'
            f'<td class="number wide-only nowrap">{row.wins} · {row.draws} · {row.losses}</td>'
            f'<td class="room-only">{streak(row.outcome, row.streak)}</td>'
            f'<td class="wide-only nowrap">{standing(row.percentile, row.division)}</td>'
            f'<td class="number room-only soft nowrap">{self.last_match(row.last_played_at)}</td>'
        )

    def rating(self, row: Row) -> str:
        """The rating with its deviation; nothing on a ladder, where it is the rank."""
        if self.shows.lowest_first:
            return ""
        mark = provisional_mark() if row.provisional else ""
        sure = (
            ""
            if row.deviation is None
            else f' <span class="soft">± {number(row.deviation, self.shows.decimals)}</span>'
        )
        return (
            '<td class="number"><span class="nowrap"><strong>'
            f"{number(row.rating, self.shows.decimals)}</strong>{mark}{sure}</span></td>"
        )

    def last_match(self, at: datetime | None) -> str:
        """Its day, in the reader's zone."""
        if at is None:
            return ""
        if is_midnight(at):
            return f'<time datetime="{at.date()}">{written(at.date())}</time>'
        return (
            f'<time datetime="{at.isoformat()}" data-show="day" data-zone="{self.zone_name}">'
            f"{written(at.astimezone(self.zone).date())}</time>"
        )


written = lru_cache(maxsize=1024)(day_text)
"""A day in words; a page has few of them."""


@lru_cache(maxsize=4096)
def moved(rank: int | None, then: int | None) -> str:
    """How many ranks a player has gone up or down."""
    if then is None or rank is None:
        return (
            '<span class="soft"><span aria-hidden="true">–</span>' + hidden("not known") + "</span>"
        )
    if then == 0:
        return '<span class="chip">new</span>'
    if then == rank:
        return (
            '<span class="soft"><span aria-hidden="true">=</span>' + hidden("same rank") + "</span>"
        )
    arrow, word, colour = ("▲", "up", "up") if rank < then else ("▼", "down", "down")
    return (
        f'<span class="change {colour} nowrap"><span aria-hidden="true">{arrow}</span>'
        f"{hidden(word + ' ')}{abs(rank - then)}</span>"
    )


@lru_cache(maxsize=1024)
def streak(outcome: int | None, length: int) -> str:
    """How the latest matches in a row ended: ``W4``."""
    if outcome is None or not length:
        return ""
    letter, word = {1: ("W", "won"), 0: ("D", "drawn"), -1: ("L", "lost")}[outcome]
    last = "match" if length == 1 else str(length)
    return f'<span aria-hidden="true">{letter}{length}</span>{hidden(f" {word} the last {last}")}'


@lru_cache(maxsize=4096)
def standing(percentile: int | None, division: Division | None) -> str:
    """What part of the ranked stands behind, and the division that this earns."""
    badge = "" if percentile is None else f'<span class="badge">{percentile}</span>'
    return badge if division is None else f"{badge} {division_badge(division)}"


def hidden(words: str) -> str:
    return f'<span class="hidden-text">{words}</span>'


@lru_cache(maxsize=1024)
def division_badge(division: Division) -> str:
    """A division's colour and name."""
    return (
        '<span class="division"><svg viewBox="0 0 8 8" aria-hidden="true">'
        f'<circle cx="4" cy="4" r="4" fill="{escape(division.colour) or "currentColor"}"/></svg>'
        f"{escape(division.name)}</span>"
    )


@register.filter
def badge(division: Division) -> SafeString:
    """The same for templates."""
    return mark_safe(division_badge(division))  # noqa: S308 - escaped above


@lru_cache(maxsize=8)
def player_address(_urlconf: Any = None) -> tuple[str, str]:
    """What stands before and after the number in the address of a player's page."""
    before, _zero, after = reverse("player", args=[0]).rpartition("0")
    return before, after
