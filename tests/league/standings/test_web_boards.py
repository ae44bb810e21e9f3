"""The leaderboard page: fast for visitors, and still correct."""

from __future__ import annotations

import gzip
import html
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from league import caching
from league.models import Arena, NameStart, Player, Rating
from league.models.standing import Standing, StandingCuts
from league.services.results.answers import confirm
from league.services.standings import board as standing_board
from league.services.standings import filter_walk
from league.services.standings.leaderboards import neighbours, player_row
from tests.support.cast import NOW, RANKED_AT_ONCE, arena, beats, put_in_order
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

BOARD = "/arenas/duel/leaderboard/"


@pytest.fixture
def kept() -> Iterator[None]:
    """Cache pages for a minute instead of a second."""
    caching.clear()
    with override_settings(PAGES_KEPT_FOR=60.0):
        yield
    caching.clear()


def rated(player: Player, arena: Arena, rating: float) -> None:
    Rating.objects.update_or_create(
        season=arena.seasons.get(),
        player=player,
        defaults={"rating": rating, "deviation": 50, "games": 3, "last_played_at": NOW},
    )
    put_in_order()


@pytest.mark.usefixtures("kept")
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
    caching.clear()
    assert "1 Charlie" in words(Client().get(BOARD))


@pytest.mark.usefixtures("kept")
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
    assert re.search(r"1 Player 099 1099 .{0,60} 0 · 0 · 3 top 1 % Master", page)
    assert re.search(r"11 Player 089 1089 .{0,60} 0 · 0 · 3 top 11 % Platinum", page)
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
        assert f"Percentile {place} top {101 - place} %" in page
        assert "Division" not in page
    assert "Percentile" not in words(Client().get(newcomer.get_absolute_url()))


def test_any_word_of_a_name_is_found_by_its_beginning_and_a_new_name_at_once(
    duel: Arena, alice: Player
) -> None:
    anna = Player.objects.create(name="Anna-Maria  O'Neill van Buren")
    for player in (alice, anna):
        rated(player, duel, 1500)

    def found(text: str) -> tuple[bool, bool]:
        page = words(Client().get(BOARD, {"q": text}))
        return "1 Alice" in page, "1 Anna-Maria" in page

    for text in ("anna", "ANNA-MARIA", "maria", "neill", "o'neill van", "van b", "buren", "nna-m"):
        assert found(text) == (False, True), text
        assert list(Player.objects.search(text)) == [anna]
    assert found("a") == (True, True)
    assert found("lice") == (True, False)
    for text in ("na", "li", "bureng", "%", "_", "%%%", "anna maria"):
        assert found(text) == (False, False), text
    anna.name = "Zoë Żak"
    anna.save()
    assert not Player.objects.search("maria")
    assert list(Player.objects.search("ŻA")) == [anna]
    other = Player.objects.create(name="Żaba")
    other.delete()
    assert NameStart.objects.filter(player_id=other.pk).count() == 0
    assert NameStart.objects.filter(player_id=anna.pk).count() == 2


