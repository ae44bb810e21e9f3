"""Histories: impossible matches are rejected, and levels separate players."""

import contextlib
import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from ratings.explain import explain, participant_terms
from ratings.history import History, HistoryError, Match, Participant, Side
from ratings.lab.synthetic import free_for_all
from ratings.levels import levels, shape_codes
from ratings.matches import LOWEST_CEILING
from ratings.registry import SYSTEMS, build
from ratings.replay import final_states, replay
from ratings.system import UnsupportedMatch
from ratings.systems.fermi.elo import Elo
from tests.support.effort import examples
from tests.support.rating_histories import DAY, all_bits, contest, duel, histories, random_duels

ALICE_BEATS_CHARLIE = duel("Alice", "Charlie")


@pytest.mark.parametrize(
    ("match", "problem"),
    [
        (contest(["Alice"]), "a match needs at least two sides"),
        (contest(["Alice"], []), "side 2: a side needs at least one player"),
        (contest(["Alice", "Bob"], ["Alice"]), "Alice plays twice"),
        (contest(["Alice"], ["Charlie"], places=[0, -1]), "side 2: the place must be a whole"),
        (contest(["Alice"], ["Charlie"], places=[0, 0.5]), "side 2: the place must be a whole"),  # type: ignore[list-item] # the very mistake
        (contest(["Alice"], ["Charlie"], places=[0, True]), "side 2: the place must be a whole"),
        (contest(["Alice"], [""]), "side 2: a player needs a name"),
        (contest(["Alice"], ["Charlie"], weight=0), "the weight must be more than 0"),
        (contest(["Alice"], ["Charlie"], weight=math.nan), "the weight must be more than 0"),
        (dataclasses.replace(ALICE_BEATS_CHARLIE, played_at_us=2**63), "the time must be"),
        (dataclasses.replace(ALICE_BEATS_CHARLIE, played_at_us=1.5), "the time must be"),  # type: ignore[arg-type] # the very mistake
        (dataclasses.replace(ALICE_BEATS_CHARLIE, perf_ceiling=math.nan), "ceiling must be"),
        (dataclasses.replace(ALICE_BEATS_CHARLIE, perf_ceiling=-math.inf), "ceiling must be"),
        (dataclasses.replace(ALICE_BEATS_CHARLIE, perf_ceiling=-1e300), "ceiling must be"),
        (
            Match("1", 0, [Side(0, [Participant("Alice", -1)]), Side(1, [Participant("Bob")])]),
            "side 1: the seconds Alice played must be 0 or more",
        ),
        (
            Match("1", 0, [Side(0, [Participant("Alice")], score=math.inf), Side(1, [])]),
            "side 1: the score must be a number",
        ),
    ],
)  # fmt: skip
def test_an_impossible_match_is_rejected_by_name(match: Match, problem: str) -> None:
    with pytest.raises(HistoryError, match=f"match 1: .*{problem}"):
        History.build([match])


def test_columns_hold_the_data_of_the_matches() -> None:
    match = Match(
        "final",
        77,
        [
            Side(1, [Participant("Alice", 30.0, quit=True, profession="mage")], score=3.0),
            Side(0, [Participant("Charlie"), Participant("Dora", profession="mage")]),
        ],
        weight=2.0,
        perf_ceiling=1800.0,
    )
    history = History.build([match], players=["Zoe"])
    assert history.players == ["Zoe", "Alice", "Charlie", "Dora"]
    assert history.professions == ["", "mage"]
    assert history.player.tolist() == [1, 2, 3]
    assert history.profession.tolist() == [1, 0, 1]
    assert history.quits.tolist() == [True, False, False]
    assert history.seconds[0] == 30
    assert np.isnan(history.seconds[1:]).all()
    assert history.scores[0] == 3
    assert history.places.tolist() == [1, 0]
    assert (history.times[0], history.weights[0], history.perf_ceilings[0]) == (77, 2, 1800)
    assert history.match_offsets.tolist() == [0, 3]


