"""Parts of a graph that no single player holds together (biconnected components).

Source: R. E. Tarjan and U. Vishkin, "An Efficient Parallel Biconnectivity Algorithm", SIAM Journal
on Computing 14, 1985. Its steps work on whole arrays, so a million players take seconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy

if TYPE_CHECKING:
    from ratings.types import Booleans, Integers


def largest_block(links: scipy.sparse.csr_array) -> Booleans:
    """Return ``(n,)`` who is in the largest block of a connected graph of two or more players.

    A block stays connected whichever player is removed. ``links`` holds each pair both ways. Of
    blocks of equal size, the one with the first player counts.
    """
    players = links.shape[0]
    order, parent = scipy.sparse.csgraph.breadth_first_order(links, 0)
    levels = _levels(order, parent)
    number, last = _number(levels, parent)
    one = np.repeat(np.arange(players, dtype=links.indices.dtype), np.diff(links.indptr))
    once = number[one] < number[links.indices]
    one, other = one[once], links.indices[once]
    outside_tree = parent[other] != one
    one, other = one[outside_tree], other[outside_tree]
    low, high = _reach(levels, parent, number, one, other)

    # A player stands for the link to their parent. Links of one block are joined.
    beside = last[one] < number[other]
    child = order[1:]
    child = child[parent[child] != order[0]]
    above = parent[child]
    past = (low[child] < number[above]) | (high[child] > last[above])
    rows = np.concatenate([one[beside], child[past]])
    columns = np.concatenate([other[beside], above[past]])
    same = scipy.sparse.csr_array((np.ones(len(rows), np.int8), (rows, columns)), links.shape)
    _blocks, block = scipy.sparse.csgraph.connected_components(same, directed=False)

    below = order[1:]
    # A block hangs below one player: the parent of whoever of it comes first in the tree.
    tops = np.zeros(players, np.int64)
    tops[block[below[::-1]]] = parent[below[::-1]]
    size = np.bincount(block[below], minlength=players)
    first = np.full(players, players)
    np.minimum.at(first, block[below], np.minimum(below, parent[below]))
    best = np.lexsort((first, -size))[0]
    inside: Booleans = block == best
    inside[order[0]] = False
    inside[tops[best]] = True
    return inside


def _number(levels: list[Integers], parent: Integers) -> tuple[Integers, Integers]:
    """Return ``(n,)`` each player's number in preorder, and the last number below them."""
    size = np.ones(len(parent), np.int64)
    for level in reversed(levels):
        np.add.at(size, parent[level], size[level])
    number = np.zeros(len(parent), np.int64)
    for level in levels:
        # Children of one parent follow each other in the order, each after the one before.
        sizes = size[level]
        before = np.cumsum(sizes) - sizes
        begins = np.flatnonzero(np.diff(parent[level], prepend=-1))
        own = before - np.repeat(before[begins], np.diff(begins, append=len(level)))
        number[level] = number[parent[level]] + 1 + own
    return number, number + size - 1


def _levels(order: Integers, parent: Integers) -> list[Integers]:
    """Return the players at each distance from the root, of 1 and more."""
    place = np.empty(len(parent), np.int64)
    place[order] = np.arange(len(order))
    levels, begin = [], 1
    while begin < len(order):
        # Parents ascend in the order, and those of this level come before it.
        stop = begin + int(np.searchsorted(place[parent[order[begin:]]], begin))
        levels.append(order[begin:stop])
        begin = stop
    return levels


def _reach(
    levels: list[Integers], parent: Integers, number: Integers, one: Integers, other: Integers
) -> tuple[Integers, Integers]:
    """Return ``(n,)`` the lowest and highest numbers that each player and those below them have
    links to, outside the tree. ``one`` has the lower number of each link."""
    low, high = number.copy(), number.copy()
    np.maximum.at(high, one, number[other])
    np.minimum.at(low, other, number[one])
    for level in reversed(levels):
        np.minimum.at(low, parent[level], low[level])
        np.maximum.at(high, parent[level], high[level])
    return low, high
