"""Object permissions of the admin: staff of single arenas see and change only what is theirs.

The admin site adds these classes to the pages of every model whose rows belong to arenas.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.admin.filters import RelatedFieldListFilter
from django.contrib.admin.options import BaseModelAdmin, InlineModelAdmin
from django.contrib.admin.utils import get_fields_from_path
from django.contrib.auth import get_permission_codename
from django.core.exceptions import PermissionDenied
from django.db.models import Q

from league.models import Arena, Season
from league.models.reach import ARENA_OF, in_arenas, is_of_arenas

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet
    from django.http import HttpRequest, HttpResponse

    from league.models import User


MOST_LATEST = 20
"""The most rows that a filter by season or competition names."""


def permission(action: str, model: type[Model]) -> str:
    """Return the name of the permission to do something with the rows of a model."""
    options = model._meta  # noqa: SLF001 - Django's documented name
    return f"{options.app_label}.{get_permission_codename(action, options)}"


def holds(request: HttpRequest, action: str, model: type[Model], row: Model | None) -> bool:
    """Return whether the reader may do something in the arena of a row, or in any without one."""
    user, name = cast("User", request.user), permission(action, model)
    if row is not None and row.pk is not None:
        return user.has_perm(name, row)
    return user.arenas_with(name) != frozenset()


def reach(request: HttpRequest, model: type[Model], *actions: str) -> frozenset[int] | None:
    """Return the arenas in which the reader may do one of ``actions``, ``None`` for all arenas."""
    user = cast("User", request.user)
    found: frozenset[int] = frozenset()
    for action in actions:
        arenas = user.arenas_with(permission(action, model))
        if arenas is None:
            return None
        found |= arenas
    return found


def limit_to_arenas(rows: QuerySet[Any], arenas: frozenset[int] | None) -> QuerySet[Any]:
    """Return the rows that belong to these arenas, all of them for ``None``."""
    return rows if arenas is None else rows.filter(in_arenas(rows.model, arenas))


class OfArenas(RelatedFieldListFilter):
    """A filter of a list that names only the arenas, or seasons, that the reader may see."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        arenas = reach(request, model_admin.model, "view", "change")
        model = field.remote_field.model
        theirs = Q() if arenas is None else in_arenas(model, arenas)
        if model is Arena:
            theirs &= Q(is_draft=False)  # they have no rows but their queue
        ordering = self.field_admin_ordering(field, request, model_admin)
        rows = model._default_manager.filter(theirs)  # noqa: SLF001 - Django's documented name
        if ordering:
            rows = rows.order_by(*ordering)
        if model is Season:
            rows = rows.select_related("arena")
        return [(row.pk, str(row)) for row in rows]


class LatestOnly(OfArenas):
    """A filter that names only the latest rows: of the arena that is chosen beside it, if any.

    A league has thousands of seasons and competitions, and a list of them all is no filter.
    """

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        arenas = reach(request, model_admin.model, "view", "change")
        model = field.remote_field.model
        rows = limit_to_arenas(model._default_manager.order_by("-pk"), arenas)  # noqa: SLF001 - as above
        way = ARENA_OF[model._meta.model_name or ""]  # noqa: SLF001 - as above
        place = self.number(request, f"{self.field_path}__{way}__id__exact")
        if place is not None:
            rows = rows.filter(in_arenas(model, [place]))
        found = list(rows.select_related(way)[:MOST_LATEST])
        chosen = self.number(request, self.lookup_kwarg)
        if chosen is not None and all(row.pk != chosen for row in found):
            found += limit_to_arenas(model._default_manager.filter(pk=chosen), arenas)  # noqa: SLF001 - as above
        return [(row.pk, str(row)) for row in found]

    def number(self, request: HttpRequest, name: str) -> int | None:
        """Return a parameter of the address that names a row."""
        given = request.GET.get(name, "")
        return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else None


class Choices(BaseModelAdmin[Any]):
    """Forms that offer only the arenas, and what belongs to them, that the reader may change."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **options: Any) -> Any:
        theirs = db_field.remote_field.model
        if is_of_arenas(theirs):
            arenas = reach(request, self.model, "add", "change")
            chosen = options.get("queryset", theirs._default_manager.all())  # noqa: SLF001 - Django's documented name
            if arenas is not None:
                options["queryset"] = limit_to_arenas(chosen, arenas)
        return super().formfield_for_foreignkey(db_field, request, **options)


class InArenas(Choices, admin.ModelAdmin[Any]):
    """Pages of rows that belong to arenas: each reader has those of the arenas they look after."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return limit_to_arenas(
            super().get_queryset(request), reach(request, self.model, "view", "change")
        )

    def has_add_permission(self, request: HttpRequest) -> bool:
        return holds(request, "add", self.model, None)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return holds(request, "change", self.model, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return holds(request, "delete", self.model, obj)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return any(holds(request, action, self.model, obj) for action in ("view", "change"))

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return super().history_view(request, object_id, extra_context)

    def get_list_filter(self, request: HttpRequest) -> Any:
        filters = super().get_list_filter(request)
        return [(each, OfArenas) if self.is_about_arenas(each) else each for each in filters]

    def is_about_arenas(self, field: Any) -> bool:
        """Return whether a filter of the list names arenas, or rows that belong to them."""
        if not isinstance(field, str):
            return False
        last = get_fields_from_path(self.model, field)[-1]
        try:
            return is_of_arenas(cast("Any", last).remote_field.model)
        except AttributeError:
            return False

    def get_inlines(self, request: HttpRequest, obj: Any) -> Any:
        return [in_arenas_too(inline) for inline in super().get_inlines(request, obj)]

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        """Refuse a row that would belong to another arena, whatever the form was made to send."""
        row = super().save_form(request, form, change)
        user = cast("User", request.user)
        arenas = user.arenas_with(permission("change" if change else "add", self.model))
        if arenas is not None and not user.has_perm(
            permission("change" if change else "add", self.model), row
        ):
            raise PermissionDenied
        return row


class PartInArenas(Choices, InlineModelAdmin[Any, Any]):
    """Rows on the page of a row that belongs to an arena: ``obj`` is that other row."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return holds(request, "add", self.model, obj)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return holds(request, "change", self.model, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return holds(request, "delete", self.model, obj)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return any(holds(request, action, self.model, obj) for action in ("view", "change"))


@cache
def in_arenas_too(inline: type[InlineModelAdmin[Any, Any]]) -> type[InlineModelAdmin[Any, Any]]:
    """Return an inline whose permissions count in the arena of its page."""
    if not is_of_arenas(inline.model):
        return inline
    return type(inline.__name__, (inline, PartInArenas), {"__module__": inline.__module__})
