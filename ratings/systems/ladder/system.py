"""Kreimeier's ladder, on which players exchange ranks.

Source: B. Kreimeier, "Rising from the Ranks: Rating for Multiplayer Games", Gamasutra 2000, under
"Jacob's Ladder". Rank 1 is the top. If the loser of a match ranks above the winner, the two
exchange ranks. Draws change nothing. Newcomers join at the bottom in order of first appearance. The
ranks of ``n`` players are always the numbers 1 to ``n``, each once.

Formats. A duel is the article's own case. **Free-for-all**, rated by its result: participants with
neighbouring ranks exchange them whenever the lower one did better, until no such pair is left (the
article's "iterative improvement by pairwise exchange"). The result does not depend on the order of
the exchanges: the participants' ranks are reassigned by place, as the article lets a single
server's sorting "re-assign the slots in a global ladder". Ties keep their order. To rate event by
event, as the article prefers ("swap often"), choose ``rate_events``: a match with events then
exchanges ranks at each (``ratings.systems.ladder.events``). **Teams** are rejected, as a rank
belongs to one player.

Losing never gives a better rank than winning the same match, but it can pay off later. Only ranks
are remembered, and beating the top player is worth the same however they got there.

A match's weight has no effect, as an exchange happens or not. Only places affect ranks, not scores,
seconds, quits or professions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ratings.contests.draws import draws
from ratings.contests.single_events import rate_events
from ratings.system import RatingSystem, Shows
from ratings.systems.ladder.events import exchange_in_turn
from ratings.tunables.parameters import Parameters, parameter
from ratings.types import Forecast, Outcome, States, Term

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.types import Batch, Floats, Integers

SOURCE = "Kreimeier 2000, Jacob's Ladder"


class LadderParameters(Parameters):
    """Allowed challenges and the cost of ignoring one."""

    challenge_range: int = parameter(
        0,
        label="Challenge range",
        description="How many ranks above their own a player may challenge, with 0 for no limit. A "
        "win over a player further above does not count. A small range keeps the ladder stable "
        "when results depend on luck, but players take longer to reach their rank.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    ignored_challenge_cost: int = parameter(
        1,
        label="Cost of ignoring a challenge",
        description="Number of ranks a player drops for ignoring a challenge. Each passed player "
        "moves up by one. With 0, ignoring challenges is free.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=SOURCE,
    )
    draws: float = draws()
    rate_events: bool = rate_events(
        "Exchange ranks at every event, such as a frag, that the game server of a free-for-all has "
        "sent, in their order. The places then move nobody. Matches without events, and those of "
        "teams, go by their places.",
        SOURCE,
    )


class Ladder(RatingSystem):
    """Ranks that winners take from losers."""

    name = "ladder"
    label = "Ladder"
    summary = (
        "Everyone has a rank. Beat a player above you, and the two of you exchange ranks. It needs "
        "no numbers to explain, but does not say how far apart two players are."
    )
    Parameters = LadderParameters
    ranks_population = True
    shows = Shows(rating="Rank", lowest_first=True)
    terms = (
        Term("seed", "Seed", "Order by rank among the match's players. 1 is the highest."),
        Term("finish", "Finish", "Place among the match's players. 1 is the best, ties share it."),
        Term(
            "reach",
            "Challenge range",
            "Ranks further apart than this are not exchanged.",
            optional=True,
        ),
        Term(
            "change",
            "Change",
            "To the rank at one's place among those of the match, minus one's own. Below 0 is up.",
        ),
    )

    parameters: LadderParameters

    def __init__(self, parameters: LadderParameters) -> None:
        self.parameters = parameters

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Raise ``UnsupportedMatch`` for teams as well."""
        super().check_sizes(sizes, perf_ceiling=perf_ceiling)
        if max(sizes) > 1:
            raise self.refuse(
                "%(system)s rates one-on-one matches and free-for-alls, but not teams"
            )

    def newcomers(self, count: int, population: int = 0) -> States:
        """Return the next ranks below the ``population`` already there."""
        states = States.full(count)
        states.rating[:] = np.arange(population + 1, population + count + 1)
        return states

    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate ``m`` matches of one shape."""
        rank = before.rating
        holder = np.argsort(rank, axis=-1, kind="stable")
        slots = np.take_along_axis(rank, holder, axis=-1)
        places = np.take_along_axis(batch.places, holder, axis=-1)
        # Sort by block of slots, then by place. Equal players keep the order of their ranks.
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
        terms = {
            "seed": seed,
            "finish": finishes(batch.places),
            "reach": np.full_like(rank, self.parameters.challenge_range or np.nan),
            "change": after - rank,
        }
        return Outcome(states, terms)

    def rate_events(
        self, ratings: list[float], events: Integers, weight: float, held: Sequence[bool]
    ) -> dict[str, list[float]]:
        """Exchange ranks at each event, as the article prefers. Weights have no effect."""
        del weight, held
        pairs = events[:, :2].tolist()
        ratings[:] = exchange_in_turn(
            np.array(ratings), pairs, self.parameters.challenge_range
        ).tolist()
        return {}

    def _blocks(self, slots: Floats) -> Integers:
        """Return the ``(m, s)`` block of each slot, best first. Exchanges never cross blocks.

        Only neighbouring slots are exchanged, so a block ends where the next slot is out of range.
        """
        blocks = np.zeros(slots.shape, dtype=np.int64)
        if self.parameters.challenge_range:
            apart = np.diff(slots, axis=-1) > self.parameters.challenge_range
            np.cumsum(apart, axis=-1, out=blocks[:, 1:])
        return blocks

    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict chances inversely proportional to ranks: rank 1 beats rank 2 in two of three.

        The ladder itself only says that the higher rank is the favourite. The size of the advantage
        is our own choice: differences are large at the top and small at the bottom, and nothing is
        certain. Draws are not modelled.
        """
        del sizes, times
        strength = 1.0 / np.maximum(states.rating, 1.0)
        total = np.sort(strength, axis=-1).sum(axis=-1, keepdims=True)
        return Forecast(win=strength / total, draw=np.zeros(len(strength)))


def finishes(places: Integers) -> Floats:
    """Return ``(m, s)`` places as 1, 2, 3, ..., where ties share their best place."""
    order = np.argsort(places, axis=-1, kind="stable")
    in_order = np.take_along_axis(places, order, axis=-1)
    finish = np.ones(places.shape)
    finish[:, 1:] = np.where(np.diff(in_order, axis=-1) > 0, np.arange(2, places.shape[-1] + 1), 1)
    finish = np.maximum.accumulate(finish, axis=-1)
    result = np.empty_like(finish)
    np.put_along_axis(result, order, finish, axis=-1)
    return result
