"""Resets, placement and decay of players who come and go."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History
from ratings.seasons.decay import (
    Decay,
    decay_begins,
    decay_time,
    decay_time_after_game,
    decay_times_after_history,
    decayed_points,
    effective_rating,
)
from ratings.seasons.transitions import (
    SeasonStart,
    full_reset,
    linear_scale,
    partial_reset,
    starting_states,
)
from ratings.types import NEVER, States
from tests.support.effort import examples
from tests.support.rating_histories import bits, duel

HOUR = 3_600_000_000
DAY = 24 * HOUR
RANKED = Decay()


def lost_after(days: float, active: float = 0.0) -> float:
    """Return the points lost that many days after the last game."""
    played, now = np.array([0]), np.array([round(days * DAY)])
    return float(decayed_points(RANKED, np.array([active]), played, now)[0])


def players(ratings: list[float], last_played: list[int]) -> States:
    states = States.full(len(ratings), deviation=60.0, volatility=0.05, width=2)
    states.rating[:] = ratings
    states.last_played[:] = last_played
    states.games[:] = 40
    states.memory[:, 0] = 7.0
    return states


def newcomers(count: int) -> States:
    return States.full(count, rating=1200.0, deviation=350.0, volatility=0.06)


def test_decay_starts_after_the_grace_period_and_grows_evenly_to_all_points() -> None:
    assert lost_after(0) == lost_after(2.9) == lost_after(3) == 0
    assert lost_after(4) == pytest.approx(100)
    assert lost_after(6.5) == pytest.approx(350)
    assert lost_after(10) == pytest.approx(700)
    assert lost_after(400) == pytest.approx(700)


def test_each_game_takes_back_a_day_of_decay_and_restarts_the_grace_period() -> None:
    played, now = np.array([0]), np.array([8 * DAY])
    left = decay_time_after_game(RANKED, np.zeros(1), played, now)
    assert left.tolist() == [4 * 86_400]
    again = decay_time_after_game(RANKED, left, now, now + HOUR)
    assert again.tolist() == [3 * 86_400]
    # For three more days nothing is added, then decay continues.
    assert lost_after(3, active=float(again[0])) == pytest.approx(300)
    assert lost_after(5, active=float(again[0])) == pytest.approx(500)
    for _ in range(5):
        again = decay_time_after_game(RANKED, again, now, now)
    assert again.tolist() == [0]


def test_players_who_never_played_do_not_decay() -> None:
    never, now = np.array([NEVER]), np.array([400 * DAY])
    assert decay_time(RANKED, np.zeros(1), never, now).tolist() == [0]
    assert decay_begins(RANKED, np.array([NEVER, DAY])).tolist() == [NEVER, 4 * DAY]


def test_the_effective_rating_stops_at_the_floor_and_the_rating_does_not_change() -> None:
    states = players([1500.0, 500.0, 90.0], [0, 0, 0])
    effective = effective_rating(RANKED, states, np.zeros(3), 30 * DAY, floor=100.0)
    assert effective.tolist() == [800, 100, 90]
    assert states.rating.tolist() == [1500, 500, 90]
    assert effective_rating(RANKED, states, np.zeros(3), DAY).tolist() == [1500, 500, 90]


def test_no_points_turn_decay_off() -> None:
    states = players([1500.0], [0])
    off = Decay(points=0)
    assert effective_rating(off, states, np.zeros(1), 99 * DAY).tolist() == [1500]


@settings(max_examples=examples(10), deadline=None)
@given(
    played=st.lists(
        st.tuples(st.sampled_from(["Alice", "Bob", "Dora"]), st.integers(0, 12 * 24)), max_size=25
    )
)
def test_decay_after_a_history_equals_decay_after_its_games_one_by_one(
    played: list[tuple[str, int]],
) -> None:
    at, matches = 0, []
    active: dict[str, float] = {}
    last: dict[str, int] = {}
    for number, (name, hours) in enumerate(played):
        at += hours * HOUR
        matches.append(duel(name, "Charlie", at=at, match_id=str(number)))
        for player in (name, "Charlie"):
            gone = (at - last.get(player, at)) / 1e6
            gathered = min(active.get(player, 0.0) + max(gone - 3 * 86_400, 0.0), 7 * 86_400)
            active[player], last[player] = max(gathered - 86_400, 0.0), at
    history = History.build(matches)
    expected = [active[name] for name in history.players]
    assert decay_times_after_history(RANKED, history).tolist() == pytest.approx(expected)


def test_a_full_reset_replaces_players_inactive_since_before_it() -> None:
    states = players([1900.0, 1700.0], [DAY, 3 * DAY])
    after = full_reset(states, newcomers(2), before=3 * DAY)
    assert after.rating.tolist() == [1200, 1700]
    assert after.deviation.tolist() == [350, 60]
    assert after.games.tolist() == [0, 40]
    assert after.last_played.tolist() == [NEVER, 3 * DAY]
    assert np.isnan(after.memory[0]).all()
    assert after.memory[1, 0] == 7
    assert states.rating.tolist() == [1900, 1700]


def test_a_partial_reset_keeps_old_ratings_but_resets_their_deviation() -> None:
    states = players([1900.0, 1700.0], [DAY, 3 * DAY])
    after = partial_reset(states, newcomers(2), before=2 * DAY)
    assert after.rating.tolist() == [1900, 1700]
    assert after.deviation.tolist() == [350, 60]
    assert after.volatility.tolist() == [0.05, 0.05]
    assert after.games.tolist() == [40, 40]
    assert np.isnan(after.memory[0]).all()
    assert after.memory[1, 0] == 7


def test_a_linear_scale_halves_the_distance_to_the_centre() -> None:
    assert linear_scale(np.array([1800.0, 1200.0, 800.0]), 1200, 0.5).tolist() == [
        1500, 1200, 1000,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("start", "rating", "deviation", "remembers"),
    [
        (SeasonStart(), 1500.0, 60.0, False),
        (SeasonStart(reset_deviation=True), 1500.0, 350.0, False),
        (SeasonStart(placement="carry-over"), 1800.0, 60.0, True),
        (SeasonStart(placement="carry-over", reset_deviation=True), 1800.0, 350.0, False),
        (SeasonStart(ratio=1.0), 1800.0, 60.0, True),
        (SeasonStart(ratio=0.0), 1200.0, 60.0, False),
        (SeasonStart(placement="fresh"), 1200.0, 350.0, False),
    ],
)
def test_a_season_starts_with_the_ratings_of_its_placement(
    start: SeasonStart, rating: float, deviation: float, remembers: bool
) -> None:
    states = players([1800.0], [DAY])
    untouched = bits(states)
    after = starting_states(start, states, newcomers(1))
    assert (after.rating[0], after.deviation[0]) == (rating, deviation)
    assert after.games.tolist() == [0]
    assert after.last_played.tolist() == [NEVER if start.placement == "fresh" else DAY]
    assert (not np.isnan(after.memory).all()) == remembers
    after.rating[:] = after.deviation[:] = 0
    assert bits(states) == untouched
