"""Game modes: all tickets of a match share one, and chance draws the match's mode."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from matchmaking import modes
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Choices, QueueRules, Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.ticket import Queue, Ticket
from tests.support.matchmaking_queues import PAIRS_OF_MODES, random_tickets, seeded, solo

EASY = QueueRules(potentials_min=0, rating_min=10_000, rating_max=10_000, iteration_rosters=1000)
ANYBODY = LaurelRules(fairness=0.5, asking=-1e9, bound=1e9)
DUEL = Rules(team_size=1, queue=EASY, laurel=ANYBODY, choices=Choices(modes="common"))


def wants(name: str, *wanted: str, rating: float = 1500.0) -> Ticket:
    return replace(solo(name, rating), modes=frozenset(wanted))


def made(matcher: str, queue: Queue, rules: Rules) -> tuple[tuple[int, ...], ...]:
    tick = MATCHERS[matcher].match(queue, rules, now=0.0, generator=np.random.default_rng(1))
    return tuple(match.tickets for match in tick.matches)


@pytest.mark.parametrize("matcher", MATCHERS)
@pytest.mark.parametrize("choice", ["equal", "common"])
def test_all_tickets_of_every_match_share_a_mode(matcher: str, choice: str) -> None:
    matches = 0
    for seed in range(150):
        rng = seeded(seed)
        queue = Queue.of(random_tickets(rng, 24, coarse=True, modes=PAIRS_OF_MODES))
        rules = Rules(
            team_size=rng.choice([1, 2, 3]),
            queue=EASY,
            laurel=ANYBODY,
            choices=Choices.model_validate({"modes": choice}),
        )
        for tickets in made(matcher, queue, rules):
            wanted = [queue.mode_sets[queue.mode_codes[ticket]] for ticket in tickets]
            assert any(all(mode in each for each in wanted) for mode in set().union(*wanted))
            matches += 1
    assert matches > 300


def test_as_published_only_equal_choices_meet() -> None:
    both, one = wants("Alice", "x", "y"), wants("Bob", "x")
    published = DUEL.model_copy(update={"choices": Choices()})
    assert not made("new", Queue.of([both, one]), published)
    assert made("new", Queue.of([both, one]), DUEL)
    assert made("new", Queue.of([both, wants("Charlie", "y", "x")]), published)


@pytest.mark.parametrize("matcher", MATCHERS)
def test_tickets_without_modes_meet_only_each_other(matcher: str) -> None:
    queue = Queue.of([wants("Alice"), wants("Bob", "x"), wants("Charlie")])
    assert [set(tickets) for tickets in made(matcher, queue, DUEL)] == [{0, 2}]


def modes_drawn(queue: Queue, seed: int) -> list[str]:
    tick = MATCHERS["laurel"].match(queue, DUEL, now=0.0, generator=None)
    return modes.draw_modes(queue, tick.matches, np.random.default_rng(seed))


def test_a_match_gets_a_mode_that_both_want() -> None:
    assert modes_drawn(Queue.of([wants("Alice", "x", "y"), wants("Bob", "y", "z")]), 1) == ["y"]
    assert modes_drawn(Queue.of([wants("Alice"), wants("Bob")]), 1) == [""]


def test_each_mode_that_both_want_is_as_likely_and_the_same_seed_draws_the_same() -> None:
    queue = Queue.of([wants("Alice", "x", "y", "z"), wants("Bob", "z", "y", "x")])
    drawn = [modes_drawn(queue, seed)[0] for seed in range(1500)]
    assert drawn[:100] == [modes_drawn(queue, seed)[0] for seed in range(100)]
    assert min(Counter(drawn).values()) > 450
    assert set(drawn) == {"x", "y", "z"}


def test_a_mode_that_others_include_is_not_searched_twice() -> None:
    """Players who want all modes are the usual case, so they cost no more than one mode."""
    everything = [wants(str(number), "x", "y", "z", rating=number) for number in range(40)]
    some = [wants(f"x{number}", "x", rating=number) for number in range(10)]
    one_mode = [replace(ticket, modes=frozenset({"x"})) for ticket in (*everything, *some)]
    assert made("laurel", Queue.of([*everything, *some]), DUEL) == made(
        "laurel", Queue.of(one_mode), DUEL
    )
