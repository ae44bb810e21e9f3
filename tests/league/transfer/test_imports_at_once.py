"""Imports and other writers of the same season at the same instant, on real connections."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction

from league.models import Arena, FileImport, Job, Match, Season, Status, User
from league.services.core import patience
from league.services.core.errors import Conflict
from league.services.integrity.ratings import verify
from league.services.replay.apply import lock_matches_and_season
from league.services.transfer.files import file_imports, result_imports, seasons, undoing
from tests.support.cast import NOW
from tests.support.import_steps import RESULTS, boss, bring, checked, done, imported, undone, upload

__all__ = ["boss"]

pytestmark = pytest.mark.django_db(transaction=True)

MORE = 1.5
"""Seconds. It is more than PostgreSQL waits before it looks for a deadlock, so the second to wait
finds the deadlock and gives up."""


def of_2024(arena: Arena, boss: User, day: str) -> FileImport:
    season = {
        "name": "2024",
        "starts_at": datetime(2024, 1, 1, tzinfo=UTC).isoformat(),
        "ends_at": datetime(2025, 1, 1, tzinfo=UTC).isoformat(),
    }
    text = RESULTS.replace("2026-01", f"2024-{day}")
    return upload(arena, boss, text, season=season)


def test_a_season_that_exists_by_now_is_locked(
    duel: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "PATIENCE", "200ms")
    first, second = of_2024(duel, boss, "01"), of_2024(duel, boss, "02")
    checked(second)
    imported(first)
    job = file_imports.ask_import(second, by=boss, now=NOW)

    def work() -> None:
        try:
            done(job)
        finally:
            connection.close()

    season = duel.seasons.get(name="2024")
    with transaction.atomic(), ThreadPoolExecutor(1) as other:
        Season.objects.select_for_update(no_key=True).get(pk=season.pk)
        other.submit(work).result()
    job.refresh_from_db()
    assert "is running. Try again soon" in job.refusal
    again = done(file_imports.ask_import(second, by=boss, now=NOW))
    assert again.state == Job.State.DONE, again.refusal
    assert season.matches.rated().count() == 6
    assert verify(season) == []


def test_the_check_of_a_new_season_keeps_nobody_from_writing_seasons(
    duel: Arena, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, season = of_2024(duel, boss, "01"), duel.seasons.get()
    rate, renamed = seasons.diff, []

    def rename() -> None:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '200ms'")
                renamed.append(Season.objects.filter(pk=season.pk).update(name="Meanwhile"))
        finally:
            connection.close()

    def rate_slowly(one: Season, *given: Any) -> Any:
        with ThreadPoolExecutor(1) as other:
            other.submit(rename).result()
        return rate(one, *given)

    monkeypatch.setattr(result_imports, "diff", rate_slowly)
    report = checked(file)
    assert renamed == [1]
    assert (report["new"], report["new_season"]) == (3, "Duel · 2024")
    assert report["seasons"][0]["id"] == 0
    assert list(duel.seasons.all()) == [season]


@pytest.mark.parametrize("victim", ["import", "correction"])
def test_a_deadlock_with_a_correction_says_to_try_again(
    duel: Arena, boss: User, monkeypatch: pytest.MonkeyPatch, victim: str
) -> None:
    file = bring(duel, boss, RESULTS)
    match = Match.objects.earliest("pk")
    held, locked = threading.Event(), threading.Event()
    lock = seasons.lock_open_season

    def and_wait(season: int) -> Season:
        found = lock(season)
        locked.set()
        held.wait(10)
        if victim == "import":
            time.sleep(MORE)
        return found

    def undo_import() -> Job:
        try:
            return undone(file)
        finally:
            connection.close()

    monkeypatch.setattr(undoing, "lock_open_season", and_wait)
    refused = False
    with ThreadPoolExecutor(1) as other:
        job = other.submit(undo_import)
        assert locked.wait(10)
        try:
            with transaction.atomic():
                Match.objects.select_for_update(no_key=True).get(pk=match.pk)
                held.set()
                if victim == "correction":
                    time.sleep(MORE)
                with transaction.atomic():
                    lock_matches_and_season([match.pk])
        except Conflict as conflict:
            refused = conflict.code == "season_in_use"
        finally:
            held.set()
        ended = job.result()
    assert refused == (victim == "correction")
    if victim == "import":
        assert ended.refusal == "Somebody else was changing the same results. Try again."
        assert Match.objects.rated().count() == 3
    else:
        assert ended.state == Job.State.DONE, ended.refusal
        assert set(Match.objects.values_list("status", flat=True)) == {Status.VOID}
