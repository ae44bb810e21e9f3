"""A team's rated matches, as badges and seasons in review count them."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from league.models import Match, Side
from league.services.results.records.badges import Result

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Team

COLUMNS = (
    "match",
    "match__season",
    "match__arena",
    "match__played_at",
    "match__weight",
    "match__contest_weight",
    "match__forecast",
    "index",
    "place",
    "roster__team",
)


def results_of(team: Team) -> list[Result]:
    """Return a team's rated matches, oldest first. One query.

    Matches in which a side has no team, or two have the same, are no matches between teams and
    have no ``opponents``.
    """
    games = Match.objects.rated().games().filter(arena__is_draft=False, sides__roster__team=team)
    sides = Side.objects.filter(match__in=games).order_by(
        "match__played_at", "match__rated_order", "match", "index"
    )
    rows = sides.values_list(*COLUMNS)
    return [
        one
        for _match, group in groupby(rows, key=itemgetter(0))
        for one in results_in(team, list(group))
    ]


def results_in(team: Team, sides: Sequence[tuple[Any, ...]]) -> list[Result]:
    """Return a team's results in a match, whose sides are rows of ``COLUMNS``."""
    teams = [row[-1] for row in sides]
    is_between = None not in teams and len(set(teams)) == len(teams)
    winners = sum(row[-2] == 0 for row in sides)
    two = len(sides) == 2
    found = []
    for row in sides:
        if row[-1] != team.pk:
            continue
        match, season, arena, at, weight, whole, forecast, index, place, _team = row
        outcome = "loss" if place else "draw" if winners > 1 else "win"
        others = [other for other in teams if is_between and other != team.pk]
        found.append(
            Result(
                match_id=match,
                season_id=season,
                arena_id=arena,
                played_at=at,
                outcome=outcome,
                share=weight / whole,
                chance=forecast[index] if forecast and two else None,
                opponents=frozenset(others),
                is_duel=two and is_between,
            )
        )
    return found
