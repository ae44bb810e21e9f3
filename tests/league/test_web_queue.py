"""The queue on its page: join, wait, accept, all without a script."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import ArenaQueue, Match, Offence, Ticket
from league.services.clock import database_now
from league.services.discipline import penalise
from league.services.pairing import tick
from tests.league.test_pairing import ANYBODY
from tests.league.web_steps import browser_of, words

if TYPE_CHECKING:
    from league.models import Arena, Player, Roster

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams, matcher="new", rules={"queue": ANYBODY})


def page(arena: Arena, player: Player | None = None) -> str:
    browser = browser_of(player) if player else Client()
    return words(browser.get(reverse("queue", args=[arena.slug])))


def joins(player: Player, arena: Arena, roster: Roster | None = None) -> Any:
    data = {"roster": roster.pk} if roster else {}
    return browser_of(player).post(reverse("queue_join", args=[arena.slug]), data, follow=True)


def answers(player: Player, arena: Arena, word: str) -> Any:
    ticket = Ticket.objects.of(player).get()
    assert ticket.proposal_id
    where = reverse("queue_answer", args=[arena.slug, ticket.proposal_id])
    return browser_of(player).post(where, {"answer": word}, follow=True)


def test_alice_queues_her_owls_sees_them_wait_and_leaves(
    owls: Roster, teams: Arena, alice: Player
) -> None:
    said = words(joins(alice, teams, owls))
    assert "You are in the queue" in said
    assert "Alice, Bob" in said
    assert "within 1000 points of your rating" in said
    left = browser_of(alice).post(reverse("queue_leave", args=[teams.slug]), follow=True)
    assert "You have left the queue" in words(left)
    assert not Ticket.objects.open().exists()


def test_others_see_how_many_wait_in_each_band_but_not_who(
    owls: Roster, teams: Arena, alice: Player
) -> None:
    assert "Nobody waits" in page(teams)
    joins(alice, teams, owls)
    said = page(teams)
    assert "1200 to 1400 2" in said
    assert "Alice" not in said


def test_a_refusal_says_who_and_why(owls: Roster, teams: Arena, alice: Player, bob: Player) -> None:
    penalise([bob], Offence.QUEUE_DODGE, teams, now=database_now())
    refusal = joins(alice, teams, owls)
    assert refusal.status_code == 400
    assert "Bob is in a timeout for" in words(refusal)
    assert "You are in a timeout until" in page(teams, bob)


def test_eve_cannot_queue_a_roster_that_is_not_hers(
    owls: Roster, teams: Arena, eve: Player
) -> None:
    refusal = joins(eve, teams, owls)
    assert refusal.status_code == 400
    assert not Ticket.objects.exists()


def test_from_the_queue_to_the_match(
    owls: Roster,
    foxes: Roster,
    teams: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
) -> None:
    joins(alice, teams, owls)
    joins(charlie, teams, foxes)
    tick(teams.pk, now=database_now(), seed=1)
    assert "Match found" in page(teams, bob)
    for player in (alice, bob, charlie):
        assert "You have accepted" in words(answers(player, teams, "accept"))
    assert "3 of 4 ready" in page(teams, dora)
    assert "Your match is on" in words(answers(dora, teams, "accept"))
    assert Match.objects.get().sides.count() == 2


def test_who_declines_reads_what_it_means(
    owls: Roster, foxes: Roster, teams: Arena, alice: Player, charlie: Player
) -> None:
    joins(alice, teams, owls)
    joins(charlie, teams, foxes)
    tick(teams.pk, now=database_now(), seed=1)
    assert "counts as a dodge" in words(answers(charlie, teams, "decline"))
    assert "You are in the queue" in page(teams, alice)


def test_a_script_asks_for_the_state_alone(teams: Arena, alice: Player) -> None:
    where = reverse("queue", args=[teams.slug])
    part = browser_of(alice).get(where, headers={"HX-Request": "true"}).content.decode()
    assert "Find a match" in part
    assert "<html" not in part


def test_an_arena_without_a_queue_has_no_page_for_it(duel: Arena, alice: Player) -> None:
    assert browser_of(alice).get(reverse("queue", args=[duel.slug])).status_code == 404
    assert "Queue" not in words(browser_of(alice).get(duel.get_absolute_url()))


def test_bob_reads_his_dishonor_and_what_the_next_offence_costs(teams: Arena, bob: Player) -> None:
    settings = browser_of(bob)
    assert "You have no dishonor" in words(settings.get(reverse("settings")))
    penalise([bob], Offence.QUEUE_DODGE, teams, now=database_now())
    said = words(settings.get(reverse("settings")))
    assert "3 stacks of dishonor" in said
    assert "You are in a timeout until" in said
    assert "For not accepting a match you would have 6 stacks" in said
    penalise([bob], Offence.BANNED, teams, now=database_now())
    assert "You are banned from queues" in words(settings.get(reverse("settings")))
