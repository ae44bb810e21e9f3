"""Parts of any ordered list of rows, each beginning at a place in the order, at any depth.

A place is the values of all columns of the order, and the id tells equal ones apart. So the
database finds it without counting rows, and rows that are added or removed elsewhere do not shift a
part.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import UUID

from django.core.exceptions import FieldDoesNotExist
from django.db.models import F, Q
from django.db.models.expressions import OrderBy
from django.db.models.fields.tuple_lookups import (  # type: ignore[import-untyped] # no stubs
    TupleGreaterThan,
    TupleLessThan,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet

Place: TypeAlias = "Sequence[Any]"
"""The values of a row in the columns of an order, as JSON has them."""
KEY = "ordered_by_{}"
"""The annotation that has the value of a column of the order."""


@dataclass(frozen=True)
class Column:
    """A column of an order. Nulls come first or last, in whatever direction it goes."""

    expression: Any
    descending: bool = False
    nulls_last: bool = True
    nullable: bool = False

    @property
    def reversed(self) -> Column:
        return Column(self.expression, not self.descending, not self.nulls_last, self.nullable)

    def order(self) -> OrderBy:
        """Return the column as a query orders by it, as plainly as an index has it."""
        ours = self.nullable and self.nulls_last is self.descending  # else it is the database's
        return OrderBy(
            self.expression,
            descending=self.descending,
            nulls_first=(ours and not self.nulls_last) or None,
            nulls_last=(ours and self.nulls_last) or None,
        )


@dataclass(frozen=True)
class Part:
    """Neighbouring rows of a list, with the places beyond which it goes on."""

    rows: list[Any]
    before: Place | None
    after: Place | None


def columns_of(rows: QuerySet[Any]) -> list[Column]:
    """Return the columns that a queryset is ordered by, with the id if it is not the last."""
    ordering = [*(rows.query.order_by or rows.model._meta.ordering or ())]  # noqa: SLF001 - Django's documented name
    found = [column_of(rows, one) for one in ordering]
    names = {column.expression.name for column in found if isinstance(column.expression, F)}
    return found if names & {"id", "pk"} else [*found, Column(F("pk"))]


def column_of(rows: QuerySet[Any], ordering: Any) -> Column:
    """Return a column from a name such as ``-played_at`` or an expression."""
    if isinstance(ordering, str):
        descending, name = ordering.startswith("-"), ordering.lstrip("-")
        ordering = OrderBy(F(name), descending=descending)
    elif not isinstance(ordering, OrderBy):
        ordering = OrderBy(ordering)
    nulls_last = bool(ordering.nulls_last or not (ordering.nulls_first or ordering.descending))
    nullable = is_nullable(rows, ordering.expression)
    return Column(ordering.expression, ordering.descending, nulls_last, nullable)


def is_nullable(rows: QuerySet[Any], expression: Any) -> bool:
    """Return whether a column can be null, as far as the models say."""
    if not isinstance(expression, F) or expression.name in rows.query.annotations:
        return True
    model: Any = rows.model
    for name in expression.name.split("__"):
        try:
            meta = model._meta  # noqa: SLF001 - Django's documented name
            field = meta.pk if name == "pk" else meta.get_field(name)
        except FieldDoesNotExist:
            return True
        if field.null:
            return True
        model = field.related_model
    return False


def part_of(
    rows: QuerySet[Any], count: int, place: Place | None = None, *, back: bool = False
) -> Part:
    """Return up to ``count`` rows after a place in the order of ``rows``, or before it.

    Raises:
        ValueError: ``place`` has not the shape of a place in this order.
    """
    columns = columns_of(rows)
    way = [column.reversed for column in columns] if back else columns
    keyed = with_keys(rows, columns)
    if place is not None:
        keyed = beyond(keyed, way, place)
    found = list(keyed.order_by(*(column.order() for column in way))[: count + 1])
    more = len(found) > count
    found = found[:count]
    if not found:
        return Part([], None, None)
    if back:
        found.reverse()
    first, last = place_of(found[0], len(columns)), place_of(found[-1], len(columns))
    goes_back = more if back else place is not None
    return Part(found, first if goes_back else None, last if back or more else None)


def place_after(rows: QuerySet[Any], count: int) -> Place | None:
    """Return the place of row number ``count``, from 1. It costs more with each row."""
    columns = columns_of(rows)
    keyed = with_keys(rows, columns).prefetch_related(None)
    found = keyed.order_by(*(column.order() for column in columns))[count - 1 : count]
    return next((place_of(row, len(columns)) for row in found), None)


def with_keys(rows: QuerySet[Any], columns: Sequence[Column]) -> QuerySet[Any]:
    """Return rows that have the values of the columns of their order."""
    keys = {KEY.format(at): one.expression for at, one in enumerate(columns)}
    keyed: QuerySet[Any] = rows.annotate(**keys)
    return keyed


def place_of(row: Any, columns: int) -> Place:
    return [to_json(getattr(row, KEY.format(at))) for at in range(columns)]


def to_json(value: Any) -> Any:
    """Return a value of a column as JSON has it, with all its digits."""
    if isinstance(value, date):  # or a datetime
        return value.isoformat()
    return str(value) if isinstance(value, Decimal | UUID) else value


def beyond(rows: QuerySet[Any], columns: Sequence[Column], place: Place) -> QuerySet[Any]:
    """Return the rows that come after a place. Raises ``ValueError`` if it is not one."""
    if len(place) != len(columns):
        text = f"a place has {len(columns)} values, not {len(place)}"
        raise ValueError(text)
    names = [KEY.format(at) for at in range(len(columns))]
    fields = [rows.query.annotations[name].output_field for name in names]
    values = [
        None if value is None else field.to_python(value)
        for field, value in zip(fields, place, strict=True)
    ]
    if not any(one.nullable for one in columns) and len({one.descending for one in columns}) == 1:
        compare = TupleLessThan if columns[0].descending else TupleGreaterThan
        if len(columns) == 1:
            return rows.filter(
                **{f"{names[0]}__{'lt' if columns[0].descending else 'gt'}": values[0]}
            )
        condition = compare(tuple(F(name) for name in names), tuple(values))
        return rows.filter(condition)
    condition = Q(pk__in=())
    for column, name, value in reversed(list(zip(columns, names, values, strict=True))):
        same = Q(**{f"{name}__isnull": True}) if value is None else Q(**{name: value})
        condition = later(column, name, value) | (same & condition)
    return rows.filter(condition)


def later(column: Column, name: str, value: Any) -> Q:
    """Return the condition for a value that comes after another in a column."""
    if value is None:
        return Q(pk__in=()) if column.nulls_last else Q(**{f"{name}__isnull": False})
    after = Q(**{f"{name}__{'lt' if column.descending else 'gt'}": value})
    goes_on = column.nullable and column.nulls_last
    return after | Q(**{f"{name}__isnull": True}) if goes_on else after
