"""Brackets, played to the end by brute force."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest

from league.services.competitions.pairing.knockout import Slot, knockout, losers_drop
from league.services.competitions.pairing.seeding import seeds_in_bracket
from tests.support.effort import spread

FIELDS = [*spread(range(2, 40), 14), 64, 65, 513]


def play(slots: list[Slot], generator: np.random.Generator | None = None) -> dict[int, list[int]]:
    """Return (winner, loser) of each slot. Without a generator, the better seed wins."""
    ended: dict[int, list[int]] = {}
    for slot in slots:
        sides = [
            source.of if source.kind == "entrant" else ended[source.of][source.kind == "loser"]
            for source in (slot.home, slot.away)
        ]
        assert len(set(sides)) == 2
        turned = generator.random() < 0.5 if generator else sides[0] > sides[1]
        ended[slot.number] = sides[::-1] if turned else sides
    return ended


@pytest.mark.parametrize("count", FIELDS)
def test_in_a_single_elimination_everybody_but_the_winner_loses_once(count: int) -> None:
    slots = knockout(range(1, count + 1))
    ended = play(slots, np.random.default_rng(count))
    assert sorted(loser for _, loser in ended.values()) == sorted(
        set(range(1, count + 1)) - {ended[len(slots)][0]}
    )
    assert [slot.stage for slot in slots if slot.stage != "winners"] == ["final"]


@pytest.mark.parametrize("count", FIELDS)
def test_in_a_double_elimination_everybody_but_two_loses_twice(count: int) -> None:
    slots = knockout(range(1, count + 1), double=True)
    ended = play(slots, np.random.default_rng(count))
    losses = Counter(loser for _, loser in ended.values())
    first, second = ended[len(slots)]
    assert len(slots) == 2 * count - 2
    assert losses.pop(second) in {1, 2}
    assert losses.pop(first, 0) <= 1
    assert set(losses.values()) <= {2}
    assert len(losses) == count - 2


@pytest.mark.parametrize("count", FIELDS)
def test_the_best_seeds_meet_last_and_have_the_byes(count: int) -> None:
    slots = knockout(range(1, count + 1))
    ended = play(slots)
    assert ended[len(slots)] == [1, 2]
    semi_finals = [ended[slot.number] for slot in slots[-3:-1]]
    if count >= 4:
        assert sorted(semi_finals) == [[1, 4], [2, 3]]
    first_round = {
        source.of for slot in slots if slot.round == 1 for source in (slot.home, slot.away)
    }
    byes = len(seeds_in_bracket(count)) - count
    if count > 4:  # else the second round is the final
        assert {slot.home.of for slot in slots if slot.stage == "winners" and slot.round == 2}
    if count > 2:
        assert not first_round & set(range(1, byes + 1)) - {
            source.of for source in (slots[-1].home, slots[-1].away)
        }


@pytest.mark.parametrize("double", [False, True])
@pytest.mark.parametrize("count", FIELDS)
def test_rounds_have_no_gaps_and_nobody_plays_twice_in_one(count: int, *, double: bool) -> None:
    slots = knockout(range(1, count + 1), double=double)
    ended = play(slots, np.random.default_rng(7))
    seats = Counter(
        (slot.stage, slot.round, entrant) for slot in slots for entrant in ended[slot.number]
    )
    assert set(seats.values()) == {1}
    for stage in ("winners", "losers"):
        numbers = {slot.round for slot in slots if slot.stage == stage}
        assert numbers == set(range(1, len(numbers) + 1))


def test_the_losers_of_the_semi_finals_play_for_the_third_place() -> None:
    slots = knockout(range(1, 6), third_place=True)
    ended = play(slots)
    third = next(slot for slot in slots if slot.stage == "third")
    assert ended[third.number] == [3, 4]
    assert [slot.stage for slot in knockout([1, 2, 3], third_place=True)] == ["winners", "final"]


def test_a_second_final_has_the_sides_of_the_first() -> None:
    *_, first, second = knockout(range(1, 9), double=True, reset=True)
    assert (first.stage, first.round, second.stage, second.round) == ("final", 1, "final", 2)
    assert (second.home, second.away) == (("winner", first.number), ("loser", first.number))


def first_rematch(size: int, drops: list[list[int]]) -> int:
    """Return the round of the losers, from 1, in which two who met can first meet again.

    Each place of the losers holds those who may be there, with whom each of them may have met.
    """
    blocks = [{place} for place in range(size)]
    met = {frozenset((2 * at, 2 * at + 1)) for at in range(size // 2)}
    losing = [blocks[2 * at] | blocks[2 * at + 1] for at in range(size // 2)]
    width, number = 2, 1
    for order in drops:
        for one, other in zip(losing[::2], losing[1::2], strict=True):
            if any(frozenset((a, b)) in met for a in one for b in other):
                return number
        losing = [one | other for one, other in zip(losing[::2], losing[1::2], strict=True)]
        width *= 2
        sections = [set(range(at * width, (at + 1) * width)) for at in range(size // width)]
        met |= {frozenset((a, b)) for section in sections for a in section for b in section}
        for place, section in enumerate(order):
            if sections[section] & losing[place]:
                return number + 1
        losing = [one | sections[at] for one, at in zip(losing, order, strict=True)]
        number += 2
    return number


def orders(size: int) -> list[list[int]]:
    return [
        [at ^ mask for at in range(size >> level)]
        for level, mask in enumerate(losers_drop(size), start=2)
    ]


@pytest.mark.parametrize("size", [8, 16])
def test_no_other_order_of_drops_delays_it_further(size: int) -> None:
    def every(level: int) -> list[list[list[int]]]:
        if size >> level == 0:
            return [[]]
        return [
            [list(order), *rest]
            for order in permutations(range(size >> level))
            for rest in every(level + 1)
        ]

    best = max(first_rematch(size, drops) for drops in every(2))
    assert first_rematch(size, orders(size)) == best


def test_what_a_format_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="two entrants"):
        knockout([1])
    with pytest.raises(ValueError, match="no such game"):
        knockout([1, 2, 3, 4], double=True, third_place=True)
    with pytest.raises(ValueError, match="no such game"):
        knockout([1, 2, 3, 4], reset=True)
