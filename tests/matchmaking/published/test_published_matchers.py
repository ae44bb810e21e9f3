"""The new and the old matcher, against the plain reading of their pages and by hand."""

from collections.abc import Callable
from itertools import count
from typing import Any

import numpy as np
import pytest

from matchmaking.published import alternating, wave
from matchmaking.rules.arena import MatcherRules, QueueRules, Rules
from matchmaking.tick import Tick
from matchmaking.ticket import Queue, Ticket
from tests.support import plain_matchers
from tests.support.effort import spread
from tests.support.matchmaking_queues import (
    ANY_MODE,
    MODES,
    PAIRS_OF_MODES,
    by_id,
    in_regions,
    plain_by_id,
    random_rules,
    random_tickets,
    seeded,
    solo,
)

MATCHERS = [pytest.param(wave, id="new"), pytest.param(alternating, id="old")]
EASY = QueueRules(potentials_min=0, rating_min=10_000, rating_max=10_000, iteration_rosters=1000)
DUEL = Rules(team_size=1, queue=EASY)
TWOS = Rules(team_size=2, queue=EASY)


def some_queue(seed: int) -> tuple[list[Ticket], Rules]:
    rng = seeded(seed)
    tickets = random_tickets(
        rng,
        rng.choice([0, 1, 5, 12, 30, 80]),
        coarse=rng.random() < 0.5,
        modes=rng.choice([ANY_MODE, ANY_MODE, MODES, PAIRS_OF_MODES]),
    )
    return in_regions(rng, tickets) if rng.random() < 0.2 else tickets, random_rules(rng)


@pytest.mark.parametrize("hundred", spread(range(20), 6))
def test_the_new_matcher_makes_the_matches_of_the_plain_reading(hundred: int) -> None:
    for seed in range(hundred * 100, hundred * 100 + 100):
        tickets, rules = some_queue(seed)
        queue = Queue.of(tickets)
        made = wave.match(queue, rules, now=0.0)
        read = plain_matchers.new(tickets, rules, 0.0)
        assert by_id(queue, made) == plain_by_id(read), f"queue {seed}"
        assert_scores(made, read)


@pytest.mark.parametrize("hundred", spread(range(20), 6))
def test_the_old_matcher_makes_the_matches_of_the_plain_reading(hundred: int) -> None:
    for seed in range(hundred * 100, hundred * 100 + 100):
        tickets, rules = some_queue(seed)
        queue = Queue.of(tickets)
        made = alternating.match(queue, rules, now=0.0, generator=np.random.default_rng(seed))
        read = plain_matchers.old(tickets, rules, 0.0, a_coin(seed))
        assert by_id(queue, made) == plain_by_id(read), f"queue {seed}"
        assert_scores(made, read)


def test_the_old_matcher_never_swaps_without_a_generator() -> None:
    for seed in range(200):
        tickets, rules = some_queue(seed)
        queue = Queue.of(tickets)
        made = alternating.match(queue, rules, now=0.0, generator=None)
        assert by_id(queue, made) == plain_by_id(plain_matchers.old(tickets, rules, 0.0)), (
            f"queue {seed}"
        )


def a_coin(seed: int) -> Callable[[], bool]:
    generator = np.random.default_rng(seed)
    return lambda: bool(generator.random() < 0.5)


def assert_scores(made: Tick, read: plain_matchers.PlainTick) -> None:
    for match, other in zip(made.matches, read.matches, strict=True):
        scores = [score for _, _, score in other.picks]
        assert [pick.score for pick in match.picks] == pytest.approx(scores, abs=1e-6)


@pytest.mark.parametrize("matcher", MATCHERS)
def test_the_shares_of_every_pick_add_up_to_its_score(matcher: Any) -> None:
    picks = 0
    for seed in range(300):
        tickets, rules = some_queue(seed)
        queue = Queue.of(tickets)
        for match in matcher.match(queue, rules, now=0.0).matches:
            shares = matcher.explain(queue, rules, match, now=0.0)
            for pick, share in zip(match.picks, shares, strict=True):
                assert sum(share.values()) == pytest.approx(pick.score, abs=1e-6)
                picks += 1
    assert picks > 1000


