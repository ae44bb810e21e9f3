"""Lists of thousands of ids in a query."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models.expressions import RawSQL

from league.services.core.columns import to_array_literal

if TYPE_CHECKING:
    from collections.abc import Iterable


def any_of(ids: Iterable[int]) -> RawSQL:
    """Return ``ids`` as one query parameter, for ``filter(player__in=any_of(ids))``.

    With thousands of ids, preparing a parameter for each takes longer than the query itself.
    """
    return RawSQL("SELECT unnest(%s::bigint[])", [to_array_literal(ids)])
