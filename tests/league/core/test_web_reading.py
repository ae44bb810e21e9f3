"""The public pages: arenas, leaderboards, players and matches."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, Rating
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.opening import open_season
from tests.support.cast import NOW, beats, put_in_order, side
from tests.support.web_steps import browser_of, words


def settled(winner: Player, loser: Player, arena: Arena, days: int = 0) -> Match:
    match = beats(winner, loser, arena, now=NOW + timedelta(days=days))
    confirmed = confirm(match.pk, by=loser, now=NOW)
    put_in_order()
    return confirmed


@pytest.fixture
def crowd(duel: Arena) -> list[Player]:
    """120 players, one rating point apart, best first."""
    players = Player.objects.bulk_create(
        Player(name=f"Player {number:03}", folded_name=f"player {number:03}")
        for number in range(120)
    )
    season = duel.seasons.get()
    Rating.objects.bulk_create(
        Rating(
            season=season,
            player=player,
            rating=2000.0 - place,
            deviation=50,
            volatility=0.06,
            games=3,
            last_played_at=NOW,
        )
        for place, player in enumerate(players)
    )
    put_in_order()
    return players


def test_no_arena_crowds_the_others_out_of_the_latest_results(
    duel: Arena, melee: Arena, alice: Player, charlie: Player
) -> None:
    for day in range(-9, 0):
        settled(alice, charlie, duel, days=day)
    settled(charlie, alice, melee, days=-20)
    settled(alice, charlie, duel)
    page = words(Client().get("/")).partition("Latest results")[2]
    assert page.count("Alice beat Charlie") == 7
    assert page.count("Charlie beat Alice") == 1
    assert page.rindex("Alice beat Charlie") < page.index("Charlie beat Alice")


def test_the_front_page_shows_arenas_their_leaders_and_the_latest_results(
    duel: Arena, melee: Arena, alice: Player, charlie: Player
) -> None:
    settled(alice, charlie, duel)
    page = words(Client().get("/"))
    assert "2 ranked players" in page
    assert "Leader: Alice" in page
    assert "Alice beat Charlie" in page
    assert "nobody is ranked now" in page
    assert page.count("2 ranked players") == words(Client().get("/arenas/")).count(
        "2 ranked players"
    )
    assert '<h2 id="arenas"' in Client().get("/").content.decode()


def test_an_arena_explains_its_rules_and_shows_its_results(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    empty = words(Client().get(duel.get_absolute_url()))
    assert "One against one, draws possible" in empty
    assert "2 days to confirm or dispute" in empty
    assert "Glicko-2" in empty
    assert "The leaderboard is empty" in empty
    settled(alice, charlie, duel)
    full = words(browser_of(charlie).get(duel.get_absolute_url()))
    assert "Charlie (you) lost to Alice" in full
    assert "You are 2 of 2" in full


def test_a_leaderboard_has_pages_and_takes_alice_to_hers(
    duel: Arena, crowd: list[Player], alice: Player
) -> None:
    Rating.objects.create(
        season=duel.seasons.get(), player=alice, rating=1930.5, games=1, last_played_at=NOW
    )
    put_in_order()
    address = reverse("leaderboard", args=["duel"])
    first = browser_of(alice).get(address)
    assert "1–50 of 121" in words(first)
    assert "You are number 71: jump to me" in words(first)
    assert f"{address}?page=2#me" in first.content.decode()
    second = browser_of(alice).get(address, {"page": "2"}).content.decode()
    assert second.count('id="me"') == 1
    assert "51–100 of 121" in second


def test_a_player_page_tells_rating_record_opponents_and_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    settled(alice, charlie, duel, days=-3)
    settled(charlie, alice, duel, days=-2)
    settled(alice, eve, duel, days=-1)
    draw = report(
        duel,
        [side(alice, place=0), side(charlie, place=0)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
    )
    confirm(draw.pk, by=charlie, now=NOW)
    page = words(Client().get(alice.get_absolute_url()))
    assert "Won, drawn, lost 2 · 1 · 1" in page
    assert "Wins 50 % of 4" in page
    assert "Charlie 1 1 1 33 %" in page
    assert "Eve 1 0 0 100 %" in page
    assert "4 matches · the band is one deviation up and down" in page
    assert "Rating of Alice over time" in page
    assert "Alice drew with Charlie" in page


def test_a_player_page_switches_between_arenas_and_seasons(
    duel: Arena, melee: Arena, alice: Player, charlie: Player
) -> None:
    settled(alice, charlie, duel)
    match = report(
        melee,
        [side(charlie, place=0), side(alice, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
    )
    confirm(match.pk, by=charlie, now=NOW)
    page = Client().get(alice.get_absolute_url(), {"arena": "duel"})
    assert "Won, drawn, lost 1 · 0 · 0" in words(page)
    other = Client().get(alice.get_absolute_url(), {"season": melee.seasons.get().pk})
    assert "First places 0 of 1" in words(other)
    assert Client().get(alice.get_absolute_url(), {"season": "x"}).status_code == 404


def test_a_season_that_is_over_can_still_be_read(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    settled(alice, charlie, duel)
    first = duel.seasons.get()
    open_season(duel, starts_at=NOW + timedelta(days=10))
    address = reverse("leaderboard", args=["duel"])
    assert "The leaderboard is empty" in words(Client().get(address))
    assert "1 Alice" in words(Client().get(address, {"season": first.pk}))
    assert Client().get(address, {"season": "0"}).status_code == 404


def test_a_match_shows_what_each_rating_did_and_why(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = settled(alice, charlie, duel)
    Match.objects.filter(pk=match.pk).update(
        information={"tournament": "Spring <Cup>", "neutral": "TRUE"}
    )
    page = words(Client().get(match.get_absolute_url()))
    alices = page.partition("Charlie")[2].partition("Rating changes")[2]
    assert "1200.0 → to" in alices
    assert "Expected result ½ · Actual result 1 Full calculation" in alices
    assert "Deviation at the match" in alices
    assert "Rated with Glicko-2." in page
    assert "Confirmed by Charlie" in page
    assert "Tournament Spring <Cup>" in page
    assert "Neutral yes" in page


@pytest.mark.usefixtures("owls", "foxes")
def test_a_team_match_lists_everyone_who_played(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(
        teams,
        [side(alice, bob, place=0, score=2), side(charlie, dora, place=1, score=0.5)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
    )
    confirm(match.pk, by=charlie, now=NOW)
    page = words(Client().get(match.get_absolute_url()))
    assert "Alice, Bob 2 to – 0.5 Charlie, Dora" in page
    assert page.count("Expected result ½") == 4


def test_a_season_without_results_of_a_player_leads_to_their_page(
    duel: Arena, alice: Player
) -> None:
    """A list can name somebody whose only match has just become void."""
    season = duel.seasons.get()
    assert Client().get(f"/players/{alice.pk}/?season={season.pk}").status_code == 200
    for unknown in (season.pk + 999, "x", "9" * 40, ""):
        assert Client().get(f"/players/{alice.pk}/?season={unknown}").status_code == 404
