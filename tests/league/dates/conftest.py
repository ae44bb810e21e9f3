"""A proposal, and a date."""

import pytest

from league.models import Arena, Arrangement, Player, Roster
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from tests.support.cast import NOW
from tests.support.date_steps import SATURDAY


@pytest.fixture
def proposed_date(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    """Alice asks Charlie to play on Saturday."""
    return propose(duel, charlie, SATURDAY, by=alice, now=NOW)


@pytest.fixture
def agreed_date(proposed_date: Arrangement, charlie: Player) -> Arrangement:
    return accept(proposed_date.pk, by=charlie, seen=1, now=NOW)


@pytest.fixture
def team_date(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> Arrangement:
    """The Owls and the Foxes play on Saturday."""
    one = propose(teams, charlie, SATURDAY, by=alice, now=NOW, roster=owls, opponent_roster=foxes)
    return accept(one.pk, by=charlie, seen=1, now=NOW)
