"""Kreimeier's zero-sum decay: a match that nobody played, in the ledger, for every rating."""

import math
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

import pytest
from django.db import connection, transaction
from django.test import Client

from league.models import Anchor, Arena, Match, Player, Rating, Season, User
from league.services import corrections
from league.services.decay import writing
from league.services.decay.steps import hold_and_take, next_step, take, take_due
from league.services.integrity.ratings import verify
from league.services.integrity.standings import differences
from league.services.results.records import profiles
from league.services.results.records.lines import recent_matches
from league.services.results.reports.answers import confirm
from league.services.seasons.anchors import follow
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, OPENING, account, arena, beats
from tests.support.concurrency import all_at_once
from tests.support.web_steps import words

DAY = timedelta(days=1)


@pytest.fixture
def fermi(db: None) -> Arena:
    """Ratings start at 0; ten days without a match take a rating a fifth of the way back there."""
    return arena(
        "fermi",
        rating_system="fermi",
        rating_parameters={"max_gain": 8.0, "decay": 0.2, "decay_period": "10d"},
    )


def win(fermi: Arena, winner: Player, loser: Player, now: datetime) -> Match:
    return confirm(beats(winner, loser, fermi, now=now).pk, by=loser, now=now)


def held(fermi: Arena) -> dict[str, float]:
    rows = Rating.objects.filter(season__arena=fermi)
    return dict(rows.values_list("player__name", "rating"))


