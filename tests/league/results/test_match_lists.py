"""Long lists of matches: walks by links in both directions, old addresses, and their cost."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rest_framework.test import APIClient

from league.api.core import cursors
from league.models import Agreement, Arena, Match, Player, Status
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide, finish, start
from tests.support.api_steps import fields_at_fault
from tests.support.cast import NOW, account, arena, beats, put_in_order
from tests.support.web_steps import browser_of, words

LIST = "/api/v1/matches/"
GAMES = st.lists(
    st.tuples(
        st.integers(0, 3),
        st.sampled_from([Status.LIVE, Status.VOID]),
        st.booleans(),
    ),
    max_size=12,
)
"""When each was played, in hours, so that many were played at once; status; in which arena."""


def pages(address: str, link: str = "next") -> Iterator[Any]:
    """Follow a link of the API from page to page."""
    following: str | None = address
    while following:
        answer = APIClient().get(following)
        assert answer.status_code == 200, answer.json()
        yield answer.json()
        following = answer.json()[link]


def ids(found: Sequence[Any]) -> list[int]:
    return [row["id"] for page in found for row in page["results"]]


@given(GAMES, st.integers(2, 6), st.booleans(), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_the_list_of_the_api_shows_every_match_once_forwards_and_backwards(
    duel: Arena,
    melee: Arena,
    games: list[tuple[int, Status, bool]],
    size: int,
    of_one_arena: bool,
    of_one_status: bool,
) -> None:
    with transaction.atomic():
        for hours, status, in_duel in games:
            where = duel if in_duel else melee
            Match.objects.create(
                arena=where,
                season=where.seasons.get(),
                status=status,
                played_at=NOW + timedelta(hours=hours),
            )
        chosen = Match.objects.order_by("-played_at", "-id")
        address = f"{LIST}?page_size={size}"
        if of_one_arena:
            chosen, address = chosen.filter(arena=duel), f"{address}&arena=duel"
        if of_one_status:
            chosen, address = chosen.filter(status="void"), f"{address}&status=void"
        expected = list(chosen.values_list("pk", flat=True))
        there = list(pages(address))
        assert ids(there) == expected
        assert all(len(page["results"]) == size for page in there[:-1])
        if len(there) > 1:
            last = there[-1]
            back = [last, *pages(last["previous"], "previous")]
            assert ids(back[::-1]) == expected
        transaction.set_rollback(True)


def test_matches_played_meanwhile_shift_no_page(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    made = [beats(alice, charlie, duel, now=NOW + timedelta(days=day)).pk for day in range(5)]
    first = APIClient().get(f"{LIST}?page_size=2").json()
    newest = beats(alice, charlie, duel, now=NOW + timedelta(days=9)).pk
    second = APIClient().get(first["next"]).json()
    assert ids([first, second]) == made[:0:-1]
    before = APIClient().get(second["previous"]).json()
    assert ids([before]) == made[:2:-1]
    assert ids([APIClient().get(before["previous"]).json()]) == [newest]


@pytest.mark.parametrize("name", ["after", "before"])
@pytest.mark.parametrize("text", ["x", "1", "1,2,3", "9" * 19 + ",1", "1,9223372036854775808"])
def test_a_bad_place_is_refused_by_name_on_the_page(
    duel: Arena, alice: Player, charlie: Player, name: str, text: str
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    page = Client().get(alice.get_absolute_url(), {name: text})
    assert page.status_code == 400
    assert "Follow the links" in words(page)


def test_old_numbers_of_pages_lead_to_the_same_matches(
    monkeypatch: pytest.MonkeyPatch, duel: Arena, alice: Player, charlie: Player
) -> None:
    made = [beats(alice, charlie, duel).pk for _ in range(7)][::-1]
    for number in (1, 2, 3, 4):
        page = APIClient().get(f"{LIST}?page_size=2&page={number}").json()
        assert ids([page]) == made[2 * number - 2 : 2 * number]
        assert not re.search("[?&]page=", f"{page['next']}{page['previous']}")
    beyond = APIClient().get(f"{LIST}?page_size=2&page=5")
    assert beyond.status_code == 404
    assert "There is no page 5" in beyond.json()["detail"]
    monkeypatch.setattr(cursors, "MOST_SKIPPED", 3)
    deep = APIClient().get(f"{LIST}?page_size=2&page=3")
    assert deep.status_code == 400
    assert fields_at_fault(deep) == {"page"}


def played(winner: Player, loser: Player, where: Arena, at: datetime) -> None:
    confirm(beats(winner, loser, where, now=at).pk, by=loser, now=at)


def links(page: str) -> dict[str, str]:
    found = re.findall(r'<a href="([^"]+)" hx-get="([^"]+)">(Newer|Older)</a>', page)
    assert all(href == htmx for href, htmx, _name in found)
    return {name: href.replace("&amp;", "&") for href, _htmx, name in found}


def listed(page: str) -> list[int]:
    """Return the ids of the matches on a player's page."""
    within = page.partition('id="matches"')[2].partition('class="stack"')[0]
    return [int(pk) for pk in re.findall(r'class="game" href="/matches/(\d+)/"', within)]


