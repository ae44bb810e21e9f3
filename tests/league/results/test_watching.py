"""The board of live matches: what is being played now, for everybody, in few statements."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from league.models import Arena, Match, MatchEvent, Player, Profile, Roster
from league.services.core.clock import database_now
from league.services.results.playing.watching import live_matches
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.teams.founding import found
from league.web.results import watching
from tests.support.cast import account, beats
from tests.support.web_steps import browser_of, words

SCRIPT = {"HX-Request": "true"}


@pytest.fixture(autouse=True)
def fresh_pages() -> None:
    watching._boards.clear()


def plays(arena: Arena, *sides: list[Player], minutes: int = 3, **how: Any) -> Match:
    begun = database_now() - timedelta(minutes=minutes)
    return start(arena, [StartingSide(side[0], side) for side in sides], now=begun, **how)


def board(**query: str) -> str:
    return words(Client().get(reverse("live"), query))


def test_the_board_shows_sides_ratings_odds_and_since_when(
    alice: Player, bob: Player, charlie: Player, dora: Player, duel: Arena, teams: Arena
) -> None:
    beats(alice, bob, duel)
    plays(duel, [alice], [bob], minutes=12)
    plays(teams, [charlie, dora], [account("Fay"), account("Gus")], forecast=0.25)
    said = board()
    assert "Duel for 12 minutes" in said
    assert re.search(r"Alice 12[0-9][0-9]", said)
    assert "Teams for 3 minutes" in said
    assert "Expected result 25 %" in said
    assert "Expected result 75 %" in said
    of_duel = words(Client().get(reverse("arena_live", args=["duel"])))
    assert "Alice" in of_duel
    assert "Charlie" not in of_duel


def test_a_match_leaves_the_board_when_it_is_reported(
    alice: Player, bob: Player, duel: Arena
) -> None:
    match = plays(duel, [alice], [bob])
    assert [one.match_id for one in live_matches(duel, database_now())] == [match.pk]
    finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=database_now())
    assert live_matches(None, database_now()) == []
    said = board()
    assert "No match is being played right now" in said
    assert "Choose an arena" in said


def test_drafts_have_no_board(alice: Player, bob: Player, duel: Arena) -> None:
    plays(duel, [alice], [bob])
    duel.is_draft = True
    duel.save()
    assert live_matches(None, database_now()) == []
    assert Client().get(reverse("arena_live", args=["duel"])).status_code == 404


def test_events_of_a_game_server_are_points_and_the_best_come_first(
    alice: Player, bob: Player, charlie: Player, melee: Arena
) -> None:
    match = plays(melee, [alice], [bob], [charlie])
    for number, (winner, loser) in enumerate([(2, 0), (2, 1), (0, 1)], start=1):
        MatchEvent.objects.create(match=match, number=number, winner=winner, loser=loser)
    Match.objects.filter(pk=match.pk).update(event_count=3)
    (one,) = live_matches(None, database_now())
    assert [(side.players[0].name, side.points) for side in one.sides] == [
        ("Charlie", 2),
        ("Alice", 1),
        ("Bob", 0),
    ]
    assert "2 points Charlie" in board()


def test_a_board_of_any_length_takes_four_statements(
    duel: Arena, teams: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    people = [account(f"Player {number}") for number in range(12)]
    for number in range(0, 8, 2):
        plays(duel, [people[number]], [people[number + 1]])
    plays(teams, people[8:10], people[10:12])
    now = database_now()
    with django_assert_num_queries(4):
        assert len(live_matches(None, now)) == 5


def test_readers_share_a_board_for_a_second_and_polls_get_it_when_it_changes(
    alice: Player, bob: Player, duel: Arena, settings: Settings
) -> None:
    settings.PAGES_KEPT_FOR = 0
    page = Client().get(reverse("live")).content.decode()
    (seen,) = re.findall(r'hx-get="/live/\?seen=(\w+)"', page)
    assert Client().get(reverse("live"), {"seen": seen}, headers=SCRIPT).status_code == 204
    plays(duel, [alice], [bob])
    changed = Client().get(reverse("live"), {"seen": seen}, headers=SCRIPT).content.decode()
    assert "Alice" in changed
    assert "<html" not in changed
    settings.PAGES_KEPT_FOR = 600
    assert "Alice" in words(browser_of(bob).get(reverse("live")))
    Match.objects.update(status="void")
    assert "Alice" in words(browser_of(alice).get(reverse("live"))).replace("Alice My page", "", 1)
    watching._boards.clear()


def test_rosters_are_named_and_names_are_escaped(owls: Roster, foxes: Roster, teams: Arena) -> None:
    owls.name = "<b>Owls</b>"
    owls.save()
    sides = [
        StartingSide(roster.captain, list(roster.members.all()), roster) for roster in (owls, foxes)
    ]
    start(teams, sides, now=database_now())
    page = Client().get(reverse("live")).content.decode()
    assert "&lt;b&gt;Owls&lt;/b&gt;" in page
    assert "just begun" in page


def test_players_have_their_pictures_and_teams_their_crests_without_a_further_statement(
    owls: Roster, foxes: Roster, teams: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    team = found("The Owls", "owl", ("#112233", "#ffeedd"), by=owls.captain, now=database_now())
    Roster.objects.filter(pk=owls.pk).update(team=team)
    Profile.objects.update_or_create(player=owls.captain, defaults={"picture": "abc123"})
    for roster in (owls, foxes):
        roster.refresh_from_db()
    sides = [
        StartingSide(roster.captain, list(roster.members.all()), roster) for roster in (owls, foxes)
    ]
    start(teams, sides, now=database_now())
    now = database_now()
    with django_assert_num_queries(4):
        matches = live_matches(None, now)
        page = render_to_string("results/_live.html", {"matches": matches, "arena": None})
    assert reverse("avatar", args=[owls.captain.pk, "abc123"]) in page
    assert page.count("player-picture") == 4
    assert page.count("team-crest") == 1
