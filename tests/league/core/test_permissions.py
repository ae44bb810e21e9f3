"""Every route of the site, every method, every role: the tables say who may, the site agrees.

The walk starts at the root of the addresses, so a new page without a row in a table fails here.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import cache

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client

from tests.support.permission_asking import Walk, ask, attempt, kind_of, walk_as, walk_pages
from tests.support.permission_matrix_admin import CLOSED
from tests.support.permission_roles import METHODS, Answer, Role, World
from tests.support.permission_walk import MODEL_ROUTES, OURS, ROWS, Question, Route, routes

TABLES = "WEB in permission_matrix.py, or API, ADMIN, ACCOUNTS beside it"


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


@pytest.fixture(scope="module")
def walks(questions: list[Question], browsers: dict[Role, Client]) -> Callable[[Role], Walk]:
    """A walk as each role, made when it is first asked for."""

    @cache
    def walk(role: Role) -> Walk:
        return walk_as(browsers[role], questions)

    return walk


def test_every_route_is_in_a_table() -> None:
    assert not (found := unlisted(routes())), "\n".join(found)


def test_every_row_names_a_route_and_no_two_routes_share_a_name() -> None:
    names = [route.name for route in routes() if route.name]
    assert len(names) == len(set(names))
    assert {row.route for row in ROWS if not row.route.startswith("/")} <= set(names)
    assert set(names) >= CLOSED
    said = [(row.route, row.method) for row in ROWS]
    assert len(said) == len(set(said))


@pytest.mark.parametrize("role", Role)
def test_each_role_gets_the_answer_that_the_table_gives_it(
    role: Role, walks: Callable[[Role], Walk], accounts_read_once: None
) -> None:
    assert walks(role).answers == {str(row): row.answers[role] for row in ROWS}


@pytest.mark.parametrize("role", Role)
def test_every_page_keeps_to_the_content_security_policy(
    role: Role, walks: Callable[[Role], Walk], accounts_read_once: None
) -> None:
    """Tests of the reference check its own policy."""
    assert walks(role).loose.keys() <= {"GET /api/v1/docs/"}


@pytest.mark.parametrize("role", Role)
def test_no_page_shows_a_duration_or_a_time_as_python_does(
    role: Role, walks: Callable[[Role], Walk], accounts_read_once: None
) -> None:
    assert walks(role).raw == {}


@pytest.mark.slow
@pytest.mark.parametrize("role", Role)
def test_every_page_is_translated(
    role: Role, walks: Callable[[Role], Walk], accounts_read_once: None
) -> None:
    """Nothing but people's own words is plain English."""
    walk = walks(role)
    assert not walk.untranslated, walk.report()
    assert not walk.percents
    assert not walk.numbers, walk.numbers


ELSEWHERE = {Answer.METHOD, Answer.LOGIN, Answer.FORBIDDEN}


WITHOUT_METHOD = {Role.ADMIN: {Answer.METHOD}, Role.ANONYMOUS: ELSEWHERE, Role.PLAYER: ELSEWHERE}
"""The allowed answers to a method that no table lists."""


@pytest.mark.parametrize("role", WITHOUT_METHOD)
def test_a_method_in_no_table_is_not_allowed(
    role: Role,
    questions: list[Question],
    browsers: dict[Role, Client],
    bare_refusals: None,
    accounts_read_once: None,
) -> None:
    ours = {question.row.route: question for question in reversed(questions[: len(OURS)])}
    listed = {(row.route, row.method) for row in OURS}
    listed |= {(route, "HEAD") for route, method in listed if method == "GET"}
    given = {
        f"{method} {route}": kind_of(attempt(question, method, browsers[role]))
        for route, question in ours.items()
        for method in METHODS
        if (route, method) not in listed
    }
    assert {what: to for what, to in given.items() if to not in WITHOUT_METHOD[role]} == {}


@pytest.mark.parametrize("role", [Role.ANONYMOUS, Role.PLAYER, Role.STAFF])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_page_of_the_admin_is_for_staff_with_a_permission_for_its_model(
    method: str,
    role: Role,
    addresses: dict[Route, str],
    browsers: dict[Role, Client],
    bare_refusals: None,
    accounts_read_once: None,
) -> None:
    refused = {Answer.FORBIDDEN, Answer.METHOD} if role == Role.STAFF else {Answer.LOGIN}
    given = {
        str(route): kind_of(ask(browsers[role], method, addresses[route]))
        for route in MODEL_ROUTES
        if route.name or role != Role.STAFF  # the nameless only send on to the page of a row
    }
    assert {page: answer for page, answer in given.items() if answer not in refused} == {}


@pytest.fixture(scope="module")
def admin_walk(addresses: dict[Route, str], browsers: dict[Role, Client]) -> Walk:
    """A superuser's walk through the pages of all models in the admin."""
    pages = {str(route): address for route, address in addresses.items()}
    return walk_pages(browsers[Role.ADMIN], pages)


def test_a_superuser_may_open_every_page_of_the_admin_but_those_that_are_closed(
    admin_walk: Walk,
) -> None:
    assert admin_walk.answers == {str(route): when_permitted(route) for route in MODEL_ROUTES}
    assert admin_walk.loose == {}
    assert {
        page: found for page, found in admin_walk.raw.items() if not LIBRARIES.match(page)
    } == {}


LIBRARIES = re.compile(r"GET /admin/axes/")
PLAIN_PAGES = re.compile(r"GET /admin/(?:axes|mfa|socialaccount|league/reservedword)/")
"""Pages of libraries that do not translate their own words, and of rows that are plain words."""
PLAIN_IN_LIBRARIES = re.compile(
    r"True|False|None|Search|en|.* \| Can .*|If disabled, the current password .*"
    r"|Whether the user will be able to authenticate .*|(?:Auth tokens|Authenticators):?"
)
"""Texts that Django and other libraries have in English in every language."""


@pytest.mark.slow
def test_every_page_of_a_model_in_the_admin_is_translated(admin_walk: Walk) -> None:
    admin_walk.leave_out(PLAIN_PAGES, PLAIN_IN_LIBRARIES)
    assert not admin_walk.untranslated, admin_walk.report()
    assert not admin_walk.percents
    assert not admin_walk.numbers


def when_permitted(route: Route) -> Answer:
    return Answer.FORBIDDEN if route.name in CLOSED else Answer.OK


def test_staff_with_the_permission_may_do_what_superusers_may(
    world: World, addresses: dict[Route, str], browsers: dict[Role, Client]
) -> None:
    frank = world.user(Role.STAFF)
    assert frank
    apps = defaultdict(list)
    for route in MODEL_ROUTES:
        if route.name and route.model:
            apps[route.model[0]].append(route)
    given = {}
    for app, routes_of_it in apps.items():
        with transaction.atomic():
            frank.user_permissions.set(Permission.objects.filter(content_type__app_label=app))
            for route in routes_of_it:
                given[str(route)] = kind_of(ask(browsers[Role.STAFF], "GET", addresses[route]))
            transaction.set_rollback(True)
    assert given == {str(route): when_permitted(route) for route in MODEL_ROUTES if route.name}
