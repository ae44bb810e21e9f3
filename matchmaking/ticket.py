"""Tickets, and the queue of waiting parties as arrays for the matchers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np

from matchmaking.rank_filter import RankFilter, RankFilters
from matchmaking.regions import RegionChoice, Regions
from matchmaking.types import Booleans, Floats, Integers


@dataclass(frozen=True)
class Player:
    """A member of a roster, as the matchmaker sees them.

    ``rating`` and ``deviation`` are in rating points, ``games`` and ``rank`` count up from 0, and
    ``dishonor`` is the number of stacks. ``profession`` is empty for none. ``percentile`` is the
    player's place in the standings, 0 to 100, and ``rank_filter`` how close others must be.
    """

    id: Hashable
    rating: float
    deviation: float = 0.0
    rank: float = 0.0
    games: float = 0.0
    profession: str = ""
    dishonor: float = 0.0
    percentile: float | None = None
    rank_filter: RankFilter | None = None


@dataclass(frozen=True)
class Ticket:
    """A roster waiting since ``queued_at`` (seconds) for any of its game ``modes``.

    ``regions`` are those that it accepts, in an arena with regions.
    """

    id: Hashable
    queued_at: float
    players: tuple[Player, ...]
    modes: frozenset[str] = frozenset()
    guild_team: bool = False
    regions: RegionChoice | None = None


def _no_pairs() -> Integers:
    return np.empty((0, 2), dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Queue:
    """T tickets in queue order with N players; the players of a ticket are adjacent.

    Arrays with T rows are per ticket: ``ids``, ``queued_at`` (seconds), ``mode_codes`` (indices
    into ``mode_sets``, equal for equal sets of modes), ``guild_team``. Ticket t's players are rows
    ``starts[t]`` to ``starts[t + 1]`` of the arrays with N rows: ``player_ids``, ``rating``,
    ``deviation`` (points), ``rank``, ``games``, ``dishonor`` (stacks) and ``profession`` (an index
    into ``professions``, -1 for none).

    ``met`` (M, 2) has pairs of ticket indices whose members were opponents in the last match of
    either, and ``blocked`` (B, 2) those with a block between their members. ``filters`` are the
    players' rank filters, (N,), and ``regions`` the tickets' regions, (T,), each ``None`` if nobody
    has any.
    """

    ids: tuple[Hashable, ...]
    queued_at: Floats
    mode_codes: Integers
    mode_sets: tuple[frozenset[str], ...]
    guild_team: Booleans
    starts: Integers
    player_ids: tuple[Hashable, ...]
    rating: Floats
    deviation: Floats
    rank: Floats
    games: Floats
    dishonor: Floats
    profession: Integers
    professions: tuple[str, ...]
    met: Integers = field(default_factory=_no_pairs)
    blocked: Integers = field(default_factory=_no_pairs)
    filters: RankFilters | None = None
    regions: Regions | None = None

    @classmethod
    def of(cls, tickets: Sequence[Ticket]) -> Queue:
        """Return the queue of these tickets, the first at the front.

        Raises:
            ValueError: A ticket has no players.
        """
        for ticket in tickets:
            if not ticket.players:
                raise ValueError(f"ticket {ticket.id} has no players")
        players = list(chain.from_iterable(ticket.players for ticket in tickets))
        mode_sets: dict[frozenset[str], int] = {}
        codes = [mode_sets.setdefault(ticket.modes, len(mode_sets)) for ticket in tickets]
        professions = sorted({player.profession for player in players} - {""})
        profession_codes = {name: code for code, name in enumerate(professions)} | {"": -1}
        sizes = [len(ticket.players) for ticket in tickets]
        return cls(
            ids=tuple(ticket.id for ticket in tickets),
            queued_at=_floats(ticket.queued_at for ticket in tickets),
            mode_codes=np.array(codes, dtype=np.int64),
            mode_sets=tuple(mode_sets),
            guild_team=np.array([ticket.guild_team for ticket in tickets], dtype=np.bool_),
            starts=np.concatenate(([0], np.cumsum(sizes, dtype=np.int64))).astype(np.int64),
            player_ids=tuple(player.id for player in players),
            rating=_floats(player.rating for player in players),
            deviation=_floats(player.deviation for player in players),
            rank=_floats(player.rank for player in players),
            games=_floats(player.games for player in players),
            dishonor=_floats(player.dishonor for player in players),
            profession=np.array(
                [profession_codes[player.profession] for player in players], dtype=np.int64
            ),
            professions=tuple(professions),
            filters=RankFilters.of(
                [player.percentile for player in players],
                [player.rank_filter for player in players],
            ),
            regions=Regions.of([ticket.regions for ticket in tickets]),
        )

    def __len__(self) -> int:
        return len(self.ids)

    def in_chess_points(self, scale: float) -> Queue:
        """Return the queue with the points of chess for its own, ``scale`` of which are one."""
        if scale == 1.0:
            return self
        return replace(self, rating=self.rating / scale, deviation=self.deviation / scale)

    def waits(self, now: float) -> Floats:
        """Return the seconds that each ticket has waited, (T,).

        A ticket that a stepped-back clock dates into the future has waited 0.
        """
        return np.maximum(now - self.queued_at, 0.0)

    def members(self, ticket: int) -> slice:
        """Return the rows of a ticket's players."""
        return slice(int(self.starts[ticket]), int(self.starts[ticket + 1]))

    @cached_property
    def sizes(self) -> Integers:
        """Number of players of each ticket, (T,)."""
        return np.diff(self.starts)

    @cached_property
    def owners(self) -> Integers:
        """The ticket of each player, (N,)."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @cached_property
    def rating_mean(self) -> Floats:
        """Mean raw rating of each roster, (T,)."""
        return self._totals(self.rating) / self.sizes

    @cached_property
    def effective(self) -> Floats:
        """Effective rating of each player: rating minus deviation, (N,)."""
        return self.rating - self.deviation

    @cached_property
    def effective_total(self) -> Floats:
        """Sum of each roster's effective ratings, (T,)."""
        return self._totals(self.effective)

    @cached_property
    def effective_mean(self) -> Floats:
        """Mean effective rating of each roster, (T,)."""
        return self.effective_total / self.sizes

    @cached_property
    def rank_total(self) -> Floats:
        """Sum of each roster's ranks, (T,)."""
        return self._totals(self.rank)

    @cached_property
    def rank_mean(self) -> Floats:
        """Mean rank of each roster, (T,)."""
        return self.rank_total / self.sizes

    @cached_property
    def rank_min(self) -> Floats:
        """Lowest rank in each roster, (T,)."""
        return np.minimum.reduceat(self.rank, self.starts[:-1]) if len(self) else self.rank

    @cached_property
    def games_total(self) -> Floats:
        """Sum of each roster's games, (T,)."""
        return self._totals(self.games)

    @cached_property
    def games_mean(self) -> Floats:
        """Mean games of each roster, (T,)."""
        return self.games_total / self.sizes

    @cached_property
    def dishonor_total(self) -> Floats:
        """Sum of each roster's stacks, (T,)."""
        return self._totals(self.dishonor)

    @cached_property
    def profession_counts(self) -> Integers:
        """Members of each profession in each roster, (T, P)."""
        has_one = self.profession >= 0
        width = max(len(self.professions), 1)
        cells = self.owners[has_one] * width + self.profession[has_one]
        counts = np.bincount(cells, minlength=len(self) * width).astype(np.int64)
        return counts.reshape(len(self), width)[:, : len(self.professions)]

    def take(self, tickets: Iterable[int]) -> Queue:
        """Return the queue of these tickets (indices), in the given order.

        Pairs in ``met`` and ``blocked`` stay if both tickets do.
        """
        kept = np.fromiter(tickets, dtype=np.int64)
        sizes = self.sizes[kept]
        starts = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
        rows = np.repeat(self.starts[kept] - starts[:-1], sizes) + np.arange(starts[-1])
        places = np.full(len(self), -1, dtype=np.int64)
        places[kept] = np.arange(len(kept))
        met, blocked = places[self.met], places[self.blocked]
        by_ticket: dict[str, Any] = {
            name: getattr(self, name)[kept] for name in ("queued_at", "mode_codes", "guild_team")
        }
        by_player: dict[str, Any] = {
            name: getattr(self, name)[rows]
            for name in ("rating", "deviation", "rank", "games", "dishonor", "profession")
        }
        return replace(
            self,
            ids=tuple(self.ids[ticket] for ticket in kept),
            starts=starts,
            player_ids=tuple(self.player_ids[row] for row in rows),
            met=met[(met >= 0).all(axis=1)],
            blocked=blocked[(blocked >= 0).all(axis=1)],
            filters=None if self.filters is None else self.filters.take(rows),
            regions=None if self.regions is None else self.regions.take(kept),
            **by_ticket,
            **by_player,
        )

    def _totals(self, values: Floats) -> Floats:
        return np.bincount(self.owners, values, len(self)).astype(np.float64)


def _floats(values: Iterable[float]) -> Floats:
    return np.fromiter(values, dtype=np.float64)
