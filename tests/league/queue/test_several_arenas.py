"""One ticket in several arenas: the first match found takes its player out of all queues."""

import threading
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Participant,
    Player,
    Proposal,
    Roster,
    Tick,
    Ticket,
    TicketArena,
    TicketMember,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Refused
from league.services.integrity.queue import breaches
from league.services.queue import ticks
from league.services.queue.queueing import MOST_ARENAS, join, leave
from league.services.queue.ready_checks import accept, decline
from league.services.queue.ticks import due_arenas, tick
from tests.support.cast import NOW, arena
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import ANYBODY, crowd
from tests.support.web_steps import browser_of, words

RULES = {"queue": ANYBODY}


def queue_in(place: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=place, matcher="new", rules=RULES)


@pytest.fixture
def other(db: None) -> Arena:
    made = arena("other")
    queue_in(made)
    return made


@pytest.fixture
def here(duel: Arena) -> Arena:
    queue_in(duel)
    return duel


def later(seconds: float) -> Any:
    return NOW + timedelta(seconds=seconds)


def test_the_match_found_elsewhere_takes_the_player_out_of_all_queues(
    alice: Player, bob: Player, charlie: Player, here: Arena, other: Arena
) -> None:
    ticket = join(here, alice, [], now=NOW, also=[other])
    join(other, bob, [], now=NOW)
    join(here, charlie, [], now=NOW)
    assert set(due_arenas(NOW)) == {here.pk, other.pk}
    assert tick(other.pk, now=NOW, seed=1)
    check = Proposal.objects.get()
    assert check.arena == other
    made = tick(here.pk, now=NOW, seed=1)
    assert made
    assert (made.tickets, made.matches) == (1, 0)  # Charlie alone
    with pytest.raises(Conflict):
        leave(ticket.pk, by=alice, now=NOW)
    for player in (alice, bob):
        accept(check.pk, by=player, now=later(1))
    ticket.refresh_from_db()
    assert (ticket.state, ticket.arena) == ("played", other)
    assert not TicketArena.objects.exists()
    assert Participant.objects.filter(player=alice, live=True, match__arena=other).count() == 1
    assert breaches(later(2)) == []


def test_a_cancelled_match_returns_the_player_to_all_queues(
    alice: Player, bob: Player, charlie: Player, here: Arena, other: Arena
) -> None:
    ticket = join(here, alice, [], now=NOW, also=[other])
    join(other, bob, [], now=NOW)
    tick(other.pk, now=NOW, seed=1)
    decline(Proposal.objects.get().pk, by=bob, now=later(1))
    ticket.refresh_from_db()
    assert (ticket.state, ticket.arena) == ("waiting", here)
    assert TicketArena.objects.get().arena == other
    join(here, charlie, [], now=later(2))
    tick(here.pk, now=later(60), seed=1)
    assert Proposal.objects.filter(state="open", arena=here).count() == 1
    assert breaches(later(61)) == []


def test_who_may_not_wait_in_one_of_the_arenas_waits_in_none(
    alice: Player, here: Arena, other: Arena, owls: Roster, teams: Arena
) -> None:
    queue_in(teams)
    closed = arena("closed")
    many = [arena(f"many-{number}") for number in range(MOST_ARENAS)]
    for one in many:
        queue_in(one)
    ranked = ArenaQueue.objects.get(arena=other)
    ranked.rules = {"queue": {**ANYBODY, "rank_min": 5}}
    ranked.save()
    refusals: list[tuple[str, str, Any]] = [
        ("closed", "The queue of Closed is closed.", {"also": [closed]}),
        ("several_arenas", "up to 5 arenas", {"also": many}),
        ("members", "Other: Alice has rank 0 and needs 5", {"also": [other]}),
    ]
    for code, text, given in refusals:
        with pytest.raises(Refused, match=text) as refusal:
            join(here, alice, [], now=NOW, **given)
        assert (refusal.value.code, refusal.value.field) == (code, "also")
    with pytest.raises(Refused, match="A roster plays in one arena"):
        join(teams, alice, owls.members.all(), roster=owls, now=NOW, also=[here])
    assert not Ticket.objects.exists()
    join(here, alice, [], now=NOW, also=[here, *many[:4], many[0]])
    assert TicketArena.objects.count() == 4
    with pytest.raises(Conflict):
        join(many[0], alice, [], now=NOW)


