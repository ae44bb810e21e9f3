"""Olga prints pairings, result slips and standings for the hall."""

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Player
from tests.support.competition_steps import begun, crowd, play


def printed(one: Competition, **query: str) -> str:
    address = reverse("competition_print", args=[one.season.arena.slug, one.pk])
    answer = Client().get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_everybody_is_on_each_list(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(5), "swiss", play={"rounds": 3})
    for part in ("pairings", "names", "standings"):
        page = printed(one, part=part)
        assert [name for name in map(str, one.entrants.all()) if name not in page] == []
    slips = printed(one, part="slips")
    assert slips.count('class="pair"') == 2  # the bye needs none
    assert "Signature" in slips


def test_the_list_by_name_leads_to_the_board(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    fixture = one.fixtures.with_sides().filter(round__number=1).order_by("number")[1]
    row = printed(one, part="names", round="1").partition(f'<th scope="row">{fixture.home}')[2]
    assert row.partition("</tr>")[0].count(f"<td>{fixture.away}</td>") == 1
    assert '<td class="number">2</td>' in row.partition("</tr>")[0]


def test_a_result_is_on_the_pairings(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(2), "table")
    fixture = one.fixtures.with_sides().get()
    assert fixture.home
    play(fixture, fixture.home.player, score=(3, 1))
    assert "3–1" in printed(one, part="pairings", round="1")


@pytest.mark.parametrize(
    "query", [{"part": "no"}, {"round": "999"}, {"round": "-1"}, {"round": "½"}]
)
def test_odd_addresses_get_a_page(duel: Arena, olga: Player, query: dict[str, str]) -> None:
    one = begun(duel, olga, crowd(2), "single")
    assert "bracket is printed from the page" in printed(one, **query)
