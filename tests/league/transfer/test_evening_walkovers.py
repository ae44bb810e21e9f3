"""A walkover in an evening's row decides the fixture of the two, and rates nothing."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.models import Arena, Competition, Fixture, Job, Match, Player, StaffAction
from league.services.core.clock import database_now
from league.services.jobs import jobs
from league.work import WORK
from tests.league.transfer.test_evenings import form, page_of
from tests.support.admin_steps import staff
from tests.support.competition_steps import begun
from tests.support.counting_steps import due
from tests.support.web_steps import words

__all__ = ["staff"]


@pytest.fixture
def fixture(duel: Arena, alice: Player, charlie: Player, olga: Player) -> Fixture:
    return due(begun(duel, olga, [alice, charlie]))


def save(staff: Client, duel: Arena, *rows: tuple[str, str, str], **more: Any) -> Any:
    given = {"save": "1", "for_fixtures": "on", **more}
    return staff.post(page_of(duel), form(list(rows), **given))


WRITTEN = [
    ("w.o.", 0),
    ("W.O.", 0),
    ("wo", 0),
    ("w/o", 0),
    ("ff", 0),
    ("FF", 0),
    ("forfeit", 0),
    ("+:-", 0),
    ("w.o. 1", 0),
    ("w.o. 2", 1),
    ("2 w.o.", 1),
    ("ff 2", 1),
    ("forfeit 2", 1),
    ("-:+", 1),
    ("-:-", None),
]


@pytest.mark.parametrize(("outcome", "winner"), WRITTEN)
@pytest.mark.parametrize("turned", [False, True])
def test_a_walkover_decides_the_fixture(
    staff: Client, duel: Arena, fixture: Fixture, outcome: str, winner: int | None, *, turned: bool
) -> None:
    names = [str(fixture.home), str(fixture.away)]
    first, second = names[::-1] if turned else names
    row = (first, second, outcome)
    tried = words(staff.post(page_of(duel), form([row], check="1", for_fixtures="on")))
    assert "Ratings stay as they are." in tried
    assert "Counts for Spring Cup, Round 1." in tried
    fixture.refresh_from_db()
    assert fixture.result == ""
    answer = save(staff, duel, row)
    assert answer.status_code == 302, words(answer)
    fixture.refresh_from_db()
    assert fixture.decided_by == Fixture.DecidedBy.FORFEIT
    home = {None: "neither", 0: "home", 1: "away"}
    away = {None: "neither", 0: "away", 1: "home"}
    assert fixture.result == (away if turned else home)[winner]
    assert not Match.objects.exists()
    assert "by forfeit" in words(staff.get(answer["Location"]))


def test_an_evening_of_a_game_and_a_walkover_is_undone_together(
    staff: Client, duel: Arena, fixture: Fixture
) -> None:
    home, away = str(fixture.home), str(fixture.away)
    Player.objects.create(name="Xaver")
    answer = save(staff, duel, (home, away, "w.o. 2"), (home, "Xaver", "1"))
    assert answer.status_code == 302, words(answer)
    page = answer["Location"]
    staff.post(page, {"undo": "1", "reason": "A mistake."})
    jobs.carry_out(Job.objects.latest("pk").pk, WORK, database_now())
    fixture.refresh_from_db()
    assert (fixture.result, fixture.decided_by) == ("", "")
    assert Match.objects.get().status == "void"
    assert "Undo the evening" not in words(staff.get(page))


def test_an_evening_of_walkovers_alone_can_be_previewed_and_undone(
    staff: Client, duel: Arena, fixture: Fixture
) -> None:
    page = save(staff, duel, (str(fixture.home), str(fixture.away), "w.o."))["Location"]
    for sent in ({"preview": "1"}, {"undo": "1", "reason": "A mistake."}):
        staff.post(page, sent)
        job = Job.objects.latest("pk")
        jobs.carry_out(job.pk, WORK, database_now())
        job.refresh_from_db()
        assert job.state == Job.State.DONE, job.refusal
    fixture.refresh_from_db()
    assert fixture.result == ""
    again = staff.post(page, {"undo": "1", "reason": "A mistake."}, follow=True)
    assert "This evening has been undone already." in words(again)


def test_a_decision_that_came_later_stays_when_the_evening_is_undone(
    staff: Client, duel: Arena, fixture: Fixture
) -> None:
    page = save(staff, duel, (str(fixture.home), str(fixture.away), "w.o."))["Location"]
    fixture.refresh_from_db()
    fixture.action = StaffAction.objects.create(
        actor=StaffAction.objects.earliest("pk").actor,
        kind=StaffAction.Kind.COMPETITION,
        at=database_now() + timedelta(minutes=1),
    )
    fixture.save(update_fields=["action"])
    again = staff.post(page, {"undo": "1", "reason": "A mistake."}, follow=True)
    assert "This evening has been undone already." in words(again)
    assert Competition.objects.get().fixtures.get().result == "home"


@pytest.mark.parametrize("outcome", ["w.o. 3", "ff ff", "w.o. 1-1", "woo", "buff", "w.o. " * 60])
def test_what_is_no_walkover_is_refused(
    staff: Client, duel: Arena, fixture: Fixture, outcome: str
) -> None:
    answer = save(staff, duel, (str(fixture.home), str(fixture.away), outcome))
    assert "is not a result" in words(answer)
    fixture.refresh_from_db()
    assert fixture.result == ""


def test_a_walkover_twice_or_without_the_tick_changes_nothing(
    staff: Client, duel: Arena, fixture: Fixture
) -> None:
    row = (str(fixture.home), str(fixture.away), "w.o.")
    twice = save(staff, duel, row, row)
    unticked = staff.post(page_of(duel), form([row], save="1"))
    for answer in (twice, unticked):
        assert "none is chosen for these two" in words(answer)
    fixture.refresh_from_db()
    assert fixture.result == ""


def test_a_page_sent_twice_decides_once(staff: Client, duel: Arena, fixture: Fixture) -> None:
    sent = form([(str(fixture.home), str(fixture.away), "w.o.")], save="1", for_fixtures="on")
    assert {staff.post(page_of(duel), sent)["Location"] for _time in range(2)}
    assert StaffAction.objects.filter(kind=StaffAction.Kind.EVENING).count() == 1
