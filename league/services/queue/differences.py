"""Differences between two snapshots of a queue, as JSON values."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

JSON = dict[str, Any]


@dataclass(frozen=True)
class Form:
    """The form of a snapshot's tickets, and of their JSON values."""

    id_of: Callable[[Any], Any]
    write: Callable[[Any], JSON]
    read: Callable[[JSON], Any]


def itself(entry: JSON) -> JSON:
    return entry


AS_JSON = Form(itemgetter("id"), itself, itself)


def difference(before: JSON, after: JSON, form: Form = AS_JSON) -> JSON:
    """Return the changes that turn one snapshot into a later one, for :func:`applied`.

    Both are as :meth:`Snapshot.to_json` returns them, with their tickets in any form. ``gone`` are
    ids of tickets to remove, and ``put`` are tickets to insert, each with its place in the later
    snapshot: whole if it is new or changed, as an id if it only moved. ``apart`` and ``met`` are
    pairs to remove and add.
    """
    places = {form.id_of(ticket): place for place, ticket in enumerate(before["tickets"])}
    gone, put, latest = dict.fromkeys(places), [], -1
    for at, ticket in enumerate(after["tickets"]):
        name = form.id_of(ticket)
        place = places.get(name, -1)
        is_same = place >= 0 and before["tickets"][place] == ticket
        if is_same and place > latest:
            latest = place
            del gone[name]
        else:
            put.append([at, name if is_same else form.write(ticket)])
    left, met = (pairs(snapshot["met"], after["tickets"], form) for snapshot in (before, after))
    return {
        "gone": list(gone),
        "put": put,
        "apart": sorted(left - met),
        "met": sorted(met - left),
    }


def apply(before: JSON, change: JSON, form: Form = AS_JSON) -> JSON:
    """Return the later of two snapshots, given the earlier one and their difference."""
    gone = set(change["gone"])
    tickets = [ticket for ticket in before["tickets"] if form.id_of(ticket) not in gone]
    moved = {ticket for _place, ticket in change["put"] if not isinstance(ticket, dict)}
    held = (
        {form.id_of(one): one for one in before["tickets"] if form.id_of(one) in moved}
        if moved
        else {}
    )
    for place, ticket in change["put"]:
        tickets.insert(place, form.read(ticket) if isinstance(ticket, dict) else held[ticket])
    left = pairs(before["met"], tickets, form)
    apart, met = (set(map(tuple, change[name])) for name in ("apart", "met"))
    return {"tickets": tickets, "met": sorted(map(list, left - apart | met))}


def pairs(met: list[Any], tickets: list[Any], form: Form) -> set[tuple[Any, Any]]:
    """Return the pairs of ``met`` whose tickets are both present."""
    present = set(map(form.id_of, tickets)) if met else set()
    return {(one, other) for one, other in met if one in present and other in present}
