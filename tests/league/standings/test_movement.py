"""Ranks gained and lost since yesterday and last week, and players' records."""

import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db import connection
from django.test import Client

from league.models import Arena, Player, Rating, StandingDay, StandingDayRanks
from league.services.integrity.ratings import verify
from league.services.rating.records import recount
from league.services.results.reports.answers import confirm
from league.services.standings import days
from league.services.standings.leaderboards import leaderboard
from tests.support.cast import NOW, account, arena, beats, put_in_order
from tests.support.web_steps import words

DAY = timedelta(days=1)


def rate(arena: Arena, **ratings: float) -> None:
    """Give players these ratings, creating new players."""
    for name, rating in ratings.items():
        player = Player.objects.named(name).first() or Player.objects.create(name=name)
        Rating.objects.update_or_create(
            season=arena.seasons.get(),
            player=player,
            defaults={"rating": rating, "deviation": 50, "games": 3, "last_played_at": NOW},
        )
    put_in_order()


def moves(arena: Arena, now: datetime) -> dict[str, tuple[int | None, int | None, int | None]]:
    page = leaderboard(arena.seasons.get(), now=now, past_ranks=True)
    return {row.name: (row.rank, row.rank_yesterday, row.rank_last_week) for row in page.rows}


def test_the_leaderboard_shows_rank_changes_since_yesterday_and_last_week(duel: Arena) -> None:
    rate(duel, Ann=1500, Ben=1400, Cat=1300)
    assert moves(duel, NOW)["Ann"] == (1, None, None)
    assert days.record_all(NOW) == 1
    rate(duel, Ben=1600)
    assert moves(duel, NOW) == {"Ben": (1, 2, None), "Ann": (2, 1, None), "Cat": (3, 3, None)}
    for day in range(1, 8):
        assert days.record_all(NOW + day * DAY) == 1
    rate(duel, Cat=1700, Dan=1450)
    week = NOW + 7 * DAY
    assert moves(duel, week) == {
        "Cat": (1, 3, 3),
        "Ben": (2, 1, 2),
        "Ann": (3, 2, 1),
        "Dan": (4, 0, 0),
    }


def test_a_day_begins_at_midnight_where_the_arena_is_and_is_written_down_once(
    duel: Arena,
) -> None:
    duel.time_zone = "Asia/Tokyo"
    duel.save()
    rate(duel, Ann=1500, Ben=1400)
    midnight = datetime(2026, 3, 2, tzinfo=ZoneInfo("Asia/Tokyo"))
    assert days.record_all(midnight - timedelta(seconds=1)) == 1
    assert days.record_all(midnight - timedelta(seconds=1)) == 0
    rate(duel, Ben=1600)
    assert moves(duel, midnight - timedelta(seconds=1))["Ben"] == (1, 2, None)
    assert days.record_all(midnight) == 1
    assert moves(duel, midnight)["Ben"] == (1, 1, None)
    assert days.record_all(midnight + timedelta(hours=23)) == 0


def test_ranks_of_a_week_are_kept_and_no_more(duel: Arena) -> None:
    rate(duel, Ann=1500, Ben=1400)
    for day in range(20):
        days.record_all(NOW + day * DAY)
    assert StandingDay.objects.count() == 9
    kept = set(StandingDay.objects.values_list("day", flat=True))
    assert set(StandingDayRanks.objects.values_list("day", flat=True)) == kept


def test_ties_share_a_rank_in_what_is_kept_too_and_the_inactive_have_none(duel: Arena) -> None:
    rate(duel, Ann=1500, Ben=1500, Cat=1300)
    long_ago = NOW - timedelta(days=4000)
    Rating.objects.filter(player__name="Cat").update(last_played_at=long_ago)
    put_in_order()
    days.record_all(NOW)
    rate(duel, Cat=1300)
    assert moves(duel, NOW) == {"Ann": (1, 1, None), "Ben": (1, 1, None), "Cat": (3, 0, None)}


def test_a_ladder_moves_by_its_ranks() -> None:
    ladder = arena("ladder", rating_system="ladder")
    people = [account(name) for name in ("Ann", "Ben", "Cat")]
    for winner, loser in ((0, 1), (1, 2)):
        settle(people[winner], people[loser], ladder)
    before = {name: rank for name, (rank, *_then) in moves(ladder, NOW).items()}
    days.record_all(NOW)
    last = next(person for person in people if before[person.name] == 3)
    first = next(person for person in people if before[person.name] == 1)
    settle(last, first, ladder)
    assert moves(ladder, NOW)[last.name] == (1, 3, None)


def settle(winner: Player, loser: Player, arena: Arena) -> Any:
    match = confirm(beats(winner, loser, arena, now=NOW).pk, by=loser, now=NOW)
    put_in_order()
    return match


def test_a_record_counts_with_every_result_and_is_what_the_ledger_says(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    season = duel.seasons.get()
    for _ in range(3):
        settle(alice, charlie, duel)
    settle(charlie, alice, duel)
    for _ in range(2):
        settle(alice, charlie, duel)

    def record(player: Player) -> tuple[Any, ...]:
        rows = {row.player_id: row for row in leaderboard(season, now=NOW).rows}
        row = rows[player.pk]
        return row.wins, row.draws, row.losses, row.outcome, row.streak

    assert record(alice) == (5, 0, 1, 1, 2)
    assert record(charlie) == (1, 0, 5, -1, 2)
    assert verify(season) == []
    Rating.objects.update(wins=0, draws=7, outcome=None, streak=0)
    assert any(
        str(found) == "record of Alice: (0,7,0,,0) stored, (5,0,0,1,2) replayed"
        for found in verify(season)
    )
    recount(season.pk, [alice.pk, charlie.pk])
    assert record(alice) == (5, 0, 1, 1, 2)
    page = words(Client().get("/arenas/duel/leaderboard/"))
    assert "5 · 0 · 1 W2 won the last 2 matches" in page
    assert "1 · 0 · 5 L2 lost the last 2" in page


@pytest.fixture
def clean_days(transactional_db: None) -> Iterator[None]:
    yield
    StandingDay.objects.all().delete()
    StandingDayRanks.objects.all().delete()


@pytest.mark.usefixtures("clean_days")
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_a_day_once(duel: Arena) -> None:
    rate(duel, Ann=1500, Ben=1400)
    noted: list[int] = []
    together = threading.Barrier(4)

    def work() -> None:
        together.wait()
        noted.append(days.record_all(NOW))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(noted) == [0, 0, 0, 1]
    assert StandingDayRanks.objects.count() in {1, 2}
