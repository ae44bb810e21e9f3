"""Export a list of the admin, as filtered and searched, to a CSV file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import StreamingHttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe
from import_export.admin import ExportMixin

from league.services.core.exports import csv_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

ROWS_AT_ONCE = 2_000


class Exports(ExportMixin, admin.ModelAdmin[Any]):
    """Add an “Export” button for everyone who may see the list.

    The package provides the button and the rows. We stream the rows, so that a ledger can have any
    length; the package itself would hold it in memory several times.
    """

    model: Any
    export_columns: Sequence[str]
    """The fields of a row, such as ``player__name`` for a field of a related row."""

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_view_permission(request))

    @method_decorator(require_safe)
    def export_action(self, request: HttpRequest) -> StreamingHttpResponse:
        """Send the list as a file. Raises ``BadRequest`` for a filter that makes no sense."""
        if not self.has_export_permission(request):
            raise PermissionDenied
        try:
            rows = self.get_export_queryset(request).prefetch_related(None)
        except IncorrectLookupParameters as error:
            raise BadRequest(str(error)) from error
        values = rows.values_list(*self.export_columns).iterator(ROWS_AT_ONCE)
        name = f"{self.opts.model_name}.csv"
        return StreamingHttpResponse(
            csv_lines([column.replace("__", "_") for column in self.export_columns], values),
            content_type="text/csv; charset=utf-8",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )
