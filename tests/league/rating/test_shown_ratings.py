"""Arenas that show other numbers than their ratings."""

import csv
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player, Rating, Season
from league.services.seasons.ending import end, freeze_early
from league.services.standings.days import record_all
from league.services.standings.distributions import measure
from tests.support.admin_steps import arena_page, errors_of, send
from tests.support.cast import NOW, arena, put_in_order
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

IN_HUNDREDS = {"scale": "scaled", "factor": 100, "offset": 1000}
FIXED = {"scale": "fixed-range"}
NEARLY_PRESUMED = ((2 * 0.5 + 30 * 2.0**2) / 32) ** 0.5
"""The width after two players at ±0.5: before anybody played, 2 is presumed as of 30 players."""


def show(where: Arena, display: dict[str, Any]) -> None:
    where.display = display
    where.full_clean()
    where.save()


@pytest.fixture
def pit(db: None) -> Arena:
    """A duel arena with the article's own rating: 0 for newcomers, at most 1 point a match."""
    return arena("pit", rating_system="fermi", rating_parameters={"max_gain": 1})


@pytest.fixture
def rated_match(pit: Arena, alice: Player, bob: Player) -> Match:
    match = win(pit, alice, bob)
    put_in_order()
    return match


def pages(where: Arena, match: Match, player: Player) -> dict[str, str]:
    reader = Client()
    addresses = {
        "arena": where.get_absolute_url(),
        "board": reverse("leaderboard", args=[where.slug]),
        "distribution": reverse("distribution", args=[where.slug]),
        "match": match.get_absolute_url(),
        "player": f"{player.get_absolute_url()}?arena={where.slug}",
        "home": reverse("home"),
    }
    return {name: reader.get(address).content.decode() for name, address in addresses.items()}


def test_an_arena_without_a_rule_shows_its_ratings_as_ever(
    pit: Arena, rated_match: Match, alice: Player
) -> None:
    before = pages(pit, rated_match, alice)
    show(pit, {"scale": "rating", "factor": 100, "offset": 1000})
    assert pages(pit, rated_match, alice) == before
    assert ">0.50<" in before["board"]


def test_every_page_shows_the_scale_of_the_arena(
    pit: Arena, rated_match: Match, alice: Player
) -> None:
    show(pit, IN_HUNDREDS)
    found = pages(pit, rated_match, alice)
    for name in ("arena", "board", "match", "player", "home"):
        assert "1050" in found[name], name
        assert ">0.50<" not in found[name], name
    assert "1000" in found["match"]  # before
    assert "+50.0" in found["match"]
    assert 'data-says="1 Mar 2026: 1050"' in found["player"]  # the chart
    assert Rating.objects.get(player=alice).rating == 0.5  # unchanged


def test_what_is_at_stake_is_on_the_same_scale(
    pit: Arena, rated_match: Match, alice: Player, bob: Player
) -> None:
    show(pit, IN_HUNDREDS)
    browser, asked = browser_of(bob), {"opponent": "Alice"}
    for page in (
        browser.get(alice.get_absolute_url(), {"arena": "pit"}),
        *(browser.get(reverse(name, args=["pit"]), asked) for name in ("report", "date_new")),
        browser.get(reverse("stakes", args=["pit"]), asked),
    ):
        assert "Beat them: +73 , draw: +23 , lose: −27" in words(page)


def test_the_explanation_of_a_match_is_on_the_same_scale(
    pit: Arena, rated_match: Match, alice: Player, bob: Player
) -> None:
    show(pit, IN_HUNDREDS)
    win(pit, alice, bob)
    latest = Match.objects.latest("pk")
    text = words(Client().get(latest.get_absolute_url()))
    assert "Own side's strength 1,050" in text.replace("1050", "1,050")
    assert "Opponents' strength 950" in text
    assert "At stake 100" in text


def test_the_sum_of_a_team_is_no_rating_and_stays_as_it_is(alice: Player, bob: Player) -> None:
    where = arena(
        "squads",
        rating_system="fermi",
        rating_parameters={"team_strength": "sum", "max_gain": 1},
        team_size_min=1,
        team_size_max=2,
        display=IN_HUNDREDS,
    )
    match = win(where, alice, bob)
    text = words(Client().get(match.get_absolute_url()))
    assert "Own side's strength 0 " in text
    assert "1050" in text  # the ratings themselves are on the scale


