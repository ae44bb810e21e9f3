"""Organisers learn that players play too seldom for a rating system's period of inactivity."""

from datetime import timedelta

from django.test import Client
from django.utils.html import escape

from league.models import Arena, Player
from league.services.rating import pace
from tests.support.admin_steps import arena_page, staff
from tests.support.cast import NOW
from tests.support.season_steps import win

__all__ = ["staff"]

WARNING = "ratings in Glicko-2 grow uncertain after 3 days without one"


def play(arena: Arena, one: Player, other: Player, *, days: float, matches: int) -> None:
    for number in range(matches):
        win(arena, one, other, NOW + number * timedelta(days=days))


def test_playing_every_ten_days_is_too_seldom_for_periods_of_three(
    duel: Arena, alice: Player, bob: Player, staff: Client
) -> None:
    duel.rating_parameters |= {"deviation_period": "3d", "deviation_max_periods": 20}
    duel.save()
    play(duel, alice, bob, days=10, matches=11)
    assert pace.typical_gap(duel) == 10 * 86_400
    page = staff.get(arena_page(duel)).content.decode()
    assert WARNING in page
    assert escape("Players’ matches are typically 10 days apart") in page
    assert escape("Set “Deviation: period of inactivity” in the arena to about 30 days.") in page
    duel.rating_parameters |= {"deviation_period": "30d"}
    duel.save()
    assert WARNING not in staff.get(arena_page(duel)).content.decode()


def test_nothing_is_said_of_daily_play_and_of_systems_without_inactivity(
    duel: Arena, alice: Player, bob: Player, staff: Client
) -> None:
    play(duel, alice, bob, days=1, matches=12)
    assert pace.pace_of(duel.system(), pace.typical_gap(duel)) is None
    assert "messagelist" not in staff.get(arena_page(duel)).content.decode()
    duel.rating_system, duel.rating_parameters = "elo", {}
    assert pace.pace_of(duel.system(), 1e9) is None


def test_a_few_matches_say_nothing_yet(duel: Arena, alice: Player, bob: Player) -> None:
    assert pace.typical_gap(duel) is None
    play(duel, alice, bob, days=10, matches=pace.FEWEST // 2)
    assert pace.typical_gap(duel) is None
    assert pace.pace_of(duel.system(), None) is None
