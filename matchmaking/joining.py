"""Joins the arrays of two queues, so that a long queue need not be made anew for a few tickets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from matchmaking.rank_filter import RankFilters
from matchmaking.regions import Regions
from matchmaking.ticket import Queue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matchmaking.ticket import Ticket
    from matchmaking.types import Integers

BY_TICKET = ("queued_at", "guild_team")
BY_PLAYER = ("rating", "deviation", "rank", "games", "dishonor")


def join(one: Queue, tickets: Sequence[Ticket], order: Integers) -> Queue:
    """Return tickets of a queue and others as ``Queue.of`` would, without pairs in ``met``.

    ``order`` has the indices of the tickets, those of ``tickets`` after those of the queue. If
    nobody in the queue has a rank filter, its players count as having no percentile.
    """
    other = Queue.of(tickets)
    rows = player_rows(one, other, order)
    sizes = np.concatenate([one.sizes, other.sizes])[order]
    ids, player_ids = one.ids + other.ids, one.player_ids + other.player_ids
    mode_codes, mode_sets = unite(
        [(one.mode_codes, one.mode_sets), (other.mode_codes, other.mode_sets)], order
    )
    profession, professions = joined_professions(one, other, rows)
    by_ticket: dict[str, Any] = {
        name: np.concatenate([getattr(one, name), getattr(other, name)])[order]
        for name in BY_TICKET
    }
    by_player: dict[str, Any] = {
        name: np.concatenate([getattr(one, name), getattr(other, name)])[rows] for name in BY_PLAYER
    }
    return Queue(
        ids=tuple(map(ids.__getitem__, order.tolist())),
        mode_codes=mode_codes,
        mode_sets=mode_sets,
        starts=np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64),
        player_ids=tuple(map(player_ids.__getitem__, rows.tolist())),
        profession=profession,
        professions=professions,
        filters=joined_filters(one, tickets, rows),
        regions=joined_regions(one, other, order),
        **by_ticket,
        **by_player,
    )


def player_rows(one: Queue, other: Queue, order: Integers) -> Integers:
    """Return the rows of the players of tickets, those of ``other`` after those of ``one``."""
    starts = np.concatenate([one.starts[:-1], other.starts[:-1] + one.starts[-1]])[order]
    sizes = np.concatenate([one.sizes, other.sizes])[order]
    ends = np.cumsum(sizes, dtype=np.int64)
    return np.asarray(np.repeat(starts - (ends - sizes), sizes) + np.arange(sizes.sum()))


def unite(
    coded: Sequence[tuple[Integers, Sequence[Any]]], order: Integers
) -> tuple[Integers, tuple[Any, ...]]:
    """Return codes in a common numbering, in this order, with what they mean.

    What appears first has the lowest number.
    """
    meanings = list(dict.fromkeys(meaning for _codes, known in coded for meaning in known))
    number = {meaning: code for code, meaning in enumerate(meanings)}
    codes = np.concatenate(
        [
            np.array([number[meaning] for meaning in known], dtype=np.int64)[codes]
            for codes, known in coded
        ]
    )[order]
    used, first = np.unique(codes, return_index=True)
    used = used[np.argsort(first)]
    fresh = np.empty(len(meanings), dtype=np.int64)
    fresh[used] = np.arange(len(used))
    return fresh[codes], tuple(meanings[code] for code in used.tolist())


def joined_professions(
    one: Queue, other: Queue, rows: Integers
) -> tuple[Integers, tuple[str, ...]]:
    """Return the professions of players as codes in alphabetical order, -1 for none."""
    names = sorted({*one.professions, *other.professions})
    number = {name: code for code, name in enumerate(names)}
    codes = np.concatenate(
        [
            np.array([*map(number.__getitem__, queue.professions), -1])[queue.profession]
            for queue in (one, other)
        ]
    )[rows]
    used = np.unique(codes[codes >= 0])
    fresh = np.full(len(names) + 1, -1, dtype=np.int64)
    fresh[used] = np.arange(len(used))
    return fresh[codes], tuple(names[code] for code in used.tolist())


def joined_filters(one: Queue, tickets: Sequence[Ticket], rows: Integers) -> RankFilters | None:
    """Return the rank filters of players, ``None`` if nobody has one."""
    players = [player for ticket in tickets for player in ticket.players]
    given = [player.rank_filter for player in players]
    if one.filters is None and not any(given):
        return None
    nobody = [None] * len(one.player_ids)
    both = (
        one.filters or RankFilters.from_lists(nobody, nobody),
        RankFilters.from_lists([player.percentile for player in players], given),
    )
    found = RankFilters(
        *(
            np.concatenate([getattr(each, name) for each in both])[rows]
            for name in ("percentile", "reach", "strict")
        )
    )
    return None if np.isinf(found.reach).all() else found


def joined_regions(one: Queue, other: Queue, order: Integers) -> Regions | None:
    """Return the regions of tickets.

    Raises:
        ValueError: Only one of the queues has regions.
    """
    parts = [queue.regions for queue in (one, other) if len(queue)]
    chosen = [regions for regions in parts if regions is not None]
    if not chosen or not len(order):
        return None
    if len(chosen) < len(parts):
        raise ValueError("only one of the queues has regions")
    tickets = sum(len(regions.now) for regions in chosen)
    both = np.concatenate([order, order + tickets])  # the choices of now before those of later
    codes, sets = unite(
        [(regions.now, regions.sets) for regions in chosen]
        + [(regions.later, regions.sets) for regions in chosen],
        both,
    )
    return Regions(codes[: len(order)], codes[len(order) :], sets)