def test_the_fixed_range_is_measured_once_a_day_and_when_staff_choose_it(
    pit: Arena, rated_match: Match, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    show(pit, FIXED)
    board = reverse("leaderboard", args=["pit"])
    # Not measured yet: the expected result against a newcomer.
    assert "6225" in words(Client().get(board))
    assert record_all(NOW) == 1
    season = Season.objects.get()
    assert season.shown_mean == 0.0
    assert season.shown_width == pytest.approx(NEARLY_PRESUMED)
    assert "6258" in words(Client().get(board))
    win(pit, charlie, dora)
    put_in_order()
    record_all(NOW)  # the same day
    assert "6258" in words(Client().get(board))


def test_two_players_of_equal_rating_have_no_width(pit: Arena, alice: Player, bob: Player) -> None:
    show(pit, FIXED)
    measure(pit.seasons.get())
    assert pit.seasons.get().shown_width is None


def test_the_api_gives_both(pit: Arena, rated_match: Match, alice: Player) -> None:
    show(pit, IN_HUNDREDS)
    reader = Client()
    row = reader.get("/api/v1/arenas/pit/leaderboard/").json()["results"][0]
    assert (row["rating"], row["shown"]) == (0.5, 1050)
    row = reader.get(f"/api/v1/players/{alice.pk}/ratings/").json()["results"][0]
    assert (row["rating"], row["shown"]) == (0.5, 1050)
    events = reader.get(f"/api/v1/matches/{rated_match.pk}/").json()["events"]
    mine = next(event for event in events if event["player"]["id"] == alice.pk)
    assert (mine["rating_after"], mine["shown_before"], mine["shown_after"]) == (0.5, 1000, 1050)
    mine = reader.get(f"/api/v1/players/{alice.pk}/rating-history/").json()["results"][0]
    assert (mine["shown_before"], mine["shown_after"]) == (1000, 1050)
    declared = reader.get("/api/v1/arenas/pit/").json()["display"]
    assert {one["name"]: one["value"] for one in declared}["factor"] == 100


def test_more_events_take_no_more_queries(
    pit: Arena,
    rated_match: Match,
    alice: Player,
    bob: Player,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    show(pit, IN_HUNDREDS)
    for _again in range(6):
        win(pit, alice, bob)
    with django_assert_max_num_queries(4):
        Client().get(f"/api/v1/players/{alice.pk}/rating-history/")


def test_an_archive_and_its_downloads_show_the_scale(pit: Arena, rated_match: Match) -> None:
    season = pit.seasons.get()
    end(season.pk, now=NOW)
    assert freeze_early(season.pk, now=NOW)
    head, *rows = csv.reader(b"".join(_export(season, "csv")).decode().splitlines())
    assert "shown" not in head
    show(pit, IN_HUNDREDS)
    head, *rows = csv.reader(b"".join(_export(season, "csv")).decode().splitlines())
    best = dict(zip(head, rows[0], strict=True))
    assert (best["rating"], best["shown"]) == ("0.5", "1050.0")
    assert "1050" in words(Client().get(season.get_absolute_url()))


def _export(season: Season, kind: str) -> Any:
    answer: Any = Client().get(reverse("season_export", args=[season.pk, kind]))
    return answer.streaming_content


def test_staff_set_the_scale_and_read_an_example(
    pit: Arena, rated_match: Match, olga: Player
) -> None:
    staff = browser_of(olga)
    answer = send(
        staff,
        arena_page(pit),
        {"display__scale": "scaled", "display__factor": "100", "display__offset": "1000"},
    )
    assert errors_of(answer) == {}
    pit.refresh_from_db()
    assert pit.display_settings().factor == 100
    assert "is shown as 1,000" in words(staff.get(arena_page(pit))).replace("1000", "1,000")
    answer = send(staff, arena_page(pit), {"display__factor": "0"})
    assert list(errors_of(answer)) == ["display__factor"]


def test_choosing_the_fixed_range_measures_the_season_at_once(
    pit: Arena, rated_match: Match, olga: Player
) -> None:
    send(browser_of(olga), arena_page(pit), {"display__scale": "fixed-range"})
    assert pit.seasons.get().shown_width == pytest.approx(NEARLY_PRESUMED)
    assert "6258" in words(Client().get(reverse("leaderboard", args=["pit"])))


def test_a_ladder_keeps_its_ranks(alice: Player, bob: Player) -> None:
    where = arena("steps", rating_system="ladder", display=IN_HUNDREDS)
    win(where, alice, bob)
    assert where.seasons.get().shows.show(1.0) == 1.0
