"""Olga enters people who have no account, and looks after the list until the draw and later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.models import Competition, Entrant, Fixture, Player, Roster
from league.services.competitions import progress
from league.services.competitions.running import entering_by_staff, entry_plans, starting
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.people.entry_lists import (
    Entry,
    EntryList,
    read_list,
    write_list,
)
from league.services.teams import membership, rosters
from tests.support.cast import NOW
from tests.support.competition_steps import START, begun, competition, crowd, opened, sides_of
from tests.support.result_steps import user_of
from tests.support.team_steps import joined, team_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from league.models import Arena


def entries(text: str) -> list[Entry]:
    found = read_list(text)
    assert not found.problems
    return found.entries


def enter(
    one: Competition, olga: Player, text: str, chosen: Mapping[str, int] | None = None
) -> list[Entrant]:
    by = user_of(olga)
    return entering_by_staff.enter(one.pk, entries(text), chosen or {}, by=by, now=NOW)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Ann; Ann@Club.example; 1540", [("Ann", 1540.0, None, "")]),
        ("Ann <ann@club.example>\t1540", [("Ann", 1540.0, None, "")]),
        ("Ann\nBob\n\n", [("Ann", None, None, ""), ("Bob", None, None, "")]),
        ("1. Ann\n2) Bob 2", [("Ann", None, None, ""), ("Bob 2", None, None, "")]),
        ("1. FC Köln\nSV 08", [("1. FC Köln", None, None, ""), ("SV 08", None, None, "")]),
        ("1. FC Köln", [("1. FC Köln", None, None, "")]),
        ("1. FCK\n1. FCN", [("1. FCK", None, None, ""), ("1. FCN", None, None, "")]),
        ("1. 1. FC Köln\n2. SV 08", [("1. FC Köln", None, None, ""), ("SV 08", None, None, "")]),
        ("Name;Elo\n3. Ann;1500\n7. Bob;", [("Ann", 1500, None, ""), ("Bob", None, None, "")]),
        ("Ann; 1540; SC Kiel", [("Ann", 1540.0, None, "SC Kiel")]),
        ("Ann, SC Kiel, 1540", [("Ann", 1540.0, None, "SC Kiel")]),
        ("Ann 1540\nBo Ek (900)", [("Ann", 1540, None, ""), ("Bo Ek", 900, None, "")]),
        ("TSV 1860\nUnion", [("TSV 1860", None, None, ""), ("Union", None, None, "")]),
        ("P 100\nP 101", [("P 100", None, None, ""), ("P 101", None, None, "")]),
        ("TSV 1860", [("TSV 1860", None, None, "")]),
        ("P 1000\nP 99", [("P 1000", None, None, ""), ("P 99", None, None, "")]),
        ("Ann\t1540,5", [("Ann", 1540.5, None, "")]),
        ("Name;Elo;Club;No.\nAnn;1540;;3", [("Ann", 1540.0, 3, "")]),
        ("seed\tname\n2\tÁgnes Ó’Neill", [("Ágnes Ó’Neill", None, 2, "")]),
    ],
)
def test_a_list_is_read_as_people_write_it(
    text: str, wanted: list[tuple[str, float | None, int | None, str]]
) -> None:
    assert [(e.name, e.rating, e.seed, e.club) for e in entries(text)] == wanted


@pytest.mark.parametrize(
    "text",
    [
        "Ann; 1540; Ann@Club.example",
        "Ann <ann@club.example>",
        "ann@club.example, Ann, SC Kiel",
        "Mail;Name\nann@club.example;Ann",
        "Ann: ann, bob\tann@club.example",
    ],
)
def test_a_list_can_have_addresses(text: str) -> None:
    assert [(e.name, e.email) for e in entries(text)] == [("Ann", "ann@club.example")]


def test_a_roster_has_its_members_after_a_colon() -> None:
    assert entries("Owls: Ann, Bob, Cy")[0].members == ("Ann", "Bob", "Cy")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Ann\nann", "“ann” is on line 1 already."),
        ("Ann;a@@b", "“a@@b” is no e-mail address."),
        ("name;seed\nAnn;0", "“0” is no seed. Write a number from 1 to 513."),
        ("Ann;nan", "“nan” is no rating."),
        (";1500", "This line has no name."),
        ("Owls:", "Write the members after the colon."),
        ("name;club\nAnn;" + "x" * 61, "The name of a club has at most 60 characters."),
    ],
)
def test_what_cannot_be_read_is_said(text: str, problem: str) -> None:
    assert [sentence for _line, sentence in read_list(text).problems] == [problem]


def test_a_list_of_five_thousand_is_refused() -> None:
    with pytest.raises(Refused, match="at most 513 names"):
        read_list("\n".join(f"Player {number}" for number in range(5_000)))


@given(st.text(max_size=200))
@settings(max_examples=200)
def test_no_text_stops_the_reader_and_what_is_read_is_written_back(text: str) -> None:
    found: EntryList = read_list(text)
    again = read_list(write_list(found.entries))
    assert [(e.name, e.members, e.rating, e.email) for e in again.entries] == [
        (e.name, e.members, e.rating, e.email) for e in found.entries
    ]


def test_unknown_names_become_players_without_an_account(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    made = enter(one, olga, "Ines Sole; 1540; SC Kiel\nTom Reed\nŁukasz Nowak")
    assert [row.name for row in made] == ["Ines Sole", "Tom Reed", "Łukasz Nowak"]
    assert {row.player.user for row in made} == {None}
    assert made[0].club == "SC Kiel"


def test_a_likely_double_is_offered_and_can_be_chosen(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    there = Player.objects.create(name="Ines Sole")
    [line] = entry_plans.plan(one, entries("Ines Solé"), {}, by=user_of(olga), now=NOW).lines
    assert line.choices == (("Ines Solé", [(there.pk, "Ines Sole")]),)
    [made] = enter(one, olga, "Ines Solé", chosen={"ines solé": there.pk})
    assert made.player == there


def test_all_or_nobody_is_entered(duel: Arena, olga: Player, alice: Player) -> None:
    one = opened(duel, olga, "swiss")
    enter(one, olga, "Alice")
    with pytest.raises(Refused, match="Line 2: “Alice” has entered already"):
        enter(one, olga, "New One\nAlice")
    assert not Player.objects.filter(name="New One").exists()
    assert one.entrants.count() == 1


def test_more_than_the_places_are_refused(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss", entry={"entrants": 2})
    with pytest.raises(Refused, match="2 places are free, and the list has 3 entrants"):
        enter(one, olga, "Ann\nBob\nCy")


def test_only_organisers_enter_others(duel: Arena, olga: Player, alice: Player) -> None:
    one = opened(duel, olga, "swiss")
    with pytest.raises(Forbidden):
        entering_by_staff.enter(one.pk, entries("Ann"), {}, by=user_of(alice), now=NOW)


def test_chosen_seeds_come_first_then_ratings(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    enter(one, olga, "name;elo;seed\nAnn;2000;\nBob;1000;1\nCy;2500;\nDee;;2")
    starting.start(one.pk, by=user_of(olga), now=NOW)
    order = one.entrants.order_by("seed").values_list("name", flat=True)
    assert list(order) == ["Bob", "Dee", "Cy", "Ann"]


def test_seeds_are_swapped_until_the_draw(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss")
    ann, bob = enter(one, olga, "name;seed\nAnn;1\nBob;2")
    by = user_of(olga)
    entering_by_staff.change(one.pk, [(ann.pk, 2, 1500.0, "x"), (bob.pk, 1, None, "")], by=by)
    assert list(one.entrants.order_by("seed").values_list("name", "rating", "club")) == [
        ("Bob", None, ""),
        ("Ann", 1500.0, "x"),
    ]
    with pytest.raises(Refused, match="Seed 1 is that of"):
        entering_by_staff.change(one.pk, [(ann.pk, 1, None, "")], by=by)
    starting.start(one.pk, by=by, now=NOW)
    with pytest.raises(Conflict):
        entering_by_staff.change(one.pk, [(ann.pk, 1, None, "")], by=by)


def test_clubs_are_kept_apart_in_a_swiss(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "swiss", play={"apart": True})
    enter(one, olga, "name;club\nA;X\nB;Y\nC;x\nD;y")
    starting.start(one.pk, by=user_of(olga), now=NOW)
    progress.sweep(NOW)
    for fixture in Fixture.objects.filter(competition=one).with_sides():
        home, away = sides_of(fixture)
        assert home.club.casefold() != away.club.casefold()


def test_a_late_entry_joins_the_next_round(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "swiss", play={"rounds": 3})
    [late] = enter(one, olga, "Late Larry; 1700")
    assert (late.state, late.joined_round, late.seed) == (Entrant.State.PLAYING, 2, 5)
    assert late.rating == 1700


def test_nobody_joins_a_table_that_is_drawn(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    with pytest.raises(Conflict, match="All fixtures are drawn"):
        enter(one, olga, "Late Larry")


def test_another_player_takes_the_place_of_an_entrant(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    new = Player.objects.create(name="Sub Sally")
    entrant = one.entrants.get(seed=1)
    entering_by_staff.replace(entrant.pk, new, by=user_of(olga), reason="Ill.", now=START)
    progress.sweep(START)
    entrant.refresh_from_db()
    assert (entrant.player, entrant.name) == (new, "Sub Sally")
    mine = one.fixtures.undecided().filter(home=entrant) | one.fixtures.filter(away=entrant)
    dates = [
        game.arrangement
        for fixture in mine
        for game in fixture.games.filter(arrangement__state="accepted")
    ]
    assert dates
    assert all(new in {date.proposer, date.opponent} for date in dates)


def test_a_roster_is_made_of_the_players_after_its_name(teams: Arena, olga: Player) -> None:
    one = opened(teams, olga, "table")
    [made] = enter(one, olga, "Night Owls: Ann Ash, Bob Birch")
    assert made.roster == Roster.objects.get(name="Night Owls")
    assert made.roster.captain.name == "Ann Ash"
    assert made.roster.members.count() == 2


def test_a_draft_takes_entrants(duel: Arena, olga: Player) -> None:
    one = competition(duel, "swiss")
    assert enter(one, olga, "Ann")[0].state == Entrant.State.REGISTERED


def test_an_organiser_who_plays_neither_seeds_nor_removes_rivals(
    duel: Arena, olga: Player, alice: Player
) -> None:
    user_of(alice).__class__.objects.filter(player=alice).update(is_superuser=True, is_staff=True)
    one = opened(duel, olga, "swiss")
    rival, _own = enter(one, olga, "Ann\nOlga")
    with pytest.raises(Forbidden, match="You play in this competition"):
        entering_by_staff.change(one.pk, [(rival.pk, 9, None, "")], by=user_of(olga))
    with pytest.raises(Forbidden, match="You play in this competition"):
        entering_by_staff.take_out(rival.pk, by=user_of(olga), now=NOW)


def test_a_team_enters_by_its_name_with_all_who_play(
    teams: Arena, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    team = joined(team_of(alice), bob, eve)
    coach = team.members.get(player=eve)
    membership.give_role(team, coach.pk, "coach", by=alice, now=NOW)
    [entrant] = enter(opened(teams, olga, "swiss"), olga, team.name.upper())
    assert entrant.roster is not None
    assert (entrant.roster.team, entrant.roster.captain, str(entrant)) == (team, alice, team.name)
    assert set(entrant.roster.members.all()) == {alice, bob}
    entrant.delete()
    [again] = enter(entrant.competition, olga, team.name)
    assert again.roster == entrant.roster


def test_members_of_a_team_are_chosen_after_its_name(
    teams: Arena, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    team = joined(team_of(alice), bob, eve)
    [entrant] = enter(opened(teams, olga, "swiss"), olga, f"{team.name}: Eve, Bob")
    assert entrant.roster is not None
    assert (entrant.roster.team, entrant.roster.captain) == (team, eve)
    assert set(entrant.roster.members.all()) == {eve, bob}


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (": Alice, Charlie", "Not in the team “Owls”: Charlie."),
        (": Alice, Somebody New", "Some of them are not in the team “Owls”."),
        ("", "Bob plays for Foxes in this arena."),
    ],
)
def test_others_cannot_play_for_a_team(
    teams: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    line: str,
    problem: str,
) -> None:
    team = joined(team_of(alice, "Owls"), bob)
    foxes = joined(team_of(charlie, "Foxes", "FOX"), bob)
    rosters.line_up(foxes, teams, "Foxes", [charlie, bob], charlie, by=charlie, now=NOW)
    with pytest.raises(Refused, match=problem):
        enter(opened(teams, olga, "swiss"), olga, f"{team.name}{line}")
