"""The rows that a deletion takes along, and those that prevent it, in few statements.

Django asks each table that refers to a row, and some fifty refer to an account or a player. Here
one statement finds the tables that have rows about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.contrib.admin.utils import NestedObjects, quote
from django.contrib.humanize.templatetags.humanize import intcomma
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.models import CASCADE, PROTECT, RESTRICT
from django.db.models.deletion import get_candidate_relations_to_delete
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.text import capfirst

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.contrib.admin import AdminSite
    from django.db.models import Field, Model, QuerySet
    from django.db.models.fields.reverse_related import ForeignObjectRel
    from django.http import HttpRequest

    Found = tuple[list[Any], dict[str, int], set[str], list[str]]
    """The rows that go as well, their number by kind, the missing permissions, and the
    obstacles."""

MATTERS = {CASCADE, PROTECT, RESTRICT}
"""The fate of rows that refer to a deleted one, where pages name it."""
COUNT = "SELECT {number}, count(*) FROM {table} WHERE {column} = ANY(%s) HAVING count(*) > 0"
EXISTS = "SELECT {number}, 1 WHERE EXISTS (SELECT FROM {table} WHERE {column} = ANY(%s))"


class Deletes(admin.ModelAdmin[Any]):
    """Pages that delete rows. The admin site adds this to the pages of every model."""

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> Found:
        rows = list(objs)
        collector = Collected(using=DEFAULT_DB_ALIAS, origin=rows)
        collector.collect(rows)
        needed: set[str] = set()

        def row_in_words(row: Model) -> Any:
            if not may_delete(self.admin_site, request, row):
                needed.add(str(row._meta.verbose_name))  # noqa: SLF001 - Django's documented name
            return describe_row(self.admin_site, row)

        kinds: dict[type[Model], set[Model]] = collector.model_objs  # type: ignore[assignment] # its stubs name them
        counts = {
            str(model._meta.verbose_name_plural): len(found)  # noqa: SLF001 - as above
            for model, found in kinds.items()
        }
        return (
            collector.nested(row_in_words),
            counts,
            needed,
            [row_in_words(row) for row in collector.protected],
        )


class CountsProtectedRows(admin.ModelAdmin[Any]):
    """Count the rows that prevent a deletion, where Django would list each of them."""

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> Found:
        chosen = list(objs)
        protecting = protectors(self.model, chosen)
        if protecting:
            return [str(row) for row in chosen], {}, set(), protecting
        return super().get_deleted_objects(chosen, request)


class Collected(NestedObjects):
    """Rows that are deleted together. Tables without any are not read."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.filled: set[tuple[type[Model], str]] = set()

    def collect(self, objs: Iterable[Any], *args: Any, **options: Any) -> Any:
        rows = list(objs)
        if rows:
            known = rows[0]._meta  # noqa: SLF001 - Django's documented name
            candidates = cast(
                "Iterable[ForeignObjectRel]", get_candidate_relations_to_delete(known)
            )
            found = ask(EXISTS, [one for one in candidates if one.on_delete in MATTERS], rows)
            self.filled |= {(one.field.model, one.field.name) for one in found}
        return super().collect(rows, *args, **options)

    def related_objects(self, related_model: Any, related_fields: Any, objs: Any) -> Any:
        rows = super().related_objects(related_model, related_fields, objs)
        has_some = any((related_model, field.name) in self.filled for field in related_fields)
        return rows if has_some else rows.none()


def ask(
    statement: str, relations: list[ForeignObjectRel], rows: list[Any]
) -> dict[ForeignObjectRel, int]:
    """Return a number for each relation that has rows which refer to ``rows``. One statement."""
    if not relations:
        return {}
    quoted = connection.ops.quote_name
    parts, values = [], []
    for number, relation in enumerate(relations):
        field: Any = relation.field
        table = quoted(field.model._meta.db_table)  # noqa: SLF001 - Django's documented name
        parts.append(statement.format(number=number, table=table, column=quoted(field.column)))
        values.append([getattr(row, field.target_field.attname) for row in rows])
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(parts), values)
        return {relations[number]: found for number, found in cursor.fetchall()}


def protectors(model: type[Model], rows: list[Any]) -> list[str]:
    """Return what prevents deleting ``rows``, such as “12 matches” or “3 sides (captain)”."""
    relations = [one for one in model._meta.related_objects if one.on_delete is PROTECT]  # noqa: SLF001 - as above
    found = ask(COUNT, relations, rows)
    return [
        describe_count(relation.field.model, found[relation], role=relation.field, of=model)
        for relation in relations
        if relation in found
    ]


def describe_count(
    theirs: type[Model], count: int, *, role: Field[Any, Any], of: type[Model]
) -> str:
    """Return a number of rows in words, with the role of ``of`` in them if it adds something."""
    names = theirs._meta  # noqa: SLF001 - Django's documented name
    name = names.verbose_name if count == 1 else names.verbose_name_plural
    plain = role.verbose_name == of._meta.verbose_name  # noqa: SLF001 - Django's documented name
    text = f"{intcomma(count)} {name}"
    return text if plain else f"{text} ({role.verbose_name})"


def may_delete(site: AdminSite, request: HttpRequest, row: Model) -> bool:
    """Return whether the reader may delete a row, as far as it has pages of its own."""
    if not site.is_registered(type(row)):
        return True
    return site.get_model_admin(type(row)).has_delete_permission(request, row)


def describe_row(site: AdminSite, row: Model) -> str:
    """Return the kind and name of a row, with a link to its page if it has one."""
    options = row._meta  # noqa: SLF001 - Django's documented name
    kind = capfirst(str(options.verbose_name))
    try:
        address = reverse(
            f"{site.name}:{options.app_label}_{options.model_name}_change", args=[quote(row.pk)]
        )
    except NoReverseMatch:
        return f"{kind}: {row}"
    return format_html('{}: <a href="{}">{}</a>', kind, address, row)
