"""``fields=``: only some fields of what a route shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter
from rest_framework.exceptions import ErrorDetail, ValidationError

from league.api.core.fields import LONGEST_QUOTE, no_field

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from rest_framework.request import Request
    from rest_framework.response import Response

NAME = "fields"
PARAMETER = OpenApiParameter(
    NAME,
    str,
    description=str(gettext_lazy("Only these fields of each result, with commas: `id,name`.")),
)


def chosen_fields(request: Request, known: Sequence[str]) -> set[str] | None:
    """Return the fields that a request asks for, ``None`` for all. Raises ``ValidationError``."""
    text = request.query_params.get(NAME)
    if text is None:
        return None
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in known:
            wrong = f"{name[:LONGEST_QUOTE]}: {no_field(name, known)}" if name else _("Name some.")
            raise ValidationError({NAME: [ErrorDetail(wrong, code="unknown")]})
    return set(names)


def keep_only(response: Response, chosen: Collection[str], *, in_results: bool) -> None:
    """Leave out of an answer what was not asked for."""
    if in_results:
        rows = response.data["results"]
        response.data["results"] = [only(row, chosen) for row in rows]
    else:
        response.data = only(response.data, chosen)


def only(row: dict[str, Any], chosen: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in chosen}
