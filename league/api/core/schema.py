"""The OpenAPI description: what the views cannot say themselves.

Every error has one shape (``league.api.core.errors``). Which errors an operation can return follows
from what it takes: a login, a body, a query or an address.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import build_bearer_security_scheme_object

PROBLEM = {
    "type": "object",
    "description": "Why a request was not granted.",
    "required": ["code", "message", "errors"],
    "properties": {
        "code": {"type": "string", "description": "The reason, for programs."},
        "message": {"type": "string", "description": "The reason, for people."},
        "errors": {
            "type": "array",
            "description": "What is wrong with each input at fault.",
            "items": {
                "type": "object",
                "required": ["field", "code", "message"],
                "properties": {
                    "field": {
                        "type": "string",
                        "description": "Its path, such as sides.0.place; empty for the request.",
                    },
                    "code": {"type": "string"},
                    "message": {"type": "string"},
                },
            },
        },
    },
}
REASONS = {
    "400": "What was sent cannot be used.",
    "401": "Log in first: send a personal token.",
    "403": "Not yours to do.",
    "404": "There is no such thing.",
    "405": "This address has no such method.",
    "406": "Only JSON can be had.",
    "409": "Too late: the match has moved on.",
    "413": "Too large.",
    "415": "The body has to be JSON.",
    "429": "Too many requests: wait as long as Retry-After says.",
}


class PersonalTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # untyped there
    target_class = "league.api.core.authentication.PersonalToken"
    name = "personalToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        del auto_schema
        return {
            **build_bearer_security_scheme_object("Authorization", "Token"),
            "description": "“Token”, a space, and a personal token.",
        }


@cache
def description() -> dict[str, Any]:
    """The whole description. It does not change while the process runs."""
    generator: Any = SchemaGenerator  # without types of its own
    schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    return schema


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Give every operation its summary and the answers that are no success."""
    del generator, request, public
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = PROBLEM
    components["responses"] = {
        f"Problem{status}": {
            "description": reason,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, reason in REASONS.items()
    }
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            operation["summary"] = operation.pop("description").rstrip(".")
            for status in sorted(problems_of(path, method, operation)):
                operation["responses"].setdefault(
                    status, {"$ref": f"#/components/responses/Problem{status}"}
                )
    return result


def problems_of(path: str, method: str, operation: dict[str, Any]) -> set[str]:
    """The problems that an operation can answer with."""
    problems = {"401", "405", "406", "429"}
    places = {parameter["in"] for parameter in operation.get("parameters", [])}
    if "query" in places:
        problems |= {"400", "404"}
    if "{" in path:
        problems.add("404")
    if {} not in operation.get("security", []):
        problems.add("403")
    if method == "post":
        problems |= {"400", "409", "413", "415"}
    return problems