def test_each_arena_has_its_own_modes_and_places(
    alice: Player, bob: Player, here: Arena, other: Arena
) -> None:
    other.modes = ["Blitz"]
    other.save()
    ticket = join(here, alice, [], now=NOW, also=[other])
    join(other, bob, [], now=NOW, modes=["Blitz"])
    other.modes = ["Rapid"]  # the ticket adopts it there alone
    other.save()
    tick(other.pk, now=NOW, seed=1)
    assert Proposal.objects.get().mode == "Rapid"
    ticket.refresh_from_db()
    assert ticket.modes == []
    for player in (alice, bob):
        accept(Proposal.objects.get().pk, by=player, now=later(1))
    assert breaches(later(2)) == []


def test_the_page_offers_the_arenas_and_shows_the_wait_in_each(
    alice: Player, bob: Player, here: Arena, other: Arena
) -> None:
    browser = browser_of(alice)
    page = reverse("queue", args=[here.slug])
    assert "Also wait in Other" in words(browser.get(page))
    refused = browser.post(reverse("queue_join", args=[here.slug]), {"also": ["other", "none"]})
    assert refused.status_code == 400
    assert "One of these arenas does not exist" in words(refused)
    said = browser.post(reverse("queue_join", args=[here.slug]), {"also": "other"}, follow=True)
    assert "Also waiting in Other" in words(said)
    there = reverse("queue", args=["other"])
    assert "Also waiting in Duel" in words(browser.get(there))
    assert "by time waited" not in words(browser.get(there))
    assert "And in 1 more." in words(browser.get("/players/"))
    assert "1200 to 1400 1" in words(browser.get(there))
    join(other, bob, [], now=database_now())
    tick(other.pk, now=database_now(), seed=1)
    assert "Arena: Other" in words(browser.get(page))
    assert "Match found in Other." in words(browser.get("/players/"))
    where = reverse("queue_answer", args=["other", Proposal.objects.get().pk])
    assert where in browser.get(page).content.decode()


def ticks_at_once(places: list[Arena]) -> list[object]:
    """Tick arenas at once: all have read their players before any writes."""
    all_have_read = threading.Barrier(len(places), timeout=10)
    engine = ticks.run_matcher

    def together(*arguments: Any, **options: Any) -> Any:
        outcome = engine(*arguments, **options)
        all_have_read.wait()
        return outcome

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ticks, "run_matcher", together)
        return list(all_at_once([partial(tick, one.pk, now=NOW, seed=7) for one in places]))


def seats() -> list[int]:
    return [seat for check in Proposal.objects.all() for team in check.seats for seat in team]


@pytest.mark.django_db(transaction=True)
def test_ticks_of_two_arenas_at_once_never_book_a_player_twice(here: Arena, other: Arena) -> None:
    for player in crowd(10):
        join(here, player, [], now=NOW, also=[other])
    answers = ticks_at_once([here, other])
    assert [answer.matches for answer in answers if isinstance(answer, Tick)] == [5, 5]
    taken = seats()
    assert len(taken) == len(set(taken)) > 0
    assert Ticket.objects.filter(state="proposed").count() == len(taken)
    for check in Proposal.objects.all():
        for member in TicketMember.objects.filter(ticket__proposal=check).select_related("player"):
            accept(check.pk, by=member.player, now=later(1))
    assert Participant.objects.filter(live=True).count() == len(taken)
    assert breaches(later(2)) == []


@pytest.mark.django_db(transaction=True)
def test_without_the_claim_two_arenas_book_the_same_players(
    here: Arena, other: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: claiming the tickets is what prevents it."""
    for player in crowd(4):
        join(here, player, [], now=NOW, also=[other])
    monkeypatch.setattr(ticks, "claim", set)
    ticks_at_once([here, other])
    taken = seats()
    assert len(taken) > len(set(taken))


@pytest.mark.django_db(transaction=True)
def test_two_workers_tick_both_arenas_again_and_again(here: Arena, other: Arena) -> None:
    """Players come, ticks of both arenas cross each other, and answers are given meanwhile."""
    people = crowd(16)
    for turn in range(4):
        now = later(60 * turn)
        for number, player in enumerate(people[4 * turn : 4 * turn + 4]):
            first, second = (here, other) if number % 2 else (other, here)
            join(first, player, [], now=now, also=[second])
        all_at_once(
            [partial(tick, one.pk, now=now, seed=turn) for one in (here, other, here, other)]
        )
        taken = seats()
        assert len(taken) == len(set(taken))
        for check in Proposal.objects.filter(state="open"):
            asked = TicketMember.objects.filter(ticket__proposal=check)
            for member in asked.select_related("player"):
                accept(check.pk, by=member.player, now=now + timedelta(seconds=1))
    playing = Participant.objects.filter(live=True).values_list("player", flat=True)
    assert len(playing) == len(set(playing)) > 0
    assert breaches(later(182)) == []
