"""The odds of a win, a draw and a loss add up to 100% wherever they are shown."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Match, Player
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import arena, side
from tests.support.web_steps import browser_of, words

KINDS: dict[str, tuple[str, dict[str, Any], bool, str]] = {
    "no draws": ("elo", {}, False, "win"),
    "draws forecast": ("elo", {"draws": 0.3}, True, "draw"),
    "draws possible": ("elo", {}, True, "expected"),
    "Glicko-2": ("glicko-2", {"draws": 0.2}, True, "draw"),
    "Laurel": ("laurel", {}, True, "draw"),
    "TrueSkill": ("trueskill", {"draw_probability": 0.1}, True, "draw"),
    "wager": ("wager", {"draws": 0.2}, True, "draw"),
}
NAMES = {"win": "chance to win", "draw": "odds: win", "expected": "expected result"}


def made(name: str, alice: Player, bob: Player) -> tuple[Arena, Match]:
    system, parameters, draws, _kind = KINDS[name]
    found = arena("odds", rating_system=system, rating_parameters=parameters, draws_allowed=draws)
    at = timezone.now() - timedelta(hours=5)
    sides = [side(alice, place=0), side(bob, place=1)]
    played = report(found, sides, reporter=alice, played_at=at, now=at)
    return found, confirm(played.pk, by=bob, now=at)


def numbers_in(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"(\d+)\s?%", text)]


@pytest.mark.parametrize("name", KINDS)
def test_every_page_has_the_same_odds(
    name: str, alice: Player, bob: Player, charlie: Player
) -> None:
    found, match = made(name, alice, bob)
    mine, kind = browser_of(alice), KINDS[name][3]
    asked = {"sides": ["Alice", "Bob"]}
    if_played = words(mine.get(reverse("what_if", args=["odds"]), asked))
    above = numbers_in(if_played.partition("Odds and outcomes")[2].partition("Player")[0])
    against = words(mine.get(reverse("player_against", args=[alice.pk, bob.pk])))
    again = numbers_in(against.partition("If they played now")[2].partition("Matches")[0])
    assert above == again
    assert sum(above) == 100
    assert len(above) == (3 if kind == "draw" else 2)
    stakes = words(mine.get(f"{bob.get_absolute_url()}?arena=odds"))
    own = re.search(r"Your (odds: win|chance to win|expected result)[^.]*", stakes)
    assert own, stakes
    assert own[1] == NAMES[kind]
    assert numbers_in(own[0]) == (above if kind == "draw" else above[:1])
    settled = words(mine.get(match.get_absolute_url()))
    assert ("Expected result : Alice" in settled) == found.draws_allowed
    assert ("Win chance: Alice" in settled) != found.draws_allowed
    before = settled.partition("Win chance" if kind == "win" else "Expected result")[2]
    assert sum(numbers_in(before.partition("Report a player")[0])) == 100
    api = mine.get("/api/v1/arenas/odds/what-if/", {"sides": f"{alice.pk};{bob.pk}"}).json()
    chances = [one["chance"] for one in api["outcomes"]]
    assert (chances == [None] * 3) if kind == "expected" else sum(chances) == pytest.approx(1)
