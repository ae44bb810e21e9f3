"""Group mates meet in the bracket as late as their places in the groups allow."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from itertools import permutations, product
from math import factorial

import numpy as np
import pytest

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import decisions, progress
from league.services.competitions.pairing.groups import groups_by_seed
from league.services.competitions.pairing.knockout import knockout
from league.services.competitions.running import withdrawing
from tests.support.competition_steps import START, begun, crowd
from tests.support.effort import LONG, spread
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)
MOST = 513
SIZES = [
    (groups, qualify)
    for groups in range(1, 65)
    for qualify in range(1, 11)
    if 2 <= groups * qualify <= MOST
]
LARGEST_TRIED = 50_000 if LONG else 600
SMALL = [each for each in SIZES if factorial(each[0]) ** (each[1] - 1) <= LARGEST_TRIED]


def rounds_of_meetings(count: int) -> dict[frozenset[int], int]:
    """Return the round in which each pair of seeds can meet, by the fixtures of the bracket."""
    feeding: dict[int, set[int]] = {}
    depth: dict[int, int] = {}
    size = 1 << (count - 1).bit_length()
    found: dict[frozenset[int], int] = {}
    for slot in knockout(range(count)):
        sides = [
            {each.of} if each.kind == "entrant" else feeding[each.of]
            for each in (slot.home, slot.away)
        ]
        feeding[slot.number] = sides[0] | sides[1]
        last = size.bit_length() - 1
        depth[slot.number] = last if slot.stage == "final" else slot.round
        for one, other in product(*sides):
            found[frozenset((one, other))] = depth[slot.number]
    return found


def meetings(groups: Sequence[int]) -> tuple[int, ...]:
    """Return how many pairs of mates can meet in each round."""
    counts = Counter(
        round_
        for pair, round_ in rounds_of_meetings(len(groups)).items()
        if len({groups[seed] for seed in pair}) == 1
    )
    return tuple(counts[number] for number in range(1, max(counts, default=0) + 1))


def fewest(groups: int, qualify: int) -> tuple[int, ...]:
    """Return how few pairs of mates meet if each group is spread over all parts of the bracket."""
    rounds = (groups * qualify - 1).bit_length()
    together = []
    for number in range(1, rounds + 1):
        parts = 2 ** (rounds - number)
        least, more = divmod(qualify, parts)
        pairs = more * (least + 1) * least // 2 + (parts - more) * least * (least - 1) // 2
        together.append(groups * pairs)
    met = [own - before for own, before in zip(together, [0, *together], strict=False)]
    while met and not met[-1]:
        met.pop()
    return tuple(met)


@pytest.mark.parametrize(("groups", "qualify"), SMALL)
def test_no_other_order_of_the_places_is_better(groups: int, qualify: int) -> None:
    tiers = [list(range(groups)) for _ in range(qualify)]
    chosen = groups_by_seed(tiers)
    assert [sorted(chosen[at : at + groups]) for at in range(0, len(chosen), groups)] == tiers
    possible = product([tuple(tiers[0])], *(permutations(tier) for tier in tiers[1:]))
    assert meetings(chosen) == min(
        meetings([group for tier in every for group in tier]) for every in possible
    )


@pytest.mark.parametrize(("groups", "qualify"), spread(SIZES, 40))
def test_groups_are_spread_evenly_over_the_bracket(groups: int, qualify: int) -> None:
    chosen = groups_by_seed([list(range(groups)) for _ in range(qualify)])
    assert meetings(chosen) == fewest(groups, qualify)


@pytest.mark.parametrize("seed", range(20))
def test_tiers_from_which_some_have_withdrawn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    groups = int(generator.integers(2, 5))
    tiers = [[one for one in range(groups) if generator.random() < 0.7] for _ in range(3)]
    tiers = [tier for tier in tiers if tier]
    chosen = groups_by_seed(tiers)
    assert sorted(chosen) == sorted(group for tier in tiers for group in tier)
    best = min(
        (
            meetings([g for tier in every for g in tier])
            for every in product(*map(permutations, tiers))
        ),
        default=(),
    )
    assert meetings(chosen)[:1] == best[:1]


def play_groups(one: Competition, olga: Player) -> None:
    """Let the better seed win every fixture of the groups."""
    for week in range(4):
        now = START + week * WEEK
        progress.sweep(now)
        open_ = one.fixtures.with_sides().filter(result=Fixture.Result.OPEN, round__stage="groups")
        for fixture in open_:
            assert fixture.home
            assert fixture.away
            better = (fixture.home.seed or 0) < (fixture.away.seed or 0)
            result = "home" if better else "away"
            decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)
        progress.sweep(now)


def first_round(one: Competition) -> list[tuple[int | None, int | None]]:
    drawn = one.fixtures.filter(round__stage="winners", round__number=1)
    return list(drawn.values_list("home__group", "away__group"))


def test_three_groups_of_three_with_two_qualifiers(duel: Arena, olga: Player) -> None:
    rules = {"groups": 3, "qualify": 2}
    one = begun(duel, olga, crowd(9), "groups-knockout", play=rules)
    play_groups(one, olga)
    pairs = first_round(one)
    assert len(pairs) == 2
    assert all(home != away for home, away in pairs)


def test_nobody_takes_the_place_of_a_mate_who_left(duel: Arena, olga: Player) -> None:
    rules = {"groups": 3, "qualify": 2, "withdrawal": "forfeit"}
    one = begun(duel, olga, crowd(9), "groups-knockout", play=rules)
    gone = one.entrants.with_people().get(seed=1)
    withdrawing.withdraw(one.pk, by=gone.captain, now=START)
    play_groups(one, olga)
    assert all(home != away for home, away in first_round(one))
    assert one.fixtures.filter(round__stage__in=["winners", "final"]).count() >= 4
