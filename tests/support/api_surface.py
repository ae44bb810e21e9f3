"""What programs rely on in the API, as lines that a changelog can add and take away."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
FIRST, CHANGES = DOCS / "api-v1.txt", DOCS / "api-changes.md"
BLOCK = re.compile(r"```diff\n(.*?)```", re.DOTALL)
HEADING = "## Unreleased: say here what this is for"
METHODS = ("get", "post", "put", "patch", "delete")
GIVEN_TO_ALL = {"Problem"}
"""Schemas of errors, which all operations share."""


def surface(description: dict[str, Any]) -> set[str]:
    """Return a line for each operation, input, answer, field and allowed value."""
    return {*operations(description["paths"]), *fields(description["components"]["schemas"])}


def operations(paths: dict[str, Any]) -> Iterator[str]:
    for path, methods in paths.items():
        for method in METHODS:
            if method not in methods:
                continue
            told = methods[method]
            name = f"{method.upper()} {path}"
            yield name
            for each in told.get("parameters", ()):
                if each["in"] == "query":
                    yield f"{name} ?{each['name']}" + " (required)" * bool(each.get("required"))
            if body := told.get("requestBody"):
                yield f"{name} takes {shape(schema_of(body))}"
            for status, answer in told["responses"].items():
                if status.startswith("2"):
                    yield f"{name} gives {status} {shape(schema_of(answer))}"


def schema_of(content: dict[str, Any]) -> dict[str, Any]:
    kinds = content.get("content", {})
    return next((kind.get("schema", {}) for kind in kinds.values()), {})


def fields(schemas: dict[str, Any]) -> Iterator[str]:
    for name, schema in schemas.items():
        if name in GIVEN_TO_ALL:
            continue
        for value in schema.get("enum", ()):
            yield f"{name} = {value}"
        needed = schema.get("required", ())
        for field, told in schema.get("properties", {}).items():
            yield f"{name}.{field}: {shape(told)}" + " (required)" * (field in needed)


def shape(schema: dict[str, Any]) -> str:
    """Return the type of a value in a word or two: ``integer``, ``Match``, ``list of text``."""
    if "$ref" in schema:
        return str(schema["$ref"].rsplit("/", 1)[-1])
    for several in ("allOf", "oneOf", "anyOf"):
        if several in schema:
            return " or ".join(sorted({shape(each) for each in schema[several]}))
    kind = schema.get("type", "")
    if isinstance(kind, list):
        return " or ".join(sorted(kind))
    if kind == "array":
        return f"list of {shape(schema.get('items', {}))}"
    return str(kind or "anything")


def untold() -> tuple[list[str], list[str]]:
    """Return the lines that the changelog does not tell: those that came, and those that went."""
    from league.api.core.schema import description  # noqa: PLC0415 - once Django is set up

    now, known = surface(description()), told(FIRST.read_text(), CHANGES.read_text())
    return sorted(now - known), sorted(known - now)


def told(first: str, changes: str) -> set[str]:
    """Return the lines that follow from the ``first`` ones by the changes, the latest on top.

    Raises ``ValueError`` for a line that comes twice, or goes before it came.
    """
    known = set(first.splitlines())
    for block in reversed(BLOCK.findall(changes)):
        for line in block.splitlines():
            sign, what = line[:2], line[2:]
            if sign == "+ " and what not in known:
                known.add(what)
            elif sign == "- " and what in known:
                known.remove(what)
            else:
                raise ValueError(f"{line!r} cannot follow from the changes before it")
    return known


def tell(added: Iterable[str], gone: Iterable[str]) -> None:
    """Write a new entry on top of the changelog."""
    lines = [*(f"- {line}" for line in gone), *(f"+ {line}" for line in added)]
    entry = "\n".join([HEADING, "", "```diff", *lines, "```", "", ""])
    text = CHANGES.read_text()
    at = text.find("\n## ") + 1 or len(text)
    CHANGES.write_text(f"{text[:at]}{entry}{text[at:]}".rstrip() + "\n")
