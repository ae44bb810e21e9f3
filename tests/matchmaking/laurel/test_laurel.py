"""The matcher ``laurel`` keeps its guarantees, and small cases are optimal."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from matchmaking.laurel import matcher
from matchmaking.rank_filter import RankFilter
from matchmaking.rules.arena import MatcherRules, QueueRules, Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.tick import Match, Tick
from matchmaking.ticket import Player, Queue, Ticket
from matchmaking.types import Booleans, Floats, Integers
from ratings.tunables.declarations import Declaration, declarations
from tests.support.effort import examples
from tests.support.matchmaking_queues import (
    MODES,
    PAIRS_OF_MODES,
    in_regions,
    party,
    random_rules,
    random_tickets,
    seeded,
    solo,
)
from tests.support.plain_laurel import is_allowed, is_rematch, possible_matches, score

DUEL = Rules(team_size=1)
PAIRS = Rules(team_size=2)
FIVES = Rules(team_size=5)

SEEDS = st.integers(0, 10**6)


def tick(queue: Queue, rules: Rules, now: float = 0.0, **options: Any) -> Tick:
    """Run one tick of the matcher, without chance."""
    return matcher.match(queue, rules, now=now, generator=None, **options)


def names(queue: Queue, made: Tick) -> list[tuple[set[object], set[object]]]:
    """Return the matches by ticket ids."""
    return [
        (
            {queue.ids[ticket] for ticket in match.team1},
            {queue.ids[ticket] for ticket in match.team2},
        )
        for match in made.matches
    ]


def any_queue(seed: int, length: int) -> tuple[Queue, Rules]:
    """Return a random queue, with some opponents met and some rank filters, and random rules."""
    rng = seeded(seed)
    tickets = [
        replace(
            ticket,
            players=tuple(
                replace(
                    player,
                    percentile=rng.uniform(0, 100),
                    rank_filter=RankFilter(rng.uniform(5, 60), strict=rng.random() < 0.5)
                    if rng.random() < 0.1
                    else None,
                )
                for player in ticket.players
            ),
        )
        for ticket in random_tickets(
            rng, length, coarse=False, modes=rng.choice([MODES, PAIRS_OF_MODES])
        )
    ]
    queue = Queue.of(in_regions(rng, tickets) if rng.random() < 0.3 else tickets)
    met = [sorted(rng.sample(range(length), 2)) for _ in range(length if length > 1 else 0)]
    rules = random_rules(rng).model_copy(
        update={
            "laurel": LaurelRules(
                fairness=rng.choice([0.02, 0.1, 0.3]),
                asking=rng.choice([-2000.0, 0.0, 1000.0]),
                bound=rng.choice([0.0, 300.0, 1e6]),
                rematch_share=rng.choice([0.0, 0.5, 1.0]),
            )
        }
    )
    return replace(queue, met=np.array(met, dtype=np.int64).reshape(-1, 2)), rules


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(12), deadline=None)
def test_every_match_keeps_every_guarantee(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)
    made = tick(queue, rules)
    placed = [ticket for match in made.matches for ticket in match.tickets]
    assert sorted([*placed, *made.left]) == list(range(length)), "each ticket is in one place"
    assert list(made.left) == sorted(made.left), "those who are left keep their order"
    for match in made.matches:
        for team in (match.team1, match.team2):
            assert sum(queue.sizes[ticket] for ticket in team) == rules.team_size
        assert is_allowed(queue, rules, match, now=0.0)
        worth = score(queue, rules, match, now=0.0)
        overdue = max(queue.waits(0.0)[list(match.tickets)]) > rules.laurel.bound
        assert overdue or worth >= rules.laurel.asking - 1e-6, "waiting pays for what is not close"


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(12), deadline=None)
def test_the_order_of_the_queue_changes_nothing(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)
    order = np.random.default_rng(seed).permutation(length)
    shuffled = queue.take(order)
    assert names(shuffled, tick(shuffled, rules)) == names(queue, tick(queue, rules))


@given(seed=SEEDS)
@settings(max_examples=examples(2), deadline=None)
def test_the_same_queue_gives_the_same_tick(seed: int) -> None:
    queue, rules = any_queue(seed, 50)
    again = matcher.match(queue, rules, now=0.0, generator=np.random.default_rng(seed))
    assert again == tick(queue, rules)


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


@given(seed=SEEDS, length=st.integers(2, 9))
@settings(max_examples=examples(20), deadline=None)
def test_nobody_waits_beyond_the_bound_while_a_fair_match_is_possible(
    seed: int, length: int
) -> None:
    rng = seeded(seed)
    queue = Queue.of(
        [solo(number, rng.gauss(1500, 300), wait=rng.uniform(0, 100)) for number in range(length)]
    )
    laurel_rules = LaurelRules(asking=1e9, bound=50.0)
    rules = PAIRS.model_copy(update={"laurel": laurel_rules})
    left = tick(queue, rules).left
    overdue = {ticket for ticket in left if queue.waits(0.0)[ticket] > 50.0}
    among = queue.take(left)
    for match in possible_matches(among, rules, now=0.0):
        assert overdue.isdisjoint(left[ticket] for ticket in match.tickets)


@given(seed=SEEDS, length=st.integers(2, 8), team_size=st.integers(1, 2))
@settings(max_examples=examples(20), deadline=None)
def test_a_rematch_is_made_only_if_no_other_match_is_possible(
    seed: int, length: int, team_size: int
) -> None:
    rng = seeded(seed)
    queue = Queue.of([solo(number, rng.gauss(1500, 60)) for number in range(length)])
    pairs = [pair for pair in itertools.combinations(range(length), 2) if rng.random() < 0.6]
    queue = replace(queue, met=np.array(pairs, dtype=np.int64).reshape(-1, 2))
    rules = Rules(team_size=team_size, laurel=LaurelRules(asking=-1e9, rematch_share=0.5))
    made = tick(queue, rules)
    rematches = [match for match in made.matches if is_rematch(queue, rules, match)]
    free = {*made.left, *(ticket for match in rematches for ticket in match.tickets)}
    others = [
        set(match.tickets)
        for match in possible_matches(queue, rules, now=0.0)
        if free.issuperset(match.tickets) and not is_rematch(queue, rules, match)
    ]
    for match in rematches:
        assert all(other.isdisjoint(match.tickets) for other in others)


def just_played(*tickets: Ticket, met: tuple[int, int] = (0, 1)) -> Queue:
    return replace(Queue.of(tickets), met=np.array([met]))


def test_alice_does_not_meet_charlie_again_while_bob_waits() -> None:
    queue = just_played(
        solo("Alice", 1500, wait=99), solo("Charlie", 1500, wait=99), solo("Bob", 1520, wait=99)
    )
    ((first, second),) = names(queue, tick(queue, DUEL))
    assert "Bob" in first | second


def test_alice_meets_charlie_again_if_there_is_nobody_else() -> None:
    queue = just_played(solo("Alice", 1500, wait=99), solo("Charlie", 1500, wait=99))
    assert names(queue, tick(queue, DUEL)) == [({"Alice"}, {"Charlie"})]


def test_alice_meets_charlie_again_if_bob_is_no_fair_opponent() -> None:
    queue = just_played(
        solo("Alice", 1500, wait=99), solo("Charlie", 1500, wait=99), solo("Bob", 2500)
    )
    assert names(queue, tick(queue, DUEL)) == [({"Alice"}, {"Charlie"})]


def test_an_unfair_match_is_refused_however_long_alice_has_waited() -> None:
    queue = Queue.of([solo("Alice", 2400, wait=86400), solo("Charlie", 1500, wait=86400)])
    assert not tick(queue, DUEL).matches


def test_alice_far_above_all_others_is_balanced_by_her_teammates() -> None:
    """No ten neighbours give fair teams, but Alice with the weaker ones does."""
    ratings = [2600, *range(2000, 2050, 10), *range(1780, 1860, 10)]
    queue = Queue.of([solo(rating, rating, wait=max(rating - 2200, 0)) for rating in ratings])
    ((first, second),) = names(queue, tick(queue, FIVES))
    assert 2600 in first | second


def test_waiting_makes_up_for_a_less_close_match() -> None:
    queue = Queue.of([solo("Alice", 1500), solo("Charlie", 1560)])
    rules = DUEL.model_copy(update={"laurel": LaurelRules(spread_distance=-3.0, bound=1e6)})
    # 60 points apart, at 10 for the gap and 3 for the spread, cost 780 score points. Waiting adds 2
    # per player and second.
    assert not tick(queue, rules, now=194.0).matches
    assert tick(queue, rules, now=196.0).matches


def test_tickets_beyond_the_bound_come_first_whatever_their_score() -> None:
    queue = Queue.of(
        [solo("Alice", 1500, wait=301), solo("Bob", 1560), solo("Charlie", 1561), solo("Eve", 1620)]
    )
    rules = DUEL.model_copy(update={"laurel": LaurelRules(asking=700.0)})
    made = tick(queue, rules)
    assert names(queue, made) == [({"Alice"}, {"Bob"})]
    assert made.matches[0].team1 == (0,), "the one who waited longest is the target"


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


def test_one_shared_mode_is_enough_to_meet() -> None:
    one = replace(solo("Alice", 1500), modes=frozenset({"conquest"}))
    both = replace(solo("Charlie", 1500), modes=frozenset({"conquest", "stronghold"}))
    other = replace(solo("Bob", 1500), modes=frozenset({"stronghold"}))
    assert tick(Queue.of([one, both]), DUEL).matches
    assert tick(Queue.of([other, both]), DUEL).matches
    assert not tick(Queue.of([one, other]), DUEL).matches


def test_parties_stay_together() -> None:
    queue = Queue.of([party(name, 1500, 1500, wait=60) for name in "ABCD"])
    for match in tick(queue, PAIRS).matches:
        assert len(match.team1) == len(match.team2) == 1


def test_five_friends_alone_find_no_match_and_meet_five_others() -> None:
    five = party("A", *[1500] * 5, wait=100)
    assert not tick(Queue.of([five]), FIVES).matches
    assert tick(Queue.of([five, party("B", *[1510] * 5)]), FIVES).matches


def test_an_empty_queue_makes_no_match() -> None:
    assert tick(Queue.of([]), FIVES) == Tick((), ())


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


def test_the_deadline_is_checked_between_batches_and_matches_are_kept() -> None:
    queue = Queue.of([solo(number, 1500 + number % 7, wait=99) for number in range(3000)])
    assert tick(queue, FIVES, deadline=lambda: True) == Tick((), tuple(range(3000)))
    asked = itertools.count()
    full = tick(queue, FIVES, deadline=lambda: next(asked) < 0)
    until = next(asked) // 2
    asked = itertools.count()
    partly = tick(queue, FIVES, deadline=lambda: next(asked) >= until)
    assert 0 < len(partly.matches) < len(full.matches)
    asked = itertools.count()
    at_once = tick(queue, FIVES, deadline=lambda: next(asked) >= 1)
    assert len(at_once.matches) > 0, "what the first batch found is not lost"


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


@pytest.mark.parametrize(
    "weights",
    [
        MatcherRules(age_seconds=0.0, rating_distance=0.0, dishonor_distance=0.0),
        MatcherRules(age_seconds=-1e9, rating_distance=1e9, profession_matching=-1e9),
        MatcherRules(rank_distance=1e9, games_distance=1e9, guild_team_affinity=-1e9),
    ],
)
def test_extreme_weights_break_no_guarantee(weights: MatcherRules) -> None:
    queue, rules = any_queue(11, 60)
    extreme = rules.model_copy(update={"matcher": weights})
    for match in tick(queue, extreme).matches:
        assert is_allowed(queue, extreme, match, now=0.0)


LIMITED = [
    (part, declaration)
    for part, model in (("queue", QueueRules), ("matcher", MatcherRules), ("laurel", LaurelRules))
    for declaration in declarations(model)
    if declaration.kind != "choice"
]


@pytest.mark.parametrize(
    ("part", "declaration"), LIMITED, ids=[f"{part}-{rule.name}" for part, rule in LIMITED]
)
def test_rules_at_their_limits_break_no_guarantee(part: str, declaration: Declaration) -> None:
    queue, rules = any_queue(7, 40)
    tried = 0
    for value in (0, -1, 1, declaration.minimum, declaration.maximum):
        try:
            changed = type(getattr(rules, part)).model_validate(
                {**dict(getattr(rules, part)), declaration.name: value}
            )
        except ValidationError:
            continue
        limited = rules.model_copy(update={part: changed})
        made = tick(queue, limited)
        placed = [ticket for match in made.matches for ticket in match.tickets]
        assert sorted([*placed, *made.left]) == list(range(40))
        assert all(is_allowed(queue, limited, match, now=0.0) for match in made.matches)
        assert all(math.isfinite(pick.score) for match in made.matches for pick in match.picks)
        tried += 1
    assert tried


def test_a_queue_in_which_everybody_is_overdue_is_matched() -> None:
    queue = Queue.of([solo(number, 1500 + number, wait=3600) for number in range(600)])
    assert len(tick(queue, FIVES.model_copy(update={"laurel": LaurelRules(bound=0.0)})).left) < 60


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


def test_under_overload_everybody_is_matched_within_a_few_ticks() -> None:
    """There is time for one batch of a queue of several, and as many players come as leave."""
    generator = np.random.default_rng(1)
    numbers = itertools.count()
    queued: list[Ticket] = []
    longest = 0.0
    for now in range(0, 160, 10):
        ratings = generator.normal(1500, 350, 1700 if now else 5000).tolist()
        queued += [Ticket(next(numbers), now - 60.0, (Player(0, each),)) for each in ratings]
        queue, asked = Queue.of(queued), itertools.count()
        made = tick(queue, FIVES, now=now, deadline=lambda asked=asked: next(asked) >= 1)
        queued = [queued[ticket] for ticket in made.left]
        longest = max(longest, *(now - ticket.queued_at for ticket in queued))
        assert len(queued) > 2100, "the queue stays too long for one batch"
    assert longest <= 60 + 100, "but nobody is left behind"


def test_under_overload_no_mode_waits_for_another() -> None:
    queue = Queue.of(
        [
            replace(solo(n, 1500 + n / 100, wait=60), modes=frozenset({"ABCD"[n % 4]}))
            for n in range(4000)
        ]
    )
    seen = set()
    for now in range(0, 40, 2):
        asked = itertools.count()
        made = tick(queue, FIVES, now=now, deadline=lambda asked=asked: next(asked) >= 1)
        seen |= {queue.mode_codes[ticket] for match in made.matches for ticket in match.tickets}
    assert len(seen) == 4


def test_a_rescue_comes_to_everybody_behind_those_who_cannot_be_helped() -> None:
    """Twenty players have waited longer than Alice and have no opponents at all."""
    hopeless = [solo(f"hopeless {n}", -2000 * n, wait=9000) for n in range(20)]
    others = [solo(rating, rating) for rating in (*range(2000, 2050, 10), *range(1780, 1860, 10))]
    queue = Queue.of([*hopeless, solo("Alice", 2600, wait=400), *others])
    for now in range(0, 60, 2):
        made = tick(queue, FIVES, now=now)
        if any("Alice" in team for match in names(queue, made) for team in match):
            break
    else:
        pytest.fail("Alice waits forever")


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


def by_rating(queue: Queue) -> Callable[..., Floats]:
    """Return a forecast that sees ratings without their deviations."""

    def forecast(tickets: Integers, first: Booleans) -> Floats:
        assert np.ptp(queue.sizes[tickets], axis=0).max() == 0, "all of the same sizes, in order"
        totals = queue.rating_mean * queue.sizes
        gap = (totals[tickets] * np.where(first, 1, -1)).sum(axis=1)
        teams = (queue.sizes[tickets] * first).sum(axis=1)
        chances: Floats = 1 / (1 + 10 ** (-gap / teams / 400))
        return chances

    return forecast


def test_a_match_is_fair_by_the_forecast_that_is_shown() -> None:
    """Effective ratings are equal, but the forecast gives the uncertain players .85."""
    uncertain = party("A", 1900, 1900, wait=600, deviation=300.0)
    certain = party("B", 1600, 1600, wait=600)
    queue = Queue.of([uncertain, certain])
    assert tick(queue, PAIRS).matches
    assert not tick(queue, PAIRS, forecast=by_rating(queue)).matches


def test_teams_that_the_forecast_finds_unfair_are_split_in_another_way() -> None:
    uncertain = [solo(f"A{n}", 1900, wait=600, deviation=300.0) for n in range(2)]
    queue = Queue.of([*uncertain, *(solo(f"B{n}", 1600, wait=600) for n in range(2))])
    ((first, second),) = names(queue, tick(queue, PAIRS, forecast=by_rating(queue)))
    assert {"A0", "A1"} not in (first, second)


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(12), deadline=None)
def test_every_match_is_fair_by_the_forecast(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)
    forecast = by_rating(queue)
    for match in tick(queue, rules, forecast=forecast).matches:
        tickets = np.array([match.tickets])
        first = np.isin(tickets, match.team1)
        assert abs(forecast(tickets, first)[0] - 0.5) <= rules.laurel.fairness + 1e-9


@given(seed=SEEDS, length=st.integers(0, 60))
@settings(max_examples=examples(4), deadline=None)
def test_without_a_forecast_the_teams_are_even(seed: int, length: int) -> None:
    queue, rules = any_queue(seed, length)

    def ignorant(tickets: Integers, first: Booleans) -> Floats:
        return np.full(len(tickets), np.nan)

    made = tick(queue, rules, forecast=ignorant).matches
    assert all(is_allowed(queue, rules, match, now=0.0) for match in made)


def test_five_friends_meet_a_team_with_a_pair_although_single_players_are_nearer() -> None:
    """Rosters of a match may differ by three players, so five friends meet no five strangers."""
    strangers = [solo(n, 1480 + n * 2, wait=300) for n in range(20)]
    pairs = [party(f"pair {n}", 1420 + 150 * n, 1430 + 150 * n, wait=300) for n in range(2)]
    queue = Queue.of([party("friends", *[1500] * 5, wait=301), *strangers, *pairs])
    assert any("friends" in team for match in names(queue, tick(queue, FIVES)) for team in match)
