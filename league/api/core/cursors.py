"""Lists without page numbers: each part is found by an index, at any depth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import NotFound, ValidationError
from rest_framework.pagination import CursorPagination

from league.api.core.pagination import LARGEST_PAGE, parameter, whole

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from rest_framework.pagination import Cursor
    from rest_framework.request import Request
    from rest_framework.views import APIView


class Cursors(CursorPagination):
    """Parts of a queryset in its own order, each with the addresses of those beside it.

    The first column of the order should have few equal values: within them, rows are counted.
    """

    page_size: int = 50
    page_size_query_param = "page_size"

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> Any:
        del request, view
        return tuple(str(column) for column in queryset.query.order_by)

    def get_page_size(self, request: Request) -> int:
        return whole(request, "page_size", self.page_size, LARGEST_PAGE)

    def decode_cursor(self, request: Request) -> Cursor | None:
        """Return the cursor in an address. Raises ``ValidationError`` if it is not one."""
        try:
            return super().decode_cursor(request)
        except (NotFound, ValueError) as error:
            text = _("Use the addresses in “next” and “previous”.")
            raise ValidationError({"cursor": [text]}) from error

    def get_schema_operation_parameters(self, view: APIView) -> list[dict[str, Any]]:
        del view
        return [
            {
                "name": "cursor",
                "in": "query",
                "required": False,
                "description": _("Where the part begins. Follow `next` and `previous`."),
                "schema": {"type": "string"},
            },
            parameter("page_size", _("Results per page."), LARGEST_PAGE, self.page_size),
        ]
