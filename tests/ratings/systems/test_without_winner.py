"""Matches in which all sides tie are no matches to a system that ignores them."""

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match
from ratings.registry import SYSTEMS, build
from ratings.replay import final_states, replay
from ratings.tunables.declarations import declarations
from tests.support.effort import examples
from tests.support.rating_histories import PLAYERS, bits, contest, duel, histories, states_of

IGNORING = [
    name
    for name, system in SYSTEMS.items()
    if "ignore_all_tied" in {declared.name for declared in declarations(system.Parameters)}
]

# Parameters by which states depend on the number and the times of a player's matches.
COUNTING: dict[str, list[dict[str, Any]]] = {
    "bar": [{}],
    "codeforces": [{}],
    "elo-mmr": [
        {"noob_delay": [0.25, 0.5, 0.75], "drift_per_day": 9.0},
        {"noob_delay": [2.0], "history_limit": 1},
        {"rho": "inf", "drift_per_day": 40.0},
        {"parametrisation": "paper", "rho": 0},
    ],
    "elo-mmx": [{"noob_delay": [0.25, 0.5], "drift_per_day": 9.0}],
    "glicko": [{"form": "glickman", "period": "3d"}, {"form": "paper"}],
    "topcoder": [{}],
    "trueskill": [{}, {"draw_probability": 0.2}],
}


def is_all_tied(match: Match) -> bool:
    return len({side.place for side in match.sides}) == 1


def tied(match: Match) -> Match:
    return replace(match, sides=[replace(side, place=0) for side in match.sides])


def test_the_parameters_of_every_system_that_can_ignore_are_listed() -> None:
    assert list(COUNTING) == IGNORING


@pytest.mark.parametrize("name", IGNORING)
@settings(max_examples=examples(15), deadline=None)
@given(data=st.data())
def test_a_history_with_ignored_matches_is_the_history_without_them(
    name: str, data: st.DataObject
) -> None:
    system = build(name, {**data.draw(st.sampled_from(COUNTING[name])), "ignore_all_tied": True})
    played = data.draw(histories())
    all_tie = data.draw(st.lists(st.booleans(), min_size=len(played), max_size=len(played)))
    played = [tied(match) if tie else match for match, tie in zip(played, all_tie, strict=True)]
    counted = [match for match in played if not is_all_tied(match)]
    everybody = History.build(played, players=PLAYERS)
    given_all = replay(system, everybody)
    without = replay(system, History.build(counted, players=PLAYERS))

    assert bits(given_all.states) == bits(without.states)
    kept = np.flatnonzero(~given_all.ignored)
    assert bits(given_all.before.take(kept)) == bits(without.before)
    assert bits(given_all.after.take(kept)) == bits(without.after)
    for term, values in without.terms.items():
        assert given_all.terms[term][kept].tobytes() == values.tobytes(), term

    left_out = np.flatnonzero(given_all.ignored)
    assert bits(given_all.before.take(left_out)) == bits(given_all.after.take(left_out))
    assert not given_all.terms["change"][left_out].any()
    rated = Counter(
        one.player for match in counted for side in match.sides for one in side.participants
    )
    assert dict(zip(PLAYERS, given_all.states.games.tolist(), strict=True)) == {
        player: rated[player] for player in PLAYERS
    }


@pytest.mark.parametrize("name", IGNORING)
def test_a_match_has_the_same_terms_whether_or_not_its_batch_has_an_ignored_one(name: str) -> None:
    system = build(name, {"ignore_all_tied": True})
    players = [f"player {number}" for number in range(40)]
    won = [duel(players[n], players[n + 1], match_id=str(n)) for n in range(0, 38, 2)]
    drawn = contest(players[38:39], players[39:], places=[0, 0], match_id="drawn")
    states = states_of(np.random.default_rng(4).uniform(900, 2100, 40))
    alone = replay(system, History.build(won, players=players), states)
    beside = replay(system, History.build([*won, drawn], players=players), states)
    for term, values in alone.terms.items():
        assert beside.terms[term][:38].tobytes() == values.tobytes(), term


@pytest.mark.parametrize("name", ["elo-mmr", "elo-mmx"])
def test_an_ignored_draw_uses_up_none_of_a_newcomers_delay(name: str) -> None:
    system = build(name, {"noob_delay": [0.1, 0.5], "ignore_all_tied": True})
    draws = [contest(["Alice"], ["Bob"], places=[0, 0], match_id=str(day)) for day in range(4)]
    players = ["Alice", "Bob"]
    first = History.build([*draws, duel("Alice", "Bob", match_id="win")], players=players)
    alone = History.build([duel("Alice", "Bob")], players=players)
    assert final_states(system, first).rating[0] == final_states(system, alone).rating[0]
    assert final_states(build(name), alone).rating[0] > final_states(system, alone).rating[0] > 1500


@pytest.mark.parametrize("name", IGNORING)
def test_an_ignored_match_of_teams_shows_no_surprise(name: str) -> None:
    system = build(name, {"ignore_all_tied": True})
    states = states_of(np.array([1800.0, 1400.0, 1500.0, 1300.0]))
    drawn = History.build([contest(["Alice", "Bob"], ["Charlie", "Dora"], places=[0, 0])])
    terms = replay(system, drawn, states).terms
    for term in ("change", "surprise", "step", "weight"):
        assert not terms.get(term, np.zeros(4)).any(), term
    if "performance" in terms:
        expected = [3200, 3200, 2800, 2800] if name == "trueskill" else states.rating.tolist()
        assert terms["performance"].tolist() == expected
