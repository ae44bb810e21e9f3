"""Forecasts of matches: each side's chance to win, with draws shared among the sides.

Arenas with rules of prediction go by the published prediction, all others and all matches of more
than two sides by the rating system. A match has one forecast, which is stored with it. If it came
out of a queue, that is the one of its ready check; otherwise it is made when the match is settled.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection

from league.services.core.clock import microseconds
from league.services.core.prediction_inputs import PredictionInputs, prediction_inputs_of
from league.services.core.shown_ratings import as_shown, decayed_ratings
from league.services.rating.rate import states_of
from matchmaking.prediction import TeamFigures, odds_of_victory, predict
from ratings import history
from ratings.history import NEITHER
from ratings.points.history import side_odds
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.core.locking import LockedMatch
    from league.services.rating.rate import Held
    from matchmaking.prediction import PredictionRules
    from ratings.system import RatingSystem
    from ratings.types import Floats, Integers, States

    Row = tuple[Any, ...]
    """A player's rating as :func:`states_of` takes it."""
    LineUps = Sequence[Sequence[int]]
    """The ids of the players of each side of a match."""

COLUMNS = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")

FIGURES = prediction_inputs_of(
    season="%(season)s", arena="queue.arena_id", player="u.player", source="queue.rank_source"
)
READ_PREDICTION_INPUTS = f"""
    SELECT u.player, {FIGURES}
    FROM league_arenaqueue AS queue, unnest(%(players)s::bigint[]) AS u(player)
    WHERE queue.arena_id = %(arena)s
"""  # noqa: S608 - literals of ours


def forecast_of(locked: LockedMatch, held: Held) -> list[float] | None:
    """Return the forecast of a match that is about to be rated, ``None`` if it has none."""
    if locked.forecast is not None or not locked.match.played:
        return locked.forecast
    record = held.history
    sizes = tuple(len(side.participants) for side in locked.match.sides)
    names = [int(name) for name in record.players]
    shown = [
        locked.decayed.get(name, rating)
        for name, rating in zip(names, held.states.rating, strict=True)
    ]
    states = replace(held.states, rating=np.array(shown)).take(record.player[None, :])
    if locked.prediction and len(sizes) == 2:
        figures = [[locked.figures[int(record.players[code])] for code in record.player]]
        by_side = predict_chances(
            locked.prediction, figures, locked.system.at(states, record.times[:, None]), sizes[0]
        )
    else:
        by_side = side_odds(locked.system, states, sizes, record.times, record.first)
    chances: list[float] = by_side[0].tolist()
    return chances


def predict_chances(
    rules: PredictionRules, figures: Sequence[Sequence[PredictionInputs]], states: States, red: int
) -> Floats:
    """Return ``(m, 2)`` chances by the published prediction, the first ``red`` players' side first.

    Figures and ``states``, as of the match, are ``(m, p)``. Players of a side count as one roster.
    """
    points, rank, shown = np.moveaxis(np.array(figures, dtype=np.float64), -1, 0)
    rating = np.where(np.isnan(shown), states.rating, shown) - np.nan_to_num(states.deviation)

    def side(of: slice) -> TeamFigures:
        ladder, ranks, ratings = (each[:, of].mean(axis=-1) for each in (points, rank, rating))
        return TeamFigures(ladder, ranks, ratings, roster=float(points[:, of].shape[-1]))

    prediction = predict(side(slice(red)), side(slice(red, None)), rules)
    return np.stack([odds_of_victory(prediction, each) for each in ("red", "blue")], axis=-1)


def read_prediction_inputs(season: Season, players: Collection[int]) -> dict[int, PredictionInputs]:
    """Return the players' figures for the published prediction, by player id. One statement."""
    selected: dict[str, Any] = {
        "season": season.pk,
        "arena": season.arena_id,
        "players": list(players),
    }
    with connection.cursor() as cursor:
        cursor.execute(READ_PREDICTION_INPUTS, selected)
        return {player: PredictionInputs(*figures) for player, figures in cursor.fetchall()}


def forecasts(
    season: Season,
    matches: Sequence[LineUps],
    held: Mapping[int, Row],
    at: datetime,
    prediction: PredictionRules | None = None,
    firsts: Sequence[int | None] = (),
    decayed: Mapping[int, float] | None = None,
) -> list[list[float] | None]:
    """Return the forecasts of matches played at a time, by the ratings ``held`` by their players.

    ``firsts`` are the matches' first sides, such as the one at home; by default none has one.
    ``decayed`` are the players' ratings after decay, which are read by default. ``None`` where the
    rating system predicts none. Matches of one shape are computed together, with one statement if
    there are rules of prediction or ratings decay, and none otherwise.
    """
    system = season.system()
    everybody = {player for sides in matches for side in sides for player in side}
    figures = read_prediction_inputs(season, everybody) if prediction else {}
    if decayed is None:
        decayed = {} if prediction else decayed_ratings(season, everybody)
    held = as_shown(held, decayed)
    shapes: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, sides in enumerate(matches):
        shapes[tuple(map(len, sides))].append(number)
    found: list[list[float] | None] = [None] * len(matches)
    for sizes, numbers in shapes.items():
        line_ups = [[player for side in matches[number] for player in side] for number in numbers]
        states = states_together([[held[player] for player in row] for row in line_ups])
        times = np.full(len(numbers), microseconds(at))
        if prediction and len(sizes) == 2:
            known = [[figures[player] for player in row] for row in line_ups]
            now = system.at(states, np.broadcast_to(times[:, None], states.rating.shape))
            by_side = predict_chances(prediction, known, now, sizes[0])
        else:
            try:
                first = first_sides([firsts[number] for number in numbers] if firsts else ())
                by_side = side_odds(system, states, sizes, times, first)
            except UnsupportedMatch:
                continue
        for number, chances in zip(numbers, by_side.tolist(), strict=True):
            found[number] = chances
    return found


def first_sides(firsts: Sequence[int | None]) -> Integers | None:
    """Return the first sides of matches as the engine takes them."""
    return history.first_sides(
        np.array([NEITHER if first is None else first for first in firsts], dtype=np.int64)
    )


def states_together(rows: Sequence[Sequence[Row]]) -> States:
    """Return ``(m, p)`` states of the rows of the participants of matches of one shape."""
    _ids, states = states_of(row for match in rows for row in match)
    numbers: Integers = np.arange(len(states)).reshape(len(rows), -1)
    return states.take(numbers)


def newcomer_row(system: RatingSystem, season: Season) -> Row:
    fresh = system.newcomers(1, season.ratings.count() if system.ranks_population else 0)
    state = (fresh.rating[0], fresh.deviation[0], fresh.volatility[0])
    return (0, *state, 0, None, fresh.memory[0].tolist())
