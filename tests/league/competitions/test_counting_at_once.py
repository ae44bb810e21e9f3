"""Results of a fixture by two paths at once: each takes the same locks in the same order."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction

from league.models import Arena, Arrangement, Match, Player
from league.services.competitions import counting
from league.services.core.errors import Conflict
from league.services.core.turns import take_turns
from league.services.dates import no_shows, playing
from league.services.replay.apply import lock_season
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats, side
from tests.support.competition_steps import begun, date_of
from tests.support.waiting import wait_until_blocked

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def other_result(duel: Arena, alice: Player, charlie: Player) -> Match:
    """A result that another path brings for the fixture."""
    match = beats(alice, charlie, duel)
    return confirm(match.pk, by=charlie, now=NOW)


@pytest.fixture
def date(duel: Arena, alice: Player, charlie: Player, olga: Player) -> Arrangement:
    return date_of(begun(duel, olga, [alice, charlie]).fixtures.get())


def reporting(date: Arrangement) -> Callable[[], object]:
    sides = [side(date.proposer, place=0), side(date.opponent, place=1)]
    later = date.play_at + timedelta(hours=1)
    return partial(
        playing.report,
        date.pk,
        sides,
        reporter=date.proposer,
        played_at=date.play_at,
        now=later,
    )


def denying(date: Arrangement) -> Callable[[], object]:
    later = date.play_at + timedelta(hours=1)
    no_shows.claim(date.pk, by=date.proposer, now=later)
    return partial(no_shows.deny, date.pk, by=date.opponent, reason="We came.", now=later)


@pytest.mark.parametrize("act", [reporting, denying])
@pytest.mark.parametrize("held", ["season", "turns"])
def test_a_report_waits_for_an_import_or_an_evening_before_it_locks_its_date(
    other_result: Match, date: Arrangement, act: Callable[..., Callable[[], object]], held: str
) -> None:
    call = act(date)

    def refused() -> str:
        try:
            call()
        except Conflict as conflict:
            return conflict.code
        finally:
            connection.close()
        return ""

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            if held == "season":
                lock_season(other_result.season_id)
            else:
                take_turns([date.proposer_id])
            answer = other.submit(refused)
            wait_until_blocked()
            assert counting.link_all({date.pk: other_result}) == 1
        assert answer.result() == "played"
    date.refresh_from_db()
    assert date.match == other_result
    assert Match.objects.count() == 1