def test_a_history_without_matches_rates_nobody() -> None:
    history = History.build([])
    replayed = replay(build("elo"), history)
    assert len(history) == len(replayed.states) == len(replayed.before) == 0


def test_columns_of_duels_are_the_same_history_as_matches() -> None:
    names = ["Alice", "Charlie"]
    winners, losers, draws = (
        np.array([0, 1, 0]),
        np.array([1, 0, 1]),
        np.array([False, False, True]),
    )
    columns = History.duels(names, np.array([0, 5, 9]), winners, losers, draws)
    matches = History.build(
        [
            duel("Alice", "Charlie", at=0),
            duel("Charlie", "Alice", at=5),
            contest(["Alice"], ["Charlie"], places=[0, 0], at=9),
        ]
    )
    system = build("glicko-2")
    assert all_bits(replay(system, columns)) == all_bits(replay(system, matches))


def test_columns_of_duels_reject_a_player_against_themselves() -> None:
    with pytest.raises(HistoryError, match="match 1: Charlie plays twice"):
        History.duels(["Alice", "Charlie"], np.arange(2), np.array([0, 1]), np.array([1, 1]))
    with pytest.raises(HistoryError, match="codes of players"):
        History.duels(["Alice"], np.arange(1), np.array([0]), np.array([1]))


@settings(max_examples=examples(15), deadline=None)
@given(played=histories())
def test_matches_of_a_level_share_no_player_and_follow_their_players_last(
    played: list[Match],
) -> None:
    history = History.build(played)
    found = levels(history).tolist()
    last: dict[str, int] = {}
    for match, level in zip(played, found, strict=True):
        names = [one.player for side in match.sides for one in side.participants]
        assert level == 1 + max(last.get(name, -1) for name in names)
        last.update(dict.fromkeys(names, level))


@pytest.mark.parametrize("unit", ["D", "h", "s", "ms", "us", "ns"])
def test_times_of_duels_may_have_any_unit(unit: str) -> None:
    days = np.array(["1970-01-03", "2026-03-01"], dtype=f"datetime64[{unit}]")
    history = History.duels(["Alice", "Charlie"], days, np.array([0, 1]), np.array([1, 0]))
    assert history.times.tolist() == [2 * DAY, 20_513 * DAY]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"times": np.array(["NaT", "2026-03-01"], "datetime64[s]")}, "match 0: the time is miss"),
        ({"times": np.array([0.5, 1.5])}, "whole microseconds or datetime64; they are float64"),
        ({"winners": np.array([0.0, 1.0])}, "winners must be whole numbers; they are float64"),
        ({"losers": np.array([True, False])}, "losers must be whole numbers; they are bool"),
        ({"losers": np.array([1, 0, 1])}, "there are 2 times but 3 losers"),
        ({"winners": np.array([0])}, "there are 2 times but 1 winners"),
        ({"draws": np.array([True])}, "there are 2 times but 1 draws"),
        ({"draws": np.array([1, 0])}, "draws must be true or false; they are int64"),
        ({"match_ids": ["one"]}, "there are 2 times but 1 match_ids"),
    ],
)
def test_wrong_columns_of_duels_are_named(wrong: dict[str, Any], message: str) -> None:
    columns = {"times": np.arange(2), "winners": np.array([0, 1]), "losers": np.array([1, 0])}
    with pytest.raises(HistoryError, match=message):
        History.duels(["Alice", "Charlie"], **{**columns, **wrong})


@pytest.mark.parametrize("name", sorted(SYSTEMS))
def test_the_smallest_weights_and_lowest_ceilings_give_numbers(name: str) -> None:
    system = build(name)
    for weight, ceiling in itertools.product(
        [5e-324, 1e-310, 1e-6, 1.1e-6, 1e6], [LOWEST_CEILING, 1e6, math.inf]
    ):
        match = dataclasses.replace(ALICE_BEATS_CHARLIE, weight=weight, perf_ceiling=ceiling)
        with contextlib.suppress(UnsupportedMatch):
            states = final_states(system, History.build([match] * 2))
            assert np.isfinite(states.rating).all(), (weight, ceiling)


