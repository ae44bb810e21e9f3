"""Snapshots of long queues, of which a process keeps the tickets and arrays between its ticks.

Most tickets of a long queue are as they were at the last tick. So one statement reads, as arrays,
which rows make up each ticket, in which version, and only tickets with a changed row are read
whole. PostgreSQL writes a new version of a row for each change of it, and ``xmin`` tells which.
What depends on the time or on other players is read on every tick: stacks, rank filters,
percentiles, regions, ranks, shown ratings and last opponents. A snapshot is equal to one that is
read whole, whoever made the ticks in between. Whenever that is in doubt, the queue is read whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from cachetools import TTLCache
from django.db import connection

from league.services.core.columns import read_columns
from league.services.core.ranks import rank_of
from league.services.queue import snapshots
from league.services.queue.blocks import blocked_pairs
from league.services.queue.snapshots import ALL_THERE, WAITING, Extras, Snapshot
from league.services.rating.forecasts import newcomer_row
from league.services.rating.rate import states_of
from matchmaking.joining import join, player_rows
from matchmaking.ticket import Queue
from ratings.types import States

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from django.db.models import Model
    from numpy.typing import NDArray

    from league.models import Season
    from matchmaking.rules.arena import Rules
    from matchmaking.ticket import Ticket
    from ratings.types import Integers

    Seats = Mapping[str, NDArray[Any]]

LONG = 1000
"""Tickets from which a queue is kept. Up to there, reading it whole takes less time."""
ARENAS = 8
"""Queues kept in a process, about 1 kB for each ticket."""
KEPT_FOR = 60.0
"""Seconds after its last tick for which a queue is kept."""
WHOLE_EVERY = timedelta(seconds=60)
"""How often a queue is read whole all the same."""

SEATS = f"""
    SELECT t.id AS ticket, m.id AS member, m.player_id AS player,
        t.version AS ticket_version, m.xmin::text::bigint AS member_version,
        coalesce(r.xmin::text::bigint, 0) AS rating_version,
        {rank_of(source="q.rank_source", arena="q.arena_id", player="m.player_id")} AS rank,
        coalesce(shown.key, 'NaN') AS shown
    FROM {WAITING} AS t
    JOIN league_arenaqueue AS q ON q.arena_id = %(arena)s
    JOIN league_ticketmember AS m ON m.ticket_id = t.id
    LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = m.player_id
    LEFT JOIN league_standing AS shown ON %(decays)s AND shown.season_id = %(season)s
        AND shown.player_id = m.player_id
    WHERE {ALL_THERE}
    ORDER BY t.place, t.id, m.id
"""  # noqa: S608 - expressions of ours
KINDS = {
    "ticket": "i8",
    "member": "i8",
    "player": "i8",
    "ticket_version": "i8",
    "member_version": "i8",
    "rating_version": "i8",
    "rank": "f8",
    "shown": "f8",
}


@dataclass(frozen=True)
class KeptQueue:
    """A queue as it was at a tick."""

    circumstances: tuple[Any, ...]
    """What tickets depend on apart from their rows: if it differs, nothing can be used."""
    read_whole_at: datetime
    seats: Seats
    """The rows of ``SEATS``, as arrays by column."""
    extras: Extras
    tickets: list[Ticket]
    arrays: Queue
    states: States
    widths: Integers
    """The number of values in the memory of each player's rating."""


_kept: TTLCache[int, KeptQueue | None] = TTLCache(maxsize=ARENAS, ttl=KEPT_FOR)
_lock = Lock()


def take_snapshot(season: Season, rules: Rules, now: datetime) -> Snapshot:
    """Return the tickets that wait, as ``snapshots.take_snapshot`` does.

    Of a queue that was long at its last tick in this process, only what has changed is read.
    """
    arena = season.arena_id
    with _lock:
        was_long, kept = arena in _kept, _kept.pop(arena, None)
    # In a transaction around that of the tick, a row could change twice under one version.
    if was_long and not connection.savepoint_ids:
        following = following_queue(kept or nothing_yet(now), season, rules, now)
    else:
        following = None
    if following is None:
        snapshot = snapshots.take_snapshot(season, rules, now)
    else:
        met = snapshots.meetings(season, following.arrays.ids)
        snapshot = Snapshot(
            following.tickets,
            met,
            following.states,
            following.extras.wishes,
            following.arrays,
            blocked_pairs(following.tickets, rules.team_size, now),
        )
    if len(snapshot.tickets) >= LONG:
        with _lock:
            _kept[arena] = following
    return snapshot


def forget() -> None:
    """Keep nothing, as a process that has just started."""
    with _lock:
        _kept.clear()


def nothing_yet(now: datetime) -> KeptQueue:
    """Return what is kept before a queue was read: no ticket."""
    seats = {name: np.empty(0, np.int64 if kind == "i8" else float) for name, kind in KINDS.items()}
    return KeptQueue(
        (), now, seats, Extras({}, {}, {}, {}), [], Queue.of([]), States.full(0),
        np.empty(0, dtype=np.int64),
    )  # fmt: skip


