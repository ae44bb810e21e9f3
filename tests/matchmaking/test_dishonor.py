"""Dishonor: stacks, their expiry, and timeouts."""

import math

import pytest

from matchmaking.dishonor import (
    Award,
    DishonorRules,
    DishonorStatus,
    Penalty,
    dishonor_status,
    displayed_end,
    penalize,
    stacks_at,
    timeout,
)
from matchmaking.rules.arena import Choices

HOUR = 3600.0
RULES = DishonorRules(timeout_duration=30.0, timeout_exponent=1.5)
"""The published timeouts, whatever the defaults become."""
AS_PUBLISHED = Choices()
TOGETHER = Choices(decay="parallel")
YEAR = 365.25 * 24 * HOUR


@pytest.mark.parametrize(
    ("stacks", "minutes"),
    [(0, 1), (1, 1), (3, 3), (4, 4), (10, 16), (13, 23), (20, 45), (25, 63), (81, 365)],
)
def test_a_timeout_grows_with_the_stacks(stacks: int, minutes: int) -> None:
    # 30 s * stacks ** 1.5, to the nearest minute and at least one.
    assert timeout(stacks, RULES, AS_PUBLISHED) == minutes * 60


def test_half_a_minute_rounds_up_or_to_even() -> None:
    # 30 s * 25 ** 1.5 is 62.5 minutes.
    assert timeout(25, RULES, Choices(rounding="half_even")) == 62 * 60
    assert timeout(25, RULES, Choices(rounding="half_up")) == 63 * 60


def test_timeouts_can_be_unrounded() -> None:
    exact = DishonorRules(timeout_rounding=0.0)
    assert timeout(1, exact, AS_PUBLISHED) == 30
    assert timeout(0, exact, AS_PUBLISHED) == 0


def test_stacks_expire_one_after_another() -> None:
    awards = [Award(0.0, 10)]
    expected = {0: 10, 3.99: 10, 4: 9, 20: 5, 39.99: 1, 40: 0, 1000: 0}
    for hours, stacks in expected.items():
        assert stacks_at(awards, hours * HOUR, RULES, AS_PUBLISHED) == stacks, hours


def test_stacks_of_one_award_can_expire_together() -> None:
    awards = [Award(0.0, 10), Award(2 * HOUR, 3)]
    expected = {0: 10, 2: 13, 3.99: 13, 4: 3, 5.99: 3, 6: 0}
    for hours, stacks in expected.items():
        assert stacks_at(awards, hours * HOUR, RULES, TOGETHER) == stacks, hours


def test_a_new_award_expires_after_the_earlier_ones() -> None:
    awards = [Award(0.0, 2), Award(6 * HOUR, 3)]
    expected = {5.99: 1, 6: 4, 8: 3, 12: 2, 20: 0}
    for hours, stacks in expected.items():
        assert stacks_at(awards, hours * HOUR, RULES, AS_PUBLISHED) == stacks, hours


def test_an_award_after_all_have_expired_starts_over() -> None:
    awards = [Award(0.0, 1), Award(100 * HOUR, 1)]
    assert stacks_at(awards, 100 * HOUR, RULES, AS_PUBLISHED) == 1
    assert stacks_at(awards, 103.9 * HOUR, RULES, AS_PUBLISHED) == 1
    assert stacks_at(awards, 104 * HOUR, RULES, AS_PUBLISHED) == 0


def test_the_order_of_the_ledger_does_not_matter() -> None:
    awards = [Award(6 * HOUR, 3), Award(0.0, 2)]
    assert dishonor_status(awards, 6 * HOUR, RULES, AS_PUBLISHED) == dishonor_status(
        awards[::-1], 6 * HOUR, RULES, AS_PUBLISHED
    )


def test_stacks_without_a_duration_expire_at_once() -> None:
    fleeting = DishonorRules(stack_duration=0.0)
    assert stacks_at([Award(0.0, 10)], 0.0, fleeting, AS_PUBLISHED) == 0
    assert stacks_at([Award(0.0, 10)], 0.0, fleeting, TOGETHER) == 0


def test_alices_second_offence_costs_more_than_her_first() -> None:
    dodge, abandon = RULES.penalty("QueueDodge"), RULES.penalty("Abandon")
    first = penalize(DishonorStatus(), dodge, 1000.0, RULES, AS_PUBLISHED)
    assert first == DishonorStatus(3, 1000.0 + 180)
    second = penalize(first, abandon, 1060.0, RULES, AS_PUBLISHED)
    # 13 stacks: 23 minutes on top of what is left of the first three.
    assert second == DishonorStatus(13, 1180.0 + 23 * 60)
    ledger = [Award(1000.0, 3), Award(1060.0, 10)]
    assert dishonor_status(ledger, 1060.0, RULES, AS_PUBLISHED) == second


def test_a_timeout_is_over_in_the_second_it_ends() -> None:
    alice = DishonorStatus(3, 180.0)
    assert alice.in_timeout(179.9)
    assert not alice.in_timeout(180.0)
    assert not DishonorStatus().in_timeout(0.0)


def test_a_penalty_has_no_effect_before_the_offence() -> None:
    assert dishonor_status([Award(100.0, 3)], 99.0, RULES, AS_PUBLISHED) == DishonorStatus(
        0, -math.inf
    )


def test_a_ban_with_an_end_lasts_until_then_without_another_timeout() -> None:
    ban = Award(100.0, 0, until=5000.0)
    assert dishonor_status([ban], 99.0, RULES, AS_PUBLISHED) == DishonorStatus(0, -math.inf)
    assert dishonor_status([ban], 100.0, RULES, AS_PUBLISHED) == DishonorStatus(0, 5000.0)
    # Later timeouts follow it, and an end before that of a timeout shortens nothing.
    assert dishonor_status([ban, Award(4000.0, 3)], 4000.0, RULES, AS_PUBLISHED).until == 5180.0
    sooner = [Award(0.0, 3), Award(100.0, 0, until=120.0)]
    assert dishonor_status(sooner, 100.0, RULES, AS_PUBLISHED) == DishonorStatus(3, 180.0)


def test_a_ban_lasts_951_years_and_is_displayed_as_endless() -> None:
    banned = penalize(DishonorStatus(), RULES.penalty("Banned"), 0.0, RULES, AS_PUBLISHED)
    assert banned.until / YEAR == pytest.approx(951, abs=1)
    assert displayed_end(banned.until, 0.0) is None
    assert displayed_end(180.0, 0.0) == 180.0


@pytest.mark.parametrize("name", ["stack_duration", "timeout_duration", "timeout_rounding"])
@pytest.mark.parametrize("value", [0.0, 1e9])
def test_timeouts_work_with_every_rule_at_its_limits(name: str, value: float) -> None:
    rules = DishonorRules.model_validate({name: value, "timeout_exponent": 10})
    after = dishonor_status([Award(0.0, 1_000_000_000)] * 3, 5.0, rules, AS_PUBLISHED)
    assert math.isfinite(after.until)


def test_an_unknown_reason_is_refused() -> None:
    with pytest.raises(KeyError):
        RULES.penalty("Rudeness")


def test_two_penalties_for_one_reason_are_refused() -> None:
    twice = (Penalty(reason="Abandon", stacks=1), Penalty(reason="Abandon", stacks=2))
    with pytest.raises(ValueError, match="repeated: Abandon"):
        DishonorRules(penalties=twice)
