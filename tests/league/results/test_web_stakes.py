"""Wherever an opponent is chosen, pages show the odds and what is to win and to lose."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player, Rating
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import arena, roster, side
from tests.support.web_steps import browser_of, confirms, reports, result_form, words


@pytest.fixture
def elo(alice: Player, bob: Player, charlie: Player) -> Arena:
    """Alice has won two duels, one of them against Bob."""
    made = arena("elo", rating_system="elo")
    hours_ago = timezone.now() - timedelta(hours=5)
    for winner, loser in ((alice, bob), (alice, charlie)):
        played(made, winner, loser, hours_ago)
    return made


def played(arena: Arena, winner: Player, loser: Player, now: Any) -> Match:
    sides = [side(winner, place=0), side(loser, place=1)]
    return confirm(
        report(arena, sides, reporter=winner, played_at=now, now=now).pk, by=loser, now=now
    )


STAKES = r"Your expected result: (\d+\s%)\. Beat them: (\S+) , draw: (\S+) , lose: (\S+)"


def read_in(text: str) -> tuple[str, ...]:
    found = re.search(STAKES, text)
    assert found, text
    return found.groups()


PAGES: dict[str, Callable[[Arena, Player], str]] = {
    "profile": lambda made, other: f"{other.get_absolute_url()}?arena={made.slug}",
    "proposal": lambda made, other: (
        f"{reverse('date_new', args=[made.slug])}?opponent={other.name}"
    ),
    "report": lambda made, other: f"{reverse('report', args=[made.slug])}?opponent={other.name}",
    "while typing": lambda made, other: (
        f"{reverse('stakes', args=[made.slug])}?opponent={other.name}"
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_promises_what_the_report_then_does(
    page: str, elo: Arena, alice: Player, bob: Player
) -> None:
    seen = words(browser_of(bob).get(PAGES[page](elo, alice)))
    chance, win, draw, loss = read_in(seen)
    handicap = "Handicap: a race is about even if you need 3 wins and they need 4."
    assert (handicap in seen) == (page != "report")  # where it has been played already
    assert chance == "43 %"
    assert draw.startswith("+")
    reports(bob, elo, result_form("Alice", outcome="0"))
    match = Match.objects.latest("pk")
    confirms(alice, match)
    match.refresh_from_db()
    change = match.events.get(player=bob).change
    assert win == f"+{change:.0f}"
    assert loss == f"−{32 - change:.0f}"
    assert match.forecast
    assert f"{100 * match.forecast[0]:.0f} %" == chance


def test_nobody_reads_stakes_against_themselves_or_logged_out(
    elo: Arena, alice: Player, bob: Player
) -> None:
    profile = PAGES["profile"]
    for browser, whose in ((browser_of(alice), alice), (Client(), bob)):
        page = words(browser.get(profile(elo, whose)))
        assert "Beat them" not in page
    fragment = browser_of(alice).get(PAGES["while typing"](elo, alice))
    assert (fragment.status_code, words(fragment)) == (200, "")


@pytest.mark.parametrize("typed", ["", "Nobody", "Ali\0ce", "a" * 500, "Bob\nCharlie"])
def test_an_unfinished_name_shows_nothing(elo: Arena, alice: Player, typed: str) -> None:
    fragment = browser_of(alice).get(reverse("stakes", args=["elo"]), {"opponent": typed})
    assert "Beat them" not in words(fragment)
    assert fragment.status_code in {200, 400}


def test_a_season_that_is_over_has_no_stakes(elo: Arena, alice: Player, bob: Player) -> None:
    assert "Beat them" in words(browser_of(bob).get(PAGES["while typing"](elo, alice)))
    season = elo.seasons.get()
    season.ends_at = timezone.now() - timedelta(minutes=1)
    season.save()
    for page in PAGES.values():
        answer = browser_of(bob).get(page(elo, alice))
        assert answer.status_code < 500
        assert "Beat them" not in words(answer)


def test_captains_read_the_stakes_of_their_rosters(
    alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    made = arena("squads", rating_system="elo", team_size_min=2, team_size_max=2)
    owls = roster(made, "Owls", alice, bob)
    roster(made, "Foxes", charlie, dora)
    asked: dict[str, Any] = {"opponent": "Foxes", "roster": owls.pk}
    for view in ("report", "date_new", "stakes"):
        answer = browser_of(alice).get(reverse(view, args=["squads"]), asked)
        page = words(answer)
        assert read_in(page)[0] == "50 %"
        assert "Expected to play: Alice, Bob against Charlie, Dora." in page
        address = reverse("what_if", args=["squads"]) + "?sides=Owls&amp;sides=Foxes"
        assert (address in answer.content.decode()) == (view != "report")  # it has been played
    calculated = Client().get(html.unescape(address)).context["teams"]
    assert [name for name, _seats in calculated] == ["Owls", "Foxes"]
    assert "Beat them" not in words(
        browser_of(charlie).get(reverse("stakes", args=["squads"]), asked)
    )


def test_the_list_of_challenges_shows_each_chance_and_change(
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made = arena("rungs", rating_system="ladder")
    season = made.seasons.get()
    for rank, player in enumerate((alice, bob, charlie, dora), start=1):
        Rating.objects.create(season=season, player=player, rating=rank, games=1)
    browser, where = browser_of(dora), reverse("challenges", args=["rungs"])
    browser.get(where)
    with django_assert_max_num_queries(25):
        page = words(browser.get(where))
    rest = "draw: same rank , lose: same rank Challenge"
    assert f"Charlie expected result 43 % Beat them: ▲ up 1 rank , {rest}" in page
    assert f"Alice expected result 20 % Beat them: ▲ up 3 ranks , {rest}" in page


def test_a_hopeless_match_needs_a_head_start_and_an_even_one_no_handicap(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = arena("elo", rating_system="elo")
    for player, rating in ((alice, 2600), (bob, 1500), (charlie, 1510)):
        Rating.objects.create(season=made.seasons.get(), player=player, rating=rating, games=1)
    browser = browser_of(bob)
    hopeless = words(browser.get(PAGES["while typing"](made, alice)))
    assert "Handicap: only a head start in the game itself would make this even." in hopeless
    assert "Handicap" not in words(browser.get(PAGES["while typing"](made, charlie)))
