"""A match function for Open Match: proposals from the tickets of a profile's pools.

Tickets, profiles and matches are messages of Open Match's API in their JSON form
(https://open-match.dev, ``api/messages.proto``). A ticket has its rating in the search field
``rating``, a number. The numbers ``deviation`` and ``players`` are optional: a ticket of several
players has their average rating. Filters belong to the pools: every ticket of a pool may play with
every other, so the modes of a game are pools.
"""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from matchmaking.facade import Matcher, Queue, QueueError
from matchmaking.ticket import Player

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from matchmaking.facade import Match

    Message: TypeAlias = Mapping[str, Any]

FUNCTION = "laurel-matchmaking"
_STRUCT = "type.googleapis.com/google.protobuf.Struct"


def make_matches(
    profile: Message,
    pools: Mapping[str, Sequence[Message]],
    matcher: Matcher,
    now: datetime,
) -> list[dict[str, Any]]:
    """Return match proposals from the tickets of each pool, by the pool's name.

    No ticket is in two of them. The extension ``teams`` of a proposal holds the ticket ids of both
    teams and the chance of the first. Raises ``QueueError`` for a ticket that cannot be read.
    """
    proposals: list[dict[str, Any]] = []
    taken: set[str] = set()
    for pool, tickets in pools.items():
        by_id = {ticket["id"]: ticket for ticket in tickets if ticket["id"] not in taken}
        queue = Queue()
        for name, ticket in sorted(
            by_id.items(), key=lambda item: (_creation_time(item[1], now), item)
        ):
            queue.join(_party(name, ticket), at=_creation_time(ticket, now), ticket=name)
        for match in matcher.tick(queue, now=now.timestamp()):
            taken.update(map(str, match.tickets))
            proposals.append(
                {
                    "matchId": f"{profile['name']}-{pool}-{now.isoformat()}-{len(proposals)}",
                    "matchProfile": profile["name"],
                    "matchFunction": FUNCTION,
                    "tickets": [by_id[str(ticket)] for ticket in match.tickets],
                    "extensions": {"teams": {"@type": _STRUCT, "value": _teams(match)}},
                }
            )
    return proposals


def _party(name: str, ticket: Message) -> list[Player]:
    numbers = ticket.get("searchFields", {}).get("doubleArgs", {})
    if "rating" not in numbers:
        raise QueueError(f"ticket {name} has no number “rating” among its search fields")
    size = numbers.get("players", 1)
    if size != math.floor(size) or not 1 <= size <= 100:
        raise QueueError(f"ticket {name} must have from 1 to 100 players; it has {size}")
    return [
        Player((name, seat), float(numbers["rating"]), float(numbers.get("deviation", 0)))
        for seat in range(int(size))
    ]


def _creation_time(ticket: Message, now: datetime) -> float:
    """Return when a ticket was created, in seconds since 1970; ``now`` if it does not say."""
    text = ticket.get("createTime")
    if not text:
        return now.timestamp()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise QueueError(f"ticket {ticket['id']} was created at “{text}”, not a time") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def _teams(match: Match) -> dict[str, Any]:
    teams = [
        list(dict.fromkeys(str(player.id[0]) for player in team))  # type: ignore[index] # ids are tuples here
        for team in (match.team1, match.team2)
    ]
    return {"teams": teams, "chance": match.chance}
