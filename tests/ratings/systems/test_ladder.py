"""Kreimeier's ladder, on which players exchange ranks."""

import itertools
import random
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.history import History, Match
from ratings.registry import build
from ratings.replay import replay
from ratings.system import UnsupportedMatch
from ratings.systems.ladder.events import (
    exchange,
    exchange_in_turn,
    ignore_challenge,
    may_challenge,
)
from ratings.systems.ladder.system import finishes
from tests.support.rating_histories import batch_of, bits, contest, duel, histories, states_of


def ranks_after(*played: Match, challenge_range: int = 0) -> dict[str, float]:
    history = History.build(played)
    states = replay(build("ladder", {"challenge_range": challenge_range}), history).states
    return dict(zip(history.players, states.rating.tolist(), strict=True))


def by_pairwise_exchange(
    given_ranks: Sequence[float], places: list[int], challenge_range: int, rng: random.Random
) -> list[float]:
    """Run the article's procedure: exchange pairs of neighbours that are in the wrong order."""
    ranks = list(given_ranks)
    while True:
        players = sorted(range(len(ranks)), key=ranks.__getitem__)
        wrong = [
            (upper, lower)
            for upper, lower in itertools.pairwise(players)
            if places[lower] < places[upper]
            and (not challenge_range or ranks[lower] - ranks[upper] <= challenge_range)
        ]
        if not wrong:
            return ranks
        upper, lower = rng.choice(wrong)
        ranks[upper], ranks[lower] = ranks[lower], ranks[upper]


def test_newcomers_join_at_the_bottom_in_order_of_appearance() -> None:
    states = build("ladder").newcomers(3, population=4)
    assert states.rating.tolist() == [5.0, 6.0, 7.0]
    first = contest(["Alice"], ["Charlie"], places=[0, 0])
    second = contest(["Dora"], ["Bob"], places=[0, 0], match_id="2")
    assert ranks_after(first, second) == {"Alice": 1, "Charlie": 2, "Dora": 3, "Bob": 4}


def test_beating_a_higher_rank_exchanges_ranks() -> None:
    joined = contest(["Alice"], ["Bob"], ["Charlie"], ["Dora"], places=[0, 0, 0, 0])
    won = duel("Dora", "Bob", match_id="2")
    assert ranks_after(joined, won) == {"Alice": 1, "Bob": 4, "Charlie": 3, "Dora": 2}


def test_beating_a_lower_rank_and_drawing_change_nothing() -> None:
    joined = duel("Alice", "Charlie")
    again = duel("Alice", "Charlie", match_id="2")
    drawn = contest(["Charlie"], ["Alice"], places=[0, 0], match_id="3")
    assert ranks_after(joined, again, drawn) == {"Alice": 1, "Charlie": 2}


@given(
    data=st.data(),
    challenge_range=st.sampled_from([0, 1, 2, 5]),
    order=st.randoms(use_true_random=False),
)
def test_a_free_for_all_ends_where_exchanges_of_neighbours_in_any_order_end(
    data: st.DataObject, challenge_range: int, order: random.Random
) -> None:
    count = data.draw(st.integers(2, 7))
    ranks = data.draw(st.lists(st.integers(1, 20), min_size=count, max_size=count, unique=True))
    places = data.draw(st.lists(st.integers(0, 4), min_size=count, max_size=count))
    system = build("ladder", {"challenge_range": challenge_range})
    before = states_of(np.array([ranks], dtype=float))
    after = system.rate(before, batch_of((1,) * count, [places])).after.rating[0].tolist()
    assert after == by_pairwise_exchange(ranks, places, challenge_range, order)


def test_the_ranks_of_a_free_for_all_are_reassigned_by_place() -> None:
    ranks = np.array([[3.0, 9.0, 1.0, 6.0]])
    outcome = build("ladder").rate(states_of(ranks), batch_of((1,) * 4, [[2, 0, 3, 0]]))
    assert outcome.after.rating[0].tolist() == [6.0, 3.0, 9.0, 1.0]
    assert outcome.terms["seed"][0].tolist() == [2.0, 4.0, 1.0, 3.0]
    assert outcome.terms["finish"][0].tolist() == [3.0, 1.0, 4.0, 1.0]
    assert outcome.terms["change"][0].tolist() == [3.0, -6.0, 8.0, -5.0]


def test_tied_players_share_their_best_place() -> None:
    places = np.array([[7, 2, 2, 9, 7], [0, 1, 2, 3, 4]])
    assert finishes(places).tolist() == [[3, 1, 1, 5, 3], [1, 2, 3, 4, 5]]


