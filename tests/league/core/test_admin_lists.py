"""Long lists of the admin: they are counted up to a number, and searched by an index."""

import pytest
from django.contrib import admin
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.admin.core import lists
from league.models import Player
from tests.support.admin_steps import messages_of, staff
from tests.support.cast import account

__all__ = ["staff"]

PLAYERS = "/admin/league/player/"


@pytest.fixture
def few_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists, "MOST_COUNTED", 2)


def names_on(page: str) -> list[str]:
    return [one.name for one in Player.objects.all() if f">{one.name}</a>" in page]


def test_a_long_list_says_that_it_has_more_and_offers_no_action_on_all(
    staff: Client, alice: Player, bob: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(admin.site.get_model_admin(Player), "list_per_page", 1)
    page = staff.get(PLAYERS).content.decode()
    assert "3 players" in page
    assert "Select all 3 players" in page
    monkeypatch.setattr(lists, "MOST_COUNTED", 2)
    page = staff.get(PLAYERS).content.decode()
    assert "More than 2 players" in page
    assert "Select all 2 players" not in page
    assert "?p=2" in page
    assert "?p=3" not in page
    assert "1 player" in staff.get(PLAYERS, {"q": "lice"}).content.decode()


def test_nobody_acts_on_all_rows_of_a_long_list(
    staff: Client, alice: Player, bob: Player, charlie: Player, few_are_counted: None
) -> None:
    sent = {"action": "delete_selected", "select_across": "1", "_selected_action": [alice.pk]}
    answer = staff.post(PLAYERS, {**sent, "post": "yes"})
    assert answer.status_code == 302
    assert "too long" in messages_of(answer)
    assert Player.objects.filter(pk=alice.pk).exists()
    filtered = staff.post(f"{PLAYERS}?q=alice", sent)
    assert filtered.status_code == 200
    assert "Alice" in filtered.content.decode()


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("andre", ["André the Great"]),
        ("GREAT andr", ["André the Great"]),
        ("he", ["André the Great"]),
        ("great zeta", []),
        ("%", []),
        ("grea_", []),
    ],
)
def test_players_are_found_by_parts_of_their_name(
    staff: Client, typed: str, found: list[str]
) -> None:
    account("André the Great")
    account("Zeta")
    assert names_on(staff.get(PLAYERS, {"q": typed}).content.decode()) == found


def test_a_word_of_three_letters_is_searched_by_an_index(staff: Client) -> None:
    account("André the Great")
    with CaptureQueriesContext(connection) as asked:
        staff.get(PLAYERS, {"q": "andre"})
    assert any("league_trigrams" in one["sql"] for one in asked.captured_queries)
