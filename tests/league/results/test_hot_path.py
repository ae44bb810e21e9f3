"""The cost of a report and its confirmation, in statements."""

from datetime import datetime, timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Match, Player
from league.services.rating.rate import WRITE_RESULT
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, arena, side

CACHED = 4_096
"""The length of the longest statements that the driver parses only once."""


def test_a_report_takes_no_more_statements_after_many_matches(alice: Player, bob: Player) -> None:
    club = arena("club", season_rules={})
    costs = [statements_of_a_match(alice, bob, club, day) for day in range(6)]
    assert costs[2:] == costs[1:2] * 4


def statements_of_a_match(winner: Player, loser: Player, club: Arena, day: int) -> int:
    now = NOW + timedelta(days=day)
    with CaptureQueriesContext(connection) as captured:
        confirm(wins(winner, loser, club, now).pk, by=loser, now=now)
    return len(captured)


def wins(winner: Player, loser: Player, club: Arena, now: datetime) -> Match:
    sides = [side(winner, place=0), side(loser, place=1)]
    return report(club, sides, reporter=winner, played_at=now, now=now)


def test_the_driver_keeps_the_longest_statement() -> None:
    assert len(WRITE_RESULT) <= CACHED
