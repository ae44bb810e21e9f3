"""The leaderboard's page: quick for visitors, and never wrong for being quick."""

from __future__ import annotations

import gzip
import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from league.models import Arena, Player, Rating
from league.web import caching
from tests.cast import NOW, put_in_order
from tests.league.web_steps import browser_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

BOARD = "/arenas/duel/leaderboard/"


@pytest.fixture
def kept() -> Iterator[None]:
    """Pages are kept for a minute, instead of a second."""
    caching.forget()
    with override_settings(PAGES_KEPT_FOR=60.0):
        yield
    caching.forget()


def rated(player: Player, arena: Arena, rating: float) -> None:
    Rating.objects.update_or_create(
        season=arena.seasons.get(),
        player=player,
        defaults={"rating": rating, "deviation": 50, "games": 3, "last_played_at": NOW},
    )
    put_in_order()


@pytest.mark.usefixtures("kept")
def test_visitors_share_a_page_for_a_moment_and_who_is_logged_in_sees_the_latest(
    duel: Arena,
    alice: Player,
    charlie: Player,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    rated(alice, duel, 1500)
    rated(charlie, duel, 1400)
    assert "1 Alice" in words(Client().get(BOARD))
    rated(charlie, duel, 1600)
    with django_assert_num_queries(0):
        assert "1 Alice" in words(Client().get(BOARD))
    assert "1 Charlie" in words(browser_of(alice).get(BOARD))
    assert "1 Charlie" in words(Client().get(BOARD, {"page": "1"}))
    caching.forget()
    assert "1 Charlie" in words(Client().get(BOARD))


@pytest.mark.usefixtures("kept")
def test_a_page_that_is_kept_comes_in_the_readers_form(duel: Arena, alice: Player) -> None:
    rated(alice, duel, 1500)
    plain = Client().get(BOARD)
    for _ in range(2):
        packed = Client().get(BOARD, headers={"Accept-Encoding": "gzip"})
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.content) == plain.content
        assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["ETag"] != plain.headers["ETag"]
    again = Client().get(BOARD, headers={"If-None-Match": plain.headers["ETag"]})
    assert again.status_code == 304
    part = Client().get(BOARD, headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    abroad = Client()
    abroad.cookies["timezone"] = "Asia/Tokyo"
    assert "Times in Asia/Tokyo" in words(abroad.get(BOARD))
    assert "Times in UTC" in words(Client().get(BOARD))
    assert Client().get(BOARD, {"season": "0"}).status_code == 404


def test_what_surrounds_the_rows_follows_the_arena_at_once(
    duel: Arena, alice: Player, olga: Player
) -> None:
    rated(alice, duel, 1500)
    for _ in range(2):
        page = words(Client().get(BOARD))
        assert "Duel Overview" in page
        assert "Report a result" in page
        assert "Log in" in page
    assert "Log in" not in words(browser_of(olga).get(BOARD))
    Arena.objects.update(name="Dual", is_open=False)
    page = words(Client().get(BOARD))
    assert "Dual Overview" in page
    assert "Report a result" not in page


def test_a_name_is_shown_as_it_is_and_never_as_markup(duel: Arena, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(name='<b onload="x">&amp;')
    rated(alice, duel, 1500)
    source = Client().get(BOARD).content.decode()
    assert "&lt;b onload=&quot;x&quot;&gt;&amp;amp;</a>" in source
    assert "<b onload" not in source


def test_a_row_tells_percentile_and_division(duel: Arena) -> None:
    players = Player.objects.bulk_create(
        Player(name=f"Player {number:03}", folded_name=f"player {number:03}")
        for number in range(100)
    )
    for number, player in enumerate(players):
        Rating.objects.create(
            season=duel.seasons.get(),
            player=player,
            rating=1000 + number,
            games=3,
            last_played_at=NOW,
        )
    put_in_order()
    page = words(Client().get(reverse("leaderboard", args=["duel"])))
    assert re.search(r"1 Player 099 1099 .{0,60} 0 · 0 · 3 100 Master", page)
    assert re.search(r"11 Player 089 1089 .{0,60} 0 · 0 · 3 90 Platinum", page)
    source = Client().get(BOARD).content.decode()
    assert 'fill="#8b2fa0"' in source
