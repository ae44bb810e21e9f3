"""The bar of a player who waits or has a ready check, on whatever page they are."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, ArenaQueue, Match, Player, Proposal, Ticket
from league.services.core.clock import database_now
from league.services.queue.queueing import join, leave
from league.services.queue.ticks import tick
from tests.support.queue_steps import ANYBODY
from tests.support.web_steps import browser_of, words

SCRIPT = {"HX-Request": "true"}
ELSEWHERE = "/players/"


@pytest.fixture(autouse=True)
def queue(duel: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})


def waits(player: Player, arena: Arena, seconds: float) -> None:
    ticket = join(arena, player, [], now=database_now())
    Ticket.objects.filter(pk=ticket.pk).update(
        queued_at=database_now() - timedelta(seconds=seconds)
    )


def poll_of(browser: Client) -> str:
    """Return the address that the bar of a page polls."""
    page = browser.get(ELSEWHERE).content.decode()
    (address,) = re.findall(r'hx-get="(/matches/waiting/[^"]*)"', page)
    return html.unescape(address)


def asks(browser: Client, address: str) -> Any:
    return browser.get(address, headers=SCRIPT)


def test_alice_reads_on_every_page_how_long_she_has_waited_and_her_place(
    alice: Player, bob: Player, duel: Arena
) -> None:
    waits(bob, duel, 200)
    waits(alice, duel, 75)
    said = words(browser_of(alice).get(ELSEWHERE))
    assert re.search(r"You are in the queue of Duel ?\. Waiting for 1:\d\d", said)
    assert "Place 2 of 2 by time waited." in said
    assert "Place 1 of 2" in words(browser_of(bob).get(ELSEWHERE))
    assert "by time waited" not in words(browser_of(alice).get(reverse("queue", args=["duel"])))


def test_a_poll_of_the_bar_costs_one_statement_while_nothing_changes(
    alice: Player, duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    waits(alice, duel, 5)
    browser = browser_of(alice)
    address = poll_of(browser)
    with django_assert_num_queries(1):
        assert asks(browser, address).status_code == 204
    leave(Ticket.objects.get().pk, by=alice, now=database_now())
    assert "You are in the queue" not in words(asks(browser, address))


def test_players_who_do_not_wait_pay_no_statement_for_the_bar(
    alice: Player, bob: Player, duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser, other = browser_of(alice), browser_of(bob)
    where = reverse("inbox")
    for reader in (browser, other):
        reader.get(where)
    with django_assert_num_queries(5):
        browser.get(where)
    waits(bob, duel, 5)
    with django_assert_num_queries(5 + 2):  # the place in the queue, and the time
        other.get(where)


def test_the_match_is_found_answered_and_begun_from_another_page(
    alice: Player, bob: Player, duel: Arena
) -> None:
    waits(alice, duel, 5)
    waits(bob, duel, 5)
    browser, other = browser_of(alice), browser_of(bob)
    address = poll_of(browser)
    tick(duel.pk, now=database_now(), seed=1)
    found = asks(browser, address)
    assert "Match found in Duel. 0 of 2 have accepted." in words(found)
    assert "data-found" in found.content.decode()
    assert "Bob" not in found.content.decode()
    check = Proposal.objects.get()
    where = reverse("queue_answer", args=["duel", check.pk])
    assert where in found.content.decode()
    other.post(where, {"answer": "accept"})
    told = other.get(ELSEWHERE)
    assert "1 of 2 have accepted. You have, too." in words(told)
    assert "data-found" not in told.content.decode()
    assert where not in told.content.decode()
    assert "1 of 2 have accepted" in words(asks(browser, address))
    browser.post(where, {"answer": "accept"})
    assert Match.objects.get().status == "live"
    assert "have accepted" not in words(browser.get(ELSEWHERE))


def test_the_form_of_a_polled_bar_can_be_sent(alice: Player, bob: Player, duel: Arena) -> None:
    waits(alice, duel, 5)
    waits(bob, duel, 5)
    browser = Client(enforce_csrf_checks=True)
    assert alice.user
    browser.force_login(alice.user)
    address = poll_of(browser)
    tick(duel.pk, now=database_now(), seed=1)
    bar = asks(browser, address).content.decode()
    (token,) = re.findall(r'name="csrfmiddlewaretoken" value="([^"]+)"', bar)
    where = reverse("queue_answer", args=["duel", Proposal.objects.get().pk])
    sent = browser.post(where, {"answer": "decline", "csrfmiddlewaretoken": token})
    assert sent.status_code == 302
    assert Proposal.objects.get().state == "cancelled"
    assert "declined" not in words(browser_of(bob).get(ELSEWHERE))
