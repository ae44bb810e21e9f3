"""The cost of a report and its confirmation, in statements."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from league.services.rating.rate import WRITE_RESULT
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import INSERT_REPORT, report
from tests.support.cast import NOW, arena, side

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

    from league.models import Arena, Match, Player

pytestmark = pytest.mark.django_db

SAVEPOINTS = 2
CACHED = 4_096
"""The length of the longest statements that the driver parses only once."""


def test_a_report_takes_two_statements_and_a_confirmation_three_or_four(
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    club = arena("club", season_rules={})
    for winner, loser in ((alice, charlie), (bob, dora)):  # all get their ratings
        confirm(wins(winner, loser, club, NOW).pk, by=loser, now=NOW)
    later = NOW + timedelta(hours=1)
    with django_assert_num_queries(2 + SAVEPOINTS):
        match = wins(alice, bob, club, later)
    with django_assert_num_queries(3 + SAVEPOINTS):
        confirm(match.pk, by=bob, now=later)
    with django_assert_num_queries(2 + SAVEPOINTS):
        match = wins(charlie, alice, club, later)
    with django_assert_num_queries(4 + SAVEPOINTS):  # they have met before
        rated = confirm(match.pk, by=alice, now=later)
    assert (rated.status, rated.weight, rated.confirmed_by) == ("rated", 0.8, alice)
    rated.refresh_from_db()
    assert (rated.status, rated.weight, rated.confirmed_by) == ("rated", 0.8, alice)


def wins(winner: Player, loser: Player, club: Arena, now: datetime) -> Match:
    sides = [side(winner, place=0), side(loser, place=1)]
    return report(club, sides, reporter=winner, played_at=now, now=now)


@pytest.mark.parametrize("statement", [INSERT_REPORT, WRITE_RESULT])
def test_the_driver_keeps_the_longest_statements(statement: str) -> None:
    assert len(statement) <= CACHED
