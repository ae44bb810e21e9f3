"""All errors have the same format."""

import json
import re
import time
from typing import Any

import pytest
from django.conf import settings as project
from django.urls import resolve
from pytest_django import Settings
from rest_framework.test import APIClient

from league.api.core.schema import description
from league.models import Arena, Match, Player
from tests.support.api_steps import by_token, fields_at_fault, send, win

REPORTS = "/api/v1/arenas/duel/reports/"


@pytest.mark.parametrize(
    "address",
    [
        "/api/",
        "/api/v1/",
        "/api/v1/nothing/",
        "/api/v1/arenas",
        "/api/v1/arenas/nowhere/",
        "/api/v1/arenas/nowhere/leaderboard/",
        "/api/v1/players/1000000/",
        "/api/v1/players/99999999999999999999999999/",
        "/api/v1/players/1000000/ratings/",
        "/api/v1/players/1000000/rating-history/",
        "/api/v1/matches/1000000/",
        "/api/v1/matches/99999999999999999999999999/",
        "/api/v1/matches/one/",
        "/api/v1/matches/?page=2",
    ],
)
def test_unknown_addresses_are_not_found(address: str) -> None:
    answer = APIClient().get(address)
    assert answer.status_code == 404
    assert fields_at_fault(answer) == set()
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize(
    "header",
    [
        "Token",
        "Token nonsense",
        "Token a b",
        "Token \xff\xfe",
        "Token \x00",
        "Token é",
        "Bearer",
        "Bearer laurel_nonsense",
        "bearer laurel_" + "x" * 300,
    ],
)
def test_an_invalid_token_is_refused(header: str) -> None:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    answer = client.get("/api/v1/arenas/")
    assert answer.status_code == 401
    assert answer.json()["code"] == "authentication_failed"


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nothing",
        b"[",
        b"\xff\xfe{\x00}\x00",
        b"[" * 100_000,
        b'{"sides": ' * 50_000,
        b'{"place": 1' + b"0" * 5_000 + b"}",
        b"\x00",
    ],
)
def test_a_body_that_is_not_json_is_refused(duel: Arena, alice: Player, body: bytes) -> None:
    answer = post_bytes(by_token(alice), body)
    assert answer.status_code == 400
    fields_at_fault(answer)


def post_bytes(client: APIClient, body: bytes) -> Any:
    return client.post(REPORTS, body, content_type="application/json")


@pytest.mark.parametrize("body", ["[]", "7", '"x"', "null", "NaN", "true"])
def test_a_body_that_is_not_an_object_is_refused(duel: Arena, alice: Player, body: str) -> None:
    answer = by_token(alice).generic("POST", REPORTS, body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["errors"]


def test_a_body_that_has_a_name_twice_is_refused(duel: Arena, alice: Player, eve: Player) -> None:
    text = json.dumps(win(alice, eve))
    for twice, field in (
        (text[:-1] + ', "sides": []}', "sides"),
        (text.replace('"place": 1', '"place": 1, "place": 0'), "place"),
        (text.replace('"place": 1', r'"place": 1, "pl\u0061ce": 1'), "place"),
    ):
        answer = post_bytes(by_token(alice), twice.encode())
        assert answer.status_code == 400
        assert fields_at_fault(answer) == {field}
        assert answer.json()["errors"][0]["code"] == "repeated"
    assert not Match.objects.exists()


def test_a_body_of_many_equal_names_is_refused_at_once(duel: Arena, alice: Player) -> None:
    body = b"{" + b",".join(b'"%d":0' % (number // 2) for number in range(200_000)) + b"}"
    before = time.process_time()
    assert post_bytes(by_token(alice), body).status_code == 400
    assert time.process_time() - before < 5


@pytest.mark.parametrize(
    "kind",
    ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "x"],
)
def test_a_body_of_another_content_type_is_refused(duel: Arena, alice: Player, kind: str) -> None:
    answer = by_token(alice).generic("POST", REPORTS, "{}", content_type=kind)
    assert answer.status_code == 415
    assert answer.json()["code"] == "unsupported_media_type"


def test_a_body_larger_than_a_result_can_be_is_refused(duel: Arena, alice: Player) -> None:
    limit = project.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert limit
    body = b'{"sides": "' + b"x" * limit + b'"}'
    answer = post_bytes(by_token(alice), body)
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("matches/?page=0", "page"),
        ("matches/?page=-1", "page"),
        ("matches/?page=one", "page"),
        ("matches/?page=", "page"),
        ("matches/?page=99999999999999999999", "page"),
        ("matches/?page=%EF%BC%91", "page"),
        ("matches/?page_size=201", "page_size"),
        ("matches/?page_size=0", "page_size"),
        ("matches/?page_size=all", "page_size"),
        ("matches/?player=Alice", "player"),
        ("matches/?player=0", "player"),
        ("matches/?player=9223372036854775808", "player"),
        ("matches/?status=won", "status"),
        ("matches/?arena=a%00b", "arena"),
        ("players/?search=a%00b", "search"),
        ("players/?search=" + "x" * 61, "search"),
        ("arenas/duel/leaderboard/?search=a%00b", "search"),
        ("arenas/duel/leaderboard/?page=0", "page"),
        ("arenas/duel/leaderboard/?page_size=201", "page_size"),
    ],
)
def test_an_invalid_query_is_refused_by_name(duel: Arena, query: str, field: str) -> None:
    answer = APIClient().get(f"/api/v1/{query}")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {field}


