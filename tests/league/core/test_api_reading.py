"""The API's public data is complete, exact and paged, at a constant number of queries."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from league.api.results.queries import LISTED_SIDES
from league.models import Arena, Format, Match, Player, Rating, RatingEvent
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, account, arena, beats, put_in_order, side


def read(address: str) -> Any:
    answer = APIClient().get(f"/api/v1/{address}")
    assert answer.status_code == 200, answer.json()
    return answer.json()


def played(winner: Player, loser: Player, where: Arena, *, days: int = 0) -> Match:
    match = beats(winner, loser, where, now=NOW + timedelta(days=days))
    confirmed = confirm(match.pk, by=loser, now=NOW + timedelta(days=days))
    put_in_order()
    return confirmed


def test_a_leaderboard_is_searched_and_paged_and_shares_ranks(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    played(alice, charlie, duel)
    played(bob, dora, duel)
    board = read("arenas/duel/leaderboard/")
    ranks = {row["player"]["name"]: row["rank"] for row in board["results"]}
    assert ranks == {"Alice": 1, "Bob": 1, "Charlie": 3, "Dora": 3}
    found = read("arenas/duel/leaderboard/?search=DOR")
    assert [(row["rank"], row["player"]["id"]) for row in found["results"]] == [(3, dora.pk)]
    assert found["count"] == 1

    first = read("arenas/duel/leaderboard/?page_size=3")
    assert (first["count"], len(first["results"]), first["previous"]) == (4, 3, None)
    last = APIClient().get(first["next"]).json()
    assert [row["player"]["name"] for row in last["results"]] == ["Dora"]
    assert last["next"] is None
    assert APIClient().get(last["previous"]).json()["results"] == first["results"]
    beyond = APIClient().get("/api/v1/arenas/duel/leaderboard/?page_size=3&page=3")
    assert beyond.status_code == 404
    assert beyond.json()["detail"] == "There is no page 3."


def test_a_leaderboard_is_filtered_and_goes_on_where_a_page_ended(
    duel: Arena, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        Rating.objects.create(
            season=duel.seasons.get(),
            player=Player.objects.create(name=f"Guest {number}"),
            rating=1500 - number,
            deviation=40 if number % 2 else 350,
            volatility=0.06,
            games=1,
            last_played_at=timezone.now(),
        )
    put_in_order()
    read("arenas/duel/leaderboard/")
    with django_assert_max_num_queries(6):
        first = read("arenas/duel/leaderboard/?sure=200&page_size=2")
    assert [row["rank"] for row in first["results"]] == [2, 4]
    assert (first["count"], first["previous"]) == (None, None)
    last = APIClient().get(first["next"]).json()
    assert [row["rank"] for row in last["results"]] == [6]
    assert last["next"] is None
    assert APIClient().get(last["previous"]).json()["results"] == first["results"]
    found = read("arenas/duel/leaderboard/?sure=200&search=guest&page_size=2")
    assert (found["count"], [row["rank"] for row in found["results"]]) == (3, [2, 4])
    division = first["results"][0]["division"]["name"]
    (row,) = read(f"arenas/duel/leaderboard/?division={division}&search=guest+1")["results"]
    assert row["rank"] == 2
    answer = APIClient().get("/api/v1/arenas/duel/leaderboard/?sure=200&cursor=there")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["field"] == "cursor"


def test_the_leaderboard_of_an_arena_between_seasons_is_that_of_the_last(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    played(alice, charlie, duel)
    duel.seasons.update(ends_at=NOW + timedelta(days=1))
    assert len(read("arenas/duel/leaderboard/")["results"]) == 2
    bare = Arena.objects.create(name="New", slug="new")
    answer = APIClient().get(f"/api/v1/arenas/{bare.slug}/leaderboard/")
    assert answer.status_code == 404
    assert "no season yet" in answer.json()["detail"]


def test_alice_has_one_rating_for_each_season(duel: Arena, alice: Player, charlie: Player) -> None:
    elo = arena("elo", rating_system="elo")
    played(alice, charlie, duel)
    played(charlie, alice, elo, days=1)
    shown = read(f"players/{alice.pk}/ratings/")["results"]
    assert [(row["arena"]["slug"], row["rank"], row["games"]) for row in shown] == [
        ("elo", 2, 1),
        ("duel", 1, 1),
    ]
    assert shown[0]["deviation"] is None
    assert shown[1]["deviation"] > 30


def test_alices_history_reads_back_to_the_last_bit(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    elo = arena("elo", rating_system="elo")
    matches = [played(alice, charlie, duel, days=day) for day in range(3)]
    played(charlie, alice, elo, days=4)
    history = read(f"players/{alice.pk}/rating-history/?arena=duel")["results"]
    assert [row["match"] for row in history] == [match.pk for match in matches]
    events = RatingEvent.objects.filter(player=alice, season__arena=duel).order_by("id")
    for row, event in zip(history, events, strict=True):
        for name in ("rating_before", "rating_after", "deviation_after", "volatility_after"):
            assert row[name].hex() == getattr(event, name).hex()
        assert row["why"] == event.why
        assert row["change"] == event.rating_after - event.rating_before
    assert len(read(f"players/{alice.pk}/rating-history/")["results"]) == 4


def test_matches_are_listed_by_arena_player_and_status(
    duel: Arena, melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    rated = played(alice, charlie, duel)
    waiting = beats(alice, bob, duel, now=NOW + timedelta(days=1))
    brawl = report(
        melee,
        [side(bob, place=0), side(alice, place=0), side(charlie, place=2)],
        reporter=bob,
        played_at=NOW,
        now=NOW,
    )

    def listed(query: str) -> list[int]:
        return [row["id"] for row in read(f"matches/?{query}")["results"]]

    assert listed("") == [waiting.pk, brawl.pk, rated.pk]
    assert listed("arena=duel") == [waiting.pk, rated.pk]
    assert listed(f"player={charlie.pk}") == [brawl.pk, rated.pk]
    assert listed("status=rated") == [rated.pk]
    assert listed(f"arena=duel&player={bob.pk}&status=reported") == [waiting.pk]
    assert listed("arena=nowhere") == []


def test_a_list_shows_the_best_of_a_crowd_and_the_match_shows_all(alice: Player) -> None:
    crowd = arena("crowd", format=Format.FREE_FOR_ALL, sides_max=100)
    others = [account(f"Guest {number:02}") for number in range(LISTED_SIDES + 3)]
    everyone = [*others, alice]
    match = report(
        crowd,
        [side(player, place=len(others) - row) for row, player in enumerate(everyone)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
    )
    (listed,) = read("matches/")["results"]
    assert listed["side_count"] == len(everyone)
    assert [one["place"] for one in listed["sides"]] == list(range(LISTED_SIDES))
    assert listed["sides"][0]["captain"]["name"] == "Alice"
    whole = read(f"matches/{match.pk}/")
    assert len(whole["sides"]) == len(everyone)
    assert [one["index"] for one in whole["sides"]] == list(range(len(everyone)))


def test_times_are_in_utc_whatever_zone_the_pages_are_read_in(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    client = APIClient()
    client.cookies["timezone"] = "Asia/Tokyo"
    shown = client.get(f"/api/v1/matches/{match.pk}/").json()
    assert shown["reported_at"] == NOW.isoformat().replace("+00:00", "Z")
