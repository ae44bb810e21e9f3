"""Ladder points on pages, in the API and in the admin."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from league.models import Arena, Match, Player, PointEntry, Season
from league.services.points import points_leaderboard
from league.services.seasons import ending
from tests.support import api_steps
from tests.support.admin_steps import send
from tests.support.cast import NOW, side
from tests.support.point_steps import HALF_PAST, give, plays, with_points
from tests.support.web_steps import browser_of, words


@pytest.fixture
def ladder(db: None) -> Arena:
    return with_points()


@pytest.fixture
def rated_match(ladder: Arena, alice: Player, bob: Player) -> Match:
    return plays(ladder, side(alice, place=0, score=500), side(bob, place=1, score=300))


def test_the_page_shows_the_leaderboard_of_points_and_the_rules(
    ladder: Arena, rated_match: Match, alice: Player, bob: Player
) -> None:
    page = words(Client().get(reverse("points", args=["ladder"])))
    assert "1 Alice 1 1 1" in page
    assert "1 player listed" in page
    assert "20 % −1 from 0 % 0 from 60 % +1 from 80 % +2 from 100 %" in page
    assert "Bob" not in page
    assert "You are number 1: jump to me" in words(browser_of(alice).get("/arenas/ladder/points/"))
    assert "You have −1 points and are not listed yet" in words(
        browser_of(bob).get("/arenas/ladder/points/")
    )
    assert "Points" in words(Client().get("/arenas/ladder/"))


def test_an_arena_without_points_has_neither_tab_nor_board(duel: Arena, alice: Player) -> None:
    assert 'href="/arenas/duel/points/"' not in Client().get("/arenas/duel/").content.decode()
    page = words(Client().get("/arenas/duel/points/"))
    assert "has no ladder points" in page
    season = duel.seasons.get()
    for address in (
        f"/players/{alice.pk}/points/{season.pk}/",
        f"/seasons/{season.pk}/points/",
        f"/seasons/{season.pk}/points.csv",
        "/api/v1/arenas/duel/points/",
    ):
        assert Client().get(address).status_code == 404


def test_a_match_page_tells_what_points_it_gave_and_why(
    ladder: Arena, rated_match: Match, alice: Player, bob: Player
) -> None:
    page = words(Client().get(rated_match.get_absolute_url()))
    assert ("Ladder points: Even match, won: +1 point.") in page
    assert ("Ladder points: Even match, lost with 60 % of the winning score: −1 point.") in page
    assert "Ladder points 1 rank 1" in words(Client().get(alice.get_absolute_url()))


@pytest.mark.usefixtures("countless_reports")
def test_a_player_s_points_are_listed_match_by_match(
    ladder: Arena, rated_match: Match, bob: Player, alice: Player
) -> None:
    season = ladder.seasons.get()
    page = words(Client().get(f"/players/{bob.pk}/points/{season.pk}/"))
    assert "−1 points · 1 match · 0 wins · not listed" in page
    for _ in range(points_leaderboard.PER_PAGE):
        plays(ladder, side(alice, place=0), side(bob, place=1))
    first = Client().get(f"/players/{bob.pk}/points/{season.pk}/")
    assert first.content.decode().count("<tr>") == points_leaderboard.PER_PAGE + 1
    assert "lost with 60 % of the winning score" not in words(first)  # of the earliest match
    older = first.context["older"]
    page = words(Client().get(f"/players/{bob.pk}/points/{season.pk}/?before={older}"))
    assert "lost with 60 % of the winning score" in page
    assert "Latest" in page


def test_olga_sees_what_a_correction_does_to_points_before_she_makes_it(
    ladder: Arena, rated_match: Match, olga: Player, duel: Arena, alice: Player, bob: Player
) -> None:
    plays(ladder, side(alice, place=0), side(olga, place=1))
    staff, void = browser_of(olga), {"verdict": "voided", "reason": "Nobody was there."}
    page = words(staff.post(f"/matches/{rated_match.pk}/correct/", void))
    assert "The ladder points of 2 players would change." in page
    assert "Player Points now After Alice 2 1 Bob −1 none" in page
    program = api_steps.by_token(olga)
    asked = api_steps.send(
        program, f"/api/v1/matches/{rated_match.pk}/correction-preview/", {}
    ).json()
    assert asked["points"]["players"] == 2
    assert [
        (one["player"]["name"], one["before"], one["after"]) for one in asked["points"]["shown"]
    ] == [("Alice", 2, 1), ("Bob", -1, None)]

    plain = plays(duel, side(alice, place=0), side(bob, place=1))
    with CaptureQueriesContext(connection) as seen:
        page = words(staff.post(f"/matches/{plain.pk}/correct/", void))
    assert "adder points" not in page
    assert not any("league_point" in query["sql"] for query in seen)


def test_pages_of_the_board_follow_each_other_and_lead_to_me(
    ladder: Arena, django_assert_max_num_queries: DjangoAssertNumQueries, eve: Player
) -> None:
    season = ladder.seasons.get()
    crowd = Player.objects.bulk_create(
        Player(name=f"P{n:03}", folded_name=f"p{n:03}") for n in range(120)
    )
    give(season, {player: (1 + n // 3, 5) for n, player in enumerate(crowd)} | {eve: (4, 6)})
    seen: list[str] = []
    address = "/arenas/ladder/points/"
    with django_assert_max_num_queries(4):
        Client().get(address)
    while address:
        page = Client().get(address).context["page"]
        seen += [row.name for row in page.rows]
        address = f"/arenas/ladder/points/?after={page.next}" if page.next else ""
    assert len(seen) == 121
    assert seen[0] == "P117"
    assert seen.index("Eve") == seen.index("P011") + 1
    browser = browser_of(eve)
    with django_assert_max_num_queries(16):
        mine = browser.get("/arenas/ladder/points/?me=1")
    names = [row.name for row in mine.context["page"].rows]
    assert names[points_leaderboard.ABOVE - 1] == "P011"
    assert names[points_leaderboard.ABOVE] == "Eve"
    assert mine.context["mine"].rank == 109
    # A place that no board has shows the beginning.
    smallest = "-2147483647.1.1"
    assert not Client().get("/arenas/ladder/points/", {"after": smallest}).context["page"].rows
    for nonsense in ("1.2", "9999999999.1.1", "a.b.c", "1.1.1'", "-2147483648.1.1"):
        page = Client().get("/arenas/ladder/points/", {"after": nonsense}).context["page"]
        assert page.rows[0].name == "P117"


def test_the_archive_keeps_the_points_and_gives_them_away_as_files(
    ladder: Arena, rated_match: Match, alice: Player
) -> None:
    season = ladder.seasons.get()
    live = Client().get(f"/seasons/{season.pk}/points.json")
    told = json.loads(b"".join(live.streaming_content))  # type: ignore[attr-defined] # a stream
    assert told["points"] == [
        {"rank": 1, "name": "Alice", "player_id": alice.pk, "points": 1, "matches": 1, "wins": 1}
    ]
    assert told["rules"]["points"]["table"] == "conquest"
    assert Client().get(f"/seasons/{season.pk}/points/").status_code == 302
    Season.objects.filter(pk=season.pk).update(ends_at=HALF_PAST)
    assert ending.freeze(season.pk, now=NOW + timedelta(days=9))
    page = words(Client().get(f"/seasons/{season.pk}/points/"))
    assert "1 Alice 1 1 1" in page
    assert "– Bob −1 1 0" in page
    assert "Ladder points" in words(Client().get(f"/seasons/{season.pk}/"))
    lines = b"".join(
        Client().get(f"/seasons/{season.pk}/points.csv").streaming_content  # type: ignore[attr-defined] # a stream
    )
    assert len(lines.splitlines()) == 3


def test_the_api_lists_the_board_and_what_each_match_gave(
    ladder: Arena, rated_match: Match, alice: Player, bob: Player, charlie: Player
) -> None:
    plays(ladder, side(charlie, place=0), side(bob, place=1))
    api = APIClient()
    first = api.get("/api/v1/arenas/ladder/points/?page_size=1").json()
    assert first["count"] == 2
    assert first["results"] == [
        {
            "rank": 1,
            "player": {"id": alice.pk, "name": "Alice"},
            "points": 1,
            "matches": 1,
            "wins": 1,
        }
    ]
    second = api.get(first["next"]).json()
    assert second["results"][0]["player"]["name"] == "Charlie"
    assert second["results"][0]["rank"] == 1
    assert second["next"] is None
    assert api.get(second["previous"]).json()["results"] == first["results"]
    refused = api.get("/api/v1/arenas/ladder/points/?cursor=1")
    assert refused.status_code == 400
    assert "Use the addresses in" in refused.content.decode()
    mine = api.get(f"/api/v1/players/{bob.pk}/points/?arena=ladder").json()
    assert [entry["points"] for entry in mine["results"]] == [
        entry.points for entry in PointEntry.objects.filter(player=bob).order_by("-match_id")
    ]
    told = api.get(f"/api/v1/matches/{rated_match.pk}/").json()["points"]
    assert told[0] == {
        "player": {"id": alice.pk, "name": "Alice"},
        "odds": 0.5,
        "score_ratio": 1.0,
        "victory": True,
        "deserted": False,
        "points": 1,
    }


def test_olga_types_the_rules_of_points_and_hears_what_is_wrong(duel: Arena, olga: Player) -> None:
    browser = browser_of(olga)
    address = reverse("admin:league_arena_change", args=[duel.pk])
    assert "Ladder points beside" in words(browser.get(address)) or "ladder points" in words(
        browser.get(address)
    )
    wrong = {
        "season_points__counts": "on",
        "season_points__table": "own",
        "season_point_table": "0.2: 0 = 1",
    }
    assert "must begin at 0" in words(send(browser, address, wrong)).lower()
    assert (
        "must be a time" in words(send(browser, address, {"season_points__ends": "soon"})).lower()
    )
    right = {**wrong, "season_point_table": "0: 0 = -1, 1 = 5"}
    send(browser, address, right)
    duel.refresh_from_db()
    points = duel.rules().points
    assert points.ladder.counts
    assert points.table.rules[0].checkpoints[1].points == 5
