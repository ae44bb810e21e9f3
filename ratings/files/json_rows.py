"""Rows of cells from JSON that is in no format of its own: a list of objects, as APIs answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ratings.files.tables import MOST_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEEPEST = 3
"""Levels below the top at which the list can be, and objects within an entry."""


def find_entries(document: Any, depth: int = 0) -> list[dict[str, Any]]:
    """Return the longest list of objects in a document, an empty one if it has none."""
    if isinstance(document, list):
        return document if document and all(isinstance(one, dict) for one in document) else []
    if not isinstance(document, dict) or depth == DEEPEST:
        return []
    return max((find_entries(one, depth + 1) for one in document.values()), key=len, default=[])


def has_rows(document: Any) -> bool:
    """Return whether a document has a list of objects with several values."""
    return any(len(flatten(entry)) > 1 for entry in find_entries(document)[:5])


def rows_of(document: Any) -> Iterator[tuple[int, list[str]]]:
    """Yield the names of the values, and the values of each entry, counted from 1.

    The name of a value within an object has the name of the object before it: home.name.
    """
    entries = find_entries(document)
    names: dict[str, None] = {}
    for entry in entries:
        names.update(dict.fromkeys(flatten(entry)))
        if len(names) > MOST_COLUMNS:
            break
    yield 0, [name or "?" for name in names]
    for number, entry in enumerate(entries, start=1):
        values = flatten(entry)
        yield number, [values.get(name, "") for name in names]


def flatten(entry: Mapping[str, Any], before: str = "", depth: int = 1) -> dict[str, str]:
    """Return the values of an object as texts, by their names."""
    found: dict[str, str] = {}
    for key, value in entry.items():
        name = f"{before}.{key}" if before else str(key)
        if isinstance(value, dict):
            found |= flatten(value, name, depth + 1) if depth < DEEPEST else {}
        elif isinstance(value, list):
            if all(isinstance(one, str) for one in value):
                found[name] = ", ".join(value)
        else:
            found[name] = text_of(value)
    return found


def text_of(value: Any) -> str:
    """Return a value as a cell."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value).strip()
