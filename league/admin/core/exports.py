"""Export a list of the admin, as filtered and searched, to a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import HttpResponseRedirect, StreamingHttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe
from import_export.admin import ExportMixin

from league.models.reach import is_of_arenas
from league.services.core.exports import MOST_SHEET_ROWS, TYPES, WRITERS, too_long

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django.http import HttpRequest
    from django.http.response import HttpResponseBase

ROWS_AT_ONCE = 2_000
FORMAT = "export_as"
"""The parameter that names the format."""


class Exports(ExportMixin, admin.ModelAdmin[Any]):
    """Add “Export” buttons for everyone who may see the list.

    The package provides the place of the buttons and the rows. We stream the rows, so that a ledger
    can have any length; the package itself would hold it in memory several times.
    """

    model: Any
    export_columns: Sequence[str]
    """The fields of a row, such as ``player__name`` for a field of a related row."""

    def has_export_permission(self, request: HttpRequest) -> bool:
        """Rows that belong to no arena are not for those who organise single arenas."""
        in_arenas = is_of_arenas(self.model) or request.user.named_arenas is None  # type: ignore[union-attr] # staff
        return in_arenas and bool(self.has_view_permission(request))

    @method_decorator(require_safe)
    def export_action(self, request: HttpRequest) -> HttpResponseBase:
        """Send the list as a file. Raises ``BadRequest`` for a filter that makes no sense."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        query = request.GET.copy()
        form = format_of(query.pop(FORMAT, [""])[-1])
        request.GET = query  # type: ignore[assignment] # the list reads its filters from it
        try:
            rows = self.get_export_queryset(request).prefetch_related(None)
        except IncorrectLookupParameters as error:
            raise BadRequest(str(error)) from error
        if form == "xlsx" and len(rows.order_by().values_list("pk")[: MOST_SHEET_ROWS + 1]) > (
            MOST_SHEET_ROWS
        ):
            messages.error(request, too_long())
            return HttpResponseRedirect("..")
        return stream_file(
            f"{self.opts.model_name}", form, self.export_header(), self.export_rows(rows)
        )

    def export_header(self) -> list[str]:
        return [column.replace("__", "_") for column in self.export_columns]

    def export_rows(self, rows: Any) -> Iterable[Sequence[Any]]:
        """Return the rows of the file, read as they are sent."""
        values: Iterable[Sequence[Any]] = rows.values_list(*self.export_columns).iterator(
            ROWS_AT_ONCE
        )
        return values


def format_of(named: str) -> str:
    """Return the format of an export. Raises ``BadRequest``."""
    if named and named not in TYPES:
        raise BadRequest(f"no format {named[:20]}")
    return named or "csv"


def stream_file(
    name: str, form: str, header: Sequence[str], rows: Iterable[Sequence[Any]]
) -> StreamingHttpResponse:
    """Return rows as a file to download."""
    return StreamingHttpResponse(
        WRITERS[form](header, rows),
        content_type=TYPES[form],
        headers={"Content-Disposition": f'attachment; filename="{name}.{form}"'},
    )
