"""A season's results, rated and predicted under some rules. Nothing is written."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from league.models.explained import translate
from league.services.core.errors import Refused
from league.services.rating import versions
from league.services.seasons.starting_ratings import starting_states
from ratings.lab.evaluation import Predictions, predicted_steps
from ratings.replay import without_memory
from ratings.system import UnsupportedMatch
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from league.models import Season
    from league.services.rating.tail import Tail
    from league.services.rating.versions import Stretch
    from ratings.history import History
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Integers

MOST_SIDES = 100
"""Forecasts of larger matches would take longer than the replay."""


@dataclass(frozen=True)
class Played:
    """A season's history as rated under some rules."""

    tail: Tail
    history: History
    players: Integers
    """``(n,)`` ids of the history's players, by code."""
    states: States
    """``(n,)`` their states after the last match."""
    before: States
    """``(N,)`` states before each match, without memory."""
    ignored: Booleans
    """``(N,)`` whether the match was none to the system."""
    predictions: Predictions

    @property
    def counted(self) -> Booleans:
        """``(N,)`` whether the match counts as a game of the participant."""
        return np.asarray((self.tail["played"] == 1) & ~self.ignored)


def play(
    season: Season,
    rules: Sequence[Stretch],
    tail: Tail,
    *,
    from_start: bool,
    progress: Callable[[int], object],
) -> Played:
    """Rate a season's history under these rules, predicting every match before it is rated.

    ``from_start`` keeps the ratings with which players started the season; otherwise everybody is
    a newcomer, as in a season with another rating system.

    Raises:
        Refused: the rating system cannot rate a match of the season.
    """
    history = tail.history()
    players = np.array(history.players, dtype=np.int64)
    if from_start:
        states = starting_states(season, players.tolist())
        new = versions.newcomers_among(season, players.tolist())
    else:
        states = rules[0].system.newcomers(len(players))
        new = np.ones(len(players), dtype=np.bool_)
    before = States.full(len(history.player))
    ignored = np.zeros(len(history.player), dtype=np.bool_)
    sides = len(history.places)
    predictions = Predictions(np.empty(sides), np.zeros(sides, np.int64), np.full(sides, np.nan))
    try:
        for stretch, start, stop in versions.spans(rules, tail.orders):
            part = history.part(start, stop)
            states, new = versions.joining(stretch.system, part, states, new)
            states = states.copy()
            rows = slice(history.match_offsets[start], history.match_offsets[stop])
            at = slice(history.side_offsets[start], history.side_offsets[stop])
            into = Predictions(
                predictions.strength[at], predictions.games[at], predictions.chance[at]
            )
            portion = rate(stretch.system, part, states, into, progress)
            before.put(rows, portion[0])
            ignored[rows] = portion[1]
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error
    return Played(tail, history, players, states, before, ignored, predictions)


def rate(
    system: RatingSystem,
    history: History,
    table: States,
    into: Predictions,
    progress: Callable[[int], object],
) -> tuple[States, Booleans]:
    """Rate a history into ``table``. Return the states before each match and what was ignored."""
    before = States.full(len(history.player))
    ignored = np.zeros(len(history.player), dtype=np.bool_)
    for step in predicted_steps(
        system, history, table, into, most_sides=MOST_SIDES, progress=progress
    ):
        before.put(step.rows, without_memory(step.before).ravel())
        if step.outcome.ignored is not None:
            ignored[step.rows] = np.repeat(step.outcome.ignored, step.before.rating.shape[-1])
    return before, ignored
