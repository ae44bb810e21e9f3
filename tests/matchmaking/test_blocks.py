"""Tickets that blocks keep apart, in every matcher."""

from dataclasses import replace

import numpy as np
import pytest

from matchmaking.apart import Apart
from matchmaking.blocks import BlockRules
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Rules
from matchmaking.ticket import Queue
from tests.support.laurel_ticks import any_queue
from tests.support.matchmaking_queues import seeded, solo

DUEL = Rules(team_size=1, queue={"potentials_min": 1, "rating_min": 1000})
HOLD = DUEL.block.hold


def made(queue: Queue, rules: Rules, matcher: str, now: float, seed: int = 1) -> list[set[int]]:
    """Return the tickets of each match."""
    generator = np.random.default_rng(seed)
    tick = MATCHERS[matcher].match(queue, rules, now=now, generator=generator)
    return [set(match.tickets) for match in tick.matches]


def paired(queue: Queue, *pairs: tuple[int, int]) -> Queue:
    return replace(queue, blocked=np.array(pairs, dtype=np.int64).reshape(-1, 2))


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("pair", [(0, 1), (1, 0)])
def test_two_who_block_each_other_wait_for_the_declared_time(
    matcher: str, pair: tuple[int, int]
) -> None:
    queue = paired(Queue.of([solo("a"), solo("b")]), pair)
    assert made(queue, DUEL, matcher, HOLD - 1) == []
    assert made(queue, DUEL, matcher, HOLD) == [{0, 1}]
    never = DUEL.model_copy(update={"block": BlockRules(hold=0.0)})
    assert made(queue, never, matcher, 0.0) == [{0, 1}]


@pytest.mark.parametrize("matcher", MATCHERS)
def test_one_long_wait_is_enough(matcher: str) -> None:
    queue = paired(Queue.of([solo("a", wait=HOLD), solo("b")]), (0, 1))
    assert made(queue, DUEL, matcher, 0.0) == [{0, 1}]


def random_pairs(queue: Queue, seed: int) -> Queue:
    chance = seeded(seed)
    pairs = [tuple(chance.sample(range(len(queue)), 2)) for _ in range(len(queue))]
    return paired(queue, *pairs)  # type: ignore[arg-type] # of two


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("length", [10, 60])
@pytest.mark.parametrize("seed", range(6))
def test_no_match_has_a_pair_that_is_apart(matcher: str, length: int, seed: int) -> None:
    """Found by going through all pairs of all matches."""
    plain, rules = any_queue(seed, length)
    now = float(plain.queued_at.max())
    rules = rules.model_copy(update={"block": BlockRules(hold=float(np.median(plain.waits(now))))})
    queue = random_pairs(plain, seed)
    waits = queue.waits(now)
    for match in made(queue, rules, matcher, now):
        for one, other in queue.blocked.tolist():
            holds = waits[one] < rules.block.hold and waits[other] < rules.block.hold
            assert not (holds and {one, other} <= match)


@pytest.mark.parametrize("matcher", MATCHERS)
def test_blocks_that_no_longer_hold_change_nothing(matcher: str) -> None:
    plain, rules = any_queue(3, 40)
    rules = rules.model_copy(update={"block": BlockRules(hold=0.0)})
    now = float(plain.queued_at.max())
    assert made(random_pairs(plain, 3), rules, matcher, now) == made(plain, rules, matcher, now)


def test_a_party_is_kept_apart_as_a_whole_in_sets_of_any_order() -> None:
    queue = paired(Queue.of([solo(name) for name in "abcd"]), (3, 1))
    apart = Apart.of(queue, 0.0, BlockRules())
    assert apart
    sets = np.array([[0, 1, 2], [1, 2, 3], [3, 0, 1], [2, 0, 3]])
    everyone = np.ones(sets.shape, dtype=np.bool_)
    assert apart.among(sets, everyone).tolist() == [False, True, True, False]
    without = everyone & (sets != 1)
    assert not apart.among(sets, without).any()
    assert apart.from_last(sets, everyone).tolist() == [False, True, True, False]
    assert apart.from_last(sets, without).tolist() == [False, False, True, False]
    assert apart.may_meet(1, np.array([0, 2, 3])).tolist() == [True, True, False]
    assert apart.may_meet(0, slice(1, 4)).tolist() == [True, True, True]
    assert Apart.of(paired(queue), 0.0, BlockRules()) is None


def test_a_part_of_a_queue_keeps_the_pairs_of_its_tickets() -> None:
    queue = paired(Queue.of([solo(name) for name in "abcd"]), (0, 2), (1, 3))
    part = queue.take([2, 3, 0])
    assert part.blocked.tolist() == [[2, 0]]
