"""Everybody meets everybody, by the Berger tables.

Source: FIDE Handbook C.05, annex 1. The numbers before the last, n, stand on a circle. In each
round, one of them meets n, and those beside it meet across: the next one is at home against the one
before, and so on. In each following round the circle has turned by n / 2 places. The first half is
at home against n.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Sequence

Pair: TypeAlias = tuple[int, int]
"""Ids: home, away."""


def round_robin(entrants: Sequence[int], legs: int) -> list[list[Pair]]:
    """Return the pairs (home, away) of each round.

    Of an odd number of entrants, one is free in each round. Every second leg swaps home and away.
    The last two rounds of each leg but the last are exchanged, as FIDE recommends for the first of
    two, so that nobody is three times in a row at home or away (but for four entrants in more than
    two legs).

    Raises:
        ValueError: fewer than two entrants, or no leg.
    """
    if len(entrants) < 2 or legs < 1:
        raise ValueError("a round robin needs two entrants and a leg")
    rounds: list[list[Pair]] = []
    for leg in range(1, legs + 1):
        numbers = list(range(1, _even(len(entrants))))
        if leg < legs:
            numbers[-2:] = reversed(numbers[-2:])
        pairs = [_berger_round(entrants, number) for number in numbers]
        rounds += pairs if leg % 2 else [_swap(those) for those in pairs]
    return rounds


def _swap(pairs: list[Pair]) -> list[Pair]:
    return [(away, home) for home, away in pairs]


def _even(count: int) -> int:
    return count + count % 2


def _berger_round(entrants: Sequence[int], number: int) -> list[Pair]:
    """Return the pairs of a round from 1, the game of the last number first."""
    last = _even(len(entrants))
    pivot = (number - 1) * last // 2 % (last - 1) + 1
    pairs = [(pivot, last) if pivot <= last // 2 else (last, pivot)]
    pairs += (
        (_around(pivot + step, last), _around(pivot - step, last)) for step in range(1, last // 2)
    )
    return [
        (entrants[home - 1], entrants[away - 1])
        for home, away in pairs
        if max(home, away) <= len(entrants)
    ]


def _around(number: int, last: int) -> int:
    """Return a number from 1 up to the one before the last, as on a circle."""
    return (number - 1) % (last - 1) + 1