def test_a_parameter_that_is_given_twice_is_refused(duel: Arena) -> None:
    answer = APIClient().get("/api/v1/matches/?status=rated&status=live")
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "repeated"


def routes() -> list[tuple[str, str]]:
    """Return each address with each of its methods, as it is described."""
    return [
        (method, path.replace("{slug}", "duel").replace("{key}", "a"))
        for path, methods in description()["paths"].items()
        for method in methods
    ]


@pytest.mark.parametrize(("method", "path"), routes())
def test_every_route_refuses_an_unknown_parameter(
    duel: Arena, olga: Player, method: str, path: str
) -> None:
    address = re.sub(r"{\w+}", "1", path)
    answer = by_token(olga).generic(method.upper(), f"{address}?nonsense=1")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"nonsense"}


def test_every_described_parameter_is_known_and_no_other() -> None:
    for path, methods in description()["paths"].items():
        view: Any = resolve(re.sub(r"{\w+}", "1", path)).func
        given = methods.get("get", {}).get("parameters", ())
        named = {one["name"] for one in given if one["in"] == "query"}
        assert set(view.cls.parameters()) == named, path


def test_thousands_of_wrong_fields_get_a_short_answer(duel: Arena, alice: Player) -> None:
    answer = send(by_token(alice), REPORTS, {f"field{number}": 1 for number in range(5_000)})
    assert answer.status_code == 400
    assert len(answer.json()["errors"]) == 100
    assert len(answer.content) < 30_000


def test_nobody_is_throttled_while_the_cache_is_down(settings: Settings) -> None:
    settings.REQUESTS_A_MINUTE = {"api": {"address": 1, "account": 1}}
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": "redis://127.0.0.1:1/0"}
    }
    answers = [APIClient().get("/api/v1/arenas/") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]


def test_an_address_that_is_too_long_is_refused() -> None:
    answer = APIClient().get("/api/v1/players/?search=" + "x" * 8_000)
    assert answer.status_code == 414
    assert fields_at_fault(answer) == set()
    assert answer.json()["code"] == "address_too_long"


def test_a_fault_of_ours_is_answered_as_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise RuntimeError("a secret")

    monkeypatch.setattr("league.api.arenas.views.Arenas.get", fails)
    answer = APIClient(raise_request_exception=False).get("/api/v1/arenas/")
    assert answer.status_code == 500
    assert fields_at_fault(answer) == set()
    assert "secret" not in answer.content.decode()
