"""The rows of an evening as people type them: names without accents, and scores of every kind."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from league.models import Arena, Match, Player, StaffAction, User
from league.models.reach import ARENA_ORGANISER
from league.models.skeletons import skeleton
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.core.clock import database_now
from league.services.people import naming, roles
from league.services.seasons.opening import publish
from tests.league.transfer.test_evenings import form, page_of
from tests.support.admin_steps import staff
from tests.support.cast import account, roster
from tests.support.result_steps import user_of
from tests.support.web_steps import words

__all__ = ["staff"]


def sides_of(match: Match) -> list[tuple[str, int | None, float | None]]:
    sides = match.sides.order_by("index")
    return [(side.captain.name, side.place, side.score) for side in sides]


def fixes(answer: Any) -> list[str]:
    """Return what the buttons that fix a row would send."""
    found = re.findall(r'name="fix" value="([^"]*)"', answer.content.decode())
    return [html.unescape(one) for one in found]


def typed(answer: Any) -> list[tuple[str, str]]:
    return [(one["row"].first, one["row"].second) for one in answer.context["cells"]]


@pytest.mark.parametrize(
    ("outcome", "places", "scores"),
    [
        ("3-1", (0, 1), (3, 1)),
        ("3:1", (0, 1), (3, 1)),
        ("3–1", (0, 1), (3, 1)),
        (" 1 − 3 ", (1, 0), (1, 3)),
        ("11:7 9:11 11:5", (0, 1), (2, 1)),
        ("4-6, 6-4, 6-7", (1, 0), (1, 2)),
        ("½", (0, 0), (0.5, 0.5)),
        ("½-½", (0, 0), (0.5, 0.5)),
        ("1/2", (0, 0), (0.5, 0.5)),
        ("2½:1½", (0, 1), (2.5, 1.5)),
        ("1", (0, 1), (None, None)),
        ("anne-marie", (0, 1), (None, None)),
        ("remis", (0, 0), (None, None)),
    ],
)
def test_scores_are_read_as_people_write_them(
    staff: Client, duel: Arena, bob: Player, outcome: str, places: Any, scores: Any
) -> None:
    account("Anne-Marie")
    answer = staff.post(page_of(duel), form([("Anne-Marie", "Bob", outcome)], save="1"))
    assert answer.status_code == 302, words(answer)
    [first, second] = sides_of(Match.objects.get())
    assert (first[1], second[1]) == places
    assert (first[2], second[2]) == scores


@pytest.mark.parametrize("outcome", ["w.o.", "w/o", "+:-", "-:+", "walkover", "ff"])
def test_a_walkover_needs_a_fixture(
    staff: Client, duel: Arena, alice: Player, bob: Player, outcome: str
) -> None:
    answer = words(staff.post(page_of(duel), form([("Alice", "Bob", outcome)], save="1")))
    assert "A walkover counts for an open fixture, and none is chosen for these two." in answer
    assert not Match.objects.exists()


@pytest.mark.parametrize("outcome", ["3:", "x9", "3-1-2", "11:7 9", "1e5:2", "9" * 400, "::"])
def test_what_is_no_result_says_so(
    staff: Client, duel: Arena, alice: Player, bob: Player, outcome: str
) -> None:
    answer = words(staff.post(page_of(duel), form([("Alice", "Bob", outcome)], save="1")))
    assert "is not a result. Write 3:1." in answer


@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("Zoë Müller", "zoe muller"),
        ("O’Brien", "OBrien"),
        ("Łukasz Żal", "Lukasz Zal"),
        ("Anne-Marie", "anne marie"),
        ("Søren", "soren"),
        ("D'Arcy", "D’Arcy"),
    ],
)
def test_names_are_found_without_accents_and_apostrophes(
    staff: Client, duel: Arena, bob: Player, name: str, written: str
) -> None:
    account(name)
    answer = staff.post(page_of(duel), form([(written, "Bob", "2:0")], save="1"))
    assert answer.status_code == 302, words(answer)
    assert sides_of(Match.objects.get())[0][0] == name


def test_of_two_players_who_may_be_meant_none_is_chosen(
    staff: Client, duel: Arena, bob: Player
) -> None:
    account("José")
    Player.objects.create(name="Josè", may_resemble=True)
    answer = staff.post(page_of(duel), form([("Jose", "Bob", "2:0")], save="1"))
    assert "Nobody is called “Jose”." in words(answer)
    assert {json.loads(one)[2] for one in fixes(answer)} == {"José", "Josè"}


@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=12))
def test_who_differs_only_in_marks_looks_alike(name: str) -> None:
    """Players are looked for by their skeletons, and then compared without marks."""
    plain = naming.bare(name)
    assert naming.bare(plain) == plain
    if plain.isascii() and plain.replace(" ", "").isalpha() and name.isascii():
        assert skeleton(plain) == skeleton(name)


def test_a_row_says_everything_that_is_wrong_with_it(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    answer = words(staff.post(page_of(duel), form([("Alise", "Bobb", "3:")], save="1")))
    assert "Nobody is called “Alise”." in answer
    assert "Nobody is called “Bobb”." in answer
    assert "“3:” is not a result." in answer
    answer = words(staff.post(page_of(duel), form([("Alise", "", "")], save="1")))
    assert "Name both sides. Give both scores, or the winner. Nobody is called" in answer


def test_an_arena_of_teams_says_how_the_players_of_a_side_are_written(
    staff: Client, duel: Arena, teams: Arena
) -> None:
    separate = "Separate the players of a side by commas"
    assert separate in words(staff.get(page_of(teams)))
    assert separate not in words(staff.get(page_of(duel)))


def test_did_you_mean_is_a_button_that_fixes_the_row(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    rows = [("Alise", "Bob", "2:1"), ("Bob", "Alise", "2:1")]
    answer = staff.post(page_of(duel), form(rows, check="1"))
    assert "Did you mean “Alice”?" in words(answer)
    [first, _second] = fixes(answer)
    answer = staff.post(page_of(duel), form(rows, fix=first))
    assert typed(answer)[:2] == [("Alice", "Bob"), ("Bob", "Alise")]
    assert len(fixes(answer)) == 1
    assert not Match.objects.exists()


def test_a_fix_changes_one_name_of_a_team_or_of_an_order(
    staff: Client, teams: Arena, melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    roster(teams, "Ünlü", charlie)
    answer = staff.post(page_of(teams), form([("Alise, Bob", "unlu", "2:1")], check="1"))
    [only] = fixes(answer)
    fixed = staff.post(page_of(teams), form([("Alise, Bob", "unlu", "2:1")], fix=only))
    assert typed(fixed) == [("Alice, Bob", "unlu")]
    assert not fixes(fixed)
    order = {"order": "Bob > Alise = Charlie", "played_at": form([("", "", "")])["played_at"]}
    [only] = fixes(staff.post(page_of(melee), order))
    fixed = staff.post(page_of(melee), {**order, "fix": only})
    assert fixed.context["cells"][0]["row"].order == "Bob > Alice = Charlie"
    [only] = fixes(staff.post(page_of(melee), order | {"order": "Bob, Charlie, Alise (DNF)"}))
    fixed = staff.post(page_of(melee), {**order, "order": "Bob, Charlie, Alise (DNF)", "fix": only})
    assert fixed.context["cells"][0]["row"].order == "Bob, Charlie, Alice (DNF)"


@pytest.mark.parametrize(
    "value", ["", "[", "[1]", '["a", "b", "c"]', "[0, 1, 2]", '[99, "a", "b"]', "{}", "[[],1,2]"]
)
def test_a_fix_of_nothing_changes_nothing(
    staff: Client, duel: Arena, alice: Player, bob: Player, value: str
) -> None:
    answer = staff.post(page_of(duel), form([("Alice", "Bob", "1")], fix=value))
    assert typed(answer) == [("Alice", "Bob")]


def test_all_names_that_nobody_has_are_named_together_with_the_way_out(
    staff: Client, duel: Arena, alice: Player
) -> None:
    answer = words(staff.post(page_of(duel), form([("Zoe", "Yves", "1")], save="1")))
    assert "Nobody is called “Zoe”, “Yves”." in answer
    assert "or tick “Add new players” to make players of the names that nobody has" in answer
    answer = words(staff.post(page_of(duel), form([("Alise", "Alice", "1")], save="1")))
    assert "or tick" not in answer


def test_names_that_nobody_has_become_players_only_if_so_asked_and_once_saved(
    staff: Client, melee: Arena, alice: Player
) -> None:
    order, again = "Zoe > Alice = Łukasz Żak > Alise", "Alice > zoe > Łukasz Żak"
    before = Player.objects.count()
    rows = [("", "", "")]
    asked = {"order": [order], "add_players": "on"}
    assert "Nobody is called “Zoe”" in words(staff.post(page_of(melee), form(rows, order=[order])))
    answer = words(staff.post(page_of(melee), form(rows, **asked, check="1")))
    assert "Nobody is called “Alise”." in answer
    assert "Nobody is called “Zoe”" not in answer
    asked["order"] = [order.removesuffix(" > Alise"), again]
    checked = staff.post(page_of(melee), form(rows, **asked, check="1"))
    assert [one["added"] for one in checked.context["cells"]][:2] == [["Zoe", "Łukasz Żak"], []]
    assert "New players: Zoe, Łukasz Żak." in words(checked)
    assert Player.objects.count() == before
    assert staff.post(page_of(melee), form(rows, **asked, save="1")).status_code == 302
    assert Player.objects.count() == before + 2
    zoe = Player.objects.get(name="Zoe")
    assert zoe.user is None
    assert [part.side.place for part in zoe.participations.order_by("match_id")] == [0, 1]
    action = StaffAction.objects.get(kind=StaffAction.Kind.EVENING)
    assert action.details["added"] == ["Zoe", "Łukasz Żak"]


def test_organisers_of_one_arena_add_no_players_with_an_evening(
    duel: Arena, alice: Player, bob: Player
) -> None:
    roles.give(user_of(bob), [ARENA_ORGANISER], [duel])
    organiser = Client()
    organiser.force_login(User.objects.get(player=bob))
    assert "Add new players" not in words(organiser.get(page_of(duel)))
    sent = form([("Zoe", "Alice", "1")], add_players="on", save="1")
    assert "Nobody is called “Zoe”." in words(organiser.post(page_of(duel), sent))
    assert not Player.objects.filter(name="Zoe").exists()


def test_an_arena_published_this_minute_takes_the_evening_with_new_players(
    staff: Client, olga: Player
) -> None:
    preset = PRESETS["gw2-ranked"]
    now = database_now()
    made = from_preset(preset, name="Ranked", slug="ranked", by=user_of(olga), now=now)
    publish(made.pk, by=user_of(olga), now=now)
    names = ["Aela", "Bryn", "Cade", "Dara", "Eryk", "Faye", "Gwen", "Hale", "Iona", "Jory"]
    one, other = ", ".join(names[:5]), ", ".join(names[5:])
    rows = [(one, other, "500-310"), (other, one, "420:500")]
    sent = form(rows, mode=["Conquest"] * 2)
    sent |= {"played_at": f"{now:%Y-%m-%dT%H:%M}", "add_players": "on", "save": "1"}
    answer = staff.post(page_of(made), sent)
    assert answer.status_code == 302, words(answer)
    assert Match.objects.rated().filter(arena=made).count() == 2
    assert not Player.objects.filter(name__in=names, user__isnull=False).exists()
