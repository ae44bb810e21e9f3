"""The matcher ``laurel`` finds the best matches of small queues."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from matchmaking.laurel import matcher, search
from matchmaking.laurel.pool import Pool
from matchmaking.rules.arena import MatcherRules, Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.tick import Match
from matchmaking.ticket import Player, Queue, Ticket
from tests.support.effort import examples
from tests.support.laurel_ticks import DUEL, FIVES, PAIRS, SEEDS, any_queue, names, tick
from tests.support.matchmaking_queues import MODES, party, random_tickets, seeded, solo
from tests.support.plain_laurel import is_allowed, possible_matches, score


@given(seed=SEEDS, team_size=st.integers(1, 5))
@settings(max_examples=examples(12), deadline=None)
def test_teams_are_the_best_of_all_splits(seed: int, team_size: int) -> None:
    rng = seeded(seed)
    tickets: list[Ticket] = []
    seats = 2 * team_size
    while seats:
        size = rng.randint(1, min(seats, team_size, 3))
        drawn = random_tickets(rng, 30, coarse=False, modes=MODES[:1])
        tickets += [next(ticket for ticket in drawn if len(ticket.players) <= size)]
        seats -= len(tickets[-1].players)
    queue = Queue.of(tickets)
    everybody = LaurelRules(fairness=0.5, asking=-1e9, bound=1e9)
    rules = Rules(team_size=team_size, laurel=everybody)
    best = max(
        (score(queue, rules, match, now=0.0) for match in possible_matches(queue, rules, now=0.0)),
        default=None,
    )
    made = tick(queue, rules).matches
    if best is None:
        assert not made
    elif made:
        assert score(queue, rules, made[0], now=0.0) == pytest.approx(best)
    else:
        assert len(tickets) < 2 * team_size, "players alone always fill two teams"


def test_waiting_makes_up_for_a_less_close_match() -> None:
    queue = Queue.of([solo("Alice", 1500), solo("Charlie", 1560)])
    rules = DUEL.model_copy(update={"laurel": LaurelRules(spread_distance=-3.0, bound=1e6)})
    # 60 points apart, at 10 for the gap and 3 for the spread, cost 780 score points. Waiting adds 2
    # per player and second.
    assert not tick(queue, rules, now=194.0).matches
    assert tick(queue, rules, now=196.0).matches


def test_players_with_stacks_are_kept_together() -> None:
    queue = Queue.of(
        [solo(number, 1500 + number, wait=300, dishonor=number % 2 * 10.0) for number in range(20)]
    )
    rules = FIVES.model_copy(update={"matcher": MatcherRules(dishonor_stack=0.0)})
    made = tick(queue, rules).matches
    assert len(made) == 2
    for match in made:
        assert len({ticket % 2 for ticket in match.tickets}) == 1


def test_both_teams_get_one_of_each_profession() -> None:
    queue = Queue.of(
        [solo(number, 1500, wait=300, profession="ABCDE"[number // 2]) for number in range(10)]
    )
    (match,) = tick(queue, FIVES).matches
    assert {ticket // 2 for ticket in match.team1} == {ticket // 2 for ticket in match.team2}


def test_a_clock_that_steps_back_counts_as_no_wait() -> None:
    queue = Queue.of([solo("Alice", 1500), solo("Charlie", 1500)])
    assert len(tick(queue, DUEL, now=-1000.0).matches) == 1


def test_ten_thousand_equal_tickets_are_all_matched() -> None:
    queue = Queue.of([solo(number, 1500, profession="A") for number in range(10_000)])
    rules = FIVES.model_copy(update={"matcher": MatcherRules(profession_common=0.0)})
    assert len(tick(queue, rules).matches) == 1000


def test_large_teams_are_split_fairly_too() -> None:
    generator = np.random.default_rng(1)
    queue = Queue.of([solo(n, rating) for n, rating in enumerate(generator.normal(1500, 100, 40))])
    rules = Rules(team_size=20, laurel=LaurelRules(asking=-1e9, fairness=0.005))
    (match,) = tick(queue, rules).matches
    assert is_allowed(queue, rules, match, now=0.0)


def test_the_shares_of_a_pick_add_up_to_its_score() -> None:
    queue, rules = any_queue(5, 60)
    made = tick(queue, rules)
    assert made.matches
    for match in made.matches:
        shares = matcher.explain(queue, rules, match, now=0.0)
        assert len(shares) == len(match.picks) == len(match.tickets) - 1
        for pick, share in zip(match.picks, shares, strict=True):
            assert math.fsum(share.values()) == pytest.approx(pick.score)
            assert pick.score == pytest.approx(score(queue, rules, match, now=0.0))


def test_a_match_scores_the_same_from_either_team() -> None:
    queue = Queue.of([solo("Alice", 1500, wait=50), solo("Charlie", 1501)])
    shares = [
        matcher.explain(
            queue, DUEL, replace(match, picks=tick(queue, DUEL).matches[0].picks), now=0
        )
        for match in (Match((0,), (1,)), Match((1,), (0,)))
    ]
    assert shares[0] == shares[1]


def test_unknown_professions_are_never_shared() -> None:
    queue = Queue.of([Ticket(n, 0.0, (Player(n, 1500.0),)) for n in range(2)])
    (match,) = tick(queue, DUEL).matches
    assert matcher.explain(queue, DUEL, match, now=0.0)[0]["profession_matching"] == 0.0


def test_friends_far_apart_in_rating_are_matched_around_their_middle() -> None:
    """2800 and 1500 queue together, among players most of whom are rated like the weaker one."""
    generator = np.random.default_rng(1)
    others = [solo(n, rating) for n, rating in enumerate(generator.normal(1500, 350, 60).tolist())]
    queue = Queue.of([party("friends", 2800, 1500, wait=301), *others])
    assert any(0 in match.tickets for match in tick(queue, FIVES).matches)


def test_friends_do_not_pay_for_the_distance_between_them() -> None:
    queue = Queue.of([party(name, 1700, 1300, wait=60) for name in "AB"])
    (match,) = tick(queue, PAIRS).matches
    assert matcher.explain(queue, PAIRS, match, now=0.0)[0]["spread"] == 0.0


def test_five_friends_meet_a_team_with_a_pair_although_single_players_are_nearer() -> None:
    """Rosters of a match may differ by three players, so five friends meet no five strangers."""
    strangers = [solo(n, 1480 + n * 2, wait=300) for n in range(20)]
    pairs = [party(f"pair {n}", 1420 + 150 * n, 1430 + 150 * n, wait=300) for n in range(2)]
    queue = Queue.of([party("friends", *[1500] * 5, wait=301), *strangers, *pairs])
    assert any("friends" in team for match in names(queue, tick(queue, FIVES)) for team in match)


@given(seed=SEEDS)
@settings(max_examples=examples(4), deadline=None)
def test_no_exchange_makes_a_better_match_for_five_friends(seed: int) -> None:
    """Their opponents are chosen with an eye on the difference, as nobody can change sides."""
    rng = seeded(seed)
    strangers = [solo(n, rng.gauss(1500, 200), deviation=rng.uniform(30, 250)) for n in range(24)]
    queue = Queue.of([party("friends", *[1500] * 5), party("pair", 1500, 1500), *strangers])
    pool = Pool.of(queue, FIVES, 0.0)
    friends = np.flatnonzero(pool.tickets == 0)
    sets = search.search(pool, FIVES, friends, np.arange(len(pool))[np.newaxis], twice=False)
    chosen = set(pool.tickets[sets.members[0, : sets.counts[0]]].tolist()) - {0}
    assert 1 in chosen, "strangers alone may not meet them"

    def worth(opponents: set[int]) -> float:
        return score(queue, FIVES, Match((0,), tuple(sorted(opponents))), now=0.0)

    best = worth(chosen)
    for leaving, entering in itertools.product(chosen - {1}, set(range(2, 26)) - chosen):
        assert worth(chosen - {leaving} | {entering}) <= best + 1e-6
