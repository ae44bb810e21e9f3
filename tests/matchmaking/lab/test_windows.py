"""The window matcher, which is the baseline of the comparison."""

import itertools

import numpy as np

from matchmaking.lab import windows
from matchmaking.rules.arena import Rules
from matchmaking.ticket import Queue
from tests.support.matchmaking_queues import solo


def matched(queue: Queue, rules: Rules) -> list[tuple[set[object], set[object]]]:
    return [
        ({queue.ids[t] for t in match.team1}, {queue.ids[t] for t in match.team2})
        for match in windows.match(queue, rules, now=0.0).matches
    ]


def test_the_closest_meet_first_and_isolated_players_keep_waiting() -> None:
    queue = Queue.of([solo(rating, rating) for rating in (900, 1500, 1511, 1520, 1541, 1530, 3000)])
    assert matched(queue, Rules(team_size=1)) == [({1511}, {1520}), ({1530}, {1541})]


def test_the_teams_are_the_most_even_possible() -> None:
    generator = np.random.default_rng(3)
    for _ in range(20):
        ratings = generator.normal(1500, 50, 6)
        queue = Queue.of([solo(number, rating) for number, rating in enumerate(ratings)])
        (match,) = windows.match(queue, Rules(team_size=3), now=0.0).matches
        gaps = [
            abs(sum(ratings) - 2 * sum(ratings[list(team)]))
            for team in itertools.combinations(range(6), 3)
        ]
        gap = abs(sum(ratings[list(match.team1)]) - sum(ratings[list(match.team2)]))
        assert abs(gap - min(gaps)) < 1e-6
