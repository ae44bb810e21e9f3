"""Olga undoes a draw before anybody has played by it."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Entrant,
    Fixture,
    FixtureGame,
    Player,
    StaffAction,
)
from league.services.competitions import progress
from league.services.competitions.running import (
    drawing,
    entering_by_staff,
    sitting_out,
    starting,
    swiss_rounds,
    undoing,
)
from league.services.core.errors import Conflict, Forbidden
from league.services.people import entry_lists
from league.services.transfer.evenings import fixture_results
from league.services.transfer.evenings.fixture_results import Typed
from tests.support.cast import NOW, account
from tests.support.competition_steps import START, begun, crowd, opened
from tests.support.concurrency import all_at_once
from tests.support.result_steps import user_of

EVENING = START + timedelta(hours=2)


@pytest.fixture
def five(duel: Arena, olga: Player) -> Competition:
    return begun(duel, olga, crowd(5), "swiss")


def type_all(one: Competition, olga: Player) -> None:
    """Enter a win of the home side in every open game."""
    typed = [
        Typed(pk, "1-0")
        for pk in one.fixtures.filter(result="", away__isnull=False).values_list("pk", flat=True)
    ]
    fixture_results.enter(one.pk, typed, by=user_of(olga), now=EVENING)


def pairs(one: Competition, number: int) -> list[tuple[int | None, int | None]]:
    rows = one.fixtures.filter(round__number=number).order_by("number")
    return list(rows.values_list("home", "away"))


def drawn_next(one: Competition, olga: Player) -> None:
    swiss_rounds.pair_next(one.pk, None, by=user_of(olga), now=EVENING)
    progress.go_on_at_once(one.pk, EVENING)


def test_the_latest_round_is_undone_and_drawn_again(five: Competition, olga: Player) -> None:
    type_all(five, olga)
    drawn_next(five, olga)
    before = pairs(five, 2)
    dates = Arrangement.objects.filter(game__fixture__round__number=2)
    ids = list(dates.values_list("pk", flat=True))
    planned = five.rounds.get(number=2)
    assert len(ids) == 2
    undoing.undo_round(five.pk, by=user_of(olga), now=EVENING)
    assert pairs(five, 2) == []
    states = Arrangement.objects.filter(pk__in=ids).values_list("state", flat=True)
    assert set(states) == {Arrangement.State.CALLED_OFF}
    round_ = five.rounds.get(number=2)
    assert (round_.opened_at, round_.play_at) == (None, planned.play_at)
    progress.sweep(round_.opens_at + timedelta(days=1))
    assert pairs(five, 2) == []  # only staff draw it
    drawn_next(five, olga)
    assert pairs(five, 2) == before
    assert not five.rounds.get(number=2).waits_for_staff
    kinds = StaffAction.objects.filter(reason__contains="Undid the draw of round 2")
    assert kinds.count() == 1


def test_a_round_is_drawn_again_without_somebody_who_has_left(
    five: Competition, olga: Player
) -> None:
    type_all(five, olga)
    drawn_next(five, olga)
    first = pairs(five, 2)
    undoing.undo_round(five.pk, by=user_of(olga), now=EVENING)
    assert first[0][0]
    entrant = five.entrants.get(pk=first[0][0])
    entrant.state, entrant.withdrawn_at = Entrant.State.WITHDRAWN, EVENING
    entrant.save()
    drawn_next(five, olga)
    undoing.undo_round(five.pk, by=user_of(olga), now=EVENING, again=True)
    assert len(pairs(five, 2)) == 2
    assert entrant.pk not in {one for pair in pairs(five, 2) for one in pair}


def test_byes_on_request_stay_when_their_round_is_undone(five: Competition, olga: Player) -> None:
    type_all(five, olga)
    entrant = five.entrants.order_by("seed").last()
    assert entrant
    sitting_out.decide(entrant.pk, 2, "draw", by=user_of(olga), reason="Away.", now=EVENING)
    drawn_next(five, olga)
    undoing.undo_round(five.pk, by=user_of(olga), now=EVENING)
    assert pairs(five, 2) == [(entrant.pk, None)]


def test_a_result_or_a_decision_keeps_the_draw(five: Competition, olga: Player) -> None:
    fixture = five.fixtures.filter(away__isnull=False).first()
    assert fixture
    for text in ("1-0", "+:-"):
        typed = [Typed(fixture.pk, text)]
        fixture_results.enter(five.pk, typed, by=user_of(olga), now=EVENING)
        for undo in (undoing.undo_round, undoing.undo_all):
            with pytest.raises(Conflict, match="has a result"):
                undo(five.pk, by=user_of(olga), now=EVENING)
        fixture = five.fixtures.filter(away__isnull=False).last()
        assert fixture
    assert len(pairs(five, 1)) == 3


@pytest.mark.parametrize("format_", ["table", "groups", "swiss", "single", "double"])
def test_the_whole_draw_is_undone_and_gives_the_same_again(
    duel: Arena, olga: Player, format_: str
) -> None:
    one = begun(duel, olga, crowd(6), format_)
    before = sorted(one.fixtures.values_list("number", "home", "away", "round__number"))
    seeds = dict(one.entrants.values_list("pk", "seed"))
    undoing.undo_all(one.pk, by=user_of(olga), now=EVENING)
    one.refresh_from_db()
    assert one.state == Competition.State.REGISTRATION
    assert not one.rounds.exists()
    assert not FixtureGame.objects.exists()
    assert not Arrangement.objects.accepted().exists()
    assert dict(one.entrants.values_list("pk", "seed")) == seeds
    progress.sweep(EVENING)
    assert starting.start(one.pk, now=EVENING) is None
    one.refresh_from_db()
    assert one.state == Competition.State.REGISTRATION  # staff draw it again
    starting.start(one.pk, by=user_of(olga), now=EVENING)
    after = sorted(one.fixtures.values_list("number", "home", "away", "round__number"))
    assert after == before
    undoing.undo_all(one.pk, by=user_of(olga), now=EVENING, again=True)
    assert sorted(one.fixtures.values_list("number", "home", "away", "round__number")) == before


def test_others_and_organisers_who_play_undo_nothing(
    duel: Arena, olga: Player, alice: Player
) -> None:
    one = begun(duel, olga, [alice, olga, *crowd(2)], "swiss")
    account("Oskar", superuser=True)
    for player in (alice, olga):
        for undo in (undoing.undo_round, undoing.undo_all):
            with pytest.raises(Forbidden):
                undo(one.pk, by=user_of(player), now=EVENING)


@pytest.mark.django_db(transaction=True)
def test_two_organisers_draw_one_round(five: Competition, olga: Player) -> None:
    type_all(five, olga)

    def draw() -> object:
        return swiss_rounds.pair_next(five.pk, None, by=user_of(olga), now=EVENING, number=2)

    answers = all_at_once([draw] * 4)
    assert sum(not isinstance(one, Exception) for one in answers) == 1
    assert {one.code for one in answers if isinstance(one, Conflict)} == {"drawn"}
    assert len(pairs(five, 2)) == 3
    assert five.rounds.filter(opened_at__isnull=False).count() == 2


@pytest.mark.django_db(transaction=True)
def test_two_organisers_start_a_competition_once(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    names = entry_lists.read_list("Ann\nBob\nCy\nDee").entries
    entering_by_staff.enter(one.pk, names, {}, by=user_of(olga), now=NOW)
    answers = all_at_once([lambda: starting.start(one.pk, by=user_of(olga), now=NOW)] * 4)
    assert sum(isinstance(one, Conflict) for one in answers) == 3
    assert one.fixtures.count() == 2


def test_an_early_draw_keeps_the_planned_dates(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss", dates={"default_after": 0})
    names = entry_lists.read_list("Ann\nBob\nCy\nDee").entries
    entering_by_staff.enter(one.pk, names, {}, by=user_of(olga), now=NOW)
    starting.start(one.pk, by=user_of(olga), now=NOW)
    progress.go_on_at_once(one.pk, NOW)
    dates = Arrangement.objects.filter(game__fixture__competition=one)
    assert set(dates.values_list("play_at", flat=True)) == {START}
    type_all(one, olga)
    drawn_next(one, olga)
    second = one.rounds.get(number=2)
    assert (second.opened_at, second.play_at) == (EVENING, START + timedelta(days=7))
    dates = dates.filter(game__fixture__round=second)
    assert set(dates.values_list("play_at", flat=True)) == {second.play_at}


@pytest.mark.parametrize(
    ("hours", "days"),
    [(0, 0), (0.1, 0), (5.9, 0), (6.1, 1), (24, 1), (30.5, 2), (24 * 200 + 9, 201), (-50, 0)],
)
def test_what_is_late_begins_at_the_hour_of_an_evening(
    duel: Arena, olga: Player, hours: float, days: int
) -> None:
    one = opened(duel, olga, "table")
    one.season.arena.time_zone = "Europe/Berlin"
    moment = drawing.evening_of(one, START, START + timedelta(hours=hours))
    zone = ZoneInfo("Europe/Berlin")
    assert moment.astimezone(zone).time() == START.astimezone(zone).time()
    assert (moment.astimezone(zone).date() - START.astimezone(zone).date()).days == days


def test_nothing_is_played_at_the_hour_at_which_somebody_pressed_a_button(
    duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga, "table", dates={"default_after": 0})
    names = entry_lists.read_list("Ann\nBob\nCy\nDee").entries
    entering_by_staff.enter(one.pk, names, {}, by=user_of(olga), now=NOW)
    night = START + timedelta(days=2, hours=9, minutes=57)
    starting.start(one.pk, by=user_of(olga), now=night)
    progress.go_on_at_once(one.pk, night)
    assert {round_.play_at for round_ in one.rounds.all()} == {
        START + timedelta(days=3, weeks=week) for week in range(3)
    }
    dates = Arrangement.objects.filter(game__fixture__competition=one)
    assert set(dates.values_list("play_at", flat=True)) == {START + timedelta(days=3)}
    assert Fixture.objects.filter(competition=one, round__opened_at=night).count() == 2
