"""Differences between two snapshots of a queue, as JSON values."""

from __future__ import annotations

from typing import Any

JSON = dict[str, Any]


def difference(before: JSON, after: JSON) -> JSON:
    """Return the changes that turn one snapshot into a later one, for :func:`applied`.

    Both are as :meth:`Snapshot.to_json` returns them. ``gone`` are ids of tickets to remove, and
    ``put`` are tickets to insert, each with its place in the later snapshot: whole if it is new or
    changed, as an id if it only moved. ``apart`` and ``met`` are pairs to remove and add.
    """
    places = {ticket["id"]: place for place, ticket in enumerate(before["tickets"])}
    gone, put, latest = dict.fromkeys(places), [], -1
    for at, ticket in enumerate(after["tickets"]):
        place = places.get(ticket["id"], -1)
        is_same = place >= 0 and before["tickets"][place] == ticket
        if is_same and place > latest:
            latest = place
            del gone[ticket["id"]]
        else:
            put.append([at, ticket["id"] if is_same else ticket])
    left, met = (pairs(snapshot["met"], after["tickets"]) for snapshot in (before, after))
    return {
        "gone": list(gone),
        "put": put,
        "apart": sorted(left - met),
        "met": sorted(met - left),
    }


def applied(before: JSON, change: JSON) -> JSON:
    """Return the later of two snapshots, given the earlier one and their difference."""
    gone = set(change["gone"])
    tickets = [ticket for ticket in before["tickets"] if ticket["id"] not in gone]
    moved = {ticket for _place, ticket in change["put"] if not isinstance(ticket, dict)}
    held = {one["id"]: one for one in before["tickets"] if one["id"] in moved} if moved else {}
    for place, ticket in change["put"]:
        tickets.insert(place, ticket if isinstance(ticket, dict) else held[ticket])
    left = pairs(before["met"], tickets)
    apart, met = (set(map(tuple, change[name])) for name in ("apart", "met"))
    return {"tickets": tickets, "met": sorted(map(list, left - apart | met))}


def pairs(met: list[Any], tickets: list[JSON]) -> set[tuple[Any, Any]]:
    """Return the pairs of ``met`` whose tickets are both present."""
    present = {ticket["id"] for ticket in tickets} if met else set()
    return {(one, other) for one, other in met if one in present and other in present}