@given(data=st.data(), challenge_range=st.sampled_from([0, 1, 3]))
def test_ranks_are_the_numbers_from_1_each_once_whatever_is_played(
    data: st.DataObject, challenge_range: int
) -> None:
    played = data.draw(histories(rates=lambda sizes: max(sizes) == 1))
    history = History.build(played)
    states = replay(build("ladder", {"challenge_range": challenge_range}), history).states
    assert sorted(states.rating.tolist()) == list(range(1, len(history.players) + 1))


@given(data=st.data())
def test_later_newcomers_get_the_same_ranks_as_in_a_replay_from_the_start(
    data: st.DataObject,
) -> None:
    played = data.draw(histories(rates=lambda sizes: max(sizes) == 1))
    system = build("ladder")
    whole = History.build(played)
    states = system.newcomers(0)
    known: list[str] = []
    for match in played:
        one = History.build([match], players=known)
        states = states.joined_by(system.newcomers(len(one.players) - len(known), len(known)))
        known = one.players
        states = replay(system, one, states).states
    assert known == whole.players
    assert bits(states) == bits(replay(system, whole).states)


@pytest.mark.parametrize(("first", "rank"), [(("Alice", "Bob"), 2), (("Bob", "Alice"), 1)])
def test_losing_a_match_can_pay_off_later(first: tuple[str, str], rank: float) -> None:
    """As documented: if Alice had beaten Bob at first, Charlie would have taken the top."""
    joined = contest(["Alice"], ["Bob"], ["Charlie"], places=[0, 0, 0])
    played = [joined, duel(*first, match_id="2")]
    played += [duel("Charlie", "Alice", match_id="3"), duel("Alice", "Bob", match_id="4")]
    assert ranks_after(*played)["Alice"] == rank


def test_teams_are_rejected() -> None:
    with pytest.raises(UnsupportedMatch, match="Ladder rates one-on-one matches and free-for-alls"):
        replay(build("ladder"), History.build([contest(["Alice", "Bob"], ["Charlie"])]))


def test_the_higher_rank_is_the_favourite_especially_near_the_top() -> None:
    forecast = build("ladder").predict(states_of(np.array([[1.0, 2.0], [101.0, 100.0]])), (1, 1))
    assert forecast.win[0].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert forecast.win[1].tolist() == pytest.approx([100 / 201, 101 / 201])


def test_frags_move_ranks_one_by_one() -> None:
    ranks = np.array([1.0, 2.0, 3.0])
    assert exchange(ranks, winner=2, loser=0).tolist() == [3.0, 2.0, 1.0]
    assert exchange_in_turn(ranks, [(2, 1), (1, 0)]).tolist() == [3.0, 1.0, 2.0]
    assert exchange_in_turn(ranks, [(2, 1), (1, 0), (0, 2)]).tolist() == [2.0, 1.0, 3.0]
    assert ranks.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("rank", "other", "challenge_range", "may"),
    [(5, 4, 0, True), (5, 1, 0, True), (5, 2, 3, True), (5, 1, 3, False), (5, 6, 0, False)],
)
def test_players_may_challenge_those_above_them_and_in_range(
    rank: float, other: float, challenge_range: int, may: bool
) -> None:
    assert may_challenge(rank, other, challenge_range) is may


def test_ignoring_a_challenge_costs_ranks_and_passed_players_move_up() -> None:
    ranks = np.array([3.0, 1.0, 4.0, 2.0, 5.0])
    assert ignore_challenge(ranks, player=3, cost=2).tolist() == [2.0, 1.0, 3.0, 4.0, 5.0]
    assert ignore_challenge(ranks, player=3, cost=0).tolist() == ranks.tolist()
    assert ignore_challenge(ranks, player=4, cost=3).tolist() == ranks.tolist()
    with pytest.raises(ValueError, match="cost 0 ranks or more"):
        ignore_challenge(ranks, player=0, cost=-1)


@given(ranks=st.permutations(list(range(1, 9))), data=st.data())
def test_events_and_ignored_challenges_keep_ranks_unique(
    ranks: list[int], data: st.DataObject
) -> None:
    player = st.integers(0, 7)
    frags = data.draw(st.lists(st.tuples(player, player)))
    moved = exchange_in_turn(np.array(ranks, dtype=float), frags, data.draw(st.integers(0, 3)))
    moved = ignore_challenge(moved, data.draw(player), data.draw(st.integers(0, 10)))
    assert sorted(moved.tolist()) == list(range(1, 9))
