"""Seasons with bad input, concurrent calls and killed processes."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.test import Client

from league.models import Arena, FinalPoints, FinalStanding, Match, Player, Season
from league.models.season import SeasonQuerySet
from league.services.core.errors import Conflict
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons import final_standings, opening, planning
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_planned, open_season
from league.services.seasons.planning import plan_season
from tests.support.admin_steps import open_season_page, send, staff
from tests.support.cast import OPENING, RANKED_AT_ONCE, arena, beats, side
from tests.support.concurrency import all_at_once
from tests.support.season_steps import NEXT, ratings, set_season_rules, win
from tests.support.waiting import wait_until_blocked

__all__ = ["staff"]


FROZEN = NEXT + timedelta(days=3)


def planned(duel: Arena, winner: Player, loser: Player) -> Season:
    """Plan a season that carries over two ratings and is due at ``NEXT``."""
    set_season_rules(duel, start={"placement": "carry-over"})
    win(duel, winner, loser)
    return plan_season(duel, starts_at=NEXT)


def over(duel: Arena, winner: Player, loser: Player) -> Season:
    """Return a season that is over and due for its archive."""
    win(duel, winner, loser)
    duel.seasons.update(ends_at=NEXT)
    return duel.seasons.get()


def test_the_database_itself_refuses_seasons_that_end_too_soon_or_overlap(duel: Arena) -> None:
    """Code that bypasses every form and service is refused too."""
    first = duel.seasons.get()
    with pytest.raises(IntegrityError, match="season_ends_after"), transaction.atomic():
        Season.objects.filter(pk=first.pk).update(ends_at=OPENING)
    Season.objects.filter(pk=first.pk).update(ends_at=NEXT)
    with pytest.raises(IntegrityError, match="seasons_of_an_arena_do_not"), transaction.atomic():
        Season.objects.create(arena=duel, name="Second", starts_at=NEXT - timedelta(microseconds=1))
    Season.objects.create(arena=duel, name="Second", starts_at=NEXT)


@pytest.mark.django_db(transaction=True)
def test_two_who_plan_overlapping_seasons_at_once_plan_one(duel: Arena) -> None:
    def plan(name: str, day: int) -> object:
        try:
            starts_at = NEXT + timedelta(days=day)
            return plan_season(duel, starts_at=starts_at, ends_at=NEXT + timedelta(9), name=name)
        except ValidationError as error:
            return error

    duel.seasons.update(ends_at=NEXT)
    answers = all_at_once([partial(plan, f"Cup {day}", day) for day in range(8)])
    assert sum(isinstance(answer, Season) for answer in answers) == 1
    assert all("overlaps" in str(answer) for answer in answers if not isinstance(answer, Season))
    assert duel.seasons.count() == 2


@pytest.mark.django_db(transaction=True)
def test_who_plans_a_season_waits_for_another_plan(duel: Arena) -> None:
    def plan() -> None:
        try:
            plan_season(duel, starts_at=NEXT + timedelta(days=1), ends_at=NEXT + timedelta(days=9))
        finally:
            connection.close()

    duel.seasons.update(ends_at=NEXT)
    with ThreadPoolExecutor(1) as another:
        with transaction.atomic():
            plan_season(duel, starts_at=NEXT, ends_at=NEXT + timedelta(days=5))
            late = another.submit(plan)
            wait_until_blocked()
        with pytest.raises(ValidationError, match="overlaps"):
            late.result()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["open", "freeze"])
def test_without_its_lock_a_season_would_be_begun_or_frozen_by_two(
    duel: Arena, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """The negative control of the tests with concurrent workers."""
    both = threading.Barrier(2, timeout=30)

    def together(do: Callable[..., Any]) -> Callable[..., Any]:
        def done(*arguments: Any) -> Any:
            both.wait()
            return do(*arguments)

        return done

    def trying(call: Callable[[], object]) -> object:
        try:
            return call()
        except DatabaseError as error:
            return error

    if step == "open":
        season = planned(duel, alice, bob)
        monkeypatch.setattr(opening, "take_rules", together(planning.take_rules))
        call = partial(open_planned, season.pk, now=NEXT)
    else:
        season = over(duel, alice, bob)
        monkeypatch.setattr(final_standings, "write", together(final_standings.write))
        call = partial(freeze, season.pk, now=FROZEN)
    monkeypatch.setattr(SeasonQuerySet, "select_for_update", lambda self, **_how: self)
    answers = all_at_once([partial(trying, call)] * 2)
    # The database itself stops the other call, at the table or at its rows.
    assert [answer for answer in answers if not isinstance(answer, DatabaseError)] == [True]


HANG = """
import sys, time, django
django.setup()
from django.db import connections
connections["default"].settings_dict["NAME"] = sys.argv[1]
from datetime import datetime
from django.db import transaction
from league.services.seasons import ending, opening
with transaction.atomic():
    do = opening.open_planned if sys.argv[2] == "open" else ending.freeze
    assert do(int(sys.argv[3]), now=datetime.fromisoformat(sys.argv[4]))
    print("made", flush=True)
    time.sleep(600)
