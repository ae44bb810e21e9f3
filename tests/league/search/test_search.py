"""The search of players, teams, arenas and competitions."""

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Competition, Player, Rating
from league.services.results.reports.answers import confirm
from league.services.search.finding import find
from league.services.teams.founding import found
from tests.support.cast import NOW, account, beats
from tests.support.team_steps import COLOURS
from tests.support.web_steps import words

PART = {"HX-Request": "true"}


@pytest.fixture
def owls_everywhere(duel: Arena, alice: Player) -> None:
    account("Owlet")
    found("Night Owls", "OWL", COLOURS, by=alice, now=NOW)
    Arena.objects.filter(pk=duel.pk).update(name="Owl Arena")
    for name, opened in (("Owl Cup", NOW), ("Secret Owl Cup", None)):
        Competition.objects.create(
            season=duel.seasons.get(), name=name, opened_at=opened, starts_at=NOW
        )


@pytest.mark.usefixtures("owls_everywhere")
def test_the_page_finds_every_kind_by_a_part_of_the_name() -> None:
    page = words(Client().get("/search/", {"q": "owl"}))
    for name in ("Owlet", "Night Owls OWL", "Owl Arena", "Owl Cup Owl Arena"):
        assert name in page
    assert "Secret" not in page
    assert "Alice" not in page


@pytest.mark.usefixtures("owls_everywhere")
def test_programs_find_what_the_page_finds() -> None:
    found = Client().get("/api/v1/search/", {"q": " owl "}).json()
    names = {kind: [one["name"] for one in rows] for kind, rows in found.items() if rows}
    assert names == {
        "players": ["Owlet"],
        "teams": ["Night Owls"],
        "arenas": ["Owl Arena"],
        "competitions": ["Owl Cup"],
    }
    assert found["competitions"][0]["arena"] == "duel"
    assert found["may_be_more"] is False


@pytest.mark.usefixtures("owls_everywhere")
@pytest.mark.parametrize("query", [{}, {"q": ""}, {"q": "  "}, {"q": "x" * 61}, {"q": "\0"}])
def test_programs_are_told_what_is_wrong_with_a_search(query: dict[str, str]) -> None:
    answer = Client().get("/api/v1/search/", query)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == ["q"]


@pytest.mark.usefixtures("owls_everywhere")
def test_drafts_and_their_competitions_are_not_found() -> None:
    Arena.objects.update(is_draft=True)
    found = find("owl", count=4)
    assert (list(found.arenas), list(found.competitions)) == ([], [])


@pytest.mark.usefixtures("owls_everywhere")
def test_suggestions_are_a_part_of_a_page_with_few_of_each_kind() -> None:
    for number in range(8):
        account(f"Owl {number}")
    part = Client().get("/search/", {"q": "OWL"}, headers=PART).content.decode()
    assert "<html" not in part
    assert part.count("/players/") == 4
    assert "The first 7 results" in part, "two players are left out"
    few = Client().get("/search/", {"q": "night"}, headers=PART).content.decode()
    assert "1 result\n</p>" in few


@pytest.mark.usefixtures("owls_everywhere")
def test_the_number_of_results_is_told_outside_the_part_that_is_replaced() -> None:
    """Screen readers announce changes of a live region, not a region that is new."""
    part = Client().get("/search/", {"q": "owl"}, headers=PART).content.decode()
    assert 'role="status"' not in part
    assert '<p hx-swap-oob="innerHTML:#header-count">4 results' in part
    cleared = Client().get("/search/", {"q": ""}, headers=PART).content.decode()
    assert '<p hx-swap-oob="innerHTML:#header-count">\n</p>' in cleared
    page = Client().get("/search/", {"q": "owl"}).content.decode()
    found = page.index('class="card found on-page"')
    assert page.rindex('role="status">4 results', 0, found) < found
    box = page[page.index('id="header-count"') :]
    assert box.index("</p>") < box.index('id="header-found"')


@pytest.mark.usefixtures("owls_everywhere")
def test_a_search_takes_eight_statements_and_none_without_a_text(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """Two for arenas and competitions each: their names are compared without accents."""
    with django_assert_num_queries(8):
        find("owl", count=4)
    with django_assert_num_queries(0):
        assert "What are you looking for?" in words(Client().get("/search/"))


@pytest.mark.parametrize("text", ["%", "_", "'; --", "<b>", "x" * 500, "ḱ́", "\\"])
@pytest.mark.usefixtures("owls_everywhere")
def test_odd_texts_find_nothing_and_do_no_harm(text: str) -> None:
    answer = Client().get("/search/", {"q": text})
    assert answer.status_code == 200
    assert "Nothing found for" in words(answer)
    assert "<b>" not in answer.content.decode()


def test_no_single_key_is_a_shortcut_and_short_texts_are_explained() -> None:
    page = Client().get("/search/")
    assert "In the names of players, one or two letters find only the start" in words(page)
    assert 'accesskey="/"' in page.content.decode()
    script = Path(str(finders.find("js/search/find.js"))).read_text()
    assert 'document.addEventListener("keydown"' not in script


def test_the_best_known_of_a_name_comes_first(duel: Arena, alice: Player, bob: Player) -> None:
    central, spain, old = account("Central Spain"), account("Spain"), account("Spain Reserves")
    for _number in range(3):
        confirm(beats(old, bob, duel).pk, by=bob, now=NOW)
    confirm(beats(spain, alice, duel).pk, by=alice, now=NOW)
    listed = find("spain", count=4).players
    assert [one.player for one in listed] == [spain, old, central]
    assert listed[0].arena == duel
    assert listed[0].rating == Rating.objects.get(player=spain).rating
    assert listed[2].arena is None
    page = words(Client().get("/search/", {"q": "spain"}))
    assert re.search(r"Spain Duel · 1\d{3} .*Spain Reserves Duel · 1\d{3} .*Central Spain", page)


def test_players_who_have_just_played_are_listed_before_anything_is_typed(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    confirm(beats(alice, bob, duel).pk, by=bob, now=NOW)
    page = words(Client().get("/players/"))
    assert "Played lately" in page
    assert "Alice Duel" in page
    assert "Charlie" not in page
    Player.objects.filter(pk=alice.pk).update(is_unlisted=True)
    assert "Alice" not in words(Client().get("/players/"))
    Arena.objects.update(is_draft=True)
    assert "Who are you looking for?" in words(Client().get("/players/"))