def test_the_absent_go_to_the_mean_and_the_active_share_what_that_frees(
    fermi: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    season = fermi.seasons.get()
    win(fermi, alice, bob, OPENING + DAY)
    win(fermi, alice, charlie, OPENING + 2 * DAY)
    assert take_due(OPENING + 9 * DAY) == 0
    assert take_due(OPENING + 10 * DAY) == 0  # everybody has played
    win(fermi, dora, eve, OPENING + 12 * DAY)
    before = held(fermi)
    assert take_due(OPENING + 20 * DAY) == 1
    assert take_due(OPENING + 21 * DAY) == 0
    after = held(fermi)
    freed = sum(0.2 * before[name] for name in ("Alice", "Bob", "Charlie"))
    for name in ("Alice", "Bob", "Charlie"):
        assert after[name] == pytest.approx(0.8 * before[name])
    for name in ("Dora", "Eve"):
        assert after[name] == pytest.approx(before[name] + freed / 2)
    assert math.fsum(after.values()) == pytest.approx(math.fsum(before.values()), abs=1e-15)
    assert verify(season) == []
    row = Rating.objects.get(player=alice)
    assert (row.games, row.wins, row.streak) == (2, 2, 2)
    assert row.last_played_at == OPENING + 2 * DAY - timedelta(hours=1)
    step = Match.objects.unplayed().get()
    assert step not in recent_matches(season)
    assert len(profiles.rating_history(season, alice)) == 3
    update_pending(NOW)
    assert differences(season, NOW) == []
    page = words(Client().get(step.get_absolute_url()))
    assert "Rating decay" in page
    assert "Applied at the end of a period" in page


def test_a_correction_of_an_earlier_result_takes_the_steps_at_their_place(
    fermi: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    season = fermi.seasons.get()
    wrong = win(fermi, alice, bob, OPENING + DAY)
    win(fermi, alice, bob, OPENING + DAY)
    win(fermi, charlie, dora, OPENING + 12 * DAY)
    take(season.pk, OPENING + 20 * DAY)
    win(fermi, bob, charlie, OPENING + 21 * DAY)
    take(season.pk, OPENING + 30 * DAY)
    steps = list(Match.objects.unplayed().order_by("rated_order"))
    for match in (wrong, steps[0]):
        before = held(fermi)
        staff = cast("User", olga.user)
        seen = corrections.preview(match, by=staff)
        asked = corrections.ask(
            match, by=staff, reason="Wrong", digest=seen.digest, horizon=seen.horizon, now=NOW
        )
        corrections.carry_out(asked.pk, NOW)
        assert verify(season) == []
        assert held(fermi) != before
        assert math.fsum(held(fermi).values()) == pytest.approx(0, abs=1e-12)
    assert take(season.pk, OPENING + 30 * DAY) is None  # a void step is not taken again


def test_in_a_great_league_several_share_a_side_and_nobody_is_left_out(
    fermi: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(writing, "MOST_SIDES", 2)
    win(fermi, alice, bob, OPENING + DAY)
    win(fermi, charlie, dora, OPENING + 12 * DAY)
    step = take(fermi.seasons.get().pk, OPENING + 20 * DAY)
    assert step is not None
    assert (step.sides.count(), step.participants.count()) == (2, 4)
    assert held(fermi) == {"Alice": 3.2, "Bob": -3.2, "Charlie": 4.0, "Dora": -4.0}
    assert verify(fermi.seasons.get()) == []


def test_after_a_standstill_each_step_that_was_missed_is_taken_and_dated_at_its_own_moment(
    daily: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    season = daily.seasons.get()
    assert take_due(OPENING + timedelta(minutes=1)) == 0
    win(daily, alice, bob, OPENING + timedelta(hours=5))
    win(daily, charlie, dora, OPENING + timedelta(hours=6))
    assert take_due(OPENING + DAY) == 0  # everybody has played
    # Now nobody sees to anything for three days and a half, in which results go on.
    win(daily, alice, bob, OPENING + DAY + timedelta(hours=5))
    win(daily, charlie, dora, OPENING + 3 * DAY + timedelta(hours=5))
    win(daily, alice, eve, OPENING + 3 * DAY + timedelta(hours=6))
    before = held(daily)
    back = OPENING + 4 * DAY + timedelta(hours=12)
    assert take_due(back) == 2
    assert take_due(back) == 0
    steps = Match.objects.unplayed().order_by("rated_order")
    assert [step.played_at for step in steps] == [OPENING + 2 * DAY, OPENING + 4 * DAY]
    assert {step.settled_at for step in steps} == {back}
    # Eve was not there yet on the second day, of which Charlie and Dora were away. On the third
    # nobody played, on the fourth Bob did not.
    assert [named(step) for step in steps] == [
        {"Alice": 0, "Bob": 0, "Charlie": 1, "Dora": 1},
        {"Alice": 0, "Charlie": 0, "Dora": 0, "Eve": 0, "Bob": 1},
    ]
    assert held(daily)["Eve"] != before["Eve"]
    assert math.fsum(held(daily).values()) == pytest.approx(math.fsum(before.values()), abs=1e-12)
    assert verify(season) == []
    update_pending(NOW)
    assert differences(season, NOW) == []


@pytest.fixture
def daily(db: None) -> Arena:
    """Decay of a fifth each day."""
    parameters = {"max_gain": 8.0, "decay": 0.2, "decay_period": "1d"}
    return arena("fermi", rating_system="fermi", rating_parameters=parameters)


def named(step: Match) -> dict[str, int | None]:
    return dict(step.participants.values_list("player__name", "side__place"))


@pytest.mark.django_db(transaction=True)
def test_a_long_standstill_is_made_up_for_bit_by_bit_and_by_workers_at_once(
    daily: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    season = daily.seasons.get()
    take_due(OPENING)
    win(daily, charlie, dora, OPENING + timedelta(hours=5))
    for day in range(7):
        win(daily, alice, bob, OPENING + day * DAY + timedelta(hours=6))
    now = OPENING + 7 * DAY
    assert take_due(now, most=2) == 2
    answers = all_at_once([partial(take_due, now, 3)] * 4)
    assert all(isinstance(answer, int) for answer in answers)
    while take_due(now):
        pass
    steps = Match.objects.unplayed().order_by("rated_order")
    assert [step.played_at for step in steps] == [OPENING + day * DAY for day in range(2, 8)]
    assert held(daily)["Charlie"] == pytest.approx(4.0 * 0.8**6)
    assert math.fsum(held(daily).values()) == pytest.approx(0, abs=1e-12)
    assert verify(season) == []


def test_a_season_that_is_over_gets_the_steps_that_were_missed_before_its_end(
    daily: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    take_due(OPENING)
    win(daily, charlie, dora, OPENING + timedelta(hours=5))
    win(daily, alice, bob, OPENING + DAY + timedelta(hours=5))
    win(daily, alice, bob, OPENING + 2 * DAY + timedelta(hours=5))
    daily.seasons.update(ends_at=OPENING + 3 * DAY)
    assert take_due(OPENING + 5 * DAY) == 1
    assert Match.objects.unplayed().get().played_at == OPENING + 2 * DAY
    daily.seasons.update(archived_at=OPENING + 5 * DAY, decayed_until=None)
    assert take_due(OPENING + 5 * DAY) == 0


def test_late_results_of_processed_periods_cause_no_step(
    daily: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    assert take_due(OPENING + 5 * DAY) == 0
    win(daily, charlie, dora, OPENING + timedelta(hours=5))
    win(daily, alice, bob, OPENING + DAY + timedelta(hours=5))
    assert take_due(OPENING + 5 * DAY + timedelta(hours=1)) == 0
    assert take_due(OPENING + 6 * DAY) == 0  # nobody played
    assert not Match.objects.unplayed().exists()
    # A result of the last period may be confirmed later than that ends.
    win(daily, charlie, dora, OPENING + 6 * DAY)
    assert take_due(OPENING + 6 * DAY + timedelta(hours=2)) == 1
    assert Match.objects.unplayed().get().played_at == OPENING + 6 * DAY


@pytest.mark.django_db(transaction=True)
def test_results_go_on_while_a_step_is_prepared(
    daily: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    eve: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season, at = ready_for_a_step(daily, alice, bob, charlie, dora)
    # It turns out meanwhile that Charlie played in time, and Eve comes in.
    happens_while_a_step_is_prepared(
        monkeypatch, partial(win, daily, charlie, alice, at), partial(win, daily, eve, bob, at)
    )
    step = take(season.pk, at)
    assert step
    assert step == Match.objects.rated().order_by("rated_order").last()
    assert named(step) == {"Alice": 0, "Bob": 0, "Charlie": 1, "Dora": 1}
    assert math.fsum(held(daily).values()) == pytest.approx(0, abs=1e-12)
    assert verify(season) == []
    assert take(season.pk, at) is None


def ready_for_a_step(
    daily: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> tuple[Season, datetime]:
    """A season whose second day ends now; Charlie and Dora were inactive on it."""
    take_due(OPENING)
    win(daily, charlie, dora, OPENING + timedelta(hours=5))
    win(daily, alice, bob, OPENING + timedelta(hours=6))
    win(daily, alice, bob, OPENING + DAY + timedelta(hours=5))
    return daily.seasons.get(), OPENING + 2 * DAY


def happens_while_a_step_is_prepared(
    monkeypatch: pytest.MonkeyPatch, *does: Callable[[], object]
) -> None:
    """Make these calls one after the other, right after the next step is prepared."""
    prepare, waiting = writing.prepare, list(does)

    def without_waiting(call: Callable[[], object]) -> object:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")
            return call()

    def and_then(*given: Any) -> writing.Step | None:
        step = prepare(*given)
        while step and waiting:
            all_at_once([partial(without_waiting, waiting.pop(0))])
        return step

    monkeypatch.setattr(writing, "prepare", and_then)


@pytest.mark.django_db(transaction=True)
def test_a_step_is_prepared_anew_if_a_rating_is_no_more_and_left_if_the_archive_came_first(
    daily: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    eve: Player,
    olga: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season, at = ready_for_a_step(daily, alice, bob, charlie, dora)
    mistake = win(daily, charlie, eve, OPENING + timedelta(hours=7))
    staff = cast("User", olga.user)
    seen = corrections.preview(mistake, by=staff)
    asked = corrections.ask(
        mistake, by=staff, reason="Wrong", digest=seen.digest, horizon=seen.horizon, now=NOW
    )
    happens_while_a_step_is_prepared(monkeypatch, partial(corrections.carry_out, asked.pk, NOW))
    assert take(season.pk, at) is None
    assert "Eve" not in held(daily)
    assert not Match.objects.unplayed().exists()
    step = take(season.pk, at)
    assert step
    assert named(step) == {"Alice": 0, "Bob": 0, "Charlie": 1, "Dora": 1}
    assert verify(season) == []

    win(daily, alice, bob, at + timedelta(hours=5))
    freeze = partial(daily.seasons.update, archived_at=at + DAY)
    happens_while_a_step_is_prepared(monkeypatch, freeze)
    assert take(season.pk, at + DAY) is None
    assert Match.objects.unplayed().get() == step


@pytest.mark.django_db(transaction=True)
def test_workers_and_results_at_once_take_a_step_once(fermi: Arena) -> None:
    season = fermi.seasons.get()
    people = [account(f"Player {number}") for number in range(8)]
    for one, other in zip(people[:4:2], people[1:4:2], strict=True):
        win(fermi, one, other, OPENING + DAY)
    for one, other in zip(people[4::2], people[5::2], strict=True):
        win(fermi, one, other, OPENING + 12 * DAY)
    now = OPENING + 20 * DAY
    reported = [
        (beats(people[at], people[7 - at], fermi, now=now), people[7 - at]) for at in range(4)
    ]
    calls: list[Callable[[], object]] = [partial(take_due, now)] * 4
    calls += [partial(confirm, match.pk, by=loser, now=now) for match, loser in reported]
    all_at_once(calls)
    assert Match.objects.unplayed().count() <= 1
    assert Match.objects.rated().games().count() == 8
    assert verify(season) == []


def test_a_step_that_an_anchor_overtakes_is_prepared_again(
    fermi: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """The anchor is set after the season was read for the step, and before its players were."""
    season = fermi.seasons.get()
    win(fermi, alice, bob, OPENING + DAY)
    win(fermi, charlie, dora, OPENING + 12 * DAY)
    marvin = Player.objects.create(name="Marvin")
    Anchor.objects.create(arena=fermi, player=marvin, rating=5)
    follow(fermi, OPENING + 13 * DAY)
    now = OPENING + 20 * DAY
    step = next_step(season, now)
    assert step
    assert marvin.pk in step.players
    assert hold_and_take(step, now) is None
    assert Rating.objects.get(player=marvin).rating == 5
