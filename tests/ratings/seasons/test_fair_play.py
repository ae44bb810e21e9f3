"""How often opponents have met, and what a repeated match counts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.seasons.fair_play import SMALLEST_WEIGHT, FairPlay, meetings, read_fair_play
from ratings.seasons.rules import read_rules
from ratings.tunables.reading import ParameterError

ALICE, BOB, CHARLIE, DORA, EVE = range(1, 6)


@given(st.lists(st.dictionaries(st.integers(1, 8), st.integers(0, 3)), max_size=8), st.data())
def test_meetings_equal_the_plain_count(earlier: list[dict[int, int]], data: st.DataObject) -> None:
    now = data.draw(st.dictionaries(st.integers(1, 8), st.integers(0, 3), min_size=2))
    averages = []
    for player, side in now.items():
        opponents = [other for other, theirs in now.items() if theirs != side]
        met = sum(
            player in match and other in match and match[player] != match[other]
            for match in earlier
            for other in opponents
        )
        averages += [met // len(opponents)] if opponents else []
    assert meetings(now, earlier) == max(averages, default=0)


def test_a_third_match_counts_64_percent() -> None:
    rules = FairPlay()
    assert [rules.weight(earlier) for earlier in range(3)] == pytest.approx([1, 0.8, 0.64])
    assert rules.weight(1000) == SMALLEST_WEIGHT
    assert FairPlay(repeat_factor=1).weight(1000) == 1


def test_nobody_can_set_a_budget_below_a_few_even_wins() -> None:
    for wins in (0, 3, 1000):
        assert read_fair_play({"same_opponents": wins}).same_opponents == wins
    for few in (-1.0, 0.1, 2.99):
        with pytest.raises(ParameterError):
            read_fair_play({"same_opponents": few})


def test_wins_in_a_row_count_less_and_less() -> None:
    counted = [FairPlay().left_after(wins) for wins in range(4)]
    assert counted == pytest.approx([1, 2 / 3, 4 / 9, 8 / 27])
    assert FairPlay(same_opponents=0).left_after(9) == 1


def test_a_rule_that_is_no_more_is_ignored_and_a_misspelt_one_is_not() -> None:
    """An earlier release may still write it while it is replaced."""
    assert read_rules({"fair_play": {"restored_unranked": 1.0}}) == read_rules({})
    for points, wins in ((20.0, 3.0), (0.0, 0.0), (64.0, 4.0), (1e6, 1000.0)):
        stored = {"one_sided": points, "restored": 4.0}
        assert read_fair_play(stored) == FairPlay(same_opponents=wins, restored=0.25)
    with pytest.raises(ParameterError):
        read_rules({"fair_play": {"restored_unrankd": 1.0}})
