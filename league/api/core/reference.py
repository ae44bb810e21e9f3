"""The reference of the API: the OpenAPI description as pages list it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from league.api.core.fields import LARGEST_ID
from league.api.core.schema import description

if TYPE_CHECKING:
    from collections.abc import Iterator

METHODS = ("get", "post", "put", "patch", "delete")
DEEPEST = 4
"""Levels of nested objects that are listed; the description has them all."""
"""The end of a line within a paragraph."""
WIDE = ("anyOf", "oneOf")
FIRST_ERROR = "4"
KEPT = 300
"""Operations that a process keeps, of every language that is read."""


@dataclass(frozen=True)
class Value:
    """An input or a part of an answer."""

    name: str
    """With its path, such as ``sides[].captain``."""
    kind: str
    text: str = ""
    limits: list[str] = field(default_factory=list)
    default: str = ""
    is_required: bool = False
    is_deprecated: bool = False
    place: str = ""
    """Of a parameter: ``path``, ``query`` or ``header``."""
    choices: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Answer:
    """A response by its status."""

    status: str
    text: str
    values: list[Value] = field(default_factory=list)
    media: str = ""
    """What kind of file it is, unless it is JSON or nothing."""


@dataclass(frozen=True)
class Line:
    """An operation in the list of all."""

    name: str
    """The operation's id, and its page."""
    method: str
    path: str
    summary: str
    is_deprecated: bool
    is_open: bool
    """Whether it answers without a login."""


@dataclass(frozen=True)
class Operation(Line):
    """A method of an address, with all that it takes and answers."""

    details: str
    parameters: list[Value]
    body: list[Value]
    example: str
    """A body to start from, as JSON; empty without one."""
    files: list[str]
    """The fields of a multipart form that are files, where a form is the only body."""
    answers: list[Answer]
    errors: list[Answer]


@dataclass(frozen=True)
class Group:
    """The operations of one kind of object."""

    label: str
    operations: list[Line]


LABELS = {
    "arenas": gettext_lazy("Arenas"),
    "matches": gettext_lazy("Matches"),
    "live-matches": gettext_lazy("Live matches"),
    "dates": gettext_lazy("Dates"),
    "players": gettext_lazy("Players"),
    "competitions": gettext_lazy("Competitions"),
    "challenges": gettext_lazy("Challenges"),
    "seasons": gettext_lazy("Seasons"),
    "tokens": gettext_lazy("Tokens"),
    "dishonor": gettext_lazy("Dishonor"),
    "invitations": gettext_lazy("Invitations"),
    "team-invitations": gettext_lazy("Invitations to teams"),
    "notices": gettext_lazy("Notices"),
    "following": gettext_lazy("Following"),
    "blocks": gettext_lazy("Blocked players"),
    "profile": gettext_lazy("Your profile"),
    "teams": gettext_lazy("Teams"),
    "rating-systems": gettext_lazy("Rating systems"),
    "ready-checks": gettext_lazy("Ready checks"),
    "search": gettext_lazy("Search"),
    "data": gettext_lazy("Data"),
    "webhooks": gettext_lazy("Webhooks"),
}
"""The name of each group, by its tag in the description."""
TYPES = {
    "string": gettext_lazy("text"),
    "integer": gettext_lazy("whole number"),
    "number": gettext_lazy("number"),
    "boolean": gettext_lazy("true or false"),
    "object": gettext_lazy("object"),
    "array": gettext_lazy("list"),
    "null": gettext_lazy("null"),
}
FORMATS = {
    "date-time": gettext_lazy("time"),
    "date": gettext_lazy("day"),
    "uri": gettext_lazy("address"),
    "uri-reference": gettext_lazy("address"),
    "uuid": gettext_lazy("UUID"),
}
LIMITS = {
    "minimum": gettext_lazy("At least %(limit)s"),
    "exclusiveMinimum": gettext_lazy("More than %(limit)s"),
    "maximum": gettext_lazy("At most %(limit)s"),
    "exclusiveMaximum": gettext_lazy("Less than %(limit)s"),
    "minLength": gettext_lazy("Shortest length: %(limit)s"),
    "maxLength": gettext_lazy("Greatest length: %(limit)s"),
    "minItems": gettext_lazy("Fewest entries: %(limit)s"),
    "maxItems": gettext_lazy("Most entries: %(limit)s"),
}


