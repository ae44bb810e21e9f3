"""Olga chooses tie-breaks from a list and puts them in order, with and without scripts."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from league.admin.competitions.tie_break_list import move_name
from league.models import Arena, Competition, Player
from league.services.competitions.standings.tie_breaks import TIE_BREAKS
from tests.support.admin_steps import FormReader, staff
from tests.support.competition_steps import begun, competition, crowd

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["staff"]

FIELD = "table__tie_breaks"


def form_values(page: Any) -> dict[str, str]:
    reader = FormReader(runs_scripts=False)
    reader.feed(page.content.decode())
    return reader.values


def page_of(one: Competition) -> str:
    return f"/admin/league/competition/{one.pk}/change/"


def chosen_in(page: Any) -> list[str]:
    text = page.content.decode()
    found = re.search(rf'name="{FIELD}" value="([^"]*)"', text)
    assert found
    shown = re.findall(r'<li data-name="(\w+)">', text)
    names = found[1].split(", ")
    assert shown == [*names, *(name for name in TIE_BREAKS if name not in names)]
    return names


def test_buttons_move_add_and_remove_without_scripts(staff: Client, duel: Arena) -> None:
    one = competition(duel, "swiss")
    page = staff.get(page_of(one))
    assert chosen_in(page) == ["direct", "difference", "wins"]
    assert all(str(each.explanation) in page.content.decode() for each in TIE_BREAKS.values())
    for step, wanted in (
        ("up:wins", ["direct", "wins", "difference"]),
        ("down:direct", ["wins", "direct", "difference"]),
        ("remove:direct", ["wins", "difference"]),
        ("add:buchholz", ["wins", "difference", "buchholz"]),
        ("up:wins", ["wins", "difference", "buchholz"]),
        ("add:nonsense", ["wins", "difference", "buchholz"]),
        ("no:wins", ["wins", "difference", "buchholz"]),
    ):
        page = staff.post(page_of(one), form_values(page) | {"_look": f"{FIELD}:{step}"})
        assert page.status_code == 200
        assert chosen_in(page) == wanted
        assert "Nothing is saved yet" in page.content.decode()
    assert one.ruled_by().table.tie_break_names == ("direct", "difference", "wins")
    assert staff.post(page_of(one), form_values(page)).status_code == 302
    one.refresh_from_db()
    assert one.ruled_by().table.tie_break_names == ("wins", "difference", "buchholz")


def test_an_unknown_tie_break_names_the_known(staff: Client, duel: Arena) -> None:
    one = competition(duel, "swiss")
    typed = form_values(staff.get(page_of(one))) | {FIELD: "wins, luck"}
    text = staff.post(page_of(one), typed).content.decode()
    assert "“luck” is not a tie-break" in text
    assert f"{TIE_BREAKS['lots'].name}: Chance decides." in text
    assert f"{FIELD}:remove:luck" in text


def test_they_are_only_read_after_the_draw(staff: Client, duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "table")
    text = staff.get(page_of(one)).content.decode()
    assert "Direct encounter" in text
    assert f'value="{FIELD}:' not in text


@given(st.lists(st.sampled_from(sorted(TIE_BREAKS)), unique=True), st.data())
def test_a_step_changes_one_place(names: Sequence[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(TIE_BREAKS)))
    step = data.draw(st.sampled_from(["add", "remove", "up", "down"]))
    after = move_name(list(names), step, name)
    assert len(set(after)) == len(after)
    assert [each for each in after if each != name] == [each for each in names if each != name]
    if name in names and step in {"up", "down"} and after != names:
        pairs = set(pairwise(names)) ^ set(pairwise(after))
        assert any(set(pair) >= {name} for pair in pairs)
        assert abs(after.index(name) - list(names).index(name)) == 1
    assert (name in after) == ((name in names and step != "remove") or step == "add")


@pytest.mark.parametrize("value", ["", "   ", ",,", "Wins , WINS"])
def test_odd_texts_are_shown(staff: Client, duel: Arena, value: str) -> None:
    address = f"/admin/league/competition/add/?{FIELD}={value}"
    assert staff.get(address).status_code == 200
