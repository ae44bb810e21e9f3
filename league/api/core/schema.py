"""The parts of the OpenAPI description that do not come from the views.

Every error has one format (``league.api.core.errors``). The errors an operation can return follow
from its input: a login, a body, a query string or a path parameter.
"""

from __future__ import annotations

import re
from functools import cache
from threading import Lock
from typing import Any

from django.utils.translation import get_language
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema

from league.api.core import sparse, streams, words
from league.api.core.idempotency import HEADER, SECRETIVE
from league.api.core.links import add_links
from league.models.sent_request import LONGEST_KEY
from league.problems import MEDIA_TYPE

PARAGRAPHS = re.compile(r"\n\s*\n")
_generating = Lock()
"""Held while the description is generated, so that readers who come at once wait for one."""


def problem_schema() -> dict[str, Any]:
    """Return the schema of every error."""
    return {
        "type": "object",
        "description": _("Why a request was refused."),
        "required": ["type", "title", "status", "detail", "instance", "code", "errors"],
        "properties": {
            "type": {
                "type": "string",
                "format": "uri-reference",
                "enum": ["about:blank"],
                "description": _("Always about:blank: status and code tell problems apart."),
            },
            "title": {"type": "string", "description": _("The name of the HTTP status.")},
            "status": {"type": "integer", "description": _("The HTTP status.")},
            "detail": {"type": "string", "description": _("The reason, for people.")},
            "instance": {
                "type": "string",
                "format": "uri-reference",
                "description": _("The path of the request."),
            },
            "code": {"type": "string", "description": _("The reason, for programs.")},
            "errors": {
                "type": "array",
                "description": _("The problem with each input at fault."),
                "items": {
                    "type": "object",
                    "required": ["field", "code", "detail"],
                    "properties": {
                        "field": {
                            "type": "string",
                            "description": _(
                                "Path of the input, such as sides.0.place; empty for the request."
                            ),
                        },
                        "code": {"type": "string", "description": _("For programs.")},
                        "detail": {"type": "string", "description": _("For people.")},
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
        "406": _("It is not available in the format that Accept asks for."),
        "409": _("Too late: it has changed, or the key is that of another request."),
        "413": _("The request is too large."),
        "414": _("The address is too long."),
        "415": _("The body must be JSON."),
        "429": _("Too many requests. Wait as long as Retry-After says."),
        "500": _("Something broke on our side."),
        "503": _("Out of order or paused. Wait as long as Retry-After says."),
    }


class Described(AutoSchema):
    """The description of a view, with the query parameters that it declares."""

    def get_override_parameters(self) -> list[Any]:
        view: Any = self.view
        if self.method != "GET":
            return []
        declared = [view.query_form] if getattr(view, "query_form", None) else []
        if getattr(view, "is_sparse", False) and view.serializer_class:
            declared += sparse.parameters_of(view.serializer_class)
        return declared

    def _map_serializer(
        self, serializer: Any, direction: Any, bypass_extensions: Any = False
    ) -> Any:
        """Return the schema of a serializer, whose fields can be expanded."""
        untyped: Any = super()
        schema = untyped._map_serializer(  # noqa: SLF001 - what the framework calls
            serializer, direction, bypass_extensions
        )
        for name, expansion in getattr(serializer, "expands", {}).items():
            plain = schema["properties"][name]
            whole = self.resolve_serializer(expansion.serializer(), direction).ref
            told = {"description": plain.pop("description")} if "description" in plain else {}
            schema["properties"][name] = {"anyOf": [plain, whole], **told}
        return schema

    def is_deprecated(self) -> bool:
        return bool(getattr(self.view, "deprecated", None)) or super().is_deprecated()


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call] # untyped there
    target_class = "league.api.core.authentication.AccessTokens"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, Any]:
        del auto_schema
        return {
            "type": "http",
            "scheme": "bearer",
            "description": _(
                "A token from the settings, which begins with laurel_, or the access token of a "
                "connected app."
            ),
        }


def description() -> dict[str, Any]:
    """Return the whole description in the reader's language."""
    with _generating:
        return description_in(get_language())


@cache
def description_in(language: str | None) -> dict[str, Any]:
    """Return the description in the active ``language``, generated once in each process."""
    del language
    generator: Any = SchemaGenerator  # it has no types
    schema: dict[str, Any] = generator().get_schema(request=None, public=True)
    return schema


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """Add a summary, the error responses and the links to every operation."""
    del generator, request, public
    components = result.setdefault("components", {})
    components.setdefault("schemas", {})["Problem"] = problem_schema()
    words.describe(components["schemas"])
    components["responses"] = {
        f"Problem{status}": {
            "description": reason,
            "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
        }
        for status, reason in reasons().items()
    }
    for path, methods in result["paths"].items():
        for method, operation in methods.items():
            if method != "get" and SECRETIVE not in operation:
                operation.setdefault("parameters", []).append(idempotency_key())
            words.describe_path(path, operation)
            summarise(operation)
            describe_stream(operation)
            for status in sorted(problems_of(path, method, operation)):
                operation["responses"].setdefault(
                    status, {"$ref": f"#/components/responses/Problem{status}"}
                )
    add_links(result["paths"])
    return result


def summarise(operation: dict[str, Any]) -> None:
    """Take the first paragraph of an operation's words as its summary, and leave the others."""
    first, *others = PARAGRAPHS.split(operation.pop("description"))
    operation["summary"] = " ".join(first.split()).removesuffix(".")
    if others:
        operation["description"] = "\n\n".join(" ".join(one.split()) for one in others)


def describe_stream(operation: dict[str, Any]) -> None:
    """Say that a stream has a line for each result, where an operation has one."""
    content = operation["responses"].get("200", {}).get("content", {})
    if streams.MEDIA_TYPE in content:
        text = _("All results, each an object of JSON on a line of its own.")
        content[streams.MEDIA_TYPE] = {"schema": {"type": "string", "description": text}}


def idempotency_key() -> dict[str, Any]:
    """Return the description of the header that a request which writes may have."""
    return {
        "name": HEADER,
        "in": "header",
        "required": False,
        "description": _(
            "With the same key, the same request takes effect once in 24 hours, and gets the "
            "response of the first time. Another request with it is refused (409). A UUID is a "
            "good key."
        ),
        "schema": {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY},
    }


def problems_of(path: str, method: str, operation: dict[str, Any]) -> set[str]:
    """Return the error statuses that an operation can answer with."""
    problems = {"401", "405", "406", "414", "429", "500", "503"}
    places = {parameter["in"] for parameter in operation.get("parameters", [])}
    if "query" in places:
        problems |= {"400", "404"}
    if "{" in path:
        problems.add("404")
    if {} not in operation.get("security", []):
        problems.add("403")
    if method in {"post", "put", "patch"}:
        problems |= {"413", "415"}
    if method != "get":
        problems |= {"400", "409"}
    return problems