def groups() -> list[Group]:
    """Return all operations, in the order of their addresses."""
    found: dict[str, list[Line]] = {}
    for path, method, operation in described():
        line = Line(**line_of(path, method, operation))
        found.setdefault(operation["tags"][0], []).append(line)
    return [Group(str(LABELS[tag]), lines) for tag, lines in found.items()]


def operation_called(name: str) -> Operation | None:
    """Return the operation with this id, ``None`` if there is none."""
    return operation_in(get_language(), name)


@lru_cache(KEPT)
def operation_in(language: str | None, name: str) -> Operation | None:
    """Return the operation in the active ``language``, kept by the process."""
    del language
    for path, method, operation in described():
        if operation["operationId"] == name:
            return whole(path, method, operation)
    return None


def described() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield each path, method and operation of the description."""
    for path, methods in description()["paths"].items():
        for method, operation in methods.items():
            if method in METHODS:
                yield path, method, operation


def line_of(path: str, method: str, operation: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": operation["operationId"],
        "method": method.upper(),
        "path": path,
        "summary": operation["summary"],
        "is_deprecated": operation.get("deprecated", False),
        "is_open": {} in operation.get("security", [{}]),
    }


def whole(path: str, method: str, operation: dict[str, Any]) -> Operation:
    parameters = [parameter_of(one) for one in operation.get("parameters", [])]
    schema = schema_in(operation.get("requestBody", {}))
    form = schema_in(operation.get("requestBody", {}), "multipart/") if not schema else None
    answers = [answer_of(status, one) for status, one in operation["responses"].items()]
    return Operation(
        **line_of(path, method, operation),
        details=operation.get("description", ""),
        parameters=sorted(parameters, key=lambda one: (one.place != "path", one.is_deprecated)),
        body=list(values_in(schema or form or {})),
        example=json.dumps(example_of(schema), indent=2, ensure_ascii=False) if schema else "",
        files=files_in(form) if form else [],
        answers=[one for one in answers if one.status < FIRST_ERROR],
        errors=[one for one in answers if one.status >= FIRST_ERROR],
    )


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    """Return what a reference stands for, with what is said beside it."""
    if "allOf" in schema and len(schema["allOf"]) == 1:
        schema = {**schema["allOf"][0], **{k: v for k, v in schema.items() if k != "allOf"}}
    if "$ref" not in schema:
        return schema
    target: dict[str, Any] = description()
    for name in schema["$ref"].removeprefix("#/").split("/"):
        target = target[name]
    return {**target, **{name: value for name, value in schema.items() if name != "$ref"}}


def files_in(form: dict[str, Any]) -> list[str]:
    """Return the names of the fields of a form that are files."""
    properties = resolved(form).get("properties", {})
    return [name for name, one in properties.items() if is_file(resolved(one))]


def is_file(schema: dict[str, Any]) -> bool:
    return bool(schema.get("contentMediaType") == "application/octet-stream")


def schema_in(part: dict[str, Any], kinds: str = "application/") -> dict[str, Any] | None:
    """Return the schema of a body or response of these media types, ``None`` if it has none."""
    content = resolved(part).get("content", {})
    for kind, one in content.items():
        if kind.startswith(kinds):
            schema: dict[str, Any] | None = one.get("schema")
            return schema
    return None


def parameter_of(one: dict[str, Any]) -> Value:
    one = resolved(one)
    schema = resolved(one.get("schema", {}))
    return Value(
        name=one["name"],
        kind=kind_of(schema),
        text=one.get("description") or schema.get("description", ""),
        limits=limits_of(schema),
        default=default_of(schema),
        is_required=one.get("required", False),
        is_deprecated=one.get("deprecated", False),
        place=one["in"],
        choices=choices_of(schema),
    )


def answer_of(status: str, one: dict[str, Any]) -> Answer:
    response = resolved(one)
    schema, media = None, ""
    if status < FIRST_ERROR:
        kinds = list(response.get("content", {}))
        media = kinds[0] if kinds and not any("json" in kind for kind in kinds) else ""
        schema = schema_in(one, media or "application/")
    values = list(values_in(schema)) if schema else []
    return Answer(status, response.get("description", ""), values, media)


def values_in(schema: dict[str, Any], within: str = "", depth: int = 0) -> Iterator[Value]:
    """Yield every value of an object or list of objects, each before those in it."""
    schema = resolved(schema)
    if depth == DEEPEST:
        return
    if "items" in schema:
        yield from values_in(schema["items"], f"{within}[]", depth)
    for wide in WIDE:
        for option in schema.get(wide, [])[-1:]:
            yield from values_in(option, within, depth)
    required = schema.get("required", [])
    for name, given in schema.get("properties", {}).items():
        inner = resolved(given)
        path = f"{within}.{name}".removeprefix(".")
        yield Value(
            name=path,
            kind=kind_of(inner),
            text=inner.get("description", ""),
            limits=limits_of(inner),
            default=default_of(inner),
            is_required=name in required,
            choices=choices_of(inner),
        )
        yield from values_in(inner, path, depth + 1)


def types_of(schema: dict[str, Any]) -> list[str]:
    found = schema.get("type", [])
    return [found] if isinstance(found, str) else list(found)


def kind_of(schema: dict[str, Any]) -> str:
    """Return what a value is, in words: ``whole number or null``."""
    options = [option for wide in WIDE for option in schema.get(wide, [])]
    if options:
        kinds = [kind_of(resolved(option)) for option in options]
        return _(" or ").join(dict.fromkeys(kinds))
    types = types_of(schema)
    if is_file(schema):
        return _("file")
    if types == ["string"] and schema.get("format") in FORMATS:
        return str(FORMATS[schema["format"]])
    if types == ["array"]:
        return _("list: %(kind)s") % {"kind": kind_of(resolved(schema.get("items", {})))}
    return _(" or ").join(str(TYPES[one]) for one in types) or _("any value")


def choices_of(schema: dict[str, Any]) -> list[str]:
    return [str(one) for one in schema.get("enum", []) if one is not None]


def limits_of(schema: dict[str, Any]) -> list[str]:
    """Return what a value must satisfy, in short sentences. That an id fits needs no words."""
    return [
        str(words) % {"limit": schema[name]}
        for name, words in LIMITS.items()
        if name in schema and schema[name] != LARGEST_ID
    ]


def default_of(schema: dict[str, Any]) -> str:
    """Return what counts if a value is left out, as JSON; empty for nothing."""
    default = schema.get("default")
    return "" if default in (None, "", [], {}) else json.dumps(default, ensure_ascii=False)


def example_of(schema: dict[str, Any], depth: int = 0) -> Any:
    """Return a value of the right shape: an example if there is one, else the simplest."""
    schema = resolved(schema)
    if said := [schema[name] for name in ("example", "default", "const") if name in schema]:
        return said[0]
    for name in ("examples", "enum"):
        if schema.get(name):
            return schema[name][0]
    for wide in WIDE:
        if schema.get(wide):
            return example_of(schema[wide][0], depth)
    return simplest(schema, depth)


def simplest(schema: dict[str, Any], depth: int) -> Any:
    """Return the simplest value of a type: an object has what it must have."""
    kind = next((one for one in types_of(schema) if one != "null"), "object")
    if kind == "array":
        return [example_of(schema["items"], depth)] if depth < DEEPEST else []
    if kind == "object":
        required = schema.get("required", []) if depth < DEEPEST else []
        return {name: example_of(schema["properties"][name], depth + 1) for name in required}
    lowest = schema.get("minimum", 1)
    return {"integer": lowest, "number": lowest, "boolean": True, "string": ""}[kind]
