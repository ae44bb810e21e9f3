"""The API's description is complete, free of warnings, and true for generated requests."""

import io
import re
from collections.abc import Iterator
from functools import cache
from itertools import count
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from hypothesis import HealthCheck, Phase, settings
from schemathesis import Case
from schemathesis.core.result import Ok
from schemathesis.generation.feedback import FeedbackSources
from schemathesis.pytest._test_builder import build_operation_test
from schemathesis.python._constants.orchestrator import make_constants_value_source

import ratings.registry
from league.api.core.schema import description
from league.api.core.words import WORDS
from league.api.rating.serializers import component_name
from ratings.tunables.declarations import declarations
from tests.support.api_cases import aim, left_out, schema
from tests.support.api_steps import a_token
from tests.support.effort import LONG, some
from tests.support.permission_roles import World

pytestmark = pytest.mark.usefixtures("one_connection")


def test_the_description_is_valid_and_made_without_a_warning(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", stdout=io.StringIO())
    assert "Warning" not in capsys.readouterr().err


def test_anyone_can_fetch_the_description_as_json_and_as_yaml() -> None:
    answer = Client().get("/api/v1/schema/")
    assert answer.status_code == 200
    assert answer.json()["openapi"] == "3.1.1"
    yaml = Client().get("/api/v1/schema/", headers={"Accept": "application/vnd.oai.openapi"})
    assert yaml.content.startswith(b"openapi: 3.")
    assert Client().get("/api/v1/schema/?version=%0d%0a").status_code == 400
    assert Client().get("/api/v1/schema/?lang=%00").status_code == 400


def schemas_in(value: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the description, and so every schema in it."""
    if isinstance(value, dict):
        yield value
        for inner in value.values():
            yield from schemas_in(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from schemas_in(inner)


def test_the_description_has_every_rating_parameter_as_it_is_declared() -> None:
    components = description()["components"]["schemas"]
    described = components["Glicko2Parameters"]["properties"]
    for declared in declarations(ratings.registry.find("glicko-2").Parameters):
        shown = described[declared.name]
        assert shown["title"] == declared.label
        assert declared.help in shown["description"]
        assert declared.allowed in shown["description"]
        assert shown["default"] == declared.default
        if declared.kind == "number" and declared.maximum is not None:
            limit = "exclusiveMaximum" if declared.exclusive_maximum else "maximum"
            assert shown[limit] == declared.maximum
    for name in ratings.registry.SYSTEMS:
        assert component_name(name) in components


def test_every_operation_describes_what_can_go_wrong() -> None:
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            answers = set(operation["responses"])
            assert {"401", "405", "429"} <= answers, (method, path)
            assert 0 < len(operation["summary"]) <= LONGEST_SUMMARY, (method, path)
            assert "\n" not in operation["summary"]
            if method == "post":
                assert {"400", "403", "409", "415"} <= answers, path


def test_every_property_is_described() -> None:
    schemas = description()["components"]["schemas"]
    bare = [
        f"{component}.{name}"
        for component, schema in schemas.items()
        for name, shape in schema.get("properties", {}).items()
        if not shape.get("description")
    ]
    assert bare == []


def test_every_parameter_is_described() -> None:
    bare = [
        f"{path} {parameter['name']}"
        for path, methods in description()["paths"].items()
        for operation in methods.values()
        for parameter in operation.get("parameters", [])
        if not parameter.get("description")
    ]
    assert bare == []


def test_every_common_word_is_used() -> None:
    schemas = description()["components"]["schemas"]
    names = {
        word
        for component, schema in schemas.items()
        for name in schema.get("properties", ())
        for word in (name, f"{component}.{name}")
    }
    assert set(WORDS) <= names


@pytest.fixture
def token(world: World) -> str:
    assert world.olga.user
    _made, text = a_token(world.olga.user)
    return text


LONGEST_SUMMARY = 100
COVERING = 12
"""How many of the cases that schemathesis puts together from limits and examples are sent, of one
operation. A long run sends all of them, and random ones."""
EXPLICIT = "hypothesis_explicit_examples"
"""Where hypothesis finds the cases that it sends before random ones."""
STRANGER_EVERY = 5
"""Cases, of which a stranger sends one too. In a long run they send each."""
_turns = count()


def askers(token: str) -> list[dict[str, str]]:
    """Return the headers of those who send the next case."""
    someone = {"Authorization": f"Bearer {token}"}
    return [someone, {}] if LONG or next(_turns) % STRANGER_EVERY == 0 else [someone]


@settings(
    phases=list(Phase) if LONG else [Phase.explicit],
    max_examples=500,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def answers_are_described(case: Case[Any], world: World, token: str) -> None:
    aim(case, world)
    excluded = left_out(case)
    for who in askers(token):
        case.call_and_validate(
            headers={**who, "Accept-Encoding": "identity"}, excluded_checks=excluded
        )


@cache
def operations() -> dict[tuple[str, str], Any]:
    """Return all operations that are described, by their methods and paths."""
    found = [one.ok() for one in schema.get_all_operations() if isinstance(one, Ok)]
    return {(one.method.upper(), one.path): one for one in found}


def answers_of(method: str, path: str) -> Any:
    """Return the test of one operation, which chooses its cases when it runs.

    To choose them takes most of the time, and every worker collects the tests that one runs.
    """

    @pytest.mark.slow
    def test(world: World, token: str) -> None:
        constants = make_constants_value_source(schema)
        cases = build_operation_test(
            config=schema.config,
            operation=operations()[method, path],
            test_func=answers_are_described,
            given_kwargs={},
            feedback=FeedbackSources(constants_value_source=constants),
        )
        chosen = some(getattr(cases, EXPLICIT, []), COVERING)
        assert chosen
        setattr(cases, EXPLICIT, chosen)
        cases(world=world, token=token)

    return test


for route, methods in description()["paths"].items():
    for verb in methods:
        name = re.sub(r"\W+", "_", f"test_answers_of_{verb}{route}").rstrip("_")
        globals()[name] = answers_of(verb.upper(), route)
