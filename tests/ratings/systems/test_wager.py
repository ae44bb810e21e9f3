"""Team rank: everyone wagers a twentieth of their rank."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.registry import build
from ratings.replay import replay
from ratings.system import UnsupportedMatch
from ratings.systems.wager import HIGHEST
from ratings.tunables.reading import ParameterError
from tests.support.effort import examples
from tests.support.rating_histories import contest, states_of

Member = tuple[float, float | None, bool]
"""Rank, seconds and whether they quit."""


def played(first: Sequence[Member], second: Sequence[Member], places: tuple[int, int]) -> Match:
    """Build a match of two teams, whose members are named by position."""
    sides = [
        Side(
            place,
            [
                Participant(f"{team} {number}", seconds, quit_)
                for number, (_rank, seconds, quit_) in enumerate(members)
            ],
        )
        for team, members, place in (("A", first, places[0]), ("B", second, places[1]))
    ]
    return Match("1", 0, sides)


def ranks_after(
    first: Sequence[Member],
    second: Sequence[Member],
    places: tuple[int, int],
    **parameters: float,
) -> list[float]:
    """Return everyone's rank after a match, the first team's members first."""
    match = played(first, second, places)
    states = states_of(np.array([rank for rank, _seconds, _quit in (*first, *second)]))
    history = History.build([match])
    after: list[float] = replay(build("wager", parameters), history, states).states.rating.tolist()
    return after


def by_the_article(
    own: Sequence[Member],
    other: Sequence[Member],
    order: int,
    member: int,
    divisor: float,
) -> float:
    """Apply the article's formulas to one player. ``order`` is 1 for a win, -1 for a loss."""
    rank, _seconds, quit_ = own[member]
    average = math.fsum(rank for rank, _, _ in own) / len(own)
    others = math.fsum(rank for rank, _, _ in other) / len(other)
    times = [[seconds for _, seconds, _ in team] for team in (own, other)]
    own_time, other_time = (
        (sum(s for s in team if s is not None) if None not in team else None) for team in times
    )
    known = bool(own_time and other_time)
    by_time = other_time / own_time if known else 1.0  # type: ignore[operator] # both are known
    gained = rank + rank / divisor * (others / average) * by_time
    lost = max(1.0, rank - rank / divisor * (average / others) / by_time)
    if quit_:
        return max(1.0, min(rank - rank / divisor, lost))
    if all(other_quit for _, _, other_quit in other):
        return rank + rank / divisor
    if order == 0:
        return gained if average < others and not math.isclose(average, others) else rank
    return gained if order > 0 else lost


def test_the_articles_worked_example_gives_23_00() -> None:
    """The article prints 23.10, as it rounds 21.20 / 20.81 to 1.10."""
    first = [(rank, 801.0, False) for rank in (21.84, 19.71, 19.94, 20.87, 18.43)]
    first.append((24.05, 609.0, True))
    second = [(rank, 801.0, False) for rank in (22.87, 17.04, 23.39, 21.40, 20.11, 22.37)]
    after = ranks_after(first, second, (0, 1))
    assert after[0] == pytest.approx(21.84 + 21.84 / 20 * (127.18 / 124.84) * (4806 / 4614))
    assert round(after[0], 2) == 23.00
    # Quitters of a won match lose a plain twentieth, as their loss would have been smaller.
    assert after[5] == pytest.approx(24.05 - 24.05 / 20)


def test_averages_that_differ_by_rounding_are_equal() -> None:
    first = [(rank, None, False) for rank in (1.1, 1.3, 1.7)]
    second = [(rank, None, False) for rank in (1.7, 1.2, 1.2)]
    assert (1.1 + 1.3) + 1.7 != (1.7 + 1.2) + 1.2
    ranks = [rank for rank, _seconds, _quit in first + second]
    assert ranks_after(first, second, (0, 0)) == ranks


def test_nobody_falls_below_1() -> None:
    after = ranks_after([(1.02, 100.0, True)], [(1.0, 900.0, False)], (1, 0))
    assert after[0] == 1
    assert ranks_after([(5.2, None, False)], [(5.2, None, False)], (1, 0), floor=5, start=5)[0] == 5


