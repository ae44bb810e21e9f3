"""Columns for what people write, which cannot reorder the text around it.

Unicode's explicit controls of direction (embeddings, overrides and isolates, U+202A to U+202E and
U+2066 to U+2069) act on whatever follows until something ends them, so one left open in a message
turns round the page, the mail or the log line that quotes it. Programs for writing and copying add
them unseen, so they are removed rather than refused. Arabic, Hebrew and the marks U+200E and U+200F
stay: letters carry their own direction, and marks act on their neighbours alone.
"""

from __future__ import annotations

from typing import Any

from django.db import models

CONTROLS = dict.fromkeys([*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0])
"""The controls of direction, and NUL, which PostgreSQL cannot store."""


def without_controls(text: str) -> str:
    return text.translate(CONTROLS)


class Cleaned:
    """Removes controls from a column's texts when they are validated, written and read.

    Texts stored before this was so are clean, too, when they are read. Migrations see the plain
    field, since the column is the same.
    """

    def to_python(self, value: Any) -> Any:
        text = super().to_python(value)  # type: ignore[misc] # of the field
        return without_controls(text) if isinstance(text, str) else text

    def pre_save(self, model_instance: Any, add: bool) -> Any:
        value = super().pre_save(model_instance, add)  # type: ignore[misc] # of the field
        if isinstance(value, str):
            value = self.to_python(value)
            setattr(model_instance, self.attname, value)  # type: ignore[attr-defined] # the field's
        return value

    def from_db_value(self, value: Any, *_: Any) -> Any:
        return self.to_python(value)

    def deconstruct(self) -> Any:
        name, _path, given, options = super().deconstruct()  # type: ignore[misc] # of the field
        return name, f"django.db.models.{self.get_internal_type()}", given, options  # type: ignore[attr-defined]


class Words(Cleaned, models.TextField[str, str]):
    """A text in any number of lines."""


class Line(Cleaned, models.CharField[str, str]):
    """A short text, such as the name of something."""
