"""Fixtures for the tests of seasons."""

import pytest

from league.models import Arena, Match, Player, Season
from tests.support.season_steps import ended, win


@pytest.fixture
def season(duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player) -> Season:
    """Alice wins three in a row, Charlie wins and loses, Dora beats Bob once and leaves once."""
    win(duel, charlie, bob)
    win(duel, alice, charlie)
    win(duel, alice, bob)
    win(duel, alice, charlie)
    win(duel, dora, bob)
    Match.objects.latest("pk").participants.filter(player=dora).update(quit=True)
    return ended(duel)
