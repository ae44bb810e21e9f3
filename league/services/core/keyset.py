"""Parts of a long list of matches, latest first, each linked by the match at its edge.

A part costs the same at any depth, and matches that are added or removed elsewhere do not shift it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from django.utils.translation import gettext as _

from league.services.core.clock import microseconds, moment
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

Item = TypeVar("Item")

LATEST_TIME = 250_000_000_000_000_000
"""A time after all seasons, in microseconds since 1970: the year 9892."""
EARLIEST_TIME = -62_000_000_000_000_000
"""A time before all seasons: the year 5."""
# What PostgreSQL's bigint holds: a larger one in an address would be its error, not ours.
LARGEST_ID = 2**63 - 1


class Place(NamedTuple):
    """A match's place in the list: when it was played, and among equal times its id."""

    at: datetime
    pk: int

    @property
    def text(self) -> str:
        """The place as it is written in an address."""
        return f"{microseconds(self.at)},{self.pk}"


@dataclass(frozen=True)
class Edge:
    """The place where a part begins, going to older matches, or ends, going to newer ones."""

    place: Place | None = None
    """None for the start of the list."""
    newer: bool = False


@dataclass(frozen=True)
class Part(Generic[Item]):
    """Neighbouring items of a list, latest first."""

    rows: Sequence[Item]
    newer: Place | None
    """The place before which newer items may be listed; None at the start of the list."""
    older: Place | None
    """The place after which older items are listed; None at the end."""


def edge_of(after: str, before: str) -> Edge:
    """Return the edge in an address, from its texts ``after`` and ``before``, mostly empty.

    Raises:
        Refused: one of them is not a place, or both are given. ``field`` names which.
    """
    if after and before:
        raise Refused("two_edges", _("Use “after” or “before”, not both."), field="before")
    if before:
        return Edge(parse_place("before", before), newer=True)
    return Edge(parse_place("after", after)) if after else Edge()


def parse_place(name: str, text: str) -> Place:
    """Return the place written in an address. Raises ``Refused`` if it is not one."""
    at, _comma, pk = text.partition(",")
    if whole(at.removeprefix("-")) and whole(pk):
        place = int(at), int(pk)
        if EARLIEST_TIME <= place[0] <= LATEST_TIME and place[1] <= LARGEST_ID:
            return Place(moment(place[0]), place[1])
    message = _("This address leads nowhere. Follow the links from the start of the list.")
    raise Refused("no_place", message, field=name)


def whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(LARGEST_ID))


def part_of(
    edge: Edge,
    count: int,
    read: Callable[[Edge, int], Sequence[Item]],
    place_of: Callable[[Item], Place],
) -> Part[Item]:
    """Return up to ``count`` items next to an edge.

    ``read`` returns so many items from an edge on, nearest first. It is asked for one more, which
    shows whether the list goes on.
    """
    found = read(edge, count + 1)
    more = len(found) > count
    rows = found[:count]
    if not rows:
        return Part(rows, None, None)
    if edge.newer:
        rows = rows[::-1]
    first, last = place_of(rows[0]), place_of(rows[-1])
    goes_back = more if edge.newer else edge.place is not None
    return Part(rows, first if goes_back else None, last if edge.newer or more else None)
