"""Pages of lists: ``?page=2&page_size=100``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.paginator import Paginator
from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import PageNumberPagination
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

if TYPE_CHECKING:
    from rest_framework.request import Request
    from rest_framework.views import APIView

LARGEST_PAGE = 200
HIGHEST_NUMBER = 1_000_000_000


class Pages(PageNumberPagination):
    """Pages numbered from 1. A page after the last is not found, an invalid number is refused."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = LARGEST_PAGE

    def paginate_queryset(
        self, queryset: Any, request: Request, view: APIView | None = None
    ) -> list[Any]:
        del view
        paginator = Paginator(queryset, self.get_page_size(request))
        number = page_number(request)
        check_exists(number, paginator.num_pages)
        self.current_request = request
        self.current_page = paginator.page(number)
        return list(self.current_page)

    def get_page_size(self, request: Request) -> int:
        return whole(request, self.page_size_query_param, self.page_size, LARGEST_PAGE)

    def get_paginated_response(self, data: Any) -> Response:
        page = self.current_page
        return page_of(
            self.current_request,
            data,
            count=page.paginator.count,
            previous=page.previous_page_number() if page.has_previous() else None,
            following=page.next_page_number() if page.has_next() else None,
        )

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        del view
        return [
            parameter("page", _("The page number, from 1."), HIGHEST_NUMBER, 1),
            parameter(
                self.page_size_query_param, _("Results per page."), LARGEST_PAGE, self.page_size
            ),
        ]


def page_of(
    request: Request,
    results: Any,
    *,
    count: int,
    previous: int | None,
    following: int | None,
    **more: Any,
) -> Response:
    """Return a page with the addresses of its neighbours.

    ``count`` is the number of results on all pages. ``more`` are further keys of this list.
    """
    here = request.build_absolute_uri()

    def address(number: int | None) -> str | None:
        return replace_query_param(here, "page", number) if number else None

    return Response(
        {
            "count": count,
            "next": address(following),
            "previous": address(previous),
            **more,
            "results": results,
        }
    )


class Counted(Pages):
    """Pages of a list that is not always counted, with a caution about incomplete searches."""

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        described = super().get_paginated_response_schema(schema)
        described["properties"]["count"]["nullable"] = True
        described["properties"]["caution"] = {
            "type": "string",
            "nullable": True,
            "description": _("What a search left out; null if it was complete."),
        }
        return described


class Parts(Counted):
    """Pages of a list that is never counted, each linked to the next."""

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        number, size = super().get_schema_operation_parameters(view)
        number["description"] = _("One of the first pages, from 1. Better follow `next`.")
        return [number, size]


def uncounted_part(
    request: Request, results: Any, *, before: str | None, after: str | None
) -> Response:
    """Return part of an uncounted list, with the addresses of the parts before and after it."""
    here = remove_query_param(request.build_absolute_uri(), "page")

    def address(name: str, other: str, edge: str | None) -> str | None:
        return replace_query_param(remove_query_param(here, other), name, edge) if edge else None

    return Response(
        {
            "count": None,
            "next": address("after", "before", after),
            "previous": address("before", "after", before),
            "caution": None,
            "results": results,
        }
    )


def page_number(request: Request) -> int:
    """Return the requested page number. Raises ``ValidationError`` if it is invalid."""
    return whole(request, "page", 1, HIGHEST_NUMBER)


def check_exists(number: int, pages: int) -> None:
    """Raise ``NotFound`` for a page after the last."""
    if number > pages:
        raise NotFound(
            _("There is no page %(number)d. The last page is %(pages)d.")
            % {"number": number, "pages": pages}
        )


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
