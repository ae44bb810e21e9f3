"""Lists without page numbers: each part is found by an index, at any depth.

A cursor is signed, so what it holds was written here: a place in the list and a direction. Programs
follow the addresses in ``next`` and ``previous`` and need not know what is in them.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.core.signing import BadSignature, Signer
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from league.api.core.deprecation import Deprecated
from league.services.core.ordered import part_of, place_after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rest_framework.request import Request
    from rest_framework.views import APIView

    from league.services.core.ordered import Place


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


NAME = "cursor"
PAGE_SIZE = 50
MOST_SKIPPED = 50_000
"""The last page of a list that a number can name."""


class Cursors(BasePagination):
    """Parts of a queryset in its own order, each with the addresses of those beside it."""

    deprecated: Mapping[str, Deprecated] = {
        "page": Deprecated(since=date(2026, 12, 1), until=date(2027, 12, 1))
    }
    before: str | None = None
    after: str | None = None

    def paginate_queryset(
        self, queryset: Any, request: Request, view: APIView | None = None
    ) -> list[Any]:
        self.request, self.view = request, view
        size = page_size(request)
        asked = cursor_of(request, view)
        if isinstance(queryset, QuerySet):
            return self.part_of_rows(queryset, asked, size)
        return self.part_of_all(queryset, asked, size)

    def part_of_rows(self, rows: QuerySet[Any], asked: Any, size: int) -> list[Any]:
        """Return the part of a queryset at a cursor, or with a number."""
        number = page_number(self.request)
        back, place = asked or (False, None)
        if number > 1:
            place = end_of_page(rows, number - 1, size)
        try:
            part = part_of(rows, size, place, back=back)
        except ValueError as error:
            raise no_cursor() from error
        if number > 1 and not part.rows:
            raise no_page(number)
        self.link(
            None if part.before is None else [True, part.before],
            None if part.after is None else [False, part.after],
        )
        return part.rows

    def part_of_all(self, rows: Sequence[Any], asked: Any, size: int) -> list[Any]:
        """Return the part of a list that every request has as a whole, and that never changes."""
        number = page_number(self.request)
        start = (number - 1) * size if asked is None else asked
        if number > 1 and start >= len(rows):
            raise no_page(number)
        end = start + size
        self.link(max(start - size, 0) if start else None, end if end < len(rows) else None)
        return list(rows[start:end])

    def link(self, before: Any, after: Any) -> None:
        """Remember the addresses of the parts beside this one."""
        self.before = link_to(self.request, self.view, before)
        self.after = link_to(self.request, self.view, after)

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"next": self.after, "previous": self.before, "results": data})

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        return {
            "type": "object",
            "required": ["next", "previous", "results"],
            "properties": {
                "next": link_schema(_("The address of the part after; null at the end.")),
                "previous": link_schema(
                    _("The address of the part before; null at the beginning.")
                ),
                "results": schema,
            },
        }

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        del view
        page = parameter(
            "page",
            _("One of the first pages, from 1. Follow `next` instead."),
            HIGHEST_NUMBER,
            1,
        )
        return [
            cursor_parameter(),
            parameter("page_size", _("Results per page."), LARGEST_PAGE, PAGE_SIZE),
            page | {"deprecated": True},
        ]


def end_of_page(rows: QuerySet[Any], number: int, size: int) -> Place:
    """Return the place at which a numbered page ends. Slower with each page.

    Raises:
        NotFound: there is no such page.
        ValidationError: it is so far down that only cursors lead to it.
    """
    if number * size > MOST_SKIPPED:
        text = _("Only the first %(most)d results have page numbers. Follow “next”.")
        raise ValidationError({"page": [text % {"most": MOST_SKIPPED}]})
    after = place_after(rows, number * size)
    if after is None:
        raise no_page(number + 1)
    return after


def page_number(request: Request) -> int:
    """Return the requested page number. Raises ``ValidationError`` if it is invalid."""
    if "page" in request.query_params and NAME in request.query_params:
        raise ValidationError({"page": [_("The cursor says where the part begins.")]})
    return whole(request, "page", 1, HIGHEST_NUMBER)


def page_size(request: Request) -> int:
    return whole(request, "page_size", PAGE_SIZE, LARGEST_PAGE)


def signer(view: APIView | None) -> Signer:
    """Return what signs the cursors of one list, and accepts no others."""
    return Signer(sep=".", salt=f"{__name__}.{type(view).__qualname__}")


def cursor_of(request: Request, view: APIView | None) -> Any:
    """Return what the cursor of a request holds, ``None`` without one.

    Raises:
        ValidationError: it is not a cursor of this list.
    """
    text = request.query_params.get(NAME)
    if text is None:
        return None
    try:
        return signer(view).unsign_object(text)
    except BadSignature as error:
        raise no_cursor() from error


def link_to(request: Request, view: APIView | None, held: Any) -> str | None:
    """Return the address of the part at a cursor, ``None`` if there is none."""
    if held is None:
        return None
    here = remove_query_param(request.build_absolute_uri(), "page")
    return replace_query_param(here, NAME, signer(view).sign_object(held))


def no_cursor() -> ValidationError:
    return ValidationError({NAME: [_("Use the addresses in “next” and “previous”.")]})


def no_page(number: int) -> NotFound:
    return NotFound(_("There is no page %(number)d.") % {"number": number})


def cursor_parameter() -> dict[str, Any]:
    return {
        "name": NAME,
        "in": "query",
        "required": False,
        "description": _("Where the part begins. Follow `next` and `previous`."),
        "schema": {"type": "string"},
    }


def link_schema(description: str) -> dict[str, Any]:
    return {"type": ["string", "null"], "format": "uri", "description": description}
