"""Pages of a long list."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Self, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list. Pages count from 1; an empty list has one empty page."""

    rows: Sequence[Item]
    number: int
    pages: int
    total: int
    """Items on all pages."""
    per_page: int

    @classmethod
    def cut(
        cls, asked: int, total: int, per_page: int, rows: Callable[[slice], Sequence[Item]]
    ) -> Self:
        """Return page ``asked``, or the last page if there are fewer.

        ``rows`` returns the items of a slice of the list; ``total`` is the length of the list.
        """
        pages = max(1, math.ceil(total / per_page))
        number = min(max(1, asked), pages)
        part = slice((number - 1) * per_page, number * per_page)
        return cls(rows(part), number, pages, total, per_page)

    @property
    def first(self) -> int:
        """The position of the page's first item in the list, from 1."""
        return (self.number - 1) * self.per_page + 1

    @property
    def last(self) -> int:
        return self.first + len(self.rows) - 1

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.pages else None
