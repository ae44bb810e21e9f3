"""Elo: the Fermi rating on the scale of chess."""

import math

import numpy as np
import pytest
from hypothesis import given, settings

from ratings.history import History, Match
from ratings.registry import build
from ratings.replay import replay
from ratings.systems.fermi.system import Fermi, FermiParameters
from tests.support.effort import examples
from tests.support.rating_histories import batch_of, contest, histories, states_of


def test_chess_players_recognise_the_expected_result_of_a_lead_of_200_points() -> None:
    outcome = build("elo").rate(states_of(np.array([[1700.0, 1500.0]])), batch_of((1, 1), [[1, 0]]))
    expected = 1 / (1 + 10 ** (-200 / 400))
    assert outcome.terms["expected"][0].tolist() == pytest.approx([expected, 1 - expected])
    assert outcome.terms["actual"][0].tolist() == [0.0, 1.0]
    assert outcome.after.rating[0].tolist() == pytest.approx(
        [1700 - 32 * expected, 1500 + 32 * expected]
    )


def test_the_articles_numbers_hold_for_the_fermi_rating() -> None:
    system = Fermi(FermiParameters(max_gain=1))
    outcome = system.rate(
        states_of(np.array([[0.0, 0.0], [1.0, 0.0]])), batch_of((1, 1), [[0, 1]] * 2)
    )
    assert outcome.after.rating[0].tolist() == [0.5, -0.5]
    assert outcome.after.rating[1, 0] == pytest.approx(2 - 1 / (1 + math.exp(-1)))


def test_a_draw_takes_from_the_favourite_and_gives_to_the_underdog() -> None:
    played = contest(["Alice"], ["Charlie"], places=[0, 0])
    after = replay(build("elo"), History.build([played]), states_of(np.array([1700.0, 1500.0])))
    assert after.states.rating[0] < 1700
    assert after.states.rating[1] > 1500


@settings(max_examples=examples(15), deadline=None)
@given(played=histories())
def test_one_players_gain_is_another_players_loss(played: list[Match]) -> None:
    history = History.build(played)
    total = math.fsum(replay(build("elo"), history).states.rating)
    assert total == pytest.approx(1500 * len(history.players), abs=1e-8)


def test_a_duel_moves_both_players_by_exactly_the_same_number() -> None:
    ratings = np.random.default_rng(3).uniform(-3000, 6000, (500, 2))
    places = np.random.default_rng(4).integers(0, 2, (500, 2)).tolist()
    change = build("elo").rate(states_of(ratings), batch_of((1, 1), places)).terms["change"]
    assert (change[:, 0] == -change[:, 1]).all()


def test_the_larger_side_shares_what_the_smaller_side_wins() -> None:
    played = contest(["Alice"], ["Charlie", "Dora"])
    assert replay(build("elo"), History.build([played])).states.rating.tolist() == [
        1516.0,
        1492.0,
        1492.0,
    ]


@settings(max_examples=examples(12), deadline=None)
@given(played=histories())
def test_no_match_moves_anyone_by_more_than_the_largest_gain(played: list[Match]) -> None:
    replayed = replay(build("elo", {"max_gain": 10}), History.build(played))
    members = np.diff(History.build(played).match_offsets)
    weights = np.repeat([match.weight for match in played], members)
    assert (np.abs(replayed.terms["change"]) <= 10 * weights).all()


def test_team_mates_rise_together() -> None:
    states = states_of(np.array([1400.0, 1600.0, 1500.0, 1500.0]))
    played = contest(["Alice", "Bob"], ["Charlie", "Dora"])
    after = replay(build("elo"), History.build([played]), states).states
    assert after.rating.tolist() == [1416.0, 1616.0, 1484.0, 1484.0]


@pytest.mark.parametrize(
    ("strength", "favourite"), [("mean", False), ("sum", True), ("max", False), ("min", False)]
)
def test_the_larger_side_is_the_favourite_only_if_strengths_are_summed(
    strength: str, favourite: bool
) -> None:
    system = build("elo", {"team_strength": strength})
    forecast = system.predict(states_of(np.array([[1500.0, 1500.0, 1500.0]])), (2, 1))
    assert (forecast.win[0, 0] > 0.5) == favourite


def test_a_free_for_all_is_the_mean_of_its_encounters() -> None:
    ratings = np.array([[1500.0, 1600.0, 1700.0]])
    places = [0, 1, 2]
    change = build("elo").rate(states_of(ratings), batch_of((1, 1, 1), [places])).terms["change"]
    for own in range(3):
        encounters = [
            32
            * ((places[own] < places[other]) - 1 / (1 + 10 ** ((theirs - ratings[0, own]) / 400)))
            for other, theirs in enumerate(ratings[0])
            if other != own
        ]
        assert change[0, own] == pytest.approx(sum(encounters) / 2)


def test_the_change_is_stake_times_surprise_even_with_uneven_sides() -> None:
    ratings = np.random.default_rng(5).uniform(1000, 2000, (30, 6))
    places = np.random.default_rng(6).integers(0, 3, (30, 3)).tolist()
    terms = build("elo").rate(states_of(ratings), batch_of((1, 2, 3), places)).terms
    explained = terms["stake"] * (terms["actual"] - terms["expected"])
    np.testing.assert_allclose(explained, terms["change"], atol=1e-9)


def test_a_forecast_of_two_is_the_expected_result() -> None:
    states = states_of(np.array([[1700.0, 1500.0]]))
    expected = build("elo").rate(states, batch_of((1, 1), [[0, 1]])).terms["expected"]
    np.testing.assert_allclose(build("elo").predict(states, (1, 1)).win, expected, rtol=1e-14)


def test_a_certain_loser_still_gains_from_a_surprise_win() -> None:
    change = (
        build("elo")
        .rate(states_of(np.array([[0.0, 100_000.0]])), batch_of((1, 1), [[0, 1]]))
        .terms["change"]
    )
    assert change[0].tolist() == [32.0, -32.0]
