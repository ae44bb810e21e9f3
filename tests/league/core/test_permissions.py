"""Every route of the site, every method, every role: the tables say who may, the site agrees.

The walk starts at the root of the addresses, so a new page without a row in a table fails here.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import path

from tests.support.permission_matrix_admin import CLOSED
from tests.support.permission_roles import METHODS, Answer, Role, World
from tests.support.permission_walk import (
    MODEL_ROUTES,
    OURS,
    ROWS,
    Question,
    Route,
    model_address,
    routes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable


pytestmark = pytest.mark.django_db


TABLES = "WEB in permission_matrix.py, or API, ADMIN, ACCOUNTS beside it"


LOGIN_PAGES = ("/accounts/login/", "/admin/login/")


ANSWERS = {
    401: Answer.LOGIN,
    403: Answer.FORBIDDEN,
    404: Answer.MISSING,
    405: Answer.METHOD,
    400: Answer.REFUSED,
    409: Answer.REFUSED,
    415: Answer.REFUSED,
    422: Answer.REFUSED,
}


def unlisted(found: Iterable[Route]) -> list[str]:
    """Return a message for each route that neither a table nor the admin's rule covers."""
    listed = {row.route for row in ROWS}
    addresses = {row.route.strip("/") for row in ROWS if row.route.startswith("/")}
    catch_all = "admin/(?P<url>.*)$"  # tried as /admin/nothing/
    return [
        f"{route} is in no permission table: say who may open it, in {TABLES}."
        for route in found
        if route.model is None
        and route.name not in listed
        and route.pattern.strip("/") not in addresses
        and route.pattern != catch_all
    ]


@pytest.fixture(scope="module")
def browsers(world: World) -> dict[Role, Client]:
    made = {}
    for role in Role:
        made[role] = Client(raise_request_exception=False)
        if user := world.user(role):
            made[role].force_login(user)
    return made


def ask(client: Client, method: str, address: str, data: Any = None, *, json: bool = False) -> Any:
    """Return the response, and roll back all its effects on database and client."""
    cookies = copy.deepcopy(client.cookies)
    sent = {"content_type": "application/json"} if json else {}
    with transaction.atomic():
        answer = getattr(client, method.lower())(address, data or {}, **sent)
        transaction.set_rollback(True)
    client.cookies = cookies
    return answer


def kind_of(response: Any) -> str:
    """Classify a response as an ``Answer``, or return the status of a server error."""
    status = response.status_code
    if 200 <= status < 300:
        return Answer.OK
    if 300 <= status < 400:
        to_login = urlsplit(response.headers["Location"]).path in LOGIN_PAGES
        return Answer.LOGIN if to_login else Answer.OK
    return ANSWERS.get(status, f"answered {status}")


def attempt(question: Question, method: str, client: Client) -> str:
    json = question.row.route.startswith("api:") and method not in {"GET", "HEAD"}
    return kind_of(ask(client, method, question.address, question.fields, json=json))


def test_every_route_is_in_a_table() -> None:
    assert not (found := unlisted(routes())), "\n".join(found)


def test_a_route_in_no_table_is_noticed_by_name() -> None:
    class Extended:
        url_patterns = [path("matches/backdoor/", lambda request: HttpResponse(), name="backdoor")]

    (sentence,) = unlisted(routes(Extended))
    assert sentence.startswith("matches/backdoor/ (backdoor) is in no permission table")


def test_every_row_names_a_route_and_no_two_routes_share_a_name() -> None:
    names = [route.name for route in routes() if route.name]
    assert len(names) == len(set(names))
    assert {row.route for row in ROWS if not row.route.startswith("/")} <= set(names)
    assert set(names) >= CLOSED
    said = [(row.route, row.method) for row in ROWS]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("role", Role)
def test_each_role_gets_the_answer_that_the_table_gives_it(
    role: Role, questions: list[Question], browsers: dict[Role, Client]
) -> None:
    given = {
        str(question): attempt(question, question.row.method, browsers[role])
        for question in questions
    }
    assert given == {str(row): row.answers[role] for row in ROWS}


ELSEWHERE = {Answer.METHOD, Answer.LOGIN, Answer.FORBIDDEN}


WITHOUT_METHOD = {Role.ADMIN: {Answer.METHOD}, Role.ANONYMOUS: ELSEWHERE, Role.PLAYER: ELSEWHERE}
"""The allowed answers to a method that no table lists."""


@pytest.mark.parametrize("role", WITHOUT_METHOD)
def test_a_method_in_no_table_is_not_allowed(
    role: Role, questions: list[Question], browsers: dict[Role, Client]
) -> None:
    ours = {question.row.route: question for question in reversed(questions[: len(OURS)])}
    listed = {(row.route, row.method) for row in OURS}
    listed |= {(route, "HEAD") for route, method in listed if method == "GET"}
    given = {
        f"{method} {route}": attempt(question, method, browsers[role])
        for route, question in ours.items()
        for method in METHODS
        if (route, method) not in listed
    }
    assert {what: to for what, to in given.items() if to not in WITHOUT_METHOD[role]} == {}


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.PLAYER, Role.STAFF])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_the_admin_is_for_staff_with_a_permission_for_its_model(
    method: str, role: Role, world: World, browsers: dict[Role, Client]
) -> None:
    refused = {Answer.FORBIDDEN, Answer.METHOD} if role == Role.STAFF else {Answer.LOGIN}
    given = {
        str(route): kind_of(ask(browsers[role], method, model_address(route)))
        for route in MODEL_ROUTES
        if route.name or role != Role.STAFF  # the nameless only send on to the page of a row
    }
    assert {page: answer for page, answer in given.items() if answer not in refused} == {}


def test_a_superuser_may_open_every_page_of_the_admin_but_those_that_are_closed(
    world: World, browsers: dict[Role, Client]
) -> None:
    given = {
        str(route): kind_of(ask(browsers[Role.ADMIN], "GET", model_address(route)))
        for route in MODEL_ROUTES
    }
    assert given == {str(route): when_permitted(route) for route in MODEL_ROUTES}


def when_permitted(route: Route) -> Answer:
    return Answer.FORBIDDEN if route.name in CLOSED else Answer.OK


def test_staff_with_the_permission_may_do_what_superusers_may(
    world: World, browsers: dict[Role, Client]
) -> None:
    frank = world.user(Role.STAFF)
    assert frank
    named = [route for route in MODEL_ROUTES if route.name]
    given = {}
    for route in named:
        assert route.model
        with transaction.atomic():
            frank.user_permissions.set(
                Permission.objects.filter(content_type__app_label=route.model[0])
            )
            given[str(route)] = kind_of(ask(browsers[Role.STAFF], "GET", model_address(route)))
            transaction.set_rollback(True)
    assert given == {str(route): when_permitted(route) for route in named}
