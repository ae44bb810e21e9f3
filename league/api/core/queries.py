"""Whole numbers in query strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ValidationError

if TYPE_CHECKING:
    from rest_framework.request import Request

LARGEST_PAGE = 200
HIGHEST_NUMBER = 1_000_000_000


def whole(request: Request, name: str, default: int | None, highest: int) -> int:
    """Return a whole number from 1 to ``highest`` from the query string."""
    text = request.query_params.get(name)
    if text is None and default is not None:
        return default
    written = text or ""
    if written.isascii() and written.isdecimal() and len(written) <= len(str(highest)):
        number = int(written)
        if 1 <= number <= highest:
            return number
    raise ValidationError(
        {name: [_("Must be a whole number from 1 to %(highest)d.") % {"highest": highest}]}
    )


def parameter(name: str, description: str, maximum: int, default: int | None) -> dict[str, Any]:
    return {
        "name": name,
        "in": "query",
        "required": False,
        "description": description,
        "schema": {"type": "integer", "minimum": 1, "maximum": maximum, "default": default},
    }
