"""Tables to take away: what a list shows, filtered and searched as it is, as one CSV file."""

# mypy: disable-error-code="type-arg,no-untyped-call,no-any-return"
# (Django's admin classes take no type parameters when they run; import_export has no types.)

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.utils.decorators import method_decorator
from django.views.decorators.http import require_safe
from import_export.admin import ExportMixin
from import_export.formats.base_formats import CSV

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

FORMULA = re.compile(r"[=+\-@\t\r]")
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?", re.IGNORECASE)


class PlainCSV(CSV):
    """CSV in which no cell is a formula to a spreadsheet: a name may begin with “=”."""

    def export_data(self, dataset: Any, **options: Any) -> str:
        rows = [tuple(harmless(cell) for cell in row) for row in dataset]
        return str(super().export_data(type(dataset)(*rows, headers=dataset.headers), **options))


def harmless(cell: Any) -> Any:
    """Text that a spreadsheet would run gets an apostrophe before it; numbers stay as they are."""
    if isinstance(cell, str) and FORMULA.match(cell) and not NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell


class Exports(ExportMixin, admin.ModelAdmin):
    """An “Export” button for everyone who may see the list."""

    model: Any

    export_formats = [PlainCSV]
    skip_export_form = True

    def get_export_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        """The rows of the list with what their resource names of other tables, in one query."""
        fields = self.resource_classes[0]._meta.fields  # noqa: SLF001 - the package's documented name
        others = {path for field in fields if (path := field.rpartition("__")[0])}
        rows = super().get_export_queryset(request)
        return rows.select_related(*others).prefetch_related(None)

    @method_decorator(require_safe)
    def export_action(self, request: HttpRequest) -> HttpResponse:
        return super().export_action(request)

    def has_export_permission(self, request: HttpRequest) -> bool:
        return bool(self.has_view_permission(request))
