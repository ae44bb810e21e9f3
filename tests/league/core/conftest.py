"""One world for the tests that open every page."""

import copy
import logging
from collections.abc import Iterator

import pytest
from django.contrib import auth
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from pytest_django import DjangoDbBlocker

from league import urls
from league.models import User
from tests.support.permission_asking import unlogged
from tests.support.permission_furnish import furnish
from tests.support.permission_roles import Row, World, build_world, fields_in
from tests.support.permission_walk import ROWS, Question, Route, address_of, model_addresses


@pytest.fixture(scope="module")
def walk(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[World, list[Question]]]:
    """One world for all rows, with everything they need. The changes of each row are rolled back.

    Rows create what they need at first use, which a single test would roll back again.
    """
    with django_db_blocker.unblock(), transaction.atomic():
        cache.clear()
        made = build_world()
        furnish(made)
        yield made, [asked(row, made) for row in ROWS]
        transaction.set_rollback(True)


def asked(row: Row, world: World) -> Question:
    fields = row.query if row.method in {"GET", "HEAD"} else row.data
    return Question(row, address_of(row, world), fields_in(world, fields))


@pytest.fixture(scope="module")
def world(walk: tuple[World, list[Question]]) -> World:
    return walk[0]


@pytest.fixture(scope="module")
def questions(walk: tuple[World, list[Question]]) -> list[Question]:
    return walk[1]


@pytest.fixture(scope="module")
def addresses(world: World) -> dict[Route, str]:
    """The addresses of the pages of models in the admin."""
    return model_addresses()


def bare_refusal(request: HttpRequest, exception: Exception) -> HttpResponse:
    return HttpResponseForbidden()


@pytest.fixture
def bare_refusals(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Leave the page of a refusal empty: ``walk_as`` renders and reads it for each role."""
    monkeypatch.setattr(urls, "handler403", bare_refusal, raising=False)
    with unlogged(logging.CRITICAL):  # also what is told of each refusal
        yield


@pytest.fixture
def accounts_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read the account of a session, and what it holds, at the first request of a test alone.

    Each request gets a copy, which reads its player and other related rows itself.
    """
    kept: dict[str | None, User | AnonymousUser] = {}
    read = auth.get_user

    def account(request: HttpRequest) -> User | AnonymousUser:
        key = request.session.session_key
        if key not in kept:
            kept[key] = read(request)
            read_what_it_holds(kept[key])
        return unrelated(kept[key])

    monkeypatch.setattr(auth, "get_user", account)


def unrelated(account: User | AnonymousUser) -> User | AnonymousUser:
    """Return a copy of an account that shares no related row with it, so that nobody changes it."""
    made = copy.copy(account)
    if isinstance(made, User):
        made._state.fields_cache = {}
    return made


def read_what_it_holds(account: User | AnonymousUser) -> None:
    """Let an account keep its permissions and arenas, which it otherwise reads when asked."""
    if isinstance(account, User):
        account.get_all_permissions()
        _kept = account.holds_any, account.named_arenas, account.beyond_arenas


@pytest.fixture
def one_connection() -> Iterator[None]:
    """Keep the connection open, because the test runs in its transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)
