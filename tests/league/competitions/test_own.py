"""The competitions that a reader is in stand first on the page of all, with where they stand."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from league.models import Arena, Competition, Entrant, Fixture, Player, Roster
from league.services.competitions import own, pages, progress
from tests.support.cast import NOW
from tests.support.competition_steps import START, begun, crowd, enter, opened, play, sides_of
from tests.support.web_steps import browser_of, words

WEEK = timedelta(days=7)


def rename(one: Competition, name: str) -> Competition:
    one.name = name
    one.save(update_fields=["name"])
    return one


def card(player: Player) -> str:
    """Return the words of the card, empty without one."""
    page = words(browser_of(player).get("/competitions/"))
    return page.partition(" Your competitions ")[2].partition(" Being played ")[0]


def end_round(one: Competition, stage: int = 1, *, week: int = 0) -> list[Fixture]:
    """Let the home sides win a round."""
    fixtures = list(one.fixtures.with_sides().filter(round__number=stage, home__isnull=False))
    for fixture in fixtures:
        play(fixture, sides_of(fixture)[0].player)
    progress.sweep(START + week * WEEK + timedelta(days=1))
    return fixtures


def test_a_bracket_says_who_is_out_and_leads_the_others_to_their_next_fixture(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single")
    first, _other = end_round(one)
    winner, loser = sides_of(first)
    assert card(loser.captain).startswith("Spring Cup Knocked out (Semi-finals) Duel")
    assert "against" not in card(loser.captain)
    body = browser_of(winner.captain).get("/competitions/").content.decode()
    final = one.fixtures.latest("number")
    assert f'href="{final.get_absolute_url()}"' in body
    assert "nocked out" not in card(winner.captain)
    assert card(winner.captain).startswith("Spring Cup Playing Duel")


def test_a_table_says_the_place_and_an_open_one_the_entry(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    assert card(alice).startswith("Spring Cup Playing Duel")
    for fixture in one.fixtures.with_sides().filter(round__number=1, away__isnull=False):
        home, away = sides_of(fixture)
        play(fixture, home.player)
        assert "Your place: 1 · points:" in card(home.captain)
        assert "· points: 0 Duel" in card(away.captain)
    rename(one, "Autumn Cup")
    enter(opened(duel, olga, "swiss"), bob)
    assert "Spring Cup Registered Duel Swiss" in card(bob)
    assert "Spring Cup" not in card(alice)


def test_what_is_over_stays_for_a_week(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "single")
    winner, loser = sides_of(end_round(one)[0])
    Competition.objects.update(over_at=timezone.now() - timedelta(days=6))
    assert card(winner.captain).startswith("Spring Cup Place 1 Duel")
    assert card(loser.captain).startswith("Spring Cup Place 2 Duel")
    Competition.objects.update(over_at=timezone.now() - timedelta(days=8))
    assert card(winner.captain) == ""


def test_members_of_a_roster_see_its_competition_and_nobody_else_does(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    one = Competition.objects.create(
        season=duel.seasons.get(),
        name="Team Cup",
        starts_at=START,
        opened_at=NOW,
        state="registration",
    )
    roster = Roster.objects.create(arena=duel, name="Reds", captain=alice)
    roster.members.set([alice, bob])
    Entrant.objects.create(
        competition=one, player=alice, roster=roster, name="Reds", entered_at=NOW
    )
    for player in (alice, bob):
        assert card(player).startswith("Team Cup Reds: Registered Duel")
    assert "Your competitions" not in words(browser_of(charlie).get("/competitions/"))
    assert "Your competitions" not in words(Client().get("/competitions/"))
    Arena.objects.update(is_draft=True)
    assert card(bob) == ""


@pytest.mark.parametrize("format_", ["table", "swiss", "single", "double", "groups-knockout"])
def test_more_competitions_take_no_more_statements(
    duel: Arena, olga: Player, format_: str, django_assert_num_queries: Any
) -> None:
    players = crowd(5)
    for number in range(3):
        rename(begun(duel, olga, players, format_), f"Cup {number}")
        now = timezone.now()
        with django_assert_num_queries(6):  # entries, versions, and all that they consist of
            entries = own.entries_of(players[0], now)
            assert entries.version
            shown = [
                (one.out_in, one.in_table, one.next_line, one.waits_for_draw, one.final_place)
                for one in entries.standings
            ]
        assert len(shown) == number + 1


def test_competitions_read_together_are_as_each_alone(duel: Arena, olga: Player) -> None:
    players = crowd(6)
    made = [
        rename(begun(duel, olga, players[: 6 - at], format_), format_)
        for at, format_ in enumerate(("table", "single", "swiss"))
    ]
    for page in pages.load_all(made):
        alone = pages.load(Competition.objects.get(pk=page.competition.pk))
        assert [one.pk for one in page.entrants] == [one.pk for one in alone.entrants]
        assert [one.pk for one in page.rounds] == [one.pk for one in alone.rounds]
        assert [one.pk for one in page.fixtures] == [one.pk for one in alone.fixtures]
        assert page.ended == alone.ended
        assert all(one.competition is page.competition for one in page.fixtures)
