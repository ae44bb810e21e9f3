"""Kreimeier's ladder: ranks that change hands.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Jacob's Ladder". Rank 1 is the top. If the loser of a match ranks above the winner, the two
exchange ranks; draws change nothing; newcomers join at the bottom, in the order in which they first
appear. The ranks of ``n`` players are always the numbers 1 to ``n``, each once.

Formats. A duel is the article's own case. **Free-for-all**, rated by its result: the participants
exchange ranks with their neighbour among them, whenever the lower one did better, until no such
exchange is left (the article's "iterative improvement by pairwise exchange"). What remains does not
depend on the order of the exchanges: the ranks that the participants held are dealt out again by
place, which is how the article lets a single server's sorting "re-assign the slots in a global
ladder"; those who tied keep their order. Rated event by event, as the article prefers ("swap
often"), it is ``ratings.systems.ladder.events.exchange`` for each. **Teams** are refused: a rank
belongs to one player.

Losing never gives a better rank than winning the same match, but it can pay later: a rank is all
that is remembered, and beating whoever holds the top is worth the same however they came there.

A match's weight changes nothing, as an exchange is whole or none. Scores, seconds, quits and
professions are information; places decide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.system import RatingSystem, Shows, UnsupportedMatch
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Kreimeier 2000, Jacob's Ladder"


class LadderParameters(Parameters):
    """Who may challenge whom, and what ignoring a challenge costs."""

    challenge_range: int = parameter(
        0,
        label="Challenge range",
        description="How many ranks above oneself one may challenge; 0 is no limit. A win over "
        "someone further above counts for nothing. A small range keeps the ladder calm where "
        "results are a matter of luck, and takes longer to bring everyone to their rank.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    ignored_challenge_cost: int = parameter(
        1,
        label="An ignored challenge costs",
        description="How many ranks a player drops for ignoring a challenge; those passed move up "
        "by one. 0 lets challenges be ignored for free.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )


class Ladder(RatingSystem):
    """Ranks that winners take over from losers."""

    name = "ladder"
    label = "Ladder"
    summary = (
        "Everyone has a rank; beat someone above you and the two of you exchange ranks. Needs no "
        "numbers to explain; it does not say how far apart two players are."
    )
    Parameters = LadderParameters
    ranks_population = True
    shows = Shows(rating="Rank", lowest_first=True)
    terms = (
        Term("seed", "Standing before", "Order by rank among the match's players; 1 is highest."),
        Term("finish", "Finish", "Place among the match's players; 1 is best, ties share it."),
        Term("change", "Change", "Rank after the match minus rank before; below 0 is up."),
    )

    parameters: LadderParameters

    def __init__(self, parameters: LadderParameters) -> None:
        self.parameters = parameters

    def check(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Also refuses teams."""
        super().check(sizes, perf_ceiling=perf_ceiling)
        if max(sizes) > 1:
            raise UnsupportedMatch(
                f"{self.label} rates one against one and free-for-all; it has no rank for a team"
            )

    def newcomers(self, count: int, population: int = 0) -> States:
        """The next ranks below the ``population`` already there."""
        states = States.filled(count)
        states.rating[:] = np.arange(population + 1, population + count + 1)
        return states

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        rank = before.rating
        holder = np.argsort(rank, axis=-1, kind="stable")
        slots = np.take_along_axis(rank, holder, axis=-1)
        places = np.take_along_axis(batch.places, holder, axis=-1)
        # Sorting by block of slots, then place; equal ones stay in the order of their ranks.
        dealt = np.lexsort((places, self._blocks(slots)), axis=-1)
        after = np.empty_like(rank)
        np.put_along_axis(after, np.take_along_axis(holder, dealt, axis=-1), slots, axis=-1)
        seed = np.empty_like(rank)
        np.put_along_axis(seed, holder, np.arange(1.0, rank.shape[-1] + 1)[None, :], axis=-1)
        states = States(
            rating=after,
            deviation=before.deviation,
            volatility=before.volatility,
            games=before.games,
            last_played=before.last_played,
            memory=before.memory,
        )
        terms = {"seed": seed, "finish": finishes(batch.places), "change": after - rank}
        return Outcome(states, terms)

    def _blocks(self, slots: Floats) -> Integers:
        """``(m, s)`` the block of each slot, best first: no exchange crosses from one to another.

        Exchanges are between neighbouring slots, so one ends where the next slot is out of range.
        """
        blocks = np.zeros(slots.shape, dtype=np.int64)
        if self.parameters.challenge_range:
            apart = np.diff(slots, axis=-1) > self.parameters.challenge_range
            np.cumsum(apart, axis=-1, out=blocks[:, 1:])
        return blocks

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Chances in inverse proportion to ranks: rank 1 beats rank 2 in two of three matches.

        The ladder itself says only that the higher rank is the favourite. How much of one is our
        own reading: distances are large at the top and small at the bottom, and nothing is ever
        certain. No chance of a draw is modelled.
        """
        del sizes, times
        strength = 1.0 / np.maximum(states.rating, 1.0)
        total = np.sort(strength, axis=-1).sum(axis=-1, keepdims=True)
        return Forecast(win=strength / total, draw=np.zeros(len(strength)))


def finishes(places: Integers) -> Floats:
    """``(m, s)`` places as 1, 2, 3, ...; those who tie share the best of theirs."""
    order = np.argsort(places, axis=-1, kind="stable")
    in_order = np.take_along_axis(places, order, axis=-1)
    finish = np.ones(places.shape)
    finish[:, 1:] = np.where(np.diff(in_order, axis=-1) > 0, np.arange(2, places.shape[-1] + 1), 1)
    finish = np.maximum.accumulate(finish, axis=-1)
    result = np.empty_like(finish)
    np.put_along_axis(result, order, finish, axis=-1)
    return result
