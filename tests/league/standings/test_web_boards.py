"""The leaderboard page: fast for visitors, and still correct."""

import gzip
import html
import re

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Rating
from league.services.results.reports.answers import confirm
from league.services.standings.leaderboards import nearest, neighbours, player_row
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats, put_in_order
from tests.support.challenge_steps import ladder_of
from tests.support.standing_steps import rated
from tests.support.web_steps import browser_of, words

BOARD = "/arenas/duel/leaderboard/"


@pytest.mark.usefixtures("page_cache")
def test_visitors_share_a_cached_page_and_logged_in_players_see_the_latest(
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
    caches["pages"].clear()
    assert "1 Charlie" in words(Client().get(BOARD))


@pytest.mark.usefixtures("page_cache")
def test_a_cached_page_depends_on_encoding_time_zone_and_part(duel: Arena, alice: Player) -> None:
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


def test_a_row_shows_percentile_and_division(duel: Arena) -> None:
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
    assert re.search(r"1 Player 099 Master 1099 .{0,90} 0 · 0 · 3 100 Master", page)
    assert re.search(r"11 Player 089 Platinum 1089 .{0,90} 0 · 0 · 3 90 Platinum", page)
    source = Client().get(BOARD).content.decode()
    assert 'fill="#8b2fa0"' in source


def test_the_page_of_a_player_shows_their_percentile_without_divisions_too() -> None:
    undivided = arena("undivided", season_rules={**RANKED_AT_ONCE, "divisions": []})
    players = [Player.objects.create(name=f"Player {number:03}") for number in range(100)]
    for number, player in enumerate(players):
        season = undivided.seasons.get()
        Rating.objects.create(
            season=season, player=player, rating=1000 + number, games=3, last_played_at=NOW
        )
    put_in_order()
    newcomer = Player.objects.create(name="Nora")
    for player, place in ((players[99], 100), (players[33], 34)):
        page = words(
            Client().get(player.get_absolute_url(), {"season": undivided.seasons.get().pk})
        )
        assert f"Percentile {place} of 100" in page
        assert "Division" not in page
    assert "Percentile" not in words(Client().get(newcomer.get_absolute_url()))


def test_rows_are_renewed_only_when_the_standings_have_changed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(alice, duel, 1500)
    rated(charlie, duel, 1400)
    Client().get(BOARD)
    for browser in (Client(), browser_of(alice)):
        page = browser.get(BOARD, {"page": "1"}).content.decode()
        asks = html.unescape(
            page.partition(' hx-get="/arenas/duel/leaderboard/?page=1&amp;seen=')[2]
        )
        seen = asks.partition('"')[0]
        assert seen.isdigit()
        script = {"HX-Request": "true"}
        assert browser.get(BOARD, {"page": "1", "seen": seen}, headers=script).status_code == 204
    rated(charlie, duel, 1600)
    renewed = Client().get(BOARD, {"page": "1", "seen": seen}, headers=script)
    assert renewed.content.decode().startswith('<div id="rows"')
    assert "1 Charlie" in words(renewed)
    assert f"seen={seen}" not in renewed.content.decode()
    assert Client().get(BOARD, {"seen": "x" * 50}, headers=script).status_code == 200


def test_a_player_page_shows_the_players_right_above_and_below(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel, now=NOW).pk, by=charlie, now=NOW)
    put_in_order()
    page = words(Client().get(charlie.get_absolute_url()))
    around = page.partition("Next on the leaderboard")[2]
    assert re.match(r".*1 Alice .*2 Charlie ", around)
    for number, name in enumerate(("Ann", "Ben", "Cat", "Dan", "Eva")):
        rated(Player.objects.create(name=name), duel, 1000 - number)
    season = duel.seasons.get()
    for name, ranks in (("Cat", [3, 4, 5, 6, 7]), ("Alice", [1, 2, 3]), ("Eva", [5, 6, 7])):
        row = player_row(season, Player.objects.get(name=name), now=NOW)
        assert row
        assert [one.rank for one in neighbours(season, row, now=NOW)] == ranks


def test_the_nearest_on_a_ladder_are_those_above_and_below() -> None:
    ladder, players = ladder_of([f"Player {number}" for number in range(1, 13)])
    put_in_order()
    season = ladder.seasons.get()
    for rank in range(2, 12):
        near = nearest(season, rank, now=NOW, count=2, without=players[rank - 1].pk)
        assert [row.rating for row in near] == [rank - 1, rank + 1]
