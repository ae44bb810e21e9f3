"""NUL characters and invalid UTF-8 in addresses, queries, forms, JSON and cookies."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any
from urllib.parse import unquote, urlencode

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from tests.support.api_steps import fields_at_fault
from tests.support.effort import LONG, spread
from tests.support.permission_asking import send, unlogged
from tests.support.permission_roles import Role, World
from tests.support.permission_walk import Question, Route

pytestmark = [
    pytest.mark.usefixtures("accounts_read_once"),
    pytest.mark.slow,
]

UNREADABLE = ["%00", "a%00b", "%FF%FE", "%C0%80", "%ED%A0%80"]
PARAMETERS = ["q", "page", "season", "arena", "next", "o", "e", "player", "cursor", "limit"]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with unlogged():
        yield


@pytest.fixture(scope="module")
def browsers(world: World) -> dict[Role, Client]:
    made = {role: Client(raise_request_exception=False) for role in (Role.ANONYMOUS, Role.ADMIN)}
    user = world.user(Role.ADMIN)
    assert user
    made[Role.ADMIN].force_login(user)
    return made


def failures(client: Client, method: str, addresses: Iterator[str], **sent: Any) -> dict[str, int]:
    given = {address: send(client, method, address, **sent).status_code for address in addresses}
    return {address: status for address, status in given.items() if status >= 500}


def texts(address: str) -> Sequence[str]:
    """All texts in a long run, otherwise one that differs from page to page."""
    return UNREADABLE if LONG else [UNREADABLE[sum(address.encode()) % len(UNREADABLE)]]


def with_unreadable_query(address: str, known: dict[str, Any]) -> Iterator[str]:
    for text in texts(address):
        query = "&".join(f"{name}={text}" for name in {*PARAMETERS, *known})
        yield f"{address}?{query}"
        yield from (f"{address}?{urlencode({**known, name: ''})}{text}" for name in known)


def with_unreadable_paths(addresses: Iterable[str]) -> Iterator[str]:
    """Yield the addresses with each of their segments in turn unreadable.

    Most of what comes of it leads nowhere or to a route that takes any address, so each route, and
    nowhere, is tried once with each text in each place.
    """
    tried = set()
    for address in addresses:
        parts = address.split("/")
        for index, text in product(range(1, len(parts)), texts(address)):
            spoilt = "/".join([*parts[:index], text, *parts[index + 1 :]])
            if (case := (route_of(spoilt), index, text)) not in tried:
                tried.add(case)
                yield spoilt


def route_of(address: str) -> str | None:
    try:
        return resolve(unquote(address)).route
    except Resolver404:
        return None


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.ADMIN])
def test_no_page_fails_for_an_unreadable_query_or_address(
    role: Role, questions: list[Question], browsers: dict[Role, Client]
) -> None:
    found: dict[str, int] = {}
    pages = [question for question in questions if question.row.method == "GET"]
    for page in pages:
        known = dict(page.fields or {})
        found |= failures(browsers[role], "GET", with_unreadable_query(page.address, known))
    paths = with_unreadable_paths(page.address for page in pages)
    found |= failures(browsers[role], "GET", paths)
    assert found == {}


def test_no_page_of_the_admin_fails_for_an_unreadable_query(
    browsers: dict[Role, Client], addresses: dict[Route, str]
) -> None:
    found: dict[str, int] = {}
    for address in addresses.values():
        pages = (
            f"{address}?q={text}&id__exact={text}&_changelist_filters={text}"
            for text in texts(address)
        )
        found |= failures(browsers[Role.ADMIN], "GET", pages)
    assert found == {}


def spoilt(fields: Any, text: str) -> Iterator[Any]:
    """Yield the fields with one value in turn replaced by ``text``, at any depth."""
    if isinstance(fields, dict):
        for name, value in fields.items():
            yield {**fields, name: text}
            yield from ({**fields, name: inner} for inner in spoilt(value, text))
        yield {**fields, text: text}
    elif isinstance(fields, list):
        for index, value in enumerate(fields):
            for inner in [text, *spoilt(value, text)]:
                yield [*fields[:index], inner, *fields[index + 1 :]]


@pytest.mark.parametrize("text", spread(["a\0b", "\0", "\udc80"], 2))
def test_nothing_sent_fails_for_an_unreadable_value(
    text: str, questions: list[Question], browsers: dict[Role, Client]
) -> None:
    found: dict[str, int] = {}
    for question in questions:
        if question.row.method in {"GET", "HEAD", "OPTIONS"}:
            continue
        in_json = question.row.route.startswith("api:")
        if "\udc80" in text and not in_json:
            continue  # a form cannot carry one
        sent = {"content_type": "application/json"} if in_json else {}
        for index, fields in enumerate(spoilt(dict(question.fields or {}), text)):
            browser, method = browsers[Role.ADMIN], question.row.method
            status = send(browser, method, question.address, data=fields, **sent).status_code
            if status >= 500:
                found[f"{question} {index} {fields!r}"] = status
    assert found == {}


def test_a_nul_character_is_named_on_the_page_and_in_the_api(world: World) -> None:
    page = Client().get("/players/?q=%00")
    assert page.status_code == 400
    assert "The request contains a NUL character." in page.content.decode()
    answer = Client().get("/api/v1/players/?q=%00")
    assert answer.status_code == 400
    message = "The request contains a NUL character. Remove it and try again."
    assert answer.json()["detail"] == message
    assert answer.json()["errors"] == [{"field": "q", "code": "parse_error", "detail": message}]
    assert fields_at_fault(answer) == {"q"}


def test_a_nul_character_in_a_cookie_is_refused(world: World) -> None:
    browser = Client(raise_request_exception=False)
    answer = browser.get("/", headers={"Cookie": r'sessionid="\000aaaaaaaaaaaa"'})
    assert answer.status_code == 400
