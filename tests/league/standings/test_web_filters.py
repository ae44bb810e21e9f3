"""Searches and filters of a leaderboard."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, NameStart, Player, Rating
from league.models.standing import Standing, StandingCuts
from league.services.standings import board as standing_board
from league.services.standings import filter_walk
from tests.support.cast import arena, put_in_order
from tests.support.standing_steps import rated
from tests.support.web_steps import browser_of, words

BOARD = "/arenas/duel/leaderboard/"


@pytest.fixture
def divided_players(duel: Arena) -> list[Player]:
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
    duel: Arena, divided_players: list[Player], monkeypatch: pytest.MonkeyPatch
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


@pytest.mark.parametrize("looked_at", [7, 60, 2000])
def test_filters_keep_ranks_and_lead_through_all_matching_players(
    duel: Arena, divided_players: list[Player], looked_at: int, monkeypatch: pytest.MonkeyPatch
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
    ids = {player.name: player.pk for player in divided_players}
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
        last = divided_players[-1]
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
    duel: Arena, divided_players: list[Player]
) -> None:
    rested = timezone.now() - timedelta(days=59)
    Rating.objects.filter(player=divided_players[0]).update(last_played_at=rested)
    put_in_order()
    row = re.search(r"Player 000 \D*\d+ ± (\d+)", words(Client().get(BOARD)))
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
    filters = {name: value for name, value in query.items() if name != "q"}
    api = Client().get("/api/v1/arenas/duel/leaderboard/", filters | {"search": query.get("q", "")})
    assert api.status_code == 400
    assert {error["field"] for error in api.json()["errors"]} <= {"sure", "division", "games"}


def test_an_invalid_cursor_shows_the_top(duel: Arena, divided_players: list[Player]) -> None:
    for place in ("x", "1", "nan,1", "1,99999999999999999999", ","):
        page = Client().get(BOARD, {"sure": "60", "after": place}).content.decode()
        assert listed(page)[0] == (1, "Player 000")
    plain = arena("elo", rating_system="elo")
    assert "± at most" not in words(Client().get(f"/arenas/{plain.slug}/leaderboard/"))
    refused = Client().get(f"/arenas/{plain.slug}/leaderboard/", {"sure": "10"})
    assert "have no ±" in words(refused)


@pytest.mark.usefixtures("page_cache")
def test_each_filter_has_a_page_of_its_own_in_a_fixed_number_of_queries(
    duel: Arena,
    alice: Player,
    divided_players: list[Player],
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
