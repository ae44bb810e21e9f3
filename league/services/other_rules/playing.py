"""Replay a season's results under some rules, predicting every match. Nothing is written."""

from __future__ import annotations

import time
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
    from ratings.types import Booleans, Integers


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
    seconds: float
    """The processor time that it took."""

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
    began = time.process_time()
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
    predictions = Predictions.blank(history, states)
    try:
        for stretch, start, stop in versions.spans(rules, tail.orders):
            part = history.part(start, stop)
            states, new = versions.joining(stretch.system, part, states, new)
            states = states.copy()
            into = predictions.part(history, start, stop)
            within = slice(history.match_offsets[start], history.match_offsets[stop])
            earlier, none = States.full(len(part.player)), ignored[within]
            for step in predicted_steps(stretch.system, part, states, into, progress=progress):
                earlier.put(step.rows, without_memory(step.before).ravel())
                if step.outcome.ignored is not None:
                    none[step.rows] = np.repeat(step.outcome.ignored, step.before.rating.shape[-1])
            before.put(within, earlier)
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error
    seconds = time.process_time() - began
    return Played(tail, history, players, states, before, ignored, predictions, seconds)
