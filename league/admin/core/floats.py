"""Numbers with decimals as people read them, in lists and on pages that nobody edits."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import FieldDoesNotExist
from django.db.models import FloatField
from django.utils.formats import number_format

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Model


def in_short(value: float | None) -> str | None:
    """Return a number with two decimals, a small one with four, none of them a final zero."""
    if value is None:
        return None
    digits = f"{value:.{2 if abs(value) >= 1 else 4}f}".rstrip("0").rstrip(".")
    return str(number_format(digits.replace("-0", "0") if float(digits) == 0 else digits))


@cache
def shorten_one(model: type[Model], name: Any) -> str | Callable[[Any], str | None]:
    """Return a column that shows a number in short. Other columns come back as they are."""
    try:
        field = model._meta.get_field(name)  # noqa: SLF001 - Django's public API
    except (FieldDoesNotExist, TypeError):
        return name  # type: ignore[no-any-return]
    if not isinstance(field, FloatField):
        return name  # type: ignore[no-any-return]

    @admin.display(description=field.verbose_name, ordering=name)
    def short(row: Any) -> str | None:
        return in_short(getattr(row, name))

    short.__name__ = name
    return short


def shorten(model: type[Model], fields: Any) -> Any:
    """Return fields as a page names them, in rows of one or more, with their numbers in short."""
    if isinstance(fields, list | tuple):
        return [shorten(model, each) for each in fields]
    return shorten_one(model, fields)
