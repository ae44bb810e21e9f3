"""Regions: all tickets of a match share one, and choices widen unless they are strict."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from matchmaking.matchers import MATCHERS
from matchmaking.regions import RegionChoice, RegionRules, best
from matchmaking.rules.arena import QueueRules, Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.ticket import Queue, Ticket
from tests.support.matchmaking_queues import in_regions, random_tickets, seeded, solo
from tests.support.plain_laurel import share_a_region

EASY = QueueRules(potentials_min=0, rating_min=10_000, rating_max=10_000, iteration_rosters=1000)
ANYBODY = LaurelRules(fairness=0.5, asking=-1e9, bound=1e9)
DUEL = Rules(team_size=1, queue=EASY, laurel=ANYBODY)
ANYWHERE = frozenset({"europe", "america", "asia"})


def of(*names: str) -> frozenset[str]:
    return frozenset(names)


def wants(name: str, *regions: str, strict: bool = False, wait: float = 0.0) -> Ticket:
    choice = RegionChoice(of(*regions), of(*regions) if strict else ANYWHERE)
    return replace(solo(name, wait=wait), regions=choice)


def pairs(matcher: str, *tickets: Ticket, rules: Rules = DUEL) -> list[set[int]]:
    tick = MATCHERS[matcher].match(
        Queue.of(tickets), rules, now=0.0, generator=np.random.default_rng(1)
    )
    return [set(match.tickets) for match in tick.matches]


@pytest.mark.parametrize("matcher", MATCHERS)
def test_all_tickets_of_every_match_share_a_region(matcher: str) -> None:
    matches = 0
    for seed in range(150):
        rng = seeded(seed)
        drawn = random_tickets(rng, 24, coarse=True, modes=[frozenset()])
        queue = Queue.of(in_regions(rng, drawn))
        rules = DUEL.model_copy(
            update={
                "team_size": rng.choice([1, 2, 3]),
                "region": RegionRules(widen_after=rng.choice([0.0, 60.0, 300.0])),
            }
        )
        made = MATCHERS[matcher].match(queue, rules, now=0.0, generator=np.random.default_rng(seed))
        for match in made.matches:
            assert share_a_region(queue, rules, match, 0.0)
            matches += 1
    assert matches > 300


@pytest.mark.parametrize("matcher", MATCHERS)
def test_a_choice_widens_after_a_while_and_a_strict_one_never(matcher: str) -> None:
    there = wants("Bob", "asia", wait=500)
    assert not pairs(matcher, wants("Alice", "europe", wait=119), wants("Bob", "asia", wait=119))
    assert pairs(matcher, wants("Alice", "europe", wait=120), there) == [{0, 1}]
    assert pairs(matcher, wants("Alice", "europe"), there) == [{0, 1}], "Bob comes to her region"
    assert not pairs(matcher, wants("Alice", "europe", strict=True, wait=900), wants("Bob", "asia"))
    assert pairs(matcher, wants("Alice", "europe", strict=True, wait=900), there) == [{0, 1}]
    never = DUEL.model_copy(update={"region": RegionRules(widen_after=0.0)})
    assert not pairs(matcher, wants("A", "europe", wait=9e5), wants("B", "asia"), rules=never)


@pytest.mark.parametrize("matcher", MATCHERS)
def test_whoever_accepts_no_region_meets_nobody(matcher: str) -> None:
    nowhere = replace(solo("Alice"), regions=RegionChoice(of(), of()))
    assert not pairs(matcher, nowhere, wants("Bob", *ANYWHERE), nowhere)
    assert pairs(matcher, solo("Alice"), wants("Bob", "asia")) == [{0, 1}], "no choice is anywhere"


def test_a_part_of_a_queue_keeps_its_regions() -> None:
    queue = Queue.of([wants("Alice", "asia"), wants("Bob", "europe"), wants("Eve", "america")])
    part = queue.take([2, 0])
    assert part.regions is not None
    assert [part.regions.sets[code] for code in part.regions.now] == [of("america"), of("asia")]


def test_the_region_of_a_match_is_the_one_most_chose_then_the_nearest_then_drawn() -> None:
    def chosen(*latencies: dict[str, float], votes: list[frozenset[str]]) -> str:
        return best(ANYWHERE, votes, latencies, np.random.default_rng(1))

    two_of_three = [of("asia"), of("asia", "europe"), of("america")]
    assert chosen(votes=two_of_three) == "asia"
    even = [of("asia"), of("europe")]
    assert chosen({"asia": 20.0, "europe": 40.0}, {"asia": 90.0}, votes=even) == "europe"
    assert chosen({"asia": 20.0}, votes=even) == "asia", "a measured one before an unknown one"
    drawn = Counter(best(ANYWHERE, even, [], np.random.default_rng(seed)) for seed in range(2000))
    assert set(drawn) == {"asia", "europe"}
    assert min(drawn.values()) > 900
    assert best(of("america"), even, [], np.random.default_rng(1)) == "america"
