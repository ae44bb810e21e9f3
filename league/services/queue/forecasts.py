"""Win chances of matches that are about to be proposed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import PointTotal
from league.services.core.id_lists import any_of
from league.services.rating import forecasts as ratings
from matchmaking.prediction import TeamFigures, odds_of_victory, predict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import ArenaQueue, Season
    from matchmaking.prediction import PredictionRules
    from matchmaking.ticket import Ticket

    Teams = Sequence[Sequence[Ticket]]


def forecasts(
    queue: ArenaQueue, season: Season, matches: Sequence[Teams], now: datetime
) -> list[float | None]:
    """Return the first team's win chance in each match, counting a draw as half a win.

    Arenas with rules of prediction use those, and others the season's rating system. ``None`` where
    it cannot predict the match.
    """
    rules = queue.prediction_rules()
    everybody = {player.id for teams in matches for team in teams for player in players_in(team)}
    if rules:
        points = ladder_points(season, everybody) if rules.ladder_weight else {}
        return [published_chance(teams, points, rules) for teams in matches]
    line_ups = [[[player.id for player in players_in(team)] for team in teams] for teams in matches]
    held = ratings.rating_rows(season, everybody) if matches else {}
    found = ratings.forecasts(season, line_ups, held, now)
    return [chances[0] if chances else None for chances in found]


def ladder_points(season: Season, players: set[int]) -> dict[int, int]:
    """Return the season's ladder points of the players who have any, by player id."""
    totals = PointTotal.objects.filter(season=season, player__in=any_of(players))
    return dict(totals.values_list("player", "points"))


def published_chance(teams: Teams, points: Mapping[int, int], rules: PredictionRules) -> float:
    """Return the first team's win chance by the published prediction."""
    red, blue = (team_figures(team, points) for team in teams)
    return float(odds_of_victory(predict(red, blue, rules), "red"))


def team_figures(team: Sequence[Ticket], points: Mapping[int, int]) -> TeamFigures:
    players = players_in(team)
    return TeamFigures(
        ladder=float(np.mean([points.get(player.id, 0) for player in players])),
        rank=float(np.mean([player.rank for player in players])),
        rating=float(np.mean([player.rating - player.deviation for player in players])),
        roster=float(max(len(ticket.players) for ticket in team)),
    )


def players_in(team: Sequence[Ticket]) -> list[Any]:
    """Return the players of a team, whose ids are those of the league's."""
    return [player for ticket in team for player in ticket.players]