def test_two_duelists_meet_and_the_score_is_as_computed_by_hand() -> None:
    alice = solo("Alice", 1500, deviation=100, games=100, dishonor=2)
    bob = solo("Bob", 1480, deviation=50, wait=30, games=180, dishonor=1)
    queue = Queue.of([alice, bob])
    (match,) = wave.match(queue, DUEL, now=0.0).matches
    assert (match.team1, match.team2) == ((0,), (1,))
    # Age 30 s * 2, games 80 * -0.25, rating |1430 - 1400| * -10, dishonor |2 - 1| * -100 and -50.
    assert match.picks[0].score == pytest.approx(60 - 20 - 300 - 100 - 50)
    (shares,) = wave.explain(queue, DUEL, match, now=0.0)
    assert {name: share for name, share in shares.items() if share} == pytest.approx(
        {
            "age": 60,
            "games": -20,
            "rating": -300,
            "dishonor_distance": -100,
            "dishonor_stack": -50,
        }
    )


@pytest.mark.parametrize("matcher", MATCHERS)
def test_a_tick_stops_between_targets_when_its_time_is_up(matcher: Any) -> None:
    queue, asked = Queue.of([solo(number) for number in range(20)]), count()
    tick = matcher.match(queue, DUEL, now=0.0, deadline=lambda: next(asked) >= 2)
    assert len(tick.matches) == 3
    assert tick.left == tuple(range(6, 20))
    late = matcher.match(queue, DUEL, now=0.0, deadline=lambda: True)
    assert len(late.matches) == 1


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("rating", [1500.0, 1500.1])
def test_ten_thousand_identical_tickets_are_matched_in_queue_order(
    matcher: Any, rating: float
) -> None:
    queue = Queue.of([solo(number, rating) for number in range(10_000)])
    tick = matcher.match(queue, Rules(queue=QueueRules(iteration_rosters=50)), now=0.0)
    assert len(tick.matches) == 50
    assert tick.left == tuple(range(500, 10_000))
    assert [sorted(match.tickets) for match in tick.matches] == [
        list(range(first, first + 10)) for first in range(0, 500, 10)
    ]


@pytest.mark.parametrize("matcher", MATCHERS)
def test_a_clock_that_steps_back_gives_no_negative_waits(matcher: Any) -> None:
    queue = Queue.of([solo(number, wait=-3600.0) for number in range(2)])
    (match,) = matcher.match(queue, DUEL, now=0.0).matches
    assert match.picks[0].score == 0.0


FIELDS = [
    (part, name)
    for part, model in (("queue", QueueRules), ("matcher", MatcherRules))
    for name in model.model_fields
    if name not in {"type", "ladder"}
]


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize(("part", "name"), FIELDS)
def test_a_tick_works_with_every_rule_at_its_limits(matcher: Any, part: str, name: str) -> None:
    tickets = random_tickets(seeded(7), 60, coarse=True, modes=ANY_MODE)
    tried = 0
    for value in (0, -1, 1, 1e9, -1e9):
        try:
            rules = Rules.model_validate({part: {**dict(getattr(Rules(), part)), name: value}})
        except ValueError:
            continue
        queue = Queue.of(tickets)
        tick = matcher.match(queue, rules, now=0.0)
        seen = [ticket for match in tick.matches for ticket in match.tickets] + list(tick.left)
        assert sorted(seen) == list(range(60))
        assert all(np.isfinite(pick.score) for match in tick.matches for pick in match.picks)
        tried += 1
    assert tried


def test_explaining_a_match_of_another_matcher_is_refused() -> None:
    queue = Queue.of([solo("Alice"), solo("Bob"), solo("Charlie"), solo("Dora")])
    (match,) = alternating.match(queue, TWOS, now=0.0).matches
    picks = tuple(pick.__class__(pick.ticket, 1, 0.0) for pick in match.picks)
    foreign = match.__class__(match.tickets, (), picks)
    with pytest.raises(ValueError, match="not made by this matcher"):
        wave.explain(queue, TWOS, foreign, now=0.0)
