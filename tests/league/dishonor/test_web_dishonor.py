"""The page of a player's own dishonor."""

from datetime import timedelta

from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, ArenaQueue, Offence, Player
from league.services.core.clock import database_now
from league.services.dishonor.amnesties import Incident, grant
from league.services.dishonor.discipline import penalise
from tests.support.cast import account
from tests.support.web_steps import browser_of, words

PAGE = reverse("dishonor")


def page(player: Player) -> str:
    return words(browser_of(player).get(PAGE))


def test_a_player_without_penalties_sees_none(bob: Player) -> None:
    said = page(bob)
    assert "Stacks 0 Timeout none" in said
    assert "None so far. Thank you." in said
    # 30 s times 3 to the power of 1.5 are 3 minutes, 10 stacks come to 16.
    assert "Not accepting a match 3 3 minutes" in said
    assert "Leaving a match before its end 10 16 minutes" in said


def test_bob_sees_which_queues_his_timeout_bars(duel: Arena, teams: Arena, bob: Player) -> None:
    ArenaQueue.objects.create(arena=teams)
    ArenaQueue.objects.create(arena=duel, bars_timeouts=False)
    now = database_now()
    penalise([bob], Offence.QUEUE_DODGE, teams, now=now)
    said = page(bob)
    assert "Stacks 3" in said
    assert "You cannot queue in: Teams" in said
    assert "You can still queue in: Duel You can still report matches" in said
    assert "One of your stacks expires every 4 hours." in said
    assert "Not accepting a match 6 " in said


def test_the_end_of_a_timeout_is_in_the_readers_zone(teams: Arena, bob: Player) -> None:
    penalise([bob], Offence.ABANDON, teams, now=database_now())
    browser = browser_of(bob)
    browser.cookies["timezone"] = "Asia/Tokyo"
    assert "JST" in words(browser.get(PAGE))


def test_void_penalties_are_struck_out_with_the_reason(
    teams: Arena, bob: Player, olga: Player
) -> None:
    assert olga.user
    now = database_now()
    penalise([bob], Offence.QUEUE_DODGE, teams, now=now)
    grant(Incident(now, now), by=olga.user, reason="The server <fell>.", now=now)
    said = page(bob)
    assert "Stacks 0 Timeout none" in said
    assert "Does not count. Staff: granted an amnesty. “The server <fell>.”" in said


def test_a_long_record_is_paged_and_read_in_few_queries(
    teams: Arena, bob: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    now = database_now()
    for number in range(45):
        penalise([bob], Offence.QUEUE_DODGE, teams, now=now - timedelta(days=number))
    browser = browser_of(bob)
    with django_assert_max_num_queries(16):
        first = words(browser.get(PAGE))
    assert "1–20 of 45" in first
    assert "41–45 of 45" in words(browser.get(f"{PAGE}?page=3"))
    assert "41–45 of 45" in words(browser.get(f"{PAGE}?page=99"))
    assert "1–20 of 45" in words(browser.get(f"{PAGE}?page=x"))


def test_players_only_see_their_own_record(teams: Arena, bob: Player, eve: Player) -> None:
    penalise([bob], Offence.ABANDON, teams, now=database_now())
    assert "None so far" in page(eve)
    assert Client().get(PAGE).status_code == 302
    nobody = account("Nobody")
    nobody.user, user = None, nobody.user
    nobody.save()
    browser = Client()
    assert user
    browser.force_login(user, backend="allauth.account.auth_backends.AuthenticationBackend")
    assert browser.get(PAGE).status_code == 403
