"""Base classes and helpers for the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst

from league.admin.core.floats import shorten
from league.models.explained import translate
from league.models.names import fold
from league.models.skeletons import without_accents
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest
    from django.utils.functional import Promise


class ReadOnly(admin.ModelAdmin[Any]):
    """Read-only rows: services write them, never the admin."""

    list_per_page = 50
    show_full_result_count = False

    def get_list_display(self, request: HttpRequest) -> Any:
        return shorten(self.model, super().get_list_display(request))

    def get_fieldsets(self, request: HttpRequest, obj: Model | None = None) -> Any:
        return [
            (title, {**options, "fields": shorten(self.model, options["fields"])})
            for title, options in super().get_fieldsets(request, obj)
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False


class Shares(admin.ModelAdmin[Any]):
    """A list whose rows have few seasons or arenas: each is read once, not with every row."""

    shared: ClassVar[tuple[Any, ...]] = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related(*self.shared)


class Explained(admin.ModelAdmin[Any]):
    """A list with an explanation above its rows."""

    change_list_template: ClassVar[Any] = "admin/league/explained_list.html"
    explanation: str | Promise = ""


class NoChange(BaseModelAdmin[Any]):
    """Read-only rows on the page of another row."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False


class NameSearch(admin.ModelAdmin[Any]):
    """Search names in ``search_fields``, whatever case, width and accents of the search term.

    Names of players and rosters are stored without accents (``search_name``), login names with.
    """

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        plain, folded = without_accents(search_term), fold(search_term)
        found, repeats = super().get_search_results(request, queryset, plain)
        if folded == plain:
            return found, repeats
        others, more_repeats = super().get_search_results(request, queryset, folded)
        return found | others, repeats or more_repeats


class PlainChoices(BaseModelAdmin[Any]):
    """Related rows can be chosen, but have no buttons to change or delete them."""

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **options)
        if field is not None and isinstance(field.widget, RelatedFieldWidgetWrapper):
            field.widget = field.widget.widget
        return field


def sentence(problem: str) -> str:
    """Return a problem as a sentence, with a capital and a full stop.

    A sentence of the engines is translated.
    """
    text = capfirst(translate(problem) if isinstance(problem, Sentence) else problem)
    return text if text.endswith(".") else f"{text}."


def link(model: str, number: int, label: str) -> str:
    """Link to a row's page in the admin."""
    address = reverse(f"admin:league_{model}_change", args=[number])
    return format_html('<a href="{}">{}</a>', address, label % {"number": number})
