"""Generated requests to the API, checked against its description."""

from copy import deepcopy
from functools import cache
from typing import Any
from zlib import crc32

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from schemathesis import Case
from schemathesis.checks import CHECKS, load_all_checks
from schemathesis.core import NotSet

from league.api.core.schema import description
from tests.support.permission_roles import World


@cache
def site() -> WSGIHandler:
    """The whole site, created at the first request, with the settings of the tests."""
    return WSGIHandler()


def application(environ: Any, start_response: Any) -> Any:
    return site()(environ, start_response)


load_all_checks()
positive_data_acceptance: Any = CHECKS.get_one("positive_data_acceptance")
negative_data_rejection: Any = CHECKS.get_one("negative_data_rejection")
response_schema_conformance: Any = CHECKS.get_one("response_schema_conformance")
schema = schemathesis.openapi.from_dict(deepcopy(description()))  # it adds links to what it reads
schema.app = application
rejection: Any = schema.config.checks.negative_data_rejection
# Bodies and addresses can be too long to read.
rejection.expected_statuses = [*rejection.expected_statuses, "413", "414"]


def told_apart(case: Case[Any]) -> int:
    """Return a number of what a case sends, the same in every run."""
    body = "" if isinstance(case.body, NotSet) else case.body
    return crc32(repr((case.query, body)).encode(errors="surrogatepass"))


def lead_home(value: Any, ids: list[int]) -> Any:
    """Replace player ids in a body by ids of existing players."""
    if isinstance(value, list):
        return [lead_home(item, ids) for item in value]
    if isinstance(value, dict):
        return {
            name: ids[inner % len(ids)]
            if name in {"captain", "player"} and type(inner) is int and inner > 0
            else [ids[one % len(ids)] if type(one) is int and one > 0 else one for one in inner]
            if name == "players" and isinstance(inner, list)
            else lead_home(inner, ids)
            for name, inner in value.items()
        }
    return value


def aim(case: Case[Any], world: World) -> None:
    """Point a well-formed case at existing objects."""
    people = [player.pk for player in world.people.values()]
    matches = [match.pk for match in (world.live, world.reported, world.disputed, world.rated)]
    place = case.path_parameters
    known = people if "/players/" in case.path else matches
    if place.get("id") == "0":  # in all cases but those about the id itself
        place["id"] = known[told_apart(case) % 4]
    elif isinstance(number := place.get("id"), int) and number % 5:
        place["id"] = known[number % 4]
    if "arenas" in case.path and isinstance(place.get("slug"), str):
        place["slug"] = world.arena.slug
    case.body = lead_home(case.body, people)


def left_out(case: Case[Any]) -> list[Any]:
    """Return the checks that say nothing about a case."""
    found = [positive_data_acceptance]  # a result can be refused for what it says
    if only_leaves_out_the_body(case):
        found.append(negative_data_rejection)
    if case.query.get("fields"):  # whoever asks for some fields gets no others
        found.append(response_schema_conformance)
    return found


def only_leaves_out_the_body(case: Case[Any]) -> bool:
    """Return whether a case is negative only because it omits an optional body."""
    made = case.meta.phase.data if case.meta else None
    return isinstance(case.body, NotSet) and not getattr(made, "mutations", ())
