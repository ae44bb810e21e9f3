"""Players who are connected to the rest of a season, so that they can be ranked.

Accounts that only play each other prove nothing about the players outside. In the graph of a
season's games, whose edges are pairs of opponents, a player is connected if they belong to the
largest part of its *n-core* that no single player holds together. The n-core is what is left after
players with fewer than n different opponents are removed again and again. So accounts that are
joined to the others by one match, or by one player, are not connected.

Among few players two opponents are enough, so that three friends can have a leaderboard. That the
number of players is taken from the 2-core keeps outsiders from raising it: accounts that are not
in it count as nobody. Two players alone are never connected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import scipy

from ratings.seasons.blocks import largest_block

if TYPE_CHECKING:
    from ratings.types import Booleans, Integers

FEW = 2
"""Opponents that are enough among few players: of two alone, each has one."""


class Connections(NamedTuple):
    """The connected players of a season."""

    connected: Booleans
    """``(n,)``."""
    needed: int
    """Different opponents that a player needs to be connected."""


def few_players(opponents: int) -> int:
    """Return up to how many connected players two opponents are enough."""
    return 2 * (opponents + 1)


def find_connections(players: int, pairs: Integers, opponents: int) -> Connections:
    """Return which of ``players`` are connected by ``(m, 2)`` pairs of opponents.

    Pairs may repeat, in either order. Of two parts of equal size, the one with the first player
    counts.
    """
    graph = _Graph.of(players, pairs)
    connected = graph.solid_part(opponents)
    if opponents <= FEW or np.count_nonzero(connected) > few_players(opponents):
        return Connections(connected, opponents)
    few = graph.solid_part(FEW)
    if np.count_nonzero(few) <= few_players(opponents):
        return Connections(few, FEW)
    return Connections(connected, opponents)


class _Graph(NamedTuple):
    """The opponents of player ``i``: ``neighbours[starts[i]:starts[i + 1]]``, each once."""

    starts: Integers
    neighbours: Integers

    @classmethod
    def of(cls, players: int, pairs: Integers) -> _Graph:
        one, other = pairs[:, 0], pairs[:, 1]
        different = one != other
        rows = np.concatenate([one[different], other[different]]).astype(np.int32)
        columns = np.concatenate([other[different], one[different]]).astype(np.int32)
        shape = (players, players)
        links = scipy.sparse.csr_array((np.ones(len(rows), np.int32), (rows, columns)), shape)
        return cls(links.indptr, links.indices)

    def solid_part(self, opponents: int) -> Booleans:
        """Return ``(n,)`` who is in the largest part of the core that no player holds together."""
        among = np.ones(len(self.starts) - 1, bool)
        while True:
            inside = self.largest_part(self.core(opponents, among))
            if opponents < FEW or np.count_nonzero(inside) < FEW:
                return inside
            among = inside.copy()
            among[inside] = largest_block(self._links(inside))
            if among.sum() == inside.sum():
                return inside

    def core(self, opponents: int, among: Booleans) -> Booleans:
        """Return ``(n,)`` who of ``among`` is in its core of at least so many opponents."""
        met = np.append(among[self.neighbours], [False]).astype(np.int64)
        links = np.add.reduceat(met, self.starts[:-1]) if len(among) else met
        degree = np.where(np.diff(self.starts), links, 0).astype(np.int64)
        inside = among.copy()
        leaving = np.flatnonzero(inside & (degree < opponents))
        while len(leaving):
            inside[leaving] = False
            losing, lost = np.unique(self._neighbours_of(leaving), return_counts=True)
            degree[losing] -= lost
            leaving = losing[inside[losing] & (degree[losing] < opponents)]
        return inside

    def _neighbours_of(self, players: Integers) -> Integers:
        counts = self.starts[players + 1] - self.starts[players]
        before = np.cumsum(counts) - counts
        steps = np.arange(counts.sum()) - np.repeat(before, counts)
        return np.asarray(self.neighbours[np.repeat(self.starts[players], counts) + steps])

    def largest_part(self, inside: Booleans) -> Booleans:
        """Return ``(n,)`` whether each player is in the largest connected part of ``inside``."""
        if not inside.any():
            return inside
        links = self._links(inside)
        _parts, part = scipy.sparse.csgraph.connected_components(links, directed=False)
        largest = np.zeros(len(inside), bool)
        largest[inside] = part == np.bincount(part).argmax()
        return largest

    def _links(self, inside: Booleans) -> scipy.sparse.csr_array:
        """Return the links between the players of ``inside``, as a matrix of only those."""
        shape = (len(inside), len(inside))
        every = np.ones(len(self.neighbours), np.int8)
        links = scipy.sparse.csr_array((every, self.neighbours, self.starts), shape)
        return links if inside.all() else links[inside][:, inside]
