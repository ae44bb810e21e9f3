"""The queue page: join, wait and accept, all without scripts."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Offence,
    Player,
    Proposal,
    Rating,
    Roster,
    Ticket,
    User,
)
from league.services.core.clock import database_now
from league.services.dishonor.discipline import penalise
from league.services.queue.ticks import tick
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.cast import arena
from tests.support.queue_steps import ANYBODY, everyone_is_there
from tests.support.web_steps import browser_of, words


@pytest.fixture(autouse=True)
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams, matcher="new", rules={"queue": ANYBODY})


def page(arena: Arena, player: Player | None = None) -> str:
    browser = browser_of(player) if player else Client()
    return words(browser.get(reverse("queue", args=[arena.slug])))


def test_an_account_without_a_player_is_not_asked_to_log_in(teams: Arena) -> None:
    browser = Client()
    browser.force_login(User.objects.create_user("nina"))
    shown = words(browser.get(reverse("queue", args=[teams.slug])))
    assert "To queue, first choose a player name" in shown
    assert "Log in to queue" not in shown
    assert "Log in to queue" in page(teams)


def joins(player: Player, arena: Arena, roster: Roster | None = None) -> Any:
    data = {"roster": roster.pk} if roster else {}
    return browser_of(player).post(reverse("queue_join", args=[arena.slug]), data, follow=True)


def answers(player: Player, arena: Arena, word: str) -> Any:
    ticket = Ticket.objects.of(player).get()
    assert ticket.proposal_id
    where = reverse("queue_answer", args=[arena.slug, ticket.proposal_id])
    return browser_of(player).post(where, {"answer": word}, follow=True)


def test_friends_read_whom_alone_they_can_meet(owls: Roster, teams: Arena, alice: Player) -> None:
    queue = ArenaQueue.objects.get(arena=teams)
    queue.rules = {**queue.rules, "matcher": {"roster_size_max_diff": 0}}
    queue.save()
    said = words(joins(alice, teams, owls))
    assert "Only teams with a party of at least 2 players can meet yours." in said


def test_alice_queues_her_owls_sees_them_wait_and_leaves(
    owls: Roster, teams: Arena, alice: Player
) -> None:
    said = words(joins(alice, teams, owls))
    assert "You are in the queue" in said
    assert "Alice, Bob" in said
    assert "Within 1000 points of your rating" in said
    assert "Only teams with a party" not in said
    left = browser_of(alice).post(reverse("queue_leave", args=[teams.slug]), follow=True)
    assert "You have left the queue" in words(left)
    assert not Ticket.objects.open().exists()


def test_others_see_how_many_wait_in_each_band_but_not_who(
    owls: Roster, teams: Arena, alice: Player
) -> None:
    assert "Nobody is waiting" in page(teams)
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
    everyone_is_there()
    tick(teams.pk, now=database_now(), seed=1)
    assert "Match found" in page(teams, bob)
    for player in (alice, bob, charlie):
        assert "You have accepted" in words(answers(player, teams, "accept"))
    assert "3 of 4 ready" in page(teams, dora)
    assert "You are playing in Teams" in words(answers(dora, teams, "accept"))
    assert Match.objects.get().sides.count() == 2


def asks(player: Player, arena: Arena, **query: str) -> Any:
    """Request a part of the page, as its script does."""
    where = reverse("queue", args=[arena.slug])
    return browser_of(player).get(where, query, headers={"HX-Request": "true"})


def test_a_script_asks_for_the_state_alone_and_stops_when_nothing_can_change(
    queue: ArenaQueue, teams: Arena, alice: Player
) -> None:
    part = asks(alice, teams).content.decode()
    assert "Find a match" in part
    assert "<html" not in part
    assert "every 5s" in part
    joins(alice, teams)
    assert "every 2s" in asks(alice, teams, seen="idle").content.decode()
    Ticket.objects.get().members.update(open=False)
    queue.is_open = False
    queue.save()
    closed = asks(alice, teams, seen="idle").content.decode()
    assert "This queue is closed" in closed
    assert "hx-get" not in closed
    assert "hx-get" not in asks(alice, teams, part="who").content.decode()


def test_polls_do_not_replace_forms(teams: Arena, alice: Player) -> None:
    assert asks(alice, teams, seen="idle").status_code == 204
    joins(alice, teams)
    assert "Leave the queue" in asks(alice, teams, seen="idle").content.decode()
    figures = asks(alice, teams, seen="waiting")
    assert figures["HX-Retarget"] == "#figures"
    assert "Waiting for" in figures.content.decode()
    assert "<button" not in figures.content.decode()


def test_a_script_leads_to_the_match_when_it_begins(
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
    everyone_is_there()
    tick(teams.pk, now=database_now(), seed=1)
    assert 'value="accept"' in asks(bob, teams, seen="waiting").content.decode()
    for player in (alice, bob, charlie, dora):
        answers(player, teams, "accept")
    led = asks(bob, teams, seen=f"check-{Proposal.objects.get().pk}-accepted")
    assert led["HX-Redirect"] == Match.objects.get().get_absolute_url()


def test_players_read_their_win_chance_before_a_match(
    owls: Roster, foxes: Roster, teams: Arena, alice: Player, charlie: Player
) -> None:
    season = teams.current_season(database_now())
    assert season
    Rating.objects.create(
        season=season, player=alice, rating=1400, deviation=50, volatility=0.06, games=20
    )
    joins(alice, teams, owls)
    joins(charlie, teams, foxes)
    everyone_is_there()
    tick(teams.pk, now=database_now(), seed=1)
    mine, theirs = (
        int(re.search(r"expected result: (\d+)\s%", page(teams, player))[1])  # type: ignore[index] # it is there
        for player in (alice, charlie)
    )
    assert mine > 55
    assert mine + theirs == 100


def test_when_a_player_declines_the_others_read_why_they_are_back_in_the_queue(
    owls: Roster, foxes: Roster, teams: Arena, alice: Player, charlie: Player
) -> None:
    joins(alice, teams, owls)
    joins(charlie, teams, foxes)
    everyone_is_there()
    tick(teams.pk, now=database_now(), seed=1)
    answers(charlie, teams, "decline")
    assert "That match is off: a player was not ready" in page(teams, alice)
    assert "You are back at the front of the queue" in page(teams, alice)


def test_the_page_shows_how_far_laurels_search_has_widened(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player
) -> None:
    queue.start_from("small-community")
    queue.save()
    joins(alice, teams)
    joins(bob, teams)
    now = database_now()
    spans = []
    for seconds in (10, 40):
        Ticket.objects.update(queued_at=now - timedelta(seconds=seconds))
        span = re.search(r"A match may now span about (\d+) rating points", page(teams, alice))
        assert span
        spans.append(int(span[1]))
    assert spans[0] < spans[1] <= queue.matching().queue.rating_max
    Ticket.objects.update(queued_at=now - timedelta(hours=1))
    assert "You are first in line now" in page(teams, alice)


def test_the_usual_wait_comes_from_recent_matches(teams: Arena, alice: Player, bob: Player) -> None:
    assert "Usual wait: not known yet" in page(teams, alice)
    now = database_now()
    for seconds in (10, 20, 30, 40, 100):
        Ticket.objects.create(
            arena=teams,
            captain=bob,
            state=Ticket.State.PLAYED,
            queued_at=now - timedelta(seconds=60 + seconds),
            closed_at=now - timedelta(seconds=60),
            place=1,
        )
    assert "Usual wait: 30 seconds, nine in ten within 1 minute 40 seconds" in page(teams, alice)


def test_alice_chooses_among_the_game_modes(
    queue: ArenaQueue, owls: Roster, teams: Arena, alice: Player
) -> None:
    teams.modes = ["Conquest", "Stronghold"]
    teams.save()
    where = reverse("queue_join", args=[teams.slug])
    refusal = browser_of(alice).post(where, {"roster": owls.pk})
    assert refusal.status_code == 400
    assert "Choose one or more game modes: Conquest, Stronghold" in words(refusal)
    sent = {"roster": owls.pk, "modes": ["Stronghold", "Conquest"]}
    assert "Conquest, Stronghold" in words(browser_of(alice).post(where, sent, follow=True))
    assert Ticket.objects.get().modes == ["Conquest", "Stronghold"]


def test_alice_sets_a_rank_filter(queue: ArenaQueue, teams: Arena, alice: Player) -> None:
    where = reverse("queue_filter", args=[teams.slug])
    saved = browser_of(alice).post(where, {"percentiles": "12.5"}, follow=True)
    assert 'value="12.5"' in saved.content.decode()
    joins(alice, teams)
    assert "Within 12.5 percentiles" in page(teams, alice)
    Ticket.objects.update(queued_at=database_now() - timedelta(seconds=70))
    assert "Within 20 percentiles" in page(teams, alice)
    browser_of(alice).post(where, {"percentiles": "12.5", "strict": "on"})
    assert "Within 12.5 percentiles, strictly" in page(teams, alice)
    for typed in ("0", "101", "nan", "near"):
        refusal = browser_of(alice).post(where, {"percentiles": typed})
        assert refusal.status_code == 400
    browser_of(alice).post(where, {"percentiles": ""})
    assert "percentiles, strictly" not in page(teams, alice)


def test_a_ladders_bands_are_ranks(alice: Player, bob: Player) -> None:
    ladder = arena("ladder", rating_system="ladder")
    ArenaQueue.objects.create(arena=ladder)
    season = ladder.current_season(database_now())
    assert season
    for rank, player in ((3, alice), (14, bob)):
        Rating.objects.create(season=season, player=player, rating=rank, games=1)
        joins(player, ladder)
    assert "Ranks Players 1 to 10 1 11 to 20 1" in page(ladder)


def test_an_arena_without_a_queue_has_no_page_for_it(duel: Arena, alice: Player) -> None:
    assert browser_of(alice).get(reverse("queue", args=[duel.slug])).status_code == 404
    assert "Queue" not in words(browser_of(alice).get(duel.get_absolute_url()))


def test_alices_profession_is_kept_in_the_match_and_its_report(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})
    where = reverse("queue_join", args=[duel.slug])
    assert "Your profession" in page(duel, alice)
    refused = browser_of(alice).post(where, {"profession": "x" * 41})
    assert (refused.status_code, Ticket.objects.count()) == (400, 0)
    assert "at most 40 characters" in words(refused)
    assert browser_of(alice).post(where, {"profession": "\0"}).status_code == 400
    browser_of(alice).post(where, {"profession": " Warden "})
    joins(charlie, duel)
    tick(duel.pk, now=database_now(), seed=1)
    for player in (alice, charlie):
        answers(player, duel, "accept")
    match = Match.objects.get()
    report = browser_of(alice).get(reverse("match_report", args=[match.pk])).content.decode()
    assert f'name="profession-{alice.pk}" value="Warden"' in report
    finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=database_now())
    confirm(match.pk, by=charlie, now=database_now())
    assert match.participants.get(player=alice).profession == "Warden"
    assert 'name="profession" value="Warden"' in str(
        browser_of(alice).get(reverse("queue", args=[duel.slug])).content
    )


def test_who_joins_in_a_second_tab_is_led_to_the_queue(
    teams: Arena, duel: Arena, alice: Player
) -> None:
    ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})
    joins(alice, teams)
    again = joins(alice, teams)
    assert again.redirect_chain[-1][0] == reverse("queue", args=[teams.slug])
    assert "You are in the queue" in words(again)
    elsewhere = joins(alice, duel)
    assert elsewhere.redirect_chain[-1][0] == reverse("queue", args=[teams.slug])
    assert "Alice is already in the queue of Teams" in words(elsewhere)


def test_who_joins_during_a_match_is_led_to_it(teams: Arena, alice: Player, bob: Player) -> None:
    match = start(
        teams, [StartingSide(alice, [alice]), StartingSide(bob, [bob])], now=database_now()
    )
    led = joins(alice, teams)
    assert led.redirect_chain[-1][0] == match.get_absolute_url()
    assert "Alice" in words(led)


def test_a_refused_filter_is_shown_at_its_field_with_what_was_typed(
    teams: Arena, alice: Player
) -> None:
    where = reverse("queue_filter", args=[teams.slug])
    refused = browser_of(alice).post(where, {"percentiles": "250"})
    assert refused.status_code == 400
    page = refused.content.decode()
    assert 'role="alert"' in page
    assert "Choose from 1 to 100 percentiles. With 100 you can meet anyone." in words(refused)
    assert 'href="#percentiles"' in page
    field = re.search(r'<input[^>]*id="percentiles"[^>]*>', page)
    assert field
    assert 'value="250"' in field[0]
    assert 'aria-invalid="true"' in field[0]
    assert "Queue alone" in words(refused), "the rest of the page is there, too"


def test_a_refused_roster_leads_to_the_rosters(
    owls: Roster, teams: Arena, duel: Arena, alice: Player, bob: Player
) -> None:
    ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})
    joins(bob, duel)
    refused = joins(alice, teams, owls)
    assert refused.status_code == 409
    assert "Bob is already in the queue of Duel" in words(refused)
    assert f'href="{reverse("rosters", args=[teams.slug])}"' in refused.content.decode()
    assert "Or queue alone" in words(refused)


def test_a_closed_queue_leads_to_other_arenas(teams: Arena, alice: Player) -> None:
    ArenaQueue.objects.update(is_open=False)
    refused = joins(alice, teams)
    assert refused.status_code == 400
    assert "Find another arena" in words(refused)
