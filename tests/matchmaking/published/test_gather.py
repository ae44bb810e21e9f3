"""The filter phase: windows, falloff, power and gathering."""

import numpy as np
import pytest

from matchmaking.line import Line
from matchmaking.published.gather import Filter, fewest_and_most, filter_rating, padding
from matchmaking.rules.arena import Choices, QueueRules, Rules
from matchmaking.ticket import Queue
from tests.support.matchmaking_queues import party, solo

RANKED = QueueRules()
UNRANKED = QueueRules(potentials_falloff=0.16, rating_start=180.0)


@pytest.mark.parametrize(
    ("rules", "wait", "window"),
    [
        (RANKED, 0, 25),
        (RANKED, 300, 25),
        (RANKED, 301, 25 + 1175 / 300),
        (RANKED, 450, 612.5),
        (RANKED, 600, 1200),
        (RANKED, 6000, 1200),
        (UNRANKED, 390, 612.5),
    ],
)
def test_the_window_grows_evenly_from_start_to_end(
    rules: QueueRules, wait: float, window: float
) -> None:
    assert padding(np.array([float(wait)]), rules) == pytest.approx([window])


@pytest.mark.parametrize(("wait", "window"), [(59.9, 25), (60, 1200), (61, 1200)])
def test_a_window_that_starts_when_it_ends_is_wide_at_once(wait: float, window: float) -> None:
    rules = QueueRules(rating_start=60.0, rating_end=60.0)
    assert padding(np.array([wait]), rules) == pytest.approx([window])


def test_a_window_that_widens_in_the_shortest_time_is_wide_afterwards() -> None:
    rules = QueueRules(rating_start=0.0, rating_end=5e-324)
    assert padding(np.array([0.0, 900.0]), rules).tolist() == [25, 1200]


@pytest.mark.parametrize(
    ("wait", "most"), [(0, 500), (60, 500), (120, 477.5), (180, 455), (9999, 455)]
)
def test_the_maximum_of_potentials_falls_from_500_to_455(wait: float, most: float) -> None:
    assert fewest_and_most(np.array([float(wait)]), RANKED, Choices()) == ([20], [most])


@pytest.mark.parametrize(
    ("rules", "wait", "least"), [(UNRANKED, 180, 0.8), (RANKED, 113, 0.125), (RANKED, 180, -25)]
)
def test_the_minimum_of_potentials_falls_to_about_none_if_chosen(
    rules: QueueRules, wait: float, least: float
) -> None:
    fewest, most = fewest_and_most(np.array([float(wait)]), rules, Choices(falloff="min"))
    assert fewest == pytest.approx([least])
    assert most == [500]


@pytest.mark.parametrize(
    ("choices", "curve", "ratings"),
    [
        (Choices(), 1, [1000, 1010, 1040]),
        (Choices(), 2, [1000, 1010, 1160]),
        (Choices(power_base="size"), 1, [1010, 1020, 1050]),
        (Choices(filter_rating="effective"), 1, [900, 909, 936]),
    ],
)
def test_playing_together_raises_a_rosters_rating(
    choices: Choices, curve: float, ratings: list[float]
) -> None:
    queue = Queue.of(
        [
            solo("Alice", 1000, deviation=100),
            party("Foxes", 950, 1050, deviation=100),
            party("Owls", *[1000] * 5, deviation=100),
        ]
    )
    rules = QueueRules(power_curve=curve)
    assert filter_rating(queue, rules, choices) == pytest.approx(ratings)


def gathered(rules: Rules, *ratings: float, wait: float = 0.0) -> list[int] | None:
    queue = Queue.of([solo(place, rating, wait=wait) for place, rating in enumerate(ratings)])
    line = Line(len(queue), failed_available=False)
    target = line.next_target()
    assert target == 0
    potentials = Filter(queue, rules, 0.0).inside(target, line)
    return None if potentials is None else potentials.tolist()


def test_the_window_includes_its_edges() -> None:
    rules = Rules(queue=QueueRules(potentials_min=0))
    assert gathered(rules, 1500, 1475, 1474.9, 1525, 1525.1) == [1, 3]


def test_potentials_are_gathered_from_the_front_up_to_the_maximum() -> None:
    rules = Rules(queue=QueueRules(potentials_min=0, potentials_max=2))
    assert gathered(rules, 1500, 1600, 1510, 1520, 1505) == [2, 3]


def test_too_few_potentials_count_as_none() -> None:
    rules = Rules(queue=QueueRules(potentials_min=3))
    assert gathered(rules, 1500, 1500, 1500) is None
    assert gathered(rules, 1500, 1500, 1500, 1500) == [1, 2, 3]


def test_a_long_queue_is_searched_to_its_end() -> None:
    rules = Rules(queue=QueueRules(potentials_min=0))
    far = [9000.0] * 20_000
    assert gathered(rules, 1500, *far, 1500) == [20_001]
