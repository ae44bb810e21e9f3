"""Olga prints pairings, result slips and standings for the hall."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import progress
from tests.support.competition_steps import begun, crowd, play
from tests.support.result_steps import rules, user_of


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
    row = printed(one, part="names", round="1").partition(f'<th scope="row"><bdi>{fixture.home}')[2]
    assert row.partition("</tr>")[0].count(f"<bdi>{fixture.away}</bdi>") == 1
    assert '<td class="number">2</td>' in row.partition("</tr>")[0]


def test_only_chess_is_played_on_boards(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    for part in ("pairings", "names", "slips"):
        words = text_of(printed(one, part=part, round="1"))
        assert "board" not in words
        assert "game" in words
    rules(duel, highest_score=1)
    for part in ("pairings", "names", "slips"):
        assert "board" in text_of(printed(one, part=part, round="1"))


def text_of(page: str) -> str:
    """Return the text of the main part of a page, in small letters."""
    main = page.partition("<main")[2].partition("</main>")[0]
    return re.sub("<[^>]*>", " ", main).casefold()


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
    assert "Pairings by game" in printed(one, **query)


def test_a_bracket_has_pairings_slips_and_a_chart(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"third_place": True})
    names = [str(name) for name in one.entrants.all()]
    for part in ("pairings", "slips", "names", "chart"):
        page = printed(one, part=part)
        assert [name for name in names if name not in page] == []
    assert "winner of 1" in printed(one, part="pairings", round="final-1")
    chart = printed(one, part="chart")
    assert chart.count("<rect") == one.fixtures.count() == 4
    assert "Third place" in chart
    assert "Standings" not in chart


def test_groups_show_the_bracket_that_follows(duel: Arena, olga: Player) -> None:
    rules = {"groups": 2, "qualify": 2}
    one = begun(duel, olga, crowd(8), "groups-knockout", play=rules)
    assert "Winner of group A" in printed(one, part="chart")


def test_certificates_name_the_first_three_or_everybody(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(5), "table")
    assert "once the competition is over" in printed(one, part="certificates")
    while (fixture := open_fixture(one)) is not None:
        assert fixture.home
        assert fixture.away
        best = min(fixture.home, fixture.away, key=lambda each: each.name)
        play(fixture, best.player)
        progress.sweep(fixture.round.closes_at)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    page = printed(one, part="certificates")
    found = re.findall(r"<bdi>([^<]*)</bdi>.*?certificate-place\">([^<]*)<", page, re.DOTALL)
    assert found == [
        ("Player 001", "First place"),
        ("Player 002", "Second place"),
        ("Player 003", "Third place"),
    ]
    assert printed(one, part="certificates", all="1").count("<section") == 5


def open_fixture(one: Competition) -> Fixture | None:
    rows = one.fixtures.with_sides().filter(games__arrangement__state="accepted")
    return rows.order_by("number").first()


def test_an_arena_made_by_hand_has_no_colours_before_its_first_score(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(2), "double")
    assert '<th scope="col">Home</th>' in printed(one, part="pairings")
    assert "White" not in printed(one, part="slips")


def test_the_page_that_runs_a_bracket_leads_to_its_prints(
    client: Client, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single")
    client.force_login(user_of(olga))
    run = client.get(f"{one.get_absolute_url()}run/").content.decode()
    assert f"{one.get_absolute_url()}print/" in run


def test_colours_are_named_in_chess_and_home_and_away_where_goals_are_scored(
    duel: Arena, olga: Player
) -> None:
    chess = {"win": 1, "draw": 0.5}
    one = begun(duel, olga, crowd(2), "table", play={"legs": 2}, table=chess)
    assert '<th scope="col">White</th>' in printed(one, part="pairings")
    for part in ("names", "slips"):
        assert "Black" in printed(one, part=part)
    fixture = open_fixture(one)
    assert fixture
    assert fixture.home
    play(fixture, fixture.home.player, score=(3, 1))
    assert '<th scope="col">Home</th>' in printed(one, part="pairings")
