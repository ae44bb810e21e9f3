"""Points won from opponents without a rank, and what matches against ranked players confirm."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings import registry
from ratings.history import NEGLIGIBLE_WEIGHT, History, Match, Participant, Side
from ratings.replay import replay
from ratings.seasons.unconfirmed import (
    RETURNED,
    SMALLEST_SHARE,
    Part,
    changes_to_confirm,
    confirm,
    share_within,
    sum_unconfirmed,
)

SYSTEMS = [name for name in registry.SYSTEMS if name != "ladder"]
DAY = 86_400_000_000
ROUGHLY = {
    "bar": (0.55, 0.8),
    "codeforces": (0.55, 0.8),
    "laurel": (0.7, 0.9),
    "topcoder": (0.5, 0.8),
}
"""What matches return of what their changes say, if it is much less."""


def won(gain: float) -> Part:
    return Part(gain, 1.0)


def played(change: float, single: int | None = None) -> Part:
    return Part(change, 0.0, single)


def test_a_match_returns_a_part_of_its_change() -> None:
    assert sum_unconfirmed([won(100)]) == pytest.approx(100)
    once = sum_unconfirmed([won(100), played(16)])
    assert once == sum_unconfirmed([won(100), played(-16)])
    assert once == pytest.approx(100 - 16 * math.tanh(100 / RETURNED), abs=0.2)
    assert sum_unconfirmed([won(3_000), played(-16)]) == pytest.approx(3_000 - 16), "but no more"


def test_only_later_matches_confirm_and_losses_count_like_wins() -> None:
    assert sum_unconfirmed([played(16)] * 50 + [won(100)]) == pytest.approx(100)
    assert sum_unconfirmed([won(160), won(-60)]) == pytest.approx(100)
    assert sum_unconfirmed([won(-100), played(16)]) == pytest.approx(
        -sum_unconfirmed([won(100), played(16)])
    )


def test_the_opponent_met_most_so_far_confirms_only_once() -> None:
    one, other = played(16, 1), played(30, 2)
    assert sum_unconfirmed([won(100), *[one] * 9]) == pytest.approx(float(confirm(100, 16)))
    matches = [won(100), one, other, one, other, other, one, one]
    assert sum_unconfirmed(matches) == pytest.approx(float(confirm(100, 16 + 30 + 30 + 16)))


@given(st.lists(st.tuples(st.floats(-50, 50), st.integers(0, 3), st.booleans())))
def test_later_matches_do_not_change_what_earlier_ones_confirmed(
    rows: list[tuple[float, int, bool]],
) -> None:
    matches = [Part(gain, float(fresh), other) for gain, other, fresh in rows]
    before, last = matches[:-1], matches[-1:]
    grown = abs(sum_unconfirmed(matches)) - abs(sum_unconfirmed(before))
    assert grown <= 1e-9 or last[0].unranked


def test_a_match_against_others_for_the_most_part_confirms_nothing() -> None:
    mixed = Part(10, 0.4)
    left = sum_unconfirmed([won(100), mixed])
    assert left == pytest.approx(float(confirm(100, 6)) + 4)
    assert sum_unconfirmed([won(100), Part(10, 0.6)]) == pytest.approx(106)


@given(st.floats(0.1, 5_000), st.floats(0.1, 100))
def test_so_many_changes_leave_what_may_be_kept(points: float, kept: float) -> None:
    changes = changes_to_confirm(points, kept)
    assert float(confirm(points, changes)) == pytest.approx(min(points, kept))
    assert changes_to_confirm(points, 0) == 0


@given(st.floats(-30, 20), st.floats(1, 400), st.sampled_from([0.5, 1.0]))
def test_a_win_gains_no_more_than_what_is_left(left: float, full: float, power: float) -> None:
    def gain(share: float) -> float:
        return full * float(share**power)

    share = share_within(left, 20, gain)
    assert share == NEGLIGIBLE_WEIGHT or SMALLEST_SHARE <= share <= max(left / 20, SMALLEST_SHARE)
    assert gain(share) <= max(left, gain(NEGLIGIBLE_WEIGHT))
    if gain(left / 20 if left > 0 else 0) <= left and left >= 0.2:
        assert share == pytest.approx(left / 20)


@pytest.mark.parametrize("deviation", [60.0, 110.0, 200.0])
@pytest.mark.parametrize("name", SYSTEMS)
def test_matches_return_in_every_system_what_their_changes_say(name: str, deviation: float) -> None:
    system = registry.build(name, {})
    excess = 100.0
    states = system.newcomers(2)
    if system.shows.deviation:
        states.deviation[:] = [deviation * system.scale, 60 * system.scale]
    states.rating[0] += excess * system.scale
    changes = []
    for places in ((0, 1), (1, 0)):
        sides = [Side(place, [Participant(str(one))]) for one, place in enumerate(places)]
        rated = replay(system, History.build([Match("1", DAY, sides)]), states)
        changes.append(float(rated.states.rating[0] - states.rating[0]) / system.scale)
    share = math.tanh(excess * math.log(10) / 800)
    returned, told = -np.mean(changes), np.abs(changes).mean() * share
    low, high = ROUGHLY.get(name, (0.85, 1.6))
    assert low < returned / told < high