def test_duels_get_the_same_levels_as_other_matches() -> None:
    history = random_duels(300, players=20)
    free_for_all = contest(["x", "y", "z"], ["w"])
    mixed = History.build(
        [
            *(
                duel(history.players[first], history.players[second])
                for first, second in history.player.reshape(-1, 2)
            ),
            free_for_all,
        ]
    )
    assert levels(mixed)[:-1].tolist() == levels(history).tolist()


def test_a_shape_is_given_by_the_ordered_sizes_of_sides() -> None:
    history = History.build(
        [
            contest(["a"], ["b"]),
            contest(["a", "c"], ["b"]),
            contest(["a"], ["b", "c"]),
            contest(["a"], ["b"], ["c"]),
            contest(["c"], ["b"]),
        ]
    )
    codes, shapes = shape_codes(history)
    assert [shapes[code] for code in codes] == [(1, 1), (2, 1), (1, 2), (1, 1, 1), (1, 1)]


def test_a_replay_counts_games_and_keeps_the_time_of_the_last() -> None:
    history = History.build(
        [duel("Alice", "Charlie", at=50), duel("Alice", "Bob", at=90), duel("Bob", "Alice", at=70)]
    )
    states = replay(build("elo"), history).states
    assert dict(zip(history.players, states.games.tolist(), strict=True)) == {
        "Alice": 3,
        "Charlie": 1,
        "Bob": 2,
    }
    assert states.last_played.tolist() == [90, 50, 90]


def test_events_are_in_the_order_of_the_history() -> None:
    history = History.build(
        [duel("Alice", "Charlie"), duel("Charlie", "Alice"), duel("Bob", "Dora")]
    )
    replayed = replay(build("elo"), history)
    assert replayed.before.rating.tolist() == [1500, 1500, 1484, 1516, 1500, 1500]
    assert replayed.after.rating[0] == 1516
    assert replayed.after.rating[4] == 1516
    assert replayed.after.rating[2] == replayed.states.rating[history.players.index("Charlie")]


def test_a_replay_does_not_change_its_initial_states() -> None:
    system = build("elo")
    history = History.build([duel("Alice", "Charlie")])
    start = system.newcomers(2)
    replay(system, history, start)
    assert start.rating.tolist() == [1500, 1500]
    assert start.games.tolist() == [0, 0]


def test_states_that_do_not_fit_are_rejected_by_name() -> None:
    history = History.build([duel("Alice", "Charlie")])
    with pytest.raises(ValueError, match="3 states for 2 players"):
        replay(build("elo"), history, build("elo").newcomers(3))
    with pytest.raises(ValueError, match="Alice has no deviation to start from"):
        replay(build("glicko-2"), history, build("elo").newcomers(2))


def test_progress_counts_every_match_once() -> None:
    counted: list[int] = []
    replay(build("elo"), random_duels(50, players=10), progress=counted.append)
    assert sum(counted) == 50


def test_a_change_is_explained_in_reading_order() -> None:
    replayed = replay(build("elo"), History.build([duel("Alice", "Charlie")]))
    explained = explain(Elo, participant_terms(replayed, participant=0))
    assert [(each.term.label, each.value) for each in explained] == [
        ("Expected result", 0.5),
        ("Actual result", 1.0),
        ("Own side's strength", 1500.0),
        ("Opponents' strength", 1500.0),
        ("At stake", 32.0),
        ("Change", 16.0),
    ]


@pytest.mark.parametrize("entrants", [3, 80])
def test_a_match_is_one_level_above_its_players_last_matches(entrants: int) -> None:
    rng = np.random.default_rng(5)
    entered = np.stack([rng.choice(100, entrants, replace=False) for _ in range(30)])
    names = [str(number) for number in range(100)]
    places = np.tile(np.arange(entrants), (30, 1))
    level_of = [0] * 100
    expected = []
    for players in entered.tolist():
        level = max(level_of[player] for player in players)
        expected.append(level)
        for player in players:
            level_of[player] = level + 1
    assert levels(free_for_all(names, entered, places)).tolist() == expected
