"""The chance to come how far in a bracket, simulated. Pure.

Entrants are numbers from 0. ``NOBODY`` fills the place of those who were decided out of it, and
loses to everybody.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from league.services.competitions.forecasts.forecast import SEASONS
from league.services.competitions.pairing.knockout import Source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from league.services.competitions.pairing.knockout import Slot

    Floats: TypeAlias = npt.NDArray[np.float64]
    Integers: TypeAlias = npt.NDArray[np.intp]

NOBODY = -1


class Played(NamedTuple):
    """A slot in every simulated bracket."""

    home: Integers
    away: Integers
    winner: Integers


def play_bracket(
    slots: Sequence[Slot],
    win: Floats,
    generator: np.random.Generator,
    *,
    starting: Mapping[int, Integers] | None = None,
    decided: Mapping[int, int] | None = None,
    out: Sequence[int] = (),
    seasons: int = SEASONS,
) -> dict[int, Played]:
    """Return how each slot went in each simulated bracket, by its number.

    A second final is played only if the first was lost by its home side; if not, its winner is that
    of the first. One between entrants who are known is due.

    Args:
        win: (entrants, entrants) the chance of one to beat another.
        starting: who starts at a place of the draw, where it differs by the season.
        decided: the winners of slots that are over.
        out: those who have withdrawn, and lose whatever is not over.
    """
    places, over = starting or {}, decided or {}
    ended: dict[int, Played] = {}

    def coming(source: Source) -> Integers:
        if source.kind == "entrant":
            return places[source.of] if source.of in places else np.full(seasons, source.of)
        before = ended[source.of]
        if source.kind == "winner":
            return before.winner
        loser = np.where(before.winner == before.home, before.away, before.home)
        return np.where(before.winner == NOBODY, NOBODY, loser)

    for slot in slots:
        home, away = coming(slot.home), coming(slot.away)
        at_home = generator.random(seasons) < win[home, away]
        if slot.stage == "final" and slot.round == 2 and slot.home.kind == "winner":
            at_home |= home == ended[slot.home.of].home
        one, other = without(home, out), without(away, out)
        winner = np.where((at_home | (other == NOBODY)) & (one != NOBODY), one, other)
        if slot.number in over:
            winner = np.full(seasons, over[slot.number])
        ended[slot.number] = Played(home, away, winner)
    return ended


def without(side: Integers, out: Sequence[int]) -> Integers:
    return np.where(np.isin(side, out), NOBODY, side)


def best_places(
    slots: Sequence[Slot], ended: Mapping[int, Played], entrants: int
) -> list[tuple[int, Floats]]:
    """Return the chance of each entrant to be among the best k, for each k of the bracket.

    Those are the numbers of entrants who are left before each round in which somebody drops out,
    and 1. All entrants of the bracket are always among the best of their number, which is left out.
    """
    last = max((slot for slot in slots if slot.stage == "final"), key=lambda slot: slot.round)
    double = any(slot.stage == "losers" for slot in slots)
    leaving = [slot for slot in slots if slot.stage == ("losers" if double else "winners")]
    rounds = [
        [slot for slot in leaving if slot.round == number]
        for number in sorted({slot.round for slot in leaving})
    ]
    seasons = len(ended[last.number].winner)
    champions = ended[last.number].winner
    found = [(1, np.bincount(champions[champions >= 0], minlength=entrants) / seasons)]
    still_in = np.zeros((seasons, entrants + 1), dtype=np.bool_)
    left = 1
    for those in [[last], *reversed(rounds)]:
        left += len(those)
        for slot in those:
            still_in[np.arange(seasons), ended[slot.number].home] = True
            still_in[np.arange(seasons), ended[slot.number].away] = True
        found.append((left, still_in[:, :entrants].mean(axis=0)))
    return found[-2::-1]
