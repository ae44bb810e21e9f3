"""A worker is killed in the middle of a merge."""

import pytest
from django.db import connection, transaction

from league.models import Arena, MergeRequest, Participant, Player, Rating, StaffAction
from league.services.core.clock import database_now
from league.services.merging.requests import ask
from tests.support.cast import account
from tests.support.celery_steps import STARTS_WITHIN, Crew, happens_within, kill
from tests.support.merge_steps import all_differences
from tests.support.result_steps import user_of
from tests.support.season_steps import win

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

WAITING = "SELECT count(*) FROM pg_locks WHERE NOT granted"


def somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute(WAITING)
        return bool(cursor.fetchone()[0])


def test_a_killed_worker_leaves_nothing_and_the_next_one_merges(
    crew: Crew, duel: Arena, eve: Player, bob: Player, olga: Player
) -> None:
    old = account("Eve of old")
    win(duel, old, bob)
    before = list(Rating.objects.order_by("pk").values())
    request = ask(eve, old, account=None, by=user_of(olga), reason="Same mail.", now=database_now())
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE league_formername IN SHARE MODE")  # a merge writes there last
        worker, clock = crew.worker(), crew.clock()
        assert happens_within(somebody_waits, STARTS_WITHIN)
        kill(worker)
        kill(clock)
        request.refresh_from_db()
        assert request.state == "waiting"
        assert list(Rating.objects.order_by("pk").values()) == before
        assert not Participant.objects.filter(player=eve).exists()
    crew.worker()
    crew.clock()
    done = MergeRequest.objects.filter(pk=request.pk, state="done")
    assert happens_within(done.exists, STARTS_WITHIN)
    assert Player.ever.filter(pk=old.pk, merged_into=eve).exists()
    assert StaffAction.objects.count() == 1
    assert all_differences(database_now()) == []
