"""What if: the odds and outcomes that a page promises are those that then happen."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from django.test import Client

from league.models import Match, Player, Rating
from league.services.results.answers import confirm
from league.services.results.reporting import report
from league.services.results.suggestions import suggestions
from league.services.results.what_if import finish, what_if
from tests.support.cast import NOW, account, beats, put_in_order, side
from tests.support.standing_steps import rated
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from league.models import Arena, Roster

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=2)


def test_each_outcome_of_a_duel_is_what_then_happens(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    season = duel.seasons.get()
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    found = what_if(season, [[charlie.pk], [alice.pk]], LATER)
    assert found
    assert found.chances
    assert sum(found.chances) == pytest.approx(1)
    win, draw, loss = found.outcomes
    assert (win.drawn, draw.drawn, loss.place) == (False, True, 2)
    made = report(
        duel,
        [side(charlie, place=0), side(alice, place=1)],
        reporter=charlie,
        played_at=LATER,
        now=LATER,
        client_token=uuid4(),
    )
    confirm(made.pk, by=alice, now=LATER)
    for player in (alice, charlie):
        held = Rating.objects.get(season=season, player=player)
        assert win.changes[player.pk].rating_after == held.rating


def test_each_place_of_a_melee_is_what_then_happens(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    season = melee.seasons.get()
    rated(bob, melee, 1600)
    rated(charlie, melee, 1400)
    Rating.objects.update(volatility=0.06)
    found = what_if(season, [[alice.pk], [charlie.pk], [bob.pk]], LATER)
    assert found
    assert [one.place for one in found.outcomes] == [1, 2, 3]
    second = found.outcomes[1]
    sides = [side(bob, place=0), side(alice, place=1), side(charlie, place=2)]
    made = report(melee, sides, reporter=alice, played_at=LATER, now=LATER, client_token=uuid4())
    for other in (bob, charlie):
        confirm(made.pk, by=other, now=LATER)
    assert Match.objects.get(pk=made.pk).status == "rated"
    held = Rating.objects.get(season=season, player=alice)
    assert second.changes[alice.pk].rating_after == pytest.approx(held.rating)


def test_the_first_side_finishes_at_its_place_among_the_others() -> None:
    assert finish([2, 1], 0) == (0, 2, 1)
    assert finish([2, 1], 1) == (1, 2, 0)
    assert finish([2, 1], 2) == (2, 1, 0)


def test_the_page_asks_suggests_and_shows_every_outcome(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    confirm(beats(alice, eve, duel).pk, by=eve, now=NOW)
    put_in_order()
    address = "/arenas/duel/what-if/"
    assert "Show what happens" in words(Client().get(address))
    mine = browser_of(alice).get(address)
    assert 'value="Alice"' in mine.content.decode()
    assert "Who should you play?" in words(mine)
    shown = words(browser_of(eve).get(address, {"sides": ["Eve", "charlie"]}))
    assert "Eve wins" in shown
    assert "Draw" in shown
    assert "Charlie wins" in shown
    for sides, problem in (
        (["Eve", "Charly"], "There is no player “Charly”. Did you mean Charlie?"),
        (["Eve", "eve"], "You named a player or a roster twice."),
        (["Eve", "Alice", "Charlie"], "A match in Duel has 2 sides. You named 3."),
    ):
        refused = Client().get(address, {"sides": sides})
        assert refused.status_code == 400
        assert problem in words(refused)
    short = Client().get(address, {"sides": ["Eve", ""], "show": "1"})
    assert "You named 1" in words(short)
    for page in ("/arenas/duel/", "/arenas/duel/leaderboard/", f"/players/{alice.pk}/"):
        assert "/arenas/duel/what-if/" in Client().get(page).content.decode(), page


def test_teams_are_named_by_players_or_by_roster(
    teams: Arena, owls: Roster, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    page = words(Client().get("/arenas/teams/what-if/", {"sides": ["Owls", "Charlie, Dora"]}))
    assert "Owls wins" in page
    assert "Side 2 wins" in page
    assert all(name in page for name in ("Alice", "Bob", "Charlie", "Dora"))
    twice = Client().get("/arenas/teams/what-if/", {"sides": ["Owls", "Bob"]})
    assert "A player can only be on one side." in words(twice)
    crowd = Client().get("/arenas/teams/what-if/", {"sides": ["Alice, Bob, Dora", "Charlie"]})
    assert "Side 1 has 3." in words(crowd)


def test_three_opponents_are_suggested_a_rival_an_even_one_and_one_to_gain_from(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for hour in range(3):
        now = NOW + timedelta(hours=hour)
        confirm(beats(alice, charlie, duel, now=now).pk, by=charlie, now=now)
    mine = Rating.objects.get(player=alice).rating
    even, strong, weak = (account(name) for name in ("Even", "Strong", "Weak"))
    rated(even, duel, mine + 1)
    rated(strong, duel, mine + 400)
    rated(weak, duel, mine - 400)
    Rating.objects.update(volatility=0.06)
    found = suggestions(duel.seasons.get(), alice, now=LATER)
    assert [(one.player, one.kind) for one in found] == [
        (charlie, "rival"),
        (even, "even"),
        (strong, "gain"),
    ]
    assert found[0].record.wins == 3
    Player.objects.filter(pk=strong.pk).update(user=None)
    reachable = suggestions(duel.seasons.get(), alice, now=LATER)
    assert strong not in [one.player for one in reachable]


def test_nobody_is_suggested_before_the_first_match_or_in_teams(
    duel: Arena, teams: Arena, alice: Player
) -> None:
    assert suggestions(duel.seasons.get(), alice, now=LATER) == []
    assert suggestions(teams.seasons.get(), alice, now=LATER) == []