def test_a_player_page_leads_through_all_matches_and_back(
    monkeypatch: pytest.MonkeyPatch, duel: Arena, alice: Player, charlie: Player
) -> None:
    monkeypatch.setattr("league.web.people.players.MATCHES_A_PAGE", 3)
    for day in (0, 0, 1, 1, 1, 1, 2, 3):
        played(alice, charlie, duel, NOW + timedelta(days=day))
    put_in_order()
    order = Match.objects.order_by("-played_at", "-id").values_list("pk", flat=True)
    expected, address = list(order), alice.get_absolute_url()
    there = [Client().get(address).content.decode()]
    while "Older" in links(there[-1]):
        there.append(Client().get(links(there[-1])["Older"]).content.decode())
    assert [pk for page in there for pk in listed(page)] == expected
    assert "Newer" not in links(there[0])
    back = [there[-1]]
    while "Newer" in links(back[-1]):
        back.append(Client().get(links(back[-1])["Newer"]).content.decode())
    assert [pk for page in back[::-1] for pk in listed(page)] == expected
    for number, page in enumerate(there, start=1):
        assert listed(Client().get(f"{address}?page={number}").content.decode()) == listed(page)
    for odd in ("0", "-1", "99", "x", "1" * 500):
        assert listed(Client().get(address, {"page": odd}).content.decode())
    part = Client().get(links(there[0])["Older"], headers={"HX-Request": "true"})
    assert "<html" not in part.content.decode()
    assert str(expected[3]) in part.content.decode()


def statements(client: Client, address: str) -> int:
    client.get(address)  # caches of the process are warm
    with CaptureQueriesContext(connection) as seen:
        assert client.get(address).status_code == 200
    return len(seen)


@pytest.mark.usefixtures("countless_reports")
def test_ten_times_the_history_takes_no_more_statements(duel: Arena, alice: Player) -> None:
    others = [account(f"Guest {number}") for number in range(3)]

    def plays(matches: range) -> None:
        for number in matches:
            at = NOW + timedelta(hours=number)
            played(alice, others[number % 3], duel, at)
        put_in_order()

    plays(range(4))
    match = Match.objects.order_by("id")[0].get_absolute_url()
    addresses = [
        alice.get_absolute_url(),
        f"{alice.get_absolute_url()}?page=3",
        match,
        duel.get_absolute_url(),
        f"{LIST}?page_size=2",
        f"{LIST}?page_size=2&player={alice.pk}",
    ]
    readers = [Client(), browser_of(alice)]
    few = [statements(reader, address) for reader in readers for address in addresses]
    plays(range(4, 40))
    many = [statements(reader, address) for reader in readers for address in addresses]
    assert all(now <= before for before, now in zip(few, many, strict=True)), (few, many)
    deep = list(pages(f"{LIST}?page_size=2"))[-2]["next"]
    assert statements(Client(), deep) <= few[4]
    assert few[0] <= 15
    assert few[2] <= 7


def test_my_own_side_comes_first_and_is_marked(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = confirm(beats(charlie, alice, duel).pk, by=alice, now=NOW)
    put_in_order()
    for page in ("/", "/arenas/duel/", f"/players/{charlie.pk}/"):
        mine = words(browser_of(alice).get(page))
        assert "Alice (you)" in mine, page
    assert "Alice (you) lost to Charlie" in words(browser_of(alice).get("/"))
    assert "Charlie beat Alice" in words(browser_of(eve).get("/"))
    assert "Charlie beat Alice (you)" in words(browser_of(alice).get(f"/players/{charlie.pk}/"))
    address = match.get_absolute_url()
    assert "Alice you lost to Charlie" in words(browser_of(alice).get(address))
    assert "Charlie beat Alice" in words(browser_of(eve).get(address))


def test_a_side_shows_its_roster_or_captain_first_and_its_players_second(alice: Player) -> None:
    fives = arena("fives", team_size_min=3, team_size_max=3)
    players = [account(f"Player {number}") for number in range(6)]
    sides = [StartingSide(players[0], players[:3]), StartingSide(players[3], players[3:])]
    made = start(fives, sides, now=NOW, agreed_by=Agreement.READY_CHECK)
    finish(made.pk, [Finish(0), Finish(1)], reporter=players[0], now=NOW)
    confirm(made.pk, by=players[3], now=NOW)
    listed = words(Client().get("/"))
    line = "Player 0 and 2 more beat Player 3 and 2 more"
    assert line in listed
    assert "Player 0, Player 1, Player 2 Player 3, Player 4, Player 5" in listed
    assert "board teams" in Client().get(made.get_absolute_url()).content.decode()
    page = words(browser_of(players[4]).get(made.get_absolute_url()))
    assert (
        "Player 3 and 2 more you Player 3, Player 4, Player 5 lost to Player 0 and 2 more" in page
    )
    assert line in words(Client().get(f"/players/{players[1].pk}/"))