def following_queue(
    kept: KeptQueue, season: Season, rules: Rules, now: datetime
) -> KeptQueue | None:
    """Return the queue as it is now, ``None`` if something changed while it was read."""
    circumstances = circumstances_of(season, rules)
    if circumstances != kept.circumstances or not is_recent(kept, now):
        kept = nothing_yet(now)
    seats = read_columns(SEATS, snapshots.parameters(season), KINDS)
    if not len(seats["ticket"]):
        return None
    extras = snapshots.extras_of(season, seats["player"].tolist(), now)
    starts = starts_of(seats)
    places = find_unchanged(kept, seats, starts, changed_players(kept.extras, extras))
    fresh = places < 0
    members = snapshots.load_members(season, seats["ticket"][starts[fresh]].tolist())
    if [member.player for member in members] != seats["player"][
        np.repeat(fresh, sizes_of(seats, starts))
    ].tolist():
        return None
    tickets, states, widths = ([], States.full(0), np.empty(0, dtype=np.int64))
    if members:
        _ids, states = states_of(member[8:] for member in members)
        tickets = snapshots.ready_tickets(season, rules, members, states, extras)
        widths = np.array([len(member.memory) for member in members], dtype=np.int64)
    order = places.copy()
    order[fresh] = len(kept.tickets) + np.arange(fresh.sum())
    rows, both = player_rows(kept.arrays, Queue.of(tickets), order), kept.tickets + tickets
    widths = np.concatenate([kept.widths, widths])[rows]
    return KeptQueue(
        circumstances,
        kept.read_whole_at,
        seats,
        extras,
        list(map(both.__getitem__, order.tolist())),
        join(kept.arrays, tickets, order),
        narrow_memory(kept.states.joined_by(states).take(rows), int(widths.max())),
        widths,
    )


def circumstances_of(season: Season, rules: Rules) -> tuple[Any, ...]:
    """Return the settings of queue, arena and season, and what newcomers start with."""
    start = newcomer_row(season.system(), season)
    values = [
        [getattr(row, field.attname) for field in fields(row)] for row in (season, season.arena)
    ]
    return rules, *values, repr(start)


def fields(row: Model) -> Any:
    return row._meta.concrete_fields  # noqa: SLF001 - Django's documented name


def is_recent(kept: KeptQueue, now: datetime) -> bool:
    """Return whether a queue was read whole not long ago, by a clock that was not set back."""
    return timedelta(0) <= now - kept.read_whole_at < WHOLE_EVERY


def starts_of(seats: Seats) -> Integers:
    """Return the rows at which tickets begin."""
    return np.flatnonzero(np.diff(seats["ticket"], prepend=-1))


def sizes_of(seats: Seats, starts: Integers) -> Integers:
    return np.diff(starts, append=len(seats["ticket"]))


def find_unchanged(kept: KeptQueue, seats: Seats, starts: Integers, changed: set[int]) -> Integers:
    """Return where each ticket is in a kept queue, -1 if it is not there as it is now.

    Those of ``changed`` players are not.
    """
    places = np.full(len(starts), -1, dtype=np.int64)
    if not kept.tickets:
        return places
    kept_starts = starts_of(kept.seats)
    kept_ids = kept.seats["ticket"][kept_starts]
    by_id = np.argsort(kept_ids)
    ids, sizes = seats["ticket"][starts], sizes_of(seats, starts)
    found = by_id[np.searchsorted(kept_ids, ids, sorter=by_id).clip(max=len(by_id) - 1)]
    is_same = (kept_ids[found] == ids) & (sizes_of(kept.seats, kept_starts)[found] == sizes)
    known = np.repeat(is_same, sizes)
    rows = np.repeat(kept_starts[found] - starts, sizes) + np.arange(len(known))
    rows[~known] = 0
    for name in KINDS:
        known &= bits(kept.seats[name])[rows] == bits(seats[name])
    if changed:
        known &= ~np.isin(seats["player"], np.array(sorted(changed), dtype=np.int64))
    is_same &= np.logical_and.reduceat(known, starts)
    places[is_same] = found[is_same]
    return places


def bits(values: NDArray[Any]) -> Integers:
    """Return numbers such that equal bits are equal, also those of NaN."""
    return values.view(np.int64)


def changed_players(before: Extras, now: Extras) -> set[int]:
    """Return the players of whom something else is known than before."""
    changed: set[int] = set()
    for name in Extras.__dataclass_fields__:
        old, new = getattr(before, name), getattr(now, name)
        if old != new:
            changed |= {who for who in old.keys() | new.keys() if old.get(who) != new.get(who)}
    return changed


def narrow_memory(states: States, width: int) -> States:
    """Return states whose memory is as wide as the longest of them."""
    if states.memory.shape[-1] == width:
        return states
    return States(**{**vars(states), "memory": states.memory[:, :width]})