def test_ranks_stay_low_enough_to_resolve_hundredths() -> None:
    after = ranks_after([(HIGHEST, None, False)], [(HIGHEST, None, False)], (0, 1))
    assert after[0] == HIGHEST
    assert round(HIGHEST, 2) != round(HIGHEST - 0.01, 2)


members = st.tuples(
    st.floats(1, 1e6),
    st.sampled_from([0.0, 609.0, 801.0, 900.0, None]),
    st.booleans(),
)
teams = st.lists(members, min_size=1, max_size=4)


@settings(max_examples=examples(40), deadline=None)
@given(
    first=teams,
    second=teams,
    places=st.sampled_from([(0, 1), (1, 0), (0, 0)]),
    divisor=st.sampled_from([20.0, 6.0]),
)
def test_every_match_follows_the_articles_formulas(
    first: Sequence[Member], second: Sequence[Member], places: tuple[int, int], divisor: float
) -> None:
    order = places[1] - places[0]
    expected = [
        by_the_article(own, other, sign * order, member, divisor)
        for own, other, sign in ((first, second, 1), (second, first, -1))
        for member in range(len(own))
    ]
    after = ranks_after(first, second, places, divisor=divisor)
    assert after == pytest.approx(expected, rel=1e-12)


@settings(max_examples=examples(30), deadline=None)
@given(first=teams, second=teams, places=st.sampled_from([(0, 1), (1, 0), (0, 0)]))
def test_staying_is_never_worse_than_quitting(
    first: Sequence[Member], second: Sequence[Member], places: tuple[int, int]
) -> None:
    rank, seconds, _quit = first[0]
    stayed = ranks_after([(rank, seconds, False), *first[1:]], second, places)[0]
    left = ranks_after([(rank, seconds, True), *first[1:]], second, places)[0]
    assert left <= stayed


@settings(max_examples=examples(30), deadline=None)
@given(
    first=st.lists(
        st.tuples(st.floats(-1e6, 1e300), st.floats(0, 1e308), st.booleans()),
        min_size=1, max_size=3,
    ),
    weight=st.sampled_from([1e-5, 1.0, 1e6]),
    places=st.sampled_from([(0, 1), (1, 0), (0, 0)]),
)  # fmt: skip
def test_even_impossible_seconds_and_ranks_give_a_rank(
    first: list[tuple[float, float, bool]], weight: float, places: tuple[int, int]
) -> None:
    match = played([*first], [(5.0, 1.0, False)], places)
    match = Match("1", 0, match.sides, weight)
    states = states_of(np.array([rank for rank, _, _ in first] + [5.0]))
    replayed = replay(build("wager"), History.build([match]), states)
    assert ((replayed.states.rating >= 1) & (replayed.states.rating <= HIGHEST)).all()
    for name, values in replayed.terms.items():
        assert name == "bound" or np.isfinite(values).all()


def test_losing_a_match_can_pay_off_in_later_draws() -> None:
    """As documented, players rise by a draw from just below the others, not from just above."""

    def alice_after(places: list[int]) -> float:
        played = [contest(["Alice"], ["Bob"], places=places)]
        for number, other in enumerate(["Charlie", "Dora"], start=2):
            played.append(contest(["Alice"], [other], places=[0, 0], match_id=str(number)))
        states = states_of(np.array([20.0, 19.9, 19.4, 19.99]))
        return float(replay(build("wager"), History.build(played), states).states.rating[0])

    assert alice_after([0, 0]) == 20
    assert alice_after([1, 0]) > 20.9


def test_a_third_side_is_rejected() -> None:
    three = contest(["Alice"], ["Charlie"], ["Dora"])
    with pytest.raises(UnsupportedMatch, match="Wager rates matches of two sides"):
        replay(build("wager"), History.build([three]))


def test_the_forecast_is_the_share_of_the_averages() -> None:
    states = states_of(np.array([[20.0, 10.0, 45.0]]))
    assert build("wager").predict(states, (2, 1)).win[0].tolist() == [0.25, 0.75]


def test_nobody_starts_below_the_lowest_rank() -> None:
    with pytest.raises(ParameterError, match=r"start: must be at least floor \(5\); you gave 2"):
        build("wager", {"start": 2, "floor": 5})
