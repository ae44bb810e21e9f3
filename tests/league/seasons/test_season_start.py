"""A season opens once when due, with starting ratings by the arena's rules."""

import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from django.core.exceptions import ValidationError
from django.db import DatabaseError, connection, transaction

from league import tasks
from league.models import Arena, Player, Rating, Season
from league.services.integrity.ratings import verify
from league.services.rating.rate import states_of
from league.services.seasons.opening import (
    adopt_rules,
    begin,
    open_planned,
    open_season,
    open_today,
)
from league.services.seasons.planning import later, plan_following, plan_season
from league.services.seasons.starting_ratings import preview
from ratings.registry import SYSTEMS
from ratings.seasons.transitions import SeasonStart, full_reset, partial_reset, starting_states
from ratings.tunables.spans import parse_span
from ratings.types import States
from tests.support.cast import NOW, OPENING, arena
from tests.support.concurrency import all_at_once
from tests.support.season_steps import NEXT, ratings, set_season_rules, win

RESET_AT = "2026-02-20T00:00:00+00:00"
LONG_AGO = "2013-11-26T08:00:00-08:00"
STARTS: list[dict[str, Any]] = [
    {"placement": "linear-scale", "center": 1000.0, "ratio": 0.3},
    {"placement": "linear-scale", "ratio": 1.0, "reset_deviation": True},
    {"placement": "carry-over"},
    {"placement": "carry-over", "partial_reset_before": RESET_AT},
    {"placement": "carry-over", "full_reset_before": RESET_AT},
    {"placement": "carry-over", "full_reset_before": LONG_AGO, "partial_reset_before": RESET_AT},
]
RESET = round(datetime(2026, 2, 20, tzinfo=UTC).timestamp()) * 1_000_000


def states(season: Season) -> tuple[list[int], States]:
    """Return players by the id of their rating, and their states."""
    rows = Rating.objects.filter(season=season).order_by("player")
    fields = ("rating", "deviation", "volatility", "games", "last_played_at", "memory")
    return states_of(rows.values_list("player", *fields))


