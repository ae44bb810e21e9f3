"""A queue for the tests of queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from league.models import ArenaQueue
from tests.support.queue_steps import ANYBODY

if TYPE_CHECKING:
    from league.models import Arena


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    made = ArenaQueue(arena=teams, matcher="new", rules={"queue": ANYBODY})
    made.full_clean()
    made.save()
    return made
