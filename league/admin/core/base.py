"""Base classes and helpers for the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, cast

from django.contrib import admin
from django.contrib.admin.options import BaseModelAdmin
from django.contrib.admin.widgets import RelatedFieldWidgetWrapper
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import PROTECT
from django.utils.text import capfirst

from league.models.names import fold
from league.models.skeletons import without_accents

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Field, Model, QuerySet
    from django.http import HttpRequest
    from django.utils.functional import Promise


class ReadOnly(admin.ModelAdmin[Any]):
    """Read-only rows: services write them, never the admin."""

    show_full_result_count = False

    def has_add_permission(self, request: HttpRequest) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:  # noqa: ARG002 - Django's signature
        return False


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


class CountsProtectedRows(admin.ModelAdmin[Any]):
    """Count the rows that prevent a deletion, where Django would list each of them."""

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        chosen = list(objs)
        protecting = protectors(self.model, chosen)
        if protecting:
            return [str(row) for row in chosen], {}, set(), protecting
        return super().get_deleted_objects(chosen, request)


def protectors(model: type[Model], rows: list[Any]) -> list[str]:
    """Return what prevents deleting ``rows``, such as “12 matches” or “3 sides (captain)”."""
    found = []
    for relation in model._meta.related_objects:  # noqa: SLF001 - Django's documented name
        if relation.on_delete is not PROTECT:
            continue
        theirs = cast("type[Model]", relation.related_model)
        count = theirs._base_manager.filter(**{f"{relation.field.name}__in": rows}).count()  # noqa: SLF001 - as above
        if count:
            found.append(counted(theirs, count, role=relation.field, of=model))
    return found


def counted(theirs: type[Model], count: int, *, role: Field[Any, Any], of: type[Model]) -> str:
    """Return a number of rows in words, with the role of ``of`` in them if it adds something."""
    names = theirs._meta  # noqa: SLF001 - Django's documented name
    name = names.verbose_name if count == 1 else names.verbose_name_plural
    plain = role.verbose_name == of._meta.verbose_name  # noqa: SLF001 - Django's documented name
    text = f"{intcomma(count)} {name}"
    return text if plain else f"{text} ({role.verbose_name})"


def sentence(problem: str) -> str:
    """Return a problem as a sentence, with a capital and a full stop."""
    return capfirst(problem) if problem.endswith(".") else f"{capfirst(problem)}."
