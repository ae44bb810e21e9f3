"""Every route of the API shows less or more of its rows: ``fields`` and ``expand``."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from rest_framework.test import APIClient

from league.api.core.schema import description
from tests.support.api_steps import fields_at_fault
from tests.support.permission_roles import Role, World, fields_in
from tests.support.permission_walk import OURS

pytestmark = pytest.mark.slow
OWN = {
    "blocks": Role.PLAYER,
    "following": Role.PLAYER,
    "invitations": Role.PLAYER,
    "match-why": Role.PLAYER,
    "my-team-invitations": Role.PLAYER,
    "notices": Role.REPORTER,
    "penalties": Role.PLAYER,
    "profile": Role.PLAYER,
    "team-invitations": Role.REPORTER,
    "tokens": Role.PLAYER,
}


def view_at(path: str) -> Any:
    return resolve(
        path.replace("{slug}", "duel")
        .replace("{id}", "1")
        .replace("{request_id}", "1")
        .replace("{other}", "2")
    )


READS = [
    (path, {one["name"] for one in methods["get"].get("parameters", ())})
    for path, methods in description()["paths"].items()
    if "get" in methods and "{message_id}" not in path  # no pictures
]
ROUTES = [view_at(path).url_name for path, _names in READS]
EXPANDING = [view_at(path).url_name for path, names in READS if "expand" in names]


def asked(route: str, world: World, query: str) -> Any:
    """Read a route with a further query, as somebody who may."""
    row = next(one for one in OURS if one.route == f"api:{route}" and one.method == "GET")
    client = APIClient()
    client.force_authenticate(world.user(OWN.get(route, Role.ADMIN)))
    own = "".join(f"&{name}={value}" for name, value in fields_in(world, row.query).items())
    return client.get(f"{reverse(row.route, kwargs=fields_in(world, row.where))}?{query}{own}")


def rows_of(answer: Any) -> list[Any]:
    assert answer.status_code == 200, answer.content
    found = answer.json()
    if isinstance(found, dict):
        found = found.get("results", [found])
    return list(found)


@pytest.mark.parametrize("route", ROUTES)
def test_every_route_that_reads_shows_only_what_is_asked_for(route: str, world: World) -> None:
    view: Any = view_at(next(path for path, _ in READS if view_at(path).url_name == route)).func
    first, *_others, last = view.cls.serializer_class().fields
    for names in ({first}, {first, last}):
        for row in rows_of(asked(route, world, f"fields={','.join(names)}")):
            assert row.keys() == names
    answer = asked(route, world, "fields=nothing-of-the-kind")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"fields"}


@pytest.mark.parametrize("route", EXPANDING)
def test_what_is_expanded_is_shown_in_full_for_no_statement_more(route: str, world: World) -> None:
    view: Any = view_at(next(path for path, _ in READS if view_at(path).url_name == route)).func
    asked(route, world, "")
    with CaptureQueriesContext(connection) as plain:
        asked(route, world, "")
    for name, expansion in view.cls.serializer_class.expands.items():
        with CaptureQueriesContext(connection) as made:
            answer = asked(route, world, f"expand={name}")
        assert len(made) <= len(plain)
        for row in rows_of(answer):
            assert row[name] is None or row[name].keys() == set(expansion.serializer().fields)
    answer = asked(route, world, "expand=arena.season")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"expand"}
