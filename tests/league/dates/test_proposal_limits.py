"""How many matches a captain can propose."""

from datetime import timedelta

import pytest

from league.models import Arena, Player
from league.services.core.errors import Conflict
from league.services.dates.answers import withdraw
from league.services.dates.limits import MOST_A_DAY, MOST_A_DAY_IN_ALL
from league.services.dates.proposals import propose
from tests.support.cast import NOW, account
from tests.support.date_steps import SUNDAY


def test_withdrawn_proposals_count_for_the_day(duel: Arena, alice: Player, charlie: Player) -> None:
    for _number in range(MOST_A_DAY):
        withdraw(propose(duel, charlie, SUNDAY, by=alice, now=NOW).pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="10 matches to Charlie in 24 hours"):
        propose(duel, charlie, SUNDAY, by=alice, now=NOW)
    propose(duel, account("Zoe"), SUNDAY, by=alice, now=NOW)
    propose(duel, charlie, SUNDAY, by=alice, now=NOW + timedelta(days=1))


def test_proposals_to_many_players_are_limited_too(duel: Arena, alice: Player) -> None:
    for number in range(MOST_A_DAY_IN_ALL):
        other = account(f"Player {number}")
        withdraw(propose(duel, other, SUNDAY, by=alice, now=NOW).pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="You have proposed 50 matches in 24 hours"):
        propose(duel, account("Zoe"), SUNDAY, by=alice, now=NOW)
