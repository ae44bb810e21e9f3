"""Columns of queries that are compared without looking at signatures.

To see whether a query orders by something that it selects, Django hashes each column that it
selects. For a column's identity it binds the arguments of the constructor to their names, which
takes ten times as long as the identity itself. The one here is the same.
"""

from __future__ import annotations

from typing import Any

from django.db.models.expressions import Col, Expression
from django.utils.functional import cached_property


def identity(column: Any) -> tuple[Any, ...]:
    given, named = column._constructor_args  # noqa: SLF001 - as Django does
    if named:
        return Expression.identity.func(column)  # type: ignore[attr-defined, no-any-return]
    alias, target, output_field = (*given, None)[:3]
    return (
        column.__class__,
        ("alias", alias),
        ("target", column._identity(target)),  # noqa: SLF001
        ("output_field", column._identity(output_field)),  # noqa: SLF001
    )


def compare_quickly() -> None:
    """Let Django compare columns by this identity."""
    quick = cached_property(identity)
    quick.__set_name__(Col, "identity")
    Col.identity = quick  # type: ignore[method-assign, assignment]
