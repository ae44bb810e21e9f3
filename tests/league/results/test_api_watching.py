"""Matches that are being played now, as programs read them."""

from datetime import timedelta
from typing import Any

from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, MatchEvent, Player
from league.services.core.clock import database_now
from league.services.results.playing.watching import live_matches
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import account, beats


def plays(arena: Arena, *sides: list[Player], **how: Any) -> Match:
    begun = database_now() - timedelta(minutes=3)
    return start(arena, [StartingSide(side[0], side) for side in sides], now=begun, **how)


def read(address: str = "live-matches/") -> Any:
    return Client().get(f"/api/v1/{address}")


def test_live_matches_are_listed_with_ratings_and_odds(
    alice: Player, bob: Player, charlie: Player, dora: Player, duel: Arena, teams: Arena
) -> None:
    beats(alice, bob, duel)
    plays(duel, [alice], [bob])
    party = plays(teams, [charlie, dora], [account("Fay"), account("Gus")], forecast=0.25)
    latest, first = read().json()
    (expected,) = live_matches(duel, database_now())
    assert (latest["id"], latest["arena"]) == (party.pk, "teams")
    assert [side["chance"] for side in latest["sides"]] == [0.25, 0.75]
    assert [one["player"]["name"] for one in latest["sides"][0]["players"]] == ["Charlie", "Dora"]
    player = expected.sides[0].players[0]
    assert first["sides"][0]["players"] == [
        {
            "player": {"id": alice.pk, "name": "Alice"},
            "rating": player.rating,
            "shown": expected.shows.show(player.rating),
            "provisional": player.provisional,
        }
    ]
    assert (first["more_sides"], first["event_count"]) == (0, 0)
    assert [one["id"] for one in read("arenas/duel/live-matches/").json()] == [first["id"]]


def test_events_of_a_game_server_are_points(alice: Player, bob: Player, duel: Arena) -> None:
    match = plays(duel, [alice], [bob])
    MatchEvent.objects.create(match=match, number=1, winner=1, loser=0)
    match.event_count = 1
    match.save()
    (one,) = read().json()
    assert [side["points"] for side in one["sides"]] == [0, 1]


def test_drafts_have_no_live_matches(alice: Player, bob: Player, duel: Arena) -> None:
    plays(duel, [alice], [bob])
    duel.is_draft = True
    duel.save()
    assert read().json() == []
    assert read("arenas/duel/live-matches/").status_code == 404


def test_any_number_of_matches_takes_as_many_statements(
    duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(0, 6, 2):
        plays(duel, [account(f"Player {number}")], [account(f"Player {number + 1}")])
    with django_assert_num_queries(5):  # the time, matches, sides, players and ratings
        assert len(read().json()) == 3
