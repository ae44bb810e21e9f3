"""Rank filters: whom they admit, and how they widen."""

from typing import Any

import numpy as np
import pytest

from matchmaking.published import alternating, wave
from matchmaking.rank_filter import RankFilter, RankFilterRules, RankFilters
from matchmaking.rank_ranges import RankRanges, reach
from matchmaking.rules.arena import QueueRules, Rules
from matchmaking.ticket import Player, Queue, Ticket
from tests.support.matchmaking_queues import seeded

RULES = RankFilterRules()
MATCHERS = [pytest.param(wave, id="new"), pytest.param(alternating, id="old")]
EASY = QueueRules(potentials_min=0, rating_min=10_000, rating_max=10_000, iteration_rosters=1000)


def at(
    percentile: float | None, chosen: RankFilter | None = None, *, wait: float = 0.0, name: str = ""
) -> Ticket:
    player = Player(name or object(), 1500, percentile=percentile, rank_filter=chosen)
    return Ticket(player.id, -wait, (player,))


@pytest.mark.parametrize(
    ("percentiles", "strict", "wait", "reached"),
    [
        (2, False, 0, 2),
        (2, False, 59, 2),
        (2, False, 60, 5),
        (2, False, 120, 10),
        (2, False, 299, 50),
        (2, False, 300, np.inf),
        (2, False, 9999, np.inf),
        (3, False, 60, 5),
        (60, False, 60, np.inf),
        (2, True, 9999, 2),
        (100, True, 0, np.inf),
    ],
)
def test_a_loose_filter_widens_in_steps_and_a_strict_one_does_not(
    percentiles: float, strict: bool, wait: float, reached: float
) -> None:
    filters = RankFilters.of([50.0], [RankFilter(percentiles, strict=strict)])
    assert filters is not None
    assert reach(filters, np.array([float(wait)]), RULES) == pytest.approx([reached])


def test_a_filter_wider_than_every_step_stays_as_it_is() -> None:
    filters = RankFilters.of([50.0], [RankFilter(40.0)])
    assert filters is not None
    few = RankFilterRules(steps=(2.0, 5.0))
    assert reach(filters, np.array([600.0]), few) == pytest.approx([40])
    none = RankFilterRules(steps=())
    assert reach(filters, np.array([600.0]), none) == pytest.approx([40])


def ranges(*tickets: Ticket) -> RankRanges:
    found = RankRanges.of(Queue.of(tickets), 0.0, RULES)
    assert found is not None
    return found


def test_a_partys_filter_spans_those_of_its_members() -> None:
    owls = Ticket(
        "Owls",
        0.0,
        (
            Player("Alice", 1500, percentile=70, rank_filter=RankFilter(5)),
            Player("Bob", 1400, percentile=60, rank_filter=RankFilter(2)),
        ),
    )
    found = ranges(owls)
    assert (found.low[0], found.high[0]) == (58, 75)
    assert (found.lowest[0], found.highest[0]) == (60, 70)


def meets(one: Ticket, other: Ticket) -> bool:
    found = ranges(one, other)
    there = bool(found.may_meet(0, np.array([1]))[0])
    assert there == bool(found.may_meet(1, np.array([0]))[0])
    return there


def test_rank_filters_must_match_both_ways() -> None:
    assert meets(at(50, RankFilter(5)), at(55))
    assert meets(at(50, RankFilter(5)), at(55, RankFilter(5)))
    assert not meets(at(50, RankFilter(5)), at(56))
    assert not meets(at(50, RankFilter(5)), at(54, RankFilter(2)))
    assert not meets(at(50), at(54, RankFilter(2)))


def test_only_filters_for_everybody_admit_a_player_without_a_standing() -> None:
    assert not meets(at(50, RankFilter(50)), at(None))
    assert meets(at(50, RankFilter(100, strict=True)), at(None))
    # A filter of her own would have no centre.
    assert meets(at(None, RankFilter(5)), at(90))


def test_a_filter_is_optional() -> None:
    assert Queue.of([at(50), at(None)]).filters is None


@pytest.mark.parametrize("matcher", MATCHERS)
def test_every_match_respects_every_filter(matcher: Any) -> None:
    rng = seeded(1)
    made = 0
    for _ in range(30):
        tickets = [
            at(
                rng.choice([None, *range(0, 101, 5)]),
                rng.choice([None, RankFilter(rng.choice([10, 30, 60]), strict=rng.random() < 0.5)]),
                wait=rng.uniform(0, 200),
            )
            for _ in range(60)
        ]
        queue = Queue.of(tickets)
        found = ranges(*tickets)
        for match in matcher.match(queue, Rules(team_size=2, queue=EASY), now=0.0).matches:
            everyone = np.array(match.tickets)
            assert all(
                found.may_meet(ticket, everyone[everyone != ticket]).all() for ticket in everyone
            )
            made += 1
    assert made > 100


@pytest.mark.parametrize("matcher", MATCHERS)
def test_a_loose_filter_allows_a_match_in_time_and_a_strict_one_never(matcher: Any) -> None:
    rules = Rules(team_size=1, queue=EASY)

    def matched(strict: bool, wait: float) -> bool:
        queue = Queue.of([at(50, RankFilter(5, strict=strict), wait=wait), at(65)])
        return bool(matcher.match(queue, rules, now=0.0).matches)

    assert [matched(strict=False, wait=wait) for wait in (0, 60, 120)] == [False, False, True]
    assert not matched(strict=True, wait=9999)


def test_part_of_a_queue_keeps_its_filters() -> None:
    queue = Queue.of([at(50), at(60, RankFilter(5))]).take([1])
    assert queue.filters is not None
    assert queue.filters.percentile.tolist() == [60]


def test_steps_must_rise() -> None:
    with pytest.raises(ValueError, match="must rise"):
        RankFilterRules(steps=(5.0, 2.0))
