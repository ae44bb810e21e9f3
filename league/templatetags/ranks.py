"""Standings in the words of a page."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from league.services.core.numbers import decimal_separator, format_with
from league.services.standings.order_in_words import describe_order
from league.templatetags.laurel import day, provisional_mark
from league.templatetags.profiles import face, flag
from league.templatetags.records import any_draws, counts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.utils.safestring import SafeString

    from league.models import Arena, FinalStanding, Player, Season
    from league.services.seasons.results import Places
    from league.services.standings.leaderboard_rows import LeaderboardRow
    from ratings.percentile import Division
    from ratings.system import Shows

register = template.Library()

NO_PLACES = (0, 0, 0)


@register.simple_tag
def cells(
    rows: Sequence[LeaderboardRow],
    shows: Shows,
    arena: Arena,
    me: Player | None,
    pinned: LeaderboardRow | None = None,
    *,
    why: bool = False,
) -> list[dict[str, Any]]:
    """The texts of leaderboard rows, and of the reader's own that is ``pinned`` below them.

    With ``why``, also what each row is ahead of the next for.

    Leaderboards are the pages read most. A template takes a third of the time to read these texts
    from dictionaries that it takes to look up and filter the fields of the rows themselves.
    """
    elements = Elements()
    address, _zero, query = reverse("player", args=[0]).rpartition("0")
    query += f"?arena={arena.slug}"
    decimals, separator = shows.decimals, decimal_separator(get_language())
    draws = any_draws(arena, rows)
    reasons = describe_order(rows, shows) if why else {}
    return [
        {
            "why": reasons.get(row.player_id, ""),
            "is_me": me is not None and row.player_id == me.pk,
            "player": row.player_id,
            "pinned_to": row.page if pinned and row is pinned else None,
            "face": face(row.player_id, row.name, row.picture),
            "flag": flag(row.country),
            "id": f"p{row.player_id}",
            "address": f"{address}{row.player_id}{query}",
            "rank": str(row.rank or "–"),
            "name": row.name,
            "rating": format_with(shows.show(row.rating), decimals, separator),
            "deviation": ""
            if row.deviation is None
            else f"± {format_with(shows.spread(row.rating, row.deviation), decimals, separator)}",
            "mark": provisional_mark() if row.provisional else "",
            "games": str(row.games),
            "day": elements.rank_change(row.rank, row.rank_yesterday),
            "week": elements.rank_change(row.rank, row.rank_last_week),
            "record": record(row, arena, draws=draws),
            "streak": elements.streak(row.outcome, row.streak),
            "percentile": "–" if row.percentile is None else str(row.percentile),
            "division": "" if row.division is None else badge(row.division),
            "last_match": "" if row.last_played_at is None else day(row.last_played_at),
        }
        for row in [*rows, *([pinned] if pinned else ())]
    ]


def record(row: LeaderboardRow, arena: Arena, *, draws: bool) -> str:
    """A row's matches won, drawn and lost, or first places where more than two sides play."""
    if arena.sides_max == 2:
        return counts_of(row, draws=draws)
    first = row.wins + row.draws
    return _("%(first)d of %(total)d") % {"first": first, "total": first + row.losses}


@register.simple_tag
def final_cells(
    rows: Sequence[FinalStanding],
    season: Season,
    places: dict[int, Places] | None,
    me: Player | None,
) -> list[dict[str, Any]]:
    """The texts of an archive's rows, with places where more than two sides play."""
    address, _zero, query = reverse("player", args=[0]).rpartition("0")
    badges = {one.name: badge(one) for one in season.season_rules().divisions.divisions}
    shows, separator = season.shows, decimal_separator(get_language())
    found = places or {}
    draws = any_draws(season.arena, rows)
    return [
        {
            "is_me": me is not None and row.player_id == me.pk,
            "address": f"{address}{row.player_id}{query}?season={season.pk}",
            "rank": row.rank,
            "name": row.name,
            "division": badges.get(row.division, row.division),
            "rating": format_with(shows.show(row.rating), shows.decimals, separator),
            "deviation": ""
            if row.deviation is None
            else "± "
            + format_with(shows.spread(row.rating, row.deviation), shows.decimals, separator),
            "percentile": "–" if row.percentile is None else str(row.percentile),
            "record": counts_of(row, draws=draws)
            if places is None
            else " · ".join(map(str, found.get(row.player_id, NO_PLACES)[:3])),
            "average": format_with(found[row.player_id].average, 1, separator)
            if row.player_id in found
            else "–",
            "games": str(row.games),
        }
        for row in rows
    ]


class Elements:
    """Parts that many rows of a leaderboard share, made once."""

    def __init__(self) -> None:
        self.changes: dict[int | None, SafeString | str] = {}
        self.streaks: dict[tuple[int | None, int], SafeString | str] = {}

    def rank_change(self, rank: int | None, before: int | None) -> SafeString | str:
        if before == 0:
            return format_html('<span class="chip">{}</span>', _("new"))
        gained = None if before is None or rank is None else before - rank
        if gained not in self.changes:
            self.changes[gained] = rank_change(gained)
        return self.changes[gained]

    def streak(self, outcome: int | None, count: int) -> SafeString | str:
        if (outcome, count) not in self.streaks:
            self.streaks[outcome, count] = streak(outcome, count)
        return self.streaks[outcome, count]


def rank_change(gained: int | None) -> SafeString:
    """Return the ranks gained, lost if negative: ``▲ 3``. None if not known."""
    if not gained:
        sign, label = ("–", _("not known")) if gained is None else ("=", _("same rank"))
        return format_html(
            '<span class="soft"><span aria-hidden="true">{}</span>'
            '<span class="hidden-text">{}</span></span>',
            sign,
            label,
        )
    return format_html(
        '<span class="change {} nowrap"><span aria-hidden="true">{}</span>'
        '<span class="hidden-text">{}</span> {}</span>',
        "up" if gained > 0 else "down",
        "▲" if gained > 0 else "▼",
        _("up") if gained > 0 else _("down"),
        abs(gained),
    )


def streak(outcome: int | None, count: int) -> SafeString | str:
    """A streak, in short and in words: ``W4``, ``won the last 4 matches``."""
    if outcome is None or not count:
        return ""
    letters = {1: _("W%(count)d"), 0: _("D%(count)d"), -1: _("L%(count)d")}
    if outcome == 1:
        words = ngettext("won the last match", "won the last %(count)d matches", count)
    elif outcome == 0:
        words = ngettext("drew the last match", "drew the last %(count)d matches", count)
    else:
        words = ngettext("lost the last match", "lost the last %(count)d matches", count)
    return format_html(
        '<span aria-hidden="true">{}</span><span class="hidden-text"> {}</span>',
        letters[outcome] % {"count": count},
        words % {"count": count},
    )


@register.filter
def in_percentile(percentile: int) -> str:
    """A percentile in words, from 1 for the lowest to 100."""
    return _("percentile %(percentile)d of 100") % {"percentile": percentile}


@register.filter
@lru_cache(maxsize=1024)
def badge(division: Division) -> SafeString:
    """A division's colour and name."""
    return format_html(
        '<span class="division"><svg viewBox="0 0 8 8" aria-hidden="true">'
        '<circle cx="4" cy="4" r="4" fill="{}"/></svg>{}</span>',
        division.colour or "currentColor",
        division.name,
    )
