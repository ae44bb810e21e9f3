"""Who should win a match that is about to be proposed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Rating
from league.services.core.clock import microseconds
from league.services.core.many import any_of
from league.services.rating.rate import states_of
from matchmaking.io.xmlfile import read
from matchmaking.prediction import PredictionRules, TeamFigures, odds_of_victory, predict
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import ArenaQueue, Season
    from matchmaking.ticket import Player, Ticket

    Teams = Sequence[Sequence[Ticket]]

COLUMNS = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")


def forecasts(
    queue: ArenaQueue, season: Season, matches: Sequence[Teams], now: datetime
) -> list[float | None]:
    """The first team's chance in each match, a draw as half a win.

    An arena that was imported with a prediction is foreseen by that, others by the rating system
    of the season; ``None`` where it cannot tell.
    """
    rules = prediction_of(queue)
    if rules:
        return [odds(teams, rules) for teams in matches]
    return by_ratings(season, matches, now)


def prediction_of(queue: ArenaQueue) -> PredictionRules | None:
    """The rules of prediction that the arena was imported with."""
    blocks = read(queue.configuration).all(PredictionRules) if queue.configuration else []
    return blocks[0] if blocks else None


def odds(teams: Teams, rules: PredictionRules) -> float:
    """The first team's odds of victory, as published."""
    red, blue = map(figures, teams)
    return float(odds_of_victory(predict(red, blue, rules), "red"))


def figures(team: Sequence[Ticket]) -> TeamFigures:
    players = members(team)
    return TeamFigures(
        ladder=0.0,
        rank=float(np.mean([player.rank for player in players])),
        rating=float(np.mean([player.rating - player.deviation for player in players])),
        roster=float(max(len(ticket.players) for ticket in team)),
    )


def by_ratings(season: Season, matches: Sequence[Teams], now: datetime) -> list[float | None]:
    """As :func:`forecasts`, by the rating system: matches of one shape together."""
    held = rows_of(season, {player.id for teams in matches for player in everybody(teams)})
    shapes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, teams in enumerate(matches):
        shapes[tuple(len(members(team)) for team in teams)].append(number)
    chances: list[float | None] = [None] * len(matches)
    for sizes, numbers in shapes.items():
        rows = [held[player.id] for number in numbers for player in everybody(matches[number])]
        _ids, states = states_of(rows)
        shaped = type(states)(
            *(
                values.reshape(len(numbers), sum(sizes), *values.shape[1:])
                for values in vars(states).values()
            )
        )
        times = np.full(len(numbers), microseconds(now))
        try:
            forecast = season.system().predict(shaped, sizes, times)
        except UnsupportedMatch:
            continue
        share = forecast.win[:, 0] + forecast.draw / 2
        for number, chance in zip(numbers, share.tolist(), strict=True):
            chances[number] = chance
    return chances


def rows_of(season: Season, players: set[Any]) -> Mapping[Any, tuple[Any, ...]]:
    """What :func:`states_of` takes of each of these players, newcomers too."""
    system = season.system()
    fresh = system.newcomers(1, season.ratings.count() if system.ranks_population else 0)
    newcomer = (
        0,
        fresh.rating[0],
        fresh.deviation[0],
        fresh.volatility[0],
        0,
        None,
        fresh.memory[0].tolist(),
    )
    rated = {
        player: (0, *state)
        for player, *state in Rating.objects.filter(
            season=season, player__in=any_of(players)
        ).values_list("player", *COLUMNS)
    }
    return {player: rated.get(player, newcomer) for player in players}


def everybody(teams: Teams) -> list[Player]:
    return [player for team in teams for player in members(team)]


def members(team: Sequence[Ticket]) -> list[Player]:
    return [player for ticket in team for player in ticket.players]