"""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["open", "freeze"])
def test_a_killed_process_leaves_nothing_visible_and_the_next_one_finishes(
    duel: Arena, alice: Player, bob: Player, step: str
) -> None:
    season = planned(duel, alice, bob) if step == "open" else over(duel, alice, bob)
    now = NEXT if step == "open" else FROZEN

    def seen() -> tuple[object, ...]:
        fresh = Season.objects.get(pk=season.pk)
        return (
            fresh.opened_at if step == "open" else fresh.archived_at,
            len(ratings(season)) if step == "open" else FinalStanding.objects.count(),
            duel.current_season(NEXT),
        )

    before = seen()
    name = str(connection.settings_dict["NAME"])
    command = [sys.executable, "-c", HANG, name, step, str(season.pk), now.isoformat()]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stdout.readline() == b"made\n"
        assert seen() == before
        os.kill(process.pid, signal.SIGKILL)
    assert seen() == before
    finish = partial(open_planned if step == "open" else freeze, season.pk, now=now)
    deadline = time.monotonic() + 30
    while not finish() and time.monotonic() < deadline:
        time.sleep(0.02)  # until the server has seen that the process is gone
    assert not finish()
    moment, rows, _season = seen()
    assert (moment, rows) == (now, 2)


@pytest.mark.django_db(transaction=True)
def test_a_confirmation_during_a_freeze_is_in_the_archive_or_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    win(duel, alice, bob)
    pairs = [(alice, bob), (bob, charlie), (charlie, alice)] * 4
    waiting = [(beats(winner, loser, duel).pk, loser) for winner, loser in pairs]
    duel.seasons.update(ends_at=NEXT)
    season = duel.seasons.get()
    calls: list[Callable[[], object]] = []
    for match, loser in waiting:
        calls.append(partial(confirm, match, by=loser, now=FROZEN))
        calls.append(partial(freeze, season.pk, now=FROZEN))
    answers = all_at_once(calls)
    late = [answer for answer in answers if isinstance(answer, Conflict)]
    assert all("no longer change" in str(answer) for answer in late)
    if True not in answers:  # a result was being settled whenever somebody came to freeze
        assert freeze(season.pk, now=FROZEN)
    assert answers.count(True) <= 1
    rows = FinalStanding.objects.filter(season=season)
    assert dict(rows.values_list("name", "rating")) == ratings(season)
    assert sum(rows.values_list("games", flat=True)) == 2 * (1 + len(waiting) - len(late))
    assert verify(season) == []


@pytest.mark.django_db(transaction=True)
def test_a_player_who_changes_name_during_the_freeze_has_one_name_in_all_of_the_archive(
    alice: Player, bob: Player
) -> None:
    made = arena("club", season_rules={**RANKED_AT_ONCE, "points": {"counts": True}})
    season = over(made, alice, bob)
    worker = threading.Thread(target=all_at_once, args=[[partial(freeze, season.pk, now=FROZEN)]])
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("LOCK TABLE league_award IN EXCLUSIVE MODE")
        worker.start()
        wait_until_blocked()  # the standings are written, awards and points are not
        alice.name = "Alicia"
        alice.save()
    worker.join()
    assert FinalStanding.objects.get(player=alice).name == "Alice"
    assert FinalPoints.objects.get(player=alice).name == "Alice"
    assert {award.name for award in season.awards.filter(player=alice)} == {"Alice"}


def test_a_reset_time_in_the_future_is_refused_before_the_season_is_opened(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(
        duel, start={"placement": "carry-over", "full_reset_before": "2999-01-31T00:00Z"}
    )
    win(duel, alice, bob)
    answer = send(staff, open_season_page(duel), {})
    (said,) = answer.context["form"].non_field_errors()
    assert "before 31 Jan 2999, 00:00 UTC, which is after this season starts" in said
    assert duel.seasons.count() == 1


def test_at_the_edge_of_a_season_the_arena_s_midnight_decides_on_the_night_the_clocks_change(
    duel: Arena, alice: Player, bob: Player
) -> None:
    """On 29 March 2026 clocks go forward in Berlin, and the day has 23 hours."""
    berlin = ZoneInfo("Europe/Berlin")
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel, calendar={"length": "1d"})
    duel.seasons.update(ends_at=datetime(2026, 3, 29, tzinfo=berlin))
    short = open_season(duel, starts_at=datetime(2026, 3, 29, tzinfo=berlin))
    assert short.ends_at == datetime(2026, 3, 30, tzinfo=berlin)
    assert short.ends_at - short.starts_at == timedelta(hours=23)
    following = open_season(duel, starts_at=short.ends_at)

    def played(at: datetime) -> Match:
        sides = [side(alice, place=0), side(bob, place=1)]
        return report(duel, sides, reporter=alice, played_at=at, now=at + timedelta(hours=12))

    last = datetime(2026, 3, 29, 23, 59, 59, 999_999, tzinfo=berlin)
    assert played(last).season == short
    assert played(last + timedelta(microseconds=1)).season == following
    assert played(datetime(2026, 3, 29, 1, 59, tzinfo=berlin)).season == short
    assert played(datetime(2026, 3, 29, 3, 0, tzinfo=berlin)).season == short
    evening = datetime(2026, 3, 28, 23, 59, 59, tzinfo=berlin)
    assert played(evening).season.ends_at == short.starts_at


def test_a_day_on_which_the_clocks_go_back_has_both_of_its_hours_in_the_season(
    duel: Arena, alice: Player, bob: Player
) -> None:
    """On 25 October 2026 half past two occurs twice in Berlin, and the day has 25 hours."""
    berlin = ZoneInfo("Europe/Berlin")
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel, calendar={"length": "1d"})
    begins = datetime(2026, 10, 25, tzinfo=berlin)
    duel.seasons.update(ends_at=begins)
    long = open_season(duel, starts_at=begins)
    assert long.ends_at == datetime(2026, 10, 26, tzinfo=berlin)
    assert long.ends_at - begins.astimezone(UTC) == timedelta(hours=25)
    following = open_season(duel, starts_at=long.ends_at)
    for hour, season in ((0, long), (1, long), (23, following)):
        at = datetime(2026, 10, 25, hour, 30, tzinfo=UTC)
        sides = [side(alice, place=0), side(bob, place=1)]
        made = report(duel, sides, reporter=alice, played_at=at, now=at + timedelta(hours=25))
        assert made.season == season
