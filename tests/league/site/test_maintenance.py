"""Maintenance: new matches are refused, live ones end, and everything can be read."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import (
    Arena,
    ArenaQueue,
    DishonorAward,
    Match,
    Player,
    Proposal,
    StaffAction,
    Status,
    Ticket,
    User,
)
from league.services.core.errors import Conflict, Forbidden, Unavailable
from league.services.frontpage.waiting import waiting
from league.services.ladder.challenges import accept as answer
from league.services.ladder.challenges import challenge
from league.services.ladder.deadlines import sweep
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.queue.ticks import due_arenas, tick
from league.services.results.playing.servers import start as start_as_server
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.site import frame
from league.services.site.maintenance import turn_off, turn_on
from tests.support.admin_steps import browser_of as admin_of
from tests.support.api_steps import a_token, win
from tests.support.cast import beats
from tests.support.challenge_steps import ladder_of
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, reports, result_form, words

SAID = "We move to a new server."


@pytest.fixture
def pausing_admin(olga: Player) -> User:
    """Olga has turned maintenance on for an hour."""
    now, boss = timezone.now(), user_of(olga)
    turn_on(SAID, until=now + timedelta(hours=1), by=boss, now=now)
    return boss


def test_new_matches_are_refused_with_the_message(
    pausing_admin: User, duel: Arena, teams: Arena, alice: Player, charlie: Player
) -> None:
    now = timezone.now()
    ArenaQueue.objects.create(arena=duel)
    for refused in (
        lambda: beats(alice, charlie, duel, now=now),
        lambda: join(duel, alice, [alice], now=now),
        lambda: challenge(duel, charlie, by=alice, now=now),
        lambda: start_as_server(
            duel,
            [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])],
            by=pausing_admin,
            now=now,
        ),
    ):
        with pytest.raises(Unavailable) as found:
            refused()
        assert found.value.message == SAID
        assert 3500 < found.value.wait <= 3600
    page = reports(alice, duel, result_form("Charlie"))
    assert page.status_code == 503
    assert SAID in words(page)
    assert not Match.objects.exists()
    assert not Ticket.objects.exists()


def test_programs_get_503_and_when_to_try_again(
    pausing_admin: User, duel: Arena, alice: Player, charlie: Player
) -> None:
    _token, text = a_token(user_of(alice))
    answer: Any = Client().post(
        reverse("api:reports", args=[duel.slug]),
        win(alice, charlie),
        content_type="application/json",
        headers={"Authorization": f"Token {text}"},
    )
    assert answer.status_code == 503
    assert 3500 < int(answer["Retry-After"]) <= 3600
    assert (answer.json()["code"], answer.json()["detail"]) == ("maintenance", SAID)
    assert Client().get(reverse("api:arenas")).status_code == 200


def test_live_and_reported_matches_end_and_all_can_be_read(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    now = timezone.now()
    reported = beats(alice, charlie, duel, now=now)
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=now)
    turn_on(SAID, until=None, by=user_of(olga), now=now)
    confirm(reported.pk, by=charlie, now=now)
    finish(live.pk, [Finish(0), Finish(1)], reporter=alice, now=now)
    confirm(live.pk, by=charlie, now=now)
    assert set(Match.objects.values_list("status", flat=True)) == {Status.RATED}
    for address in ("/", duel.get_absolute_url(), reported.get_absolute_url(), "/players/"):
        assert SAID in words(Client().get(address))


def test_queues_form_no_matches_and_tickets_keep_their_places(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    now = timezone.now()
    ArenaQueue.objects.create(arena=duel)
    for player in (alice, charlie):
        join(duel, player, [player], now=now)
    later = now + timedelta(minutes=1)
    turn_on(SAID, until=None, by=user_of(olga), now=now)
    assert due_arenas(later) == []
    assert tick(duel.pk, now=later, seed=1) is None
    assert Ticket.objects.waiting().count() == 2
    turn_off(by=user_of(olga), now=now)
    assert due_arenas(later) == [duel.pk]


def test_a_ready_check_starts_no_match_and_is_nobodys_offence(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    now = timezone.now()
    ArenaQueue.objects.create(arena=duel)
    for player in (alice, charlie):
        join(duel, player, [player], now=now)
    tick(duel.pk, now=now, seed=1)
    proposal = Proposal.objects.get()
    accept(proposal.pk, by=alice, now=now)
    turn_on(SAID, until=None, by=user_of(olga), now=now)
    assert accept(proposal.pk, by=charlie, now=now).state == Proposal.State.CANCELLED
    assert not Match.objects.exists()
    assert Ticket.objects.waiting().count() == 2
    assert not DishonorAward.objects.exists()
    hour = now + timedelta(hours=1)
    assert "queues" not in waiting(hour)
    turn_off(by=user_of(olga), now=now)
    assert "queues" in waiting(hour)


def test_deadlines_of_challenges_are_postponed(olga: Player) -> None:
    ladder, (alice, _bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    now, boss = timezone.now(), user_of(olga)
    ignored = challenge(ladder, alice, by=charlie, now=now)
    agreed = answer(challenge(ladder, charlie, by=dora, now=now).pk, by=charlie, now=now)
    assert agreed.play_by is not None
    turn_on(SAID, until=None, by=boss, now=now)
    later = now + timedelta(days=30)
    assert sweep(later) == 0
    assert "challenges" not in waiting(later)
    turn_off(by=boss, now=later)
    for one, field in ((ignored, "answer_by"), (agreed, "play_by")):
        before = getattr(one, field)
        one.refresh_from_db()
        assert getattr(one, field) == before + timedelta(days=30)
    assert sweep(later) == 0
    assert sweep(later + timedelta(days=40)) == 2


def test_staff_turn_it_on_and_off_on_one_page(
    duel: Arena, olga: Player, alice: Player, charlie: Player
) -> None:
    page, staff = reverse("admin:league_maintenance_changelist"), admin_of(olga.user)
    assert_strict(staff, page)
    assert staff.post(page, {"message": " "}).status_code == 200
    past = {"message": SAID, "until": "2020-01-01T00:00"}
    assert "future" in words(staff.post(page, past))
    assert not StaffAction.objects.exists()
    assert staff.post(page, {"message": SAID, "until": ""}).status_code == 302
    assert "Maintenance is on: new matches are refused." in words(staff.get("/admin/"))
    with pytest.raises(Unavailable):
        beats(alice, charlie, duel)
    assert staff.post(page, {"off": "1"}).status_code == 302
    assert beats(alice, charlie, duel)
    assert SAID not in words(Client().get("/"))
    with pytest.raises(Conflict):
        turn_off(by=user_of(olga), now=timezone.now())
    with pytest.raises(Forbidden):
        turn_on(SAID, until=None, by=user_of(alice), now=timezone.now())
    on, off = StaffAction.objects.order_by("pk")
    assert {on.kind, off.kind} == {"maintenance"}
    assert (on.reason, off.after) == (
        SAID,
        {"Maintenance": "off", "Message": "", "Expected end": ""},
    )
    assert browser_of(alice).get(page).status_code == 302


def test_pages_and_reports_ask_for_it_at_most_once_a_second(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    frame.forget()
    frame.current()
    with CaptureQueriesContext(connection) as asked:
        for _page in range(3):
            Client().get("/players/")
        beats(alice, charlie, duel)
    assert not [query for query in asked if "league_maintenance" in query["sql"]]
    frame.forget()
    with CaptureQueriesContext(connection) as asked:
        frame.current()
    assert sum("league_maintenance" in query["sql"] for query in asked) == 1
