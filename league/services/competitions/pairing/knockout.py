"""Brackets: which winners and losers meet, in single and double elimination."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from league.services.competitions.pairing.seeding import seeds_in_bracket

if TYPE_CHECKING:
    from collections.abc import Sequence

Stage: TypeAlias = Literal["winners", "losers", "final", "third"]


class Source(NamedTuple):
    """The origin of a side of a slot: an entrant's id, or the number of an earlier slot."""

    kind: Literal["entrant", "winner", "loser"]
    of: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A fixture of a bracket. Its sources are slots with lower numbers."""

    number: int
    """From 1, in an order in which they can be played."""
    stage: Stage
    round: int
    """From 1 within the stage."""
    home: Source
    away: Source


def knockout(
    entrants_by_seed: Sequence[int],
    *,
    double: bool = False,
    third_place: bool = False,
    reset: bool = False,
) -> list[Slot]:
    """Return the slots of a bracket, seeded so that 1 and 2 can meet in its last game only.

    Where the number is no power of two, the top seeds start in the second round. Such a bye leaves
    no slot: it would be no game.

    In double elimination, a loser drops to the losers' bracket, whose winner plays the final
    against that of the winners' bracket. Losers drop to where they meet earlier opponents as late
    as possible.

    Args:
        third_place: of single elimination only, the losers of the semi-finals meet.
        reset: of double elimination only, a second final follows, to be played only if the first is
            lost by its home side, who was undefeated.

    Raises:
        ValueError: fewer than two entrants, or an option that the format does not have.
    """
    if len(entrants_by_seed) < 2:
        raise ValueError("a bracket needs two entrants")
    if (third_place and double) or (reset and not double):
        raise ValueError("this format has no such game")
    bracket = _Bracket()
    if double:
        bracket.double(entrants_by_seed, reset=reset)
    else:
        bracket.single(entrants_by_seed, third_place=third_place)
    return bracket.with_consecutive_rounds()


class _Bracket:
    """Slots as they are added. ``None`` in place of a source is a bye."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []

    def single(self, entrants: Sequence[int], *, third_place: bool) -> None:
        sides = _first_sides(entrants)
        number, losers = 1, list[Source | None]()
        while len(sides) > 2:
            sides, losers = self._play("winners", number, _neighbours(sides))
            number += 1
        if third_place and len(losers) == 2:
            self._play("third", 1, [(losers[0], losers[1])])
        self._play("final", 1, [(sides[0], sides[1])])

    def double(self, entrants: Sequence[int], *, reset: bool) -> None:
        winners = _first_sides(entrants)
        drops = losers_drop(len(winners))
        winners, losing = self._play("winners", 1, _neighbours(winners))
        number = 1
        for mask in drops:
            losing, _ = self._play("losers", number, _neighbours(losing))
            winners, dropped = self._play("winners", number // 2 + 2, _neighbours(winners))
            met = [dropped[at ^ mask] for at in range(len(losing))]
            losing, _ = self._play("losers", number + 1, list(zip(losing, met, strict=True)))
            number += 2
        self._play("final", 1, [(winners[0], losing[0])])
        if reset:
            first = self.slots[-1].number
            self._play("final", 2, [(Source("winner", first), Source("loser", first))])

    def _play(
        self, stage: Stage, number: int, pairs: list[tuple[Source | None, Source | None]]
    ) -> tuple[list[Source | None], list[Source | None]]:
        """Add a slot for each pair of two, and return where winners and losers come from."""
        winners, losers = list[Source | None](), list[Source | None]()
        for home, away in pairs:
            if home is None or away is None:
                winners.append(home or away)
                losers.append(None)
                continue
            slot = Slot(len(self.slots) + 1, stage, number, home, away)
            self.slots.append(slot)
            winners.append(Source("winner", slot.number))
            losers.append(Source("loser", slot.number))
        return winners, losers

    def with_consecutive_rounds(self) -> list[Slot]:
        """Return the slots without the rounds of the losers in which all have a bye."""
        there = sorted({slot.round for slot in self.slots if slot.stage == "losers"})
        return [
            replace(slot, round=there.index(slot.round) + 1) if slot.stage == "losers" else slot
            for slot in self.slots
        ]


def losers_drop(size: int) -> list[int]:
    """Return for each round of the winners from the second how its losers drop, as a mask.

    In a bracket of ``size`` places, the loser of game g drops to place g XOR mask of the losers'
    round. A place there was reached from parts of the winners' bracket that follow from the earlier
    masks. The mask that is chosen leads away from them, those that dropped last first, in this
    round and then in the following ones.
    """
    masks = [0]
    places = size // 4
    while places:
        masks.append(min(range(places), key=lambda mask: _repeats(mask, places, masks)))
        places //= 2
    return masks[1:]


def _repeats(mask: int, places: int, earlier: list[int]) -> list[float]:
    """Return how likely those who drop meet an opponent again, in this round and later ones.

    Each round of the losers halves the chance that somebody is still there.
    """
    costs = []
    for later in range(places.bit_length()):
        same = (
            0.25**ago
            for ago, other in enumerate(reversed(earlier), start=1)
            if other >> ago + later == mask >> later
        )
        costs.append(sum(same))
    return costs


def _first_sides(entrants: Sequence[int]) -> list[Source | None]:
    return [
        Source("entrant", entrants[seed - 1]) if seed <= len(entrants) else None
        for seed in seeds_in_bracket(len(entrants))
    ]


def _neighbours(
    sides: Sequence[Source | None],
) -> list[tuple[Source | None, Source | None]]:
    return list(zip(sides[::2], sides[1::2], strict=True))
