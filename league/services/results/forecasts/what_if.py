"""The changes of each outcome of a match between any players, before it is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import ArenaQueue
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _
from league.services.rating.forecasts import forecasts
from league.services.results.forecasts.outcomes import results_of
from league.services.results.forecasts.stakes import (
    DRAW,
    LOSS,
    WIN,
    ratings_of,
    stakes_of,
)
from league.services.results.rules.formats import between
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Player, Season
    from league.services.rating.forecasts import LineUps, Row
    from league.services.results.forecasts.outcomes import Change, Flags

MOST_SIDES = 16
"""The most sides for which outcomes are computed. Each outcome rates the whole match."""


@dataclass(frozen=True)
class Outcome:
    """One way in which a match can end."""

    place: int
    """Of the first side, from 1."""
    drawn: bool
    chance: float | None
    """Known for matches of two sides, where the rating system predicts all outcomes."""
    changes: Mapping[int, Change]
    """By player id."""


@dataclass(frozen=True)
class WhatIf:
    """The odds of a match, and what each outcome would change."""

    chances: Sequence[float] | None
    """Each side's chance to win, with draws shared."""
    outcomes: Sequence[Outcome]

    @property
    def changes(self) -> list[Change]:
        return [change for one in self.outcomes for change in one.changes.values()]

    @property
    def result_chances(self) -> list[float]:
        """Return the chances of the outcomes, empty if they are not known."""
        return [one.chance for one in self.outcomes if one.chance is not None]


def check_teams(arena: Arena, teams: Sequence[Sequence[Player]]) -> None:
    """Refuse teams of the wrong size, too many sides, and a player on two sides."""
    limits = (arena.team_size_min, arena.team_size_max)
    for number, team in enumerate(teams, start=1):
        if not limits[0] <= len(team) <= limits[1]:
            raise Refused(
                "team_size",
                _("A side in %(arena)s has %(range)s players. Side %(number)d has %(count)d.")
                % {
                    "arena": arena,
                    "range": between(*limits),
                    "number": number,
                    "count": len(team),
                },
                field="sides",
            )
    if len(teams) > MOST_SIDES:
        raise Refused(
            "sides", _("Name at most %(most)d sides.") % {"most": MOST_SIDES}, field="sides"
        )
    players = [player.pk for team in teams for player in team]
    if len(set(players)) < len(players):
        raise Refused("twice", _("A player can only be on one side."), field="sides")


def what_if(
    season: Season, sides: LineUps, at: datetime, first: int | None = None
) -> WhatIf | None:
    """Return the odds and outcomes of a match played at a time, with the ``first`` of two sides at
    home.

    With more than two sides there is an outcome for each place of the first side, while the others
    finish in the order of their chances. ``None`` if the season's system does not rate the match.
    The number of queries is constant.
    """
    held, flags, newcomers = ratings_of(season, [sides])
    rows = {**held, **newcomers[0]}
    if len(sides) == 2:
        return of_two(season, sides, rows, flags, at, first)
    try:
        return of_many(season, sides, rows, flags, at)
    except UnsupportedMatch:
        return None


def of_two(
    season: Season,
    sides: LineUps,
    rows: Mapping[int, Row],
    flags: Flags,
    at: datetime,
    first: int | None,
) -> WhatIf | None:
    [found] = stakes_of(season, [sides], [rows], flags, at, [first])
    if found is None:
        return None
    outcomes = [
        Outcome(places[0] + 1, places == DRAW, found.chances.get(places), found.results[places])
        for places in (WIN, DRAW, LOSS)
        if places in found.results
    ]
    chances = None if found.chance is None else (found.chance, 1 - found.chance)
    return WhatIf(chances, outcomes)


def of_many(
    season: Season, sides: LineUps, rows: Mapping[int, Row], flags: Flags, at: datetime
) -> WhatIf:
    queue = ArenaQueue.objects.filter(arena=season.arena_id).first()
    prediction = queue.prediction_rules() if queue else None
    [chances] = forecasts(season, [sides], rows, at, prediction)
    others = list(range(1, len(sides)))
    if chances is not None:
        others.sort(key=lambda side: -chances[side])
    orders = [finish(others, place) for place in range(len(sides))]
    rated = results_of(season, sides, rows, flags, at, orders)
    return WhatIf(
        chances,
        [
            Outcome(places[0] + 1, drawn=False, chance=None, changes=changes)
            for places, changes in rated
        ],
    )


def finish(others: Sequence[int], place: int) -> tuple[int, ...]:
    """Return the places of all sides if the first finishes at ``place`` among the others."""
    order = [*others[:place], 0, *others[place:]]
    return tuple(order.index(side) for side in range(len(order)))
