"""The cached leaderboard of the API: shared by visitors, and by nobody else."""

import gzip
from typing import Any

import pytest
from django.test import Client, override_settings
from pytest_django import DjangoAssertNumQueries, Settings
from rest_framework.test import APIClient

from league.models import Arena, Player
from tests.support.api_steps import by_token
from tests.support.standing_steps import rated
from tests.support.web_steps import browser_of

pytestmark = pytest.mark.usefixtures("page_cache")

BOARD = "/api/v1/arenas/duel/leaderboard/"


def names(answer: Any) -> list[str]:
    assert answer.status_code == 200
    return [row["player"]["name"] for row in answer.json()["results"]]


def test_visitors_share_an_answer_and_accounts_get_their_own(
    duel: Arena, alice: Player, bob: Player, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rated(alice, duel, 1500)
    first = APIClient().get(BOARD)
    assert names(first) == ["Alice"]
    rated(bob, duel, 1600)
    with django_assert_num_queries(0):
        again = APIClient().get(BOARD)
    assert again.content == first.content
    own = {"X-Request-ID": first["X-Request-ID"]}
    assert {**again.headers, **own} == dict(first.headers)
    assert names(by_token(alice).get(BOARD)) == ["Bob", "Alice"]
    assert names(browser_of(alice).get(BOARD)) == ["Bob", "Alice"]
    assert names(APIClient().get(BOARD)) == ["Alice"], "theirs was not kept for visitors"


def test_an_answer_is_the_same_as_without_the_cache(duel: Arena, alice: Player) -> None:
    rated(alice, duel, 1500)
    with override_settings(PAGES_KEPT_FOR=0):
        fresh = APIClient().get(BOARD)
    for _ in range(2):
        kept = APIClient().get(BOARD)
        assert kept.content == fresh.content
        for name in ("Content-Type", "Allow", "Cache-Control", "X-Content-Type-Options"):
            assert kept.headers[name] == fresh.headers[name]
        assert {"Cookie", "Accept-Encoding"} <= set(kept.headers["Vary"].split(", "))
        packed = Client().get(BOARD, headers={"Accept-Encoding": "gzip"})
        assert gzip.decompress(packed.content) == fresh.content
    etag = kept.headers["ETag"]
    assert APIClient().get(BOARD, headers={"If-None-Match": etag}).status_code == 304


def test_only_readers_who_ask_for_the_same_get_the_same(duel: Arena, alice: Player) -> None:
    rated(alice, duel, 1500)
    rated(Player.objects.create(name="Zoe"), duel, 1400)
    paged = f"{BOARD}?page_size=1"
    assert "http://testserver/" in APIClient().get(paged).json()["next"]
    local = APIClient().get(paged, headers={"Host": "localhost"})
    assert local.json()["next"].startswith("http://localhost/"), "links lead to where one asked"
    assert names(APIClient().get(f"{paged}&page=2")) == ["Zoe"]
    assert APIClient().get(paged, headers={"Accept": "text/html"}).status_code == 406
    assert APIClient().post(paged, {}, format="json").status_code in {401, 405}
    assert APIClient().delete(paged).status_code in {401, 405}
    for _ in range(2):
        assert APIClient().get(f"{BOARD}?page=x").status_code == 400
        assert APIClient().get("/api/v1/arenas/nowhere/leaderboard/").status_code == 404


@pytest.mark.parametrize("token", ["Token nonsense", "Token a-b", "Basic YTpi", "Bearer x", ""])
def test_a_wrong_token_is_not_answered_from_the_cache(
    duel: Arena, alice: Player, token: str
) -> None:
    rated(alice, duel, 1500)
    asked = {"Authorization": token}
    with override_settings(PAGES_KEPT_FOR=0):
        expected = APIClient().get(BOARD, headers=asked).status_code
    assert names(APIClient().get(BOARD)) == ["Alice"]
    assert APIClient().get(BOARD, headers=asked).status_code == expected
    assert (expected == 401) == token.startswith(("Token", "Bearer"))


def test_only_answers_that_were_made_count_and_a_refusal_is_kept_for_nobody(
    duel: Arena, alice: Player, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.rates.time.time", lambda: 1_800_000_000.0)
    settings.REQUESTS_A_MINUTE = {"api": {"address": 3, "account": 3}}
    rated(alice, duel, 1500)
    pages = [f"{BOARD}?page_size={size}" for size in (1, 2, 3, 4)]
    assert [APIClient().get(page).status_code for page in pages] == [200, 200, 200, 429]
    assert [APIClient().get(page).status_code for page in pages] == [200, 200, 200, 429]
    elsewhere = APIClient().get(pages[-1], REMOTE_ADDR="203.0.113.9")
    assert elsewhere.status_code == 200
    program = by_token(alice)
    assert [program.get(BOARD).status_code for _ in range(4)] == [200, 200, 200, 429]
