"""Two sides stand in one order wherever a page names them."""

import re

import pytest
from django.test import Client

from league.models import Arena, Match, Player, Roster
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import NOW
from tests.support.web_steps import browser_of


@pytest.fixture
def lost_match(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player,
    dora: Player,
) -> Match:  # fmt: skip
    """The Owls are listed first and lose."""
    sides = [
        ReportedSide(alice, [PlayedBy(alice), PlayedBy(bob)], 1, 1, owls),
        ReportedSide(charlie, [PlayedBy(charlie), PlayedBy(dora)], 0, 3, foxes),
    ]
    match = report(teams, sides, reporter=alice, played_at=NOW, now=NOW)
    return confirm(match.pk, by=charlie, now=NOW)


def text(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.parametrize("reader", ["nobody", "Alice", "Charlie"])
@pytest.mark.parametrize("place", ["match", "arena", "home", "player", "games"])
def test_players_follow_the_order_of_their_sides(
    lost_match: Match, reader: str, place: str
) -> None:
    alice, charlie = (Player.objects.get(name=name) for name in ("Alice", "Charlie"))
    browser = {"nobody": Client(), "Alice": browser_of(alice), "Charlie": browser_of(charlie)}
    address = {
        "match": lost_match.get_absolute_url(),
        "arena": lost_match.arena.get_absolute_url(),
        "home": "/",
        "player": alice.get_absolute_url(),
        "games": f"{alice.get_absolute_url()}?season={lost_match.season_id}",
    }[place]
    page = browser[reader].get(address).content.decode()
    part = page[page.index("<main") :]
    if place == "match":
        named, changes = part.split('id="effects"', 1)
        found = [named.split("</h1>")[0], changes.split("</section>")[0]]
    else:
        found = re.findall(r'<a class="game".*?</a>', part, flags=re.DOTALL)
    pairs = [("Owls", "Foxes"), ("Alice", "Charlie"), ("Alice", "Dora")]
    orders = {
        one.index(first) < one.index(second)
        for one in map(text, found)
        for first, second in pairs
        if first in one and second in one
    }
    assert len(orders) == 1, [text(one) for one in found]
    assert orders == {place in {"player", "games"} or reader != "Charlie"}
