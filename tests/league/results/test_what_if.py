"""What if: the odds and outcomes that a page promises are those that then happen."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player, Rating, Roster, RosterMember, Team
from league.services.following.blocks import block
from league.services.results.forecasts.what_if import finish, what_if
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, account, beats, put_in_order, side
from tests.support.standing_steps import rated, suggested_to
from tests.support.team_steps import club, meet, team_arena
from tests.support.web_steps import browser_of, words

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
    found = suggested_to(duel.seasons.get(), alice, now=LATER)
    assert [(one.player, one.kind) for one in found] == [
        (charlie, "rival"),
        (even, "even"),
        (strong, "gain"),
    ]
    assert found[0].record.wins == 3
    Player.objects.filter(pk=strong.pk).update(user=None)
    reachable = suggested_to(duel.seasons.get(), alice, now=LATER)
    assert strong not in [one.player for one in reachable]


@pytest.fixture
def clubs(db: None) -> dict[str, Roster]:
    """Owls that have met Foxes three times, Bears far above them and Hares beside them."""
    where = team_arena()
    rosters = {name: club(where, name, name[:3]) for name in ("Owls", "Foxes", "Bears", "Hares")}
    for _match in range(3):
        meet(rosters["Owls"], rosters["Foxes"])
    for name, rating in (("Bears", 1400), ("Hares", 1030)):
        for member in rosters[name].members.all():
            rated(member, where, rating)
    put_in_order()
    return rosters


def suggested(roster: Roster) -> list[tuple[str, str]]:
    found = suggested_to(roster.arena.seasons.get(), roster.captain, now=LATER)
    return [(one.name, one.kind) for one in found]


def test_rosters_are_suggested_with_what_then_happens(clubs: dict[str, Roster]) -> None:
    owls, hares = clubs["Owls"], clubs["Hares"]
    assert suggested(owls) == [("Foxes", "rival"), ("Hares", "even"), ("Bears", "gain")]
    found = suggested_to(owls.arena.seasons.get(), owls.captain, now=LATER)
    assert (found[0].record.wins, found[0].mine) == (3, owls)
    assert found[0].stakes.chance > found[1].stakes.chance > found[2].stakes.chance  # type: ignore[operator] # known in Elo
    meet(owls, hares)
    held = Rating.objects.get(player=owls.captain)
    assert found[1].stakes.win.rating_after == pytest.approx(held.rating)


def test_rosters_that_cannot_be_met_are_not_suggested(clubs: dict[str, Roster]) -> None:
    owls, foxes, bears, hares = clubs.values()
    mate = owls.members.exclude(pk=owls.captain_id).get()
    block(hares.members.exclude(pk=hares.captain_id).get(), owls.captain, now=NOW)
    assert suggested(owls) == [("Foxes", "rival"), ("Bears", "even")]
    Player.objects.filter(pk=bears.captain_id).update(is_unlisted=True)
    RosterMember.objects.create(roster=foxes, player=mate)
    assert suggested(owls) == []
    foxes.memberships.filter(player=mate).delete()
    foxes.memberships.exclude(player=foxes.captain).delete()
    assert suggested(owls) == [("Foxes", "rival")], "one against one is allowed here"
    Team.objects.filter(rosters=foxes).update(disbanded_at=NOW)
    assert suggested(owls) == []


def test_suggesting_rosters_takes_as_many_statements_for_any_number(
    clubs: dict[str, Roster], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owls = clubs["Owls"]
    season = owls.arena.seasons.get()
    for name in ("Elks", "Rats", "Newts"):
        other = club(owls.arena, name, name[:3])
        rated(other.captain, owls.arena, 1040)
    put_in_order()
    with CaptureQueriesContext(connection) as first:
        assert len(suggested_to(season, owls.captain, now=LATER)) == 3
    for name in ("Mice", "Voles", "Bats"):
        other = club(owls.arena, name, name[:3])
        rated(other.captain, owls.arena, 1050)
    put_in_order()
    with django_assert_max_num_queries(len(first)):
        suggested_to(season, owls.captain, now=LATER)


def test_nobody_is_suggested_before_the_first_match_or_in_teams(
    duel: Arena, teams: Arena, alice: Player
) -> None:
    assert suggested_to(duel.seasons.get(), alice, now=LATER) == []
    assert suggested_to(teams.seasons.get(), alice, now=LATER) == []
