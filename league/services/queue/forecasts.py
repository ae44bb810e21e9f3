"""Win chances of matches that are about to be proposed."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Rating
from league.services.core.clock import microseconds
from league.services.core.id_lists import any_of
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
    """Return the first team's win chance in each match, counting a draw as half a win.

    Arenas imported with prediction rules use those. Others use the season's rating system, and get
    ``None`` where it cannot predict the match.
    """
    rules = prediction_of(queue)
    if rules:
        return [published_chance(teams, rules) for teams in matches]
    return chances_by_ratings(season, matches, now)


def prediction_of(queue: ArenaQueue) -> PredictionRules | None:
    """Return the prediction rules that the arena was imported with, if any."""
    blocks = read(queue.configuration).all(PredictionRules) if queue.configuration else []
    return blocks[0] if blocks else None


def published_chance(teams: Teams, rules: PredictionRules) -> float:
    """Return the first team's win chance by the published prediction."""
    red, blue = map(team_figures, teams)
    return float(odds_of_victory(predict(red, blue, rules), "red"))


def team_figures(team: Sequence[Ticket]) -> TeamFigures:
    players = players_in_team(team)
    return TeamFigures(
        ladder=0.0,
        rank=float(np.mean([player.rank for player in players])),
        rating=float(np.mean([player.rating - player.deviation for player in players])),
        roster=float(max(len(ticket.players) for ticket in team)),
    )


def chances_by_ratings(
    season: Season, matches: Sequence[Teams], now: datetime
) -> list[float | None]:
    """Return win chances by the rating system, computing matches of one shape together."""
    held = rating_rows(
        season, {player.id for teams in matches for player in players_in_match(teams)}
    )
    shapes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, teams in enumerate(matches):
        shapes[tuple(len(players_in_team(team)) for team in teams)].append(number)
    chances: list[float | None] = [None] * len(matches)
    for sizes, numbers in shapes.items():
        rows = [
            held[player.id] for number in numbers for player in players_in_match(matches[number])
        ]
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


def rating_rows(season: Season, players: set[Any]) -> Mapping[Any, tuple[Any, ...]]:
    """Return the row that :func:`states_of` needs for each player, including newcomers."""
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


def players_in_match(teams: Teams) -> list[Player]:
    return [player for team in teams for player in players_in_team(team)]


def players_in_team(team: Sequence[Ticket]) -> list[Player]:
    return [player for ticket in team for player in ticket.players]
