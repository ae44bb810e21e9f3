"""The matcher ``laurel`` keeps its guarantees."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from matchmaking.rules.arena import MatcherRules, QueueRules, Rules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.tick import Tick
from matchmaking.ticket import Player, Queue, Ticket
from ratings.tunables.declarations import Declaration, declarations
from tests.support.effort import examples
from tests.support.laurel_ticks import DUEL, FIVES, PAIRS, SEEDS, any_queue, names, tick
from tests.support.matchmaking_queues import seeded, solo
from tests.support.plain_laurel import is_allowed, is_rematch, possible_matches, score


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


def test_alice_meets_charlie_again_if_there_is_nobody_else() -> None:
    queue = just_played(solo("Alice", 1500, wait=99), solo("Charlie", 1500, wait=99))
    assert names(queue, tick(queue, DUEL)) == [({"Alice"}, {"Charlie"})]


def test_tickets_beyond_the_bound_come_first_whatever_their_score() -> None:
    queue = Queue.of(
        [solo("Alice", 1500, wait=301), solo("Bob", 1560), solo("Charlie", 1561), solo("Eve", 1620)]
    )
    rules = DUEL.model_copy(update={"laurel": LaurelRules(asking=700.0)})
    made = tick(queue, rules)
    assert names(queue, made) == [({"Alice"}, {"Bob"})]
    assert made.matches[0].team1 == (0,), "the one who waited longest is the target"


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
