"""Two players who have met several times."""

from datetime import timedelta

import pytest

from league.models import Arena, Match, Player
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats, put_in_order


def wins(winner: Player, loser: Player, where: Arena, hours: int = 0) -> Match:
    now = NOW + timedelta(hours=hours)
    return confirm(beats(winner, loser, where, now=now).pk, by=loser, now=now)


@pytest.fixture
def played_arena(duel: Arena, alice: Player, charlie: Player, eve: Player) -> Arena:
    """Alice beats Charlie three times and loses once, and Eve beats Charlie."""
    for hour in range(3):
        wins(alice, charlie, duel, hour)
    wins(charlie, alice, duel, 3)
    wins(eve, charlie, duel, 4)
    put_in_order()
    return duel
