"""A queue for the tests of queues."""

import pytest

from league.models import Arena, ArenaQueue
from tests.support.queue_steps import ANYBODY


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    made = ArenaQueue(arena=teams, matcher="new", rules={"queue": ANYBODY})
    made.full_clean()
    made.save()
    return made