def declared(start: dict[str, Any], season: Season, before: States) -> States:
    """Return the states after the start as the engine computes them."""
    newcomers = season.system().newcomers(len(before))
    plain = {name: value for name, value in start.items() if not name.endswith("_before")}
    after = starting_states(SeasonStart(**plain), before, newcomers)
    if "partial_reset_before" in start:
        after = partial_reset(after, newcomers, RESET)
    return (
        full_reset(after, newcomers, RESET) if start.get("full_reset_before") == RESET_AT else after
    )


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("start", STARTS, ids=lambda start: "-".join(map(str, start.values())))
def test_the_players_of_every_system_enter_the_next_season_as_the_engine_says(
    system: str, start: dict[str, Any], alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    only_ranks = SYSTEMS[system].shows.lowest_first
    if only_ranks and start != {"placement": "carry-over"}:
        with pytest.raises(ValidationError, match="ranks can only be kept"):
            set_season_rules(arena("club", rating_system=system), start=start)
        return
    club = arena("club", rating_system=system)
    set_season_rules(club, start=start)
    win(club, alice, bob, NOW - timedelta(days=20))
    win(club, charlie, alice)
    win(club, alice, charlie)
    first = club.seasons.get()
    players, before = states(first)
    second = open_season(club, starts_at=NEXT)
    wanted = declared(start, second, before)

    there, after = states(second)
    gone = (
        [] if start.get("full_reset_before") != RESET_AT else [bob.pk]
    )  # he starts as any newcomer
    assert sorted([*there, *gone]) == sorted(players)
    at = np.array([players.index(player) for player in there])
    for name in ("rating", "deviation", "volatility", "games", "last_played"):
        assert getattr(after, name).tobytes() == getattr(wanted.take(at), name).tobytes(), name
    memory = wanted.take(at).memory
    assert [row[~np.isnan(row)].tolist() for row in after.memory] == [
        row[~np.isnan(row)].tolist() for row in memory
    ]

    win(club, dora, alice, NEXT + timedelta(days=1))  # a newcomer meets one who returns
    win(club, bob, dora, NEXT + timedelta(days=2))
    assert verify(second) == []
    assert verify(first) == []


def test_a_rating_that_differs_from_the_carried_over_one_is_found(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(duel, start={"placement": "carry-over"})
    win(duel, alice, bob)
    season = open_season(duel, starts_at=NEXT)
    assert verify(season) == []
    Rating.objects.filter(season=season, player=bob).update(rating=1.0)
    assert "rating of Bob" in " ".join(map(str, verify(season)))


def test_a_planned_season_opens_when_due_with_the_rules_of_that_day(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    planned = plan_season(duel, starts_at=NEXT)
    assert duel.seasons.get(name="Season 1").ends_at == NEXT
    assert not open_planned(planned.pk, now=NEXT - timedelta(seconds=1))
    set_season_rules(duel, start={"placement": "carry-over"})
    assert duel.current_season(NEXT) is None  # nothing of it before its ratings are there
    assert open_planned(planned.pk, now=NEXT)
    assert duel.current_season(NEXT) == planned
    assert ratings(planned) == ratings(duel.seasons.get(name="Season 1"))
    assert not open_planned(planned.pk, now=NEXT)
    assert len(ratings(planned)) == 2


def test_the_sweeper_opens_due_seasons(duel: Arena) -> None:
    Season.objects.filter(arena=duel).update(ends_at=NOW)
    planned = plan_season(duel, starts_at=NOW)  # long ago by the database's clock
    assert tasks.open_due_seasons() == [planned.pk]
    tasks.open_season(planned.pk)
    planned.refresh_from_db()
    assert planned.opened_at is not None
    assert tasks.open_due_seasons() == []


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_open_a_season_once(duel: Arena, alice: Player, bob: Player) -> None:
    set_season_rules(duel, start={"placement": "carry-over"})
    win(duel, alice, bob)
    planned = plan_season(duel, starts_at=NEXT)
    answers = all_at_once([partial(open_planned, planned.pk, now=NEXT)] * 8)
    assert sorted(map(str, answers)) == ["False"] * 7 + ["True"]
    assert len(ratings(planned)) == 2


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_half_way_leaves_nothing_and_the_next_opens_the_season(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(duel, start={"placement": "carry-over"})
    win(duel, alice, bob)
    planned = plan_season(duel, starts_at=NEXT)

    def dies() -> None:
        with suppress(DatabaseError), transaction.atomic():
            begin(Season.objects.select_for_update().get(pk=planned.pk), now=NEXT)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        connection.close()

    worker = threading.Thread(target=dies)
    worker.start()
    worker.join()
    assert ratings(planned) == {}
    assert duel.current_season(NEXT) is None
    assert open_planned(planned.pk, now=NEXT)
    assert len(ratings(planned)) == 2


def test_an_arena_without_players_opens_a_season_without_ratings(duel: Arena) -> None:
    set_season_rules(duel, start={"placement": "linear-scale"})
    season = open_season(duel, starts_at=NEXT)
    assert ratings(season) == {}
    assert preview(season).why_fresh == "Nobody has a rating to carry over."
    assert verify(season) == []


def test_ratings_of_another_system_are_not_carried_over(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    duel.rating_system, duel.rating_parameters = "elo", {}
    set_season_rules(duel, start={"placement": "carry-over"})
    season = open_season(duel, starts_at=NEXT)
    assert ratings(season) == {}
    assert "another rating system" in preview(season).why_fresh


def test_both_resets_of_one_start_have_times_of_their_own(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """Bob is away longest and starts anew, Charlie keeps his rating, and Alice played lately."""
    start = {
        "placement": "carry-over",
        "full_reset_before": (NOW - timedelta(days=15)).isoformat(),
        "partial_reset_before": (NOW - timedelta(days=5)).isoformat(),
    }
    set_season_rules(duel, start=start)
    win(duel, alice, bob, NOW - timedelta(days=20))
    win(duel, alice, charlie, NOW - timedelta(days=10))
    win(duel, alice, dora, NOW)
    first = duel.seasons.get()
    before = {rating.player_id: rating for rating in Rating.objects.filter(season=first)}
    second = open_season(duel, starts_at=NEXT)
    after = {rating.player_id: rating for rating in Rating.objects.filter(season=second)}
    assert after.keys() == {alice.pk, charlie.pk, dora.pk}
    assert after[charlie.pk].rating == before[charlie.pk].rating
    assert after[charlie.pk].deviation == 350 != before[charlie.pk].deviation
    assert after[alice.pk].deviation == before[alice.pk].deviation
    assert after[dora.pk].deviation == before[dora.pk].deviation


def test_rules_stored_by_an_earlier_release_reset_the_same_players(duel: Arena) -> None:
    for kind in ("full", "partial"):
        set_season_rules(
            duel, start={"placement": "carry-over", "reset": kind, "reset_before": "2026-02-20"}
        )
        duel.refresh_from_db()
        assert duel.season_rules["start"][f"{kind}_reset_before"] == RESET_AT
        assert "reset" not in duel.season_rules["start"]


def test_a_reset_time_after_the_start_of_the_season_is_refused(
    duel: Arena, alice: Player, bob: Player
) -> None:
    set_season_rules(
        duel, start={"placement": "carry-over", "full_reset_before": "2026-03-12T00:00Z"}
    )
    win(duel, alice, bob)
    with pytest.raises(ValidationError, match="12 Mar 2026, 00:00 UTC, which is after"):
        open_season(duel, starts_at=NEXT)
    assert duel.seasons.get().ends_at is None
    on_that_day = datetime(2026, 3, 12, tzinfo=UTC)
    assert ratings(open_season(duel, starts_at=on_that_day)) == {}


@pytest.mark.parametrize(
    ("starts", "ends", "said"),
    [(NEXT, NEXT, "must end after"), (NOW, NEXT, "overlaps"), (NEXT, OPENING, "must end after")],
)
def test_seasons_that_end_before_they_start_or_overlap_are_refused(
    duel: Arena, starts: datetime, ends: datetime, said: str
) -> None:
    plan_season(duel, starts_at=NOW - timedelta(days=1), ends_at=NEXT)
    with pytest.raises(ValidationError, match=said):
        plan_season(duel, starts_at=starts, ends_at=ends)


def test_a_season_of_whole_days_ends_at_the_hour_it_began_when_the_clocks_change(
    duel: Arena,
) -> None:
    duel.time_zone = "Europe/Berlin"
    set_season_rules(duel, calendar={"length": "7d"})
    berlin = ZoneInfo("Europe/Berlin")
    evening = datetime(2026, 3, 26, 20, tzinfo=berlin)  # clocks go forward on the 29th
    season = plan_season(duel, starts_at=evening)
    assert season.ends_at == datetime(2026, 4, 2, 20, tzinfo=berlin)
    assert season.ends_at - season.starts_at == timedelta(days=7, hours=-1)
    assert later(duel, evening, parse_span("180h")) - evening == timedelta(hours=180)
    # A season that would end in the missing hour ends when that hour would have begun.
    night = datetime(2026, 3, 28, 2, 30, tzinfo=berlin)
    assert later(duel, night, parse_span("1d")) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_seasons_follow_each_other_if_the_arena_says_so(duel: Arena) -> None:
    set_season_rules(duel, calendar={"length": "30d", "follows": True, "pause": "2d"})
    season = open_season(duel, starts_at=NEXT)
    assert season.ends_at is not None
    assert plan_following(season.ends_at - timedelta(seconds=1)) == []
    (planned,) = plan_following(season.ends_at)
    assert planned.starts_at == season.ends_at + timedelta(days=2)
    assert planned.ends_at == planned.starts_at + timedelta(days=30)
    assert planned.opened_at is None
    assert plan_following(season.ends_at) == []


@pytest.mark.parametrize(
    ("ended", "starts"),
    [
        ("2026-03-02T14:37:22.5", "2026-03-02T15:00"),
        ("2026-03-02T23:59", "2026-03-03T00:00"),
        ("2026-03-29T01:50", "2026-03-29T03:00"),  # clocks go forward
        ("2026-10-25T02:50", "2026-10-25T02:00+01:00"),  # and back
        ("2026-03-02T18:30", "2026-03-02T18:30"),  # as people choose
    ],
)
def test_a_season_after_one_that_ended_at_an_odd_minute_starts_at_a_full_hour(
    duel: Arena, ended: str, starts: str
) -> None:
    berlin = ZoneInfo("Europe/Berlin")
    set_season_rules(duel, calendar={"length": "30d", "follows": True})
    Arena.objects.filter(pk=duel.pk).update(time_zone="Europe/Berlin")
    end = datetime.fromisoformat(ended).replace(tzinfo=berlin)
    Season.objects.filter(arena=duel).update(starts_at=end - timedelta(days=7), ends_at=end)
    (planned,) = plan_following(end)
    wanted = datetime.fromisoformat(starts)
    assert planned.starts_at == (wanted if wanted.tzinfo else wanted.replace(tzinfo=berlin))


def test_after_a_standstill_the_next_season_can_still_be_played(
    duel: Arena, alice: Player, bob: Player
) -> None:
    """Seasons that nobody could play in are skipped: they would pull everyone to the centre."""
    start = {"placement": "linear-scale", "center": 1000.0, "ratio": 0.5}
    calendar = {"length": "7d", "follows": True, "pause": "1d"}
    win(duel, alice, bob)
    set_season_rules(duel, start=start, calendar=calendar)
    before = ratings(duel.seasons.get())
    Season.objects.filter(arena=duel).update(ends_at=NEXT)
    now = NEXT + timedelta(days=27)
    (planned,) = plan_following(now)
    assert planned.starts_at == NEXT + timedelta(days=1 + 3 * 8)
    assert open_planned(planned.pk, now=now)
    assert plan_following(now) == []
    assert ratings(planned) == {
        name: pytest.approx((rating + 1000) / 2) for name, rating in before.items()
    }


def test_a_season_without_results_takes_new_rules_and_its_ratings_with_them(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = open_season(duel, starts_at=NEXT)
    assert ratings(season) == {}
    set_season_rules(duel, start={"placement": "carry-over"})
    assert adopt_rules(season, duel)
    assert len(ratings(season)) == 2
    assert not adopt_rules(season, duel)


def test_the_preview_of_a_start_is_correct(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    set_season_rules(duel, start={"placement": "linear-scale", "center": 1200.0, "ratio": 0.5})
    win(duel, alice, bob)
    win(duel, alice, charlie)
    planned = plan_season(duel, starts_at=NEXT)
    shown = preview(planned)
    assert ratings(planned) == {}
    open_planned(planned.pk, now=NEXT)
    assert (shown.players, shown.moved, shown.anew) == (3, 3, 0)
    assert {row.player.name: row.rating for row in shown.first} == ratings(planned)
    assert shown.first[0].player == alice
    before, after = ([getattr(bar, at) for bar in shown.bars] for at in ("before", "after"))
    assert sum(before) == sum(after) == 3
    assert np.ptp(np.flatnonzero(after)) < np.ptp(np.flatnonzero(before))


def test_a_rating_carried_into_other_rating_periods_forgets_the_old_one(
    alice: Player, bob: Player
) -> None:
    periods = arena("periods", rating_system="glicko-2", rating_parameters={"update": "period"})
    win(periods, alice, bob)
    set_season_rules(periods, start={"placement": "carry-over"})
    periods.rating_parameters = {"update": "match"}
    periods.full_clean()
    periods.save()
    season = open_season(periods, starts_at=NEXT)
    assert list(season.ratings.values_list("memory", flat=True)) == [[], []]
    win(periods, alice, bob, now=NEXT + timedelta(hours=2))
    assert verify(season) == []


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("has_end", [True, False])
def test_a_season_knows_as_the_database_does_whether_it_is_running(
    duel: Arena, *, is_open: bool, has_end: bool
) -> None:
    season = duel.seasons.get()
    season.starts_at, season.ends_at = NOW, NEXT if has_end else None
    season.opened_at = NOW if is_open else None
    season.save()
    moment = timedelta(microseconds=1)
    for now in (NOW - moment, NOW, NEXT - moment, NEXT):
        assert season.is_running(now) == (duel.current_season(now) == season)
    assert season.is_running(NOW) == is_open


@pytest.mark.parametrize(
    ("zone", "start"),
    [
        ("UTC", datetime(2026, 3, 1, tzinfo=UTC)),
        ("Asia/Tokyo", datetime(2026, 2, 28, 15, tzinfo=UTC)),
        ("America/Los_Angeles", datetime(2026, 3, 1, 8, tzinfo=UTC)),
    ],
)
def test_a_season_opened_in_the_evening_takes_the_day(
    new: Arena, zone: str, start: datetime
) -> None:
    new.time_zone = zone
    new.save()
    season = open_today(new, now=NOW)
    assert (season.starts_at, season.opened_at) == (start, NOW)
    assert new.current_season(start + timedelta(hours=1)) == season


def test_a_season_opened_today_begins_after_the_one_that_ended_today(new: Arena) -> None:
    first = open_season(new, starts_at=NOW - timedelta(days=2))
    ended = NOW - timedelta(hours=1)
    Season.objects.filter(pk=first.pk).update(ends_at=ended)
    assert open_today(new, now=NOW).starts_at == ended


def test_a_season_opened_today_ends_the_running_one_now(new: Arena) -> None:
    first = open_season(new, starts_at=NOW - timedelta(days=2))
    assert open_today(new, now=NOW).starts_at == NOW
    first.refresh_from_db()
    assert first.ends_at == NOW


@pytest.fixture
def new() -> Arena:
    made = arena("new")
    made.seasons.all().delete()
    return made
