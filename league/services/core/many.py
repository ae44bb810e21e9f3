"""Queries about thousands of rows at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.expressions import RawSQL

if TYPE_CHECKING:
    from collections.abc import Iterable


def any_of(ids: Iterable[int]) -> RawSQL:
    """For ``filter(player__in=any_of(ids))``: one parameter instead of one for each id.

    Where there are thousands, to prepare so many parameters takes longer than the query itself.
    """
    return RawSQL("SELECT unnest(%s::bigint[])", [list(ids)])
