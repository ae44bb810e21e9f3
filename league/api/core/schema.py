"""The parts of the OpenAPI description that do not come from the views.

Every error has one format (``league.api.core.errors``). The errors an operation can return follow
from its input: a login, a body, a query string or a path parameter.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.plumbing import build_bearer_security_scheme_object


def problem_schema() -> dict[str, Any]:
    """Return the schema of every error."""
    return {
        "type": "object",
        "description": _("Why a request was refused."),
        "required": ["code", "message", "errors"],
        "properties": {
            "code": {"type": "string", "description": _("The reason, for programs.")},
            "message": {"type": "string", "description": _("The reason, for people.")},
            "errors": {
                "type": "array",
                "description": _("The problem with each input at fault."),
                "items": {
                    "type": "object",
                    "required": ["field", "code", "message"],
                    "properties": {
                        "field": {
                            "type": "string",
                            "description": _(
                                "Path of the input, such as sides.0.place; empty for the request."
                            ),
                        },
                        "code": {"type": "string"},
                        "message": {"type": "string"},
                    },
                },
            },
        },
    }


def reasons() -> dict[str, str]:
    """Return the description of each error status."""
    return {
        "400": _("The request is invalid."),
        "401": _("Log in first: send a personal token."),
        "403": _("You may not do this."),
        "404": _("Not found."),
        "405": _("This address does not support the method."),
        "406": _("Only JSON is available."),
        "409": _("Too late: the match has changed in the meantime."),
        "413": _("The request is too large."),
        "415": _("The body must be JSON."),
        "429": _("Too many requests. Wait as long as Retry-After says."),
    }


class PersonalTokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # untyped there
    target_class = "league.api.core.authentication.PersonalToken"
    name = "personalToken"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        del auto_schema
        return {
            **build_bearer_security_scheme_object("Authorization", "Token"),
            "description": _("“Token”, a space, and a personal token."),
        }


def description() -> dict[str, Any]:
    """Return the whole description in the reader's language."""
    return description_in(get_language())


@cache
def description_in(language: str | None) -> dict[str, Any]:
    """Return the description in the active ``language``, generated once in each process."""
    del language
    generator: Any = SchemaGenerator  # it has no types
    schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    return schema


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add a summary and the error responses to every operation."""
    del generator, request, public
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = problem_schema()
    components["responses"] = {
        f"Problem{status}": {
            "description": reason,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, reason in reasons().items()
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
    """Return the error statuses that an operation can answer with."""
    problems = {"401", "405", "406", "429"}
    places = {parameter["in"] for parameter in operation.get("parameters", [])}
    if "query" in places:
        problems |= {"400", "404"}
    if "{" in path:
        problems.add("404")
    if {} not in operation.get("security", []):
        problems.add("403")
    if method in {"post", "put"}:
        problems |= {"400", "409", "413", "415"}
    return problems
