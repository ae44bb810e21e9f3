"""Polls of browsers that wait: cheap while nothing changes, and never wrong."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from league.models import Arena, ArenaQueue, Player, Ticket
from league.services.core.clock import database_now
from league.services.queue.queueing import join, leave
from league.services.queue.ticks import tick
from league.web.core.polling import FIGURES_EVERY
from tests.support.queue_steps import ANYBODY
from tests.support.web_steps import browser_of

SCRIPT = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def queue(duel: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})


def waits(player: Player, arena: Arena, seconds: float = 5) -> None:
    """Let a player have waited for so long."""
    ticket = join(arena, player, [], now=database_now())
    Ticket.objects.filter(pk=ticket.pk).update(
        queued_at=database_now() - timedelta(seconds=seconds)
    )


def poll_of(player: Player, arena: Arena) -> str:
    """Return the address that the page of a waiting player polls."""
    page = browser_of(player).get(reverse("queue", args=[arena.slug])).content.decode()
    (address,) = re.findall(r'hx-get="([^"]*seen=waiting[^"]*)"', page)
    return html.unescape(address)


def polls(address: str, browser: Client | None = None) -> Any:
    return (browser or Client()).get(address, headers=SCRIPT)


def test_a_poll_while_nothing_changes_costs_one_statement_and_no_session(
    alice: Player, duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    waits(alice, duel)
    address, browser = poll_of(alice, duel), browser_of(alice)
    with django_assert_num_queries(1):
        assert polls(address, browser).status_code == 204


def test_the_figures_come_every_ten_seconds(alice: Player, duel: Arena) -> None:
    waits(alice, duel, seconds=2 * FIGURES_EVERY)
    answer = polls(poll_of(alice, duel), browser_of(alice))
    assert answer["HX-Retarget"] == "#figures"
    assert "Usual wait" in answer.content.decode()


def test_a_found_match_is_on_the_next_poll(alice: Player, bob: Player, duel: Arena) -> None:
    waits(alice, duel)
    waits(bob, duel)
    address = poll_of(alice, duel)
    tick(duel.pk, now=database_now(), seed=1)
    assert "Match found" in polls(address, browser_of(alice)).content.decode()


def test_leaving_in_another_window_is_on_the_next_poll(alice: Player, duel: Arena) -> None:
    waits(alice, duel)
    address, browser = poll_of(alice, duel), browser_of(alice)
    browser.post(reverse("queue_leave", args=[duel.slug]))
    assert "Find a match" in polls(address, browser).content.decode()


@pytest.mark.parametrize("forged", ["", "1", "1:forged", "x" * 5000, "%00", "99999999999999999999"])
def test_a_forged_pass_is_no_pass(alice: Player, duel: Arena, forged: str) -> None:
    waits(alice, duel)
    address = f"{reverse('queue', args=[duel.slug])}?seen=waiting&pass={forged}"
    answer = polls(address, browser_of(alice))
    assert answer.status_code in {200, 400}
    assert polls(address).status_code in {200, 400}


def test_a_pass_of_somebody_else_tells_only_whether_they_still_wait(
    alice: Player, bob: Player, duel: Arena
) -> None:
    waits(alice, duel)
    address = poll_of(alice, duel)
    assert polls(address, browser_of(bob)).content == b""
    leave(Ticket.objects.get().pk, by=alice, now=database_now())
    assert "Alice" not in polls(address, browser_of(bob)).content.decode()


def test_everybody_shares_the_table_of_who_waits(
    alice: Player,
    duel: Arena,
    settings: Settings,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    waits(alice, duel)
    address = f"{reverse('queue', args=[duel.slug])}?part=who"
    settings.PAGES_KEPT_FOR = 600
    table = polls(address).content.decode()
    assert "In the queue" in table
    assert "Alice" not in table
    browser = browser_of(alice)
    with django_assert_num_queries(0):
        assert polls(address, browser).content.decode() == table
    settings.PAGES_KEPT_FOR = 0
    leave(Ticket.objects.get().pk, by=alice, now=database_now())
    assert "Nobody is waiting" in polls(address).content.decode()


def test_there_is_no_table_without_a_queue(duel: Arena, queue: ArenaQueue) -> None:
    queue.delete()
    assert polls(f"{reverse('queue', args=[duel.slug])}?part=who").status_code == 404
    assert polls(f"{reverse('queue', args=['none'])}?part=who").status_code == 404