def test_a_search_that_did_not_read_every_name_says_so_and_others_do_not(
    duel: Arena, divided: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    api = "/api/v1/arenas/duel/leaderboard/"
    caution = "More than {} names match. Only the first {} in alphabetical order"

    monkeypatch.setattr(standing_board, "MOST_NAMED", 160)
    assert "names match" not in words(Client().get(BOARD, {"q": "player"}))
    assert Client().get(api, {"search": "player"}).json()["caution"] is None
    assert Client().get(api).json()["caution"] is None
    assert Client().get(api, {"division": "gold"}).json()["caution"] is None

    monkeypatch.setattr(standing_board, "MOST_NAMED", 30)
    page = words(Client().get(BOARD, {"q": "player"}))
    assert f"30 players found for “player”. {caution.format(30, 30)}" in page
    assert page.count("Type more letters to narrow the search") == 2  # one is for screen readers
    part = Client().get(BOARD, {"q": "player", "seen": "0"}, headers={"HX-Request": "true"})
    assert words(part).count("Type more letters") == 1
    answer = Client().get(api, {"search": "player"}).json()
    assert answer["count"] == 30
    assert answer["caution"].startswith(caution.format(30, 30))
    assert "names match" not in words(Client().get(BOARD, {"q": "player 01"}))

    Player.objects.bulk_create(
        Player(name=f"Newcomer {number}", folded_name=f"newcomer {number}")
        for number in range(2501)
    )
    monkeypatch.setattr(standing_board, "MOST_NAMED", 2_500)
    nobody = words(Client().get(BOARD, {"q": "newcomer"}))
    assert caution.format("2,500", "2,500") in nobody
    assert "Nobody found yet None of the names searched are on this leaderboard." in nobody
    assert "None of the names searched match these filters." in words(
        Client().get(BOARD, {"q": "newcomer", "division": "gold"})
    )


def test_a_search_walks_along_an_index() -> None:
    Player.objects.bulk_create(
        Player(name=f"Player {number}", folded_name=f"player {number}") for number in range(3000)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE league_namestart")
        for text in ("player 12", "29"):
            found = Player.objects.search(text).values("pk").explain()
            assert "league_namestart_pkey" in found, found
            assert "Seq Scan on league_namestart" not in found


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


def test_a_season_that_is_over_is_not_asked_about_again(duel: Arena, alice: Player) -> None:
    rated(alice, duel, 1500)
    duel.seasons.update(ends_at=NOW)
    assert 'hx-trigger="renew"' not in Client().get(BOARD).content.decode()


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


@pytest.fixture
def divided(duel: Arena) -> list[Player]:
    """160 players, best first, with deviations of 40 and 90 in turn."""
    players = Player.objects.bulk_create(
        Player(name=f"Player {number:03}", folded_name=f"player {number:03}")
        for number in range(160)
    )
    Rating.objects.bulk_create(
        Rating(
            season=duel.seasons.get(),
            player=player,
            rating=3000.0 - number // 3,
            deviation=90 if number % 2 else 40,
            volatility=0.06,
            games=3,
            last_played_at=timezone.now(),
        )
        for number, player in enumerate(players)
    )
    put_in_order()
    return players


def listed(source: str) -> list[tuple[int, str]]:
    """Return the ranks and names of a page's rows."""
    found = re.findall(r'rank rank-(\d+)".*?>(Player \d+)</a>', source)
    return [(int(rank), name) for rank, name in found]


def walked(address: str, rel: str) -> list[list[tuple[int, str]]]:
    """Return the rows of a page and of all pages that its links lead to."""
    pages = []
    while address:
        source = Client().get(address).content.decode()
        pages.append(listed(source))
        link = re.search(rf'<a rel="{rel}" href="([^"]+)"', source)
        address = html.unescape(link[1]) if link else ""
    return pages


@pytest.mark.parametrize("looked_at", [7, 60, 2000])
def test_filters_keep_ranks_and_lead_through_all_matching_players(
    duel: Arena, divided: list[Player], looked_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filter_walk, "LOOKED_AT", looked_at)
    season = duel.seasons.get()
    # Some players hold a division from before the cuts moved.
    cuts = StandingCuts.objects.get(season_id=season.pk)
    spared = Standing.objects.filter(key__gte=cuts.reached[2], key__lt=cuts.kept[2], division=2)
    assert spared.update(division=3) > 0
    everybody = [row for page in walked(BOARD, "next") for row in page]
    assert len(everybody) == 160
    held = dict(Standing.objects.values_list("player_id", "division"))
    ids = {player.name: player.pk for player in divided}
    names = [division.name for division in season.season_rules().divisions.divisions]
    sure = [row for row in everybody if int(row[1][-3:]) % 2 == 0]
    gold = [row for row in everybody if held[ids[row[1]]] == names.index("Gold")]
    assert 10 < len(gold) < 80
    platinum = [row for row in everybody if held[ids[row[1]]] == names.index("Platinum")]
    both = [row for row in gold if row in sure]
    for query, expected in (
        ("division=gold", gold),
        ("division=PLATINUM", platinum),
        ("sure=60", sure),
        ("sure=60&division=Gold", both),
        ("sure=39.9", []),
        ("games=1", everybody),
        ("games=4", []),
        ("games=3&division=Gold&sure=60", both),
    ):
        down = walked(f"{BOARD}?{query}", "next")
        assert [row for page in down for row in page] == expected, query
        assert max(map(len, down)) <= 50
        last = divided[-1]
        place = Standing.objects.get(player_id=last.pk)
        up = walked(f"{BOARD}?{query}&before={place.key!r},{last.pk + 1}", "prev")
        assert [row for page in reversed(up) for row in page] == expected, query
    found = listed(Client().get(BOARD, {"q": "player 03", "sure": "60"}).content.decode())
    assert found == [row for row in sure if "Player 03" in row[1]]
    nobody = words(Client().get(BOARD, {"sure": "39.9"}))
    assert ("Nobody found yet" in nobody) == (looked_at < 160)
    assert ("No players match these filters" in nobody) == (looked_at > 160)
    (empty,) = walked(f"{BOARD}?q=player+15&division=Master", "next")
    assert empty == []


def test_a_filter_goes_by_the_deviation_that_the_page_shows(
    duel: Arena, divided: list[Player]
) -> None:
    rested = timezone.now() - timedelta(days=59)
    Rating.objects.filter(player=divided[0]).update(last_played_at=rested)
    put_in_order()
    row = re.search(r"Player 000 \d+ ± (\d+)", words(Client().get(BOARD)))
    assert row
    wide = int(row[1])
    assert wide > 41
    for sure, found in ((41, False), (wide - 1, False), (wide + 1, True)):
        assert ("Player 000" in words(Client().get(BOARD, {"sure": str(sure)}))) == found
    assert "1 Player 002" in words(Client().get(BOARD, {"sure": "41"}))


@pytest.mark.parametrize(
    ("query", "says"),
    [
        ({"division": "Wood"}, "This season has no division “Wood”. Its divisions are"),
        ({"sure": "-1"}, "“-1” is not a deviation. Enter a number of at least 0"),
        ({"sure": "<b>"}, "“<b>” is not a deviation"),
        ({"sure": "nan"}, "“nan” is not a deviation"),
        ({"sure": "9" * 500}, "is not a deviation"),
        ({"sure": "inf", "q": "a"}, "“inf” is not a deviation"),
        ({"games": "-1"}, "“-1” is not a number of matches. Enter a whole number such as 20."),
        ({"games": "2.5", "q": "a"}, "“2.5” is not a number of matches"),
        ({"games": "²"}, "“²” is not a number of matches"),
        ({"games": "9" * 12}, "is not a number of matches"),
    ],
)
def test_an_invalid_filter_is_refused_with_an_explanation(
    duel: Arena, alice: Player, query: dict[str, str], says: str
) -> None:
    rated(alice, duel, 1500)
    answer = Client().get(BOARD, query)
    assert answer.status_code == 400
    assert says in words(answer)
    assert "<b>" not in answer.content.decode()
    assert 'aria-invalid="true" aria-describedby="refusal"' in answer.content.decode()
    part = Client().get(BOARD, query, headers={"HX-Request": "true"})
    assert says in words(part)
    api = Client().get("/api/v1/arenas/duel/leaderboard/", query | {"search": query.get("q", "")})
    assert api.status_code == 400
    assert {error["field"] for error in api.json()["errors"]} <= {"sure", "division", "games"}


def test_an_invalid_cursor_shows_the_top(duel: Arena, divided: list[Player]) -> None:
    for place in ("x", "1", "nan,1", "1,99999999999999999999", ","):
        page = Client().get(BOARD, {"sure": "60", "after": place}).content.decode()
        assert listed(page)[0] == (1, "Player 000")
    plain = arena("elo", rating_system="elo")
    assert "± at most" not in words(Client().get(f"/arenas/{plain.slug}/leaderboard/"))
    refused = Client().get(f"/arenas/{plain.slug}/leaderboard/", {"sure": "10"})
    assert "have no ±" in words(refused)


@pytest.mark.usefixtures("kept")
def test_each_filter_has_a_page_of_its_own_in_a_fixed_number_of_queries(
    duel: Arena,
    alice: Player,
    divided: list[Player],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for query in ({}, {"division": "Gold"}, {"sure": "60"}, {"division": "Master"}):
        for _ in range(2):
            source = Client().get(BOARD, query).content.decode()
            assert ("<option selected>Gold" in source) == (query.get("division") == "Gold")
            assert ('value="60"' in source) == ("sure" in query)
    with django_assert_max_num_queries(5):
        Client().get(BOARD, {"division": "Gold", "sure": "61"})
    rated(alice, duel, 2966.5)
    source = browser_of(alice).get(BOARD, {"division": "Master"}).content.decode()
    assert 'leaderboard/?page=3#me">You are number 103: jump to me' in source
