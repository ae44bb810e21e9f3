"""Real workers, scheduler and broker, also when they are lost in between."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
import redis
from django.conf import settings

from league.models import Arena, Match, Player, RatingEvent, Status
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from tests.support.cast import beats_as_agreed
from tests.support.celery_steps import STARTS_WITHIN, Crew, happens_within, kill

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    made = Crew(tmp_path)
    yield made
    made.end()


def is_rated(match: Match) -> bool:
    match.refresh_from_db()
    return match.status == Status.RATED


def overdue(arena: Arena, winner: Player, loser: Player) -> Match:
    """A report whose window passed a second ago, by the database's clock."""
    now = database_now()
    early = now - arena.confirmation_window - timedelta(seconds=1)
    return beats_as_agreed(winner, loser, arena, now=early)


def test_an_unanswered_report_is_confirmed_also_after_worker_clock_and_broker_were_lost(
    crew: Crew, duel: Arena, alice: Player, charlie: Player
) -> None:
    first = overdue(duel, alice, charlie)
    lost = [crew.worker(), crew.clock()]
    assert happens_within(lambda: is_rated(first), STARTS_WITHIN)
    assert first.settlement == "window"

    for process in lost:
        kill(process)
    redis.Redis.from_url(settings.REDIS_URL).flushdb()
    second = overdue(duel, charlie, alice)
    crew.worker()
    crew.clock()
    assert happens_within(lambda: is_rated(second), STARTS_WITHIN)
    assert RatingEvent.objects.count() == 4
    assert verify(duel.seasons.get()) == []
