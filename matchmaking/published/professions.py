"""The profession metrics as lookup tables, so that no pick counts professions again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from matchmaking.published import metrics

if TYPE_CHECKING:
    from matchmaking.published.selection import Seat
    from matchmaking.rules.arena import MatcherRules
    from matchmaking.types import Floats, Integers


class ProfessionTables:
    """The three profession metrics for teams of S players and P professions.

    A table has a row for each pair of player counts of one profession in the team and in the other
    team, 0 to S each, and a column for each count in a roster, 0 to the maximum C. A pick selects
    the rows of its P professions; a roster's cells, one for each profession it has, index those (P,
    C + 1) values.
    """

    def __init__(self, counts: Integers, rules: MatcherRules, team_size: int) -> None:
        counts = np.minimum(counts, team_size)
        most = int(counts.max(initial=0))
        self._across = team_size + 1
        self._most = most
        self._cells, self._distinct = _cells(counts, most)
        joining = np.arange(most + 1)
        team = np.repeat(np.arange(self._across), self._across)[:, np.newaxis]
        other = np.tile(np.arange(self._across), self._across)[:, np.newaxis]
        self._tables = {
            "profession_common": metrics.profession_common(joining, team, rules),
            "profession_unique": metrics.profession_unique(joining, team, rules),
            "profession_matching": metrics.profession_matching(joining, team, other, rules),
        }
        self._together: Floats = sum(self._tables.values(), np.zeros(()))
        self.count = bool(self._together.any())

    def cells(self, tickets: Integers) -> Integers:
        """Return the cells of these rosters in the rows of a pick, (at most D, K)."""
        deepest = int(self._distinct.take(tickets).max(initial=0))
        return self._cells[:deepest].take(tickets, axis=1)

    def together(self, cells: Integers, seat: Seat) -> Floats:
        """Return the sum of all three metrics, (K,)."""
        return self._look_up(self._together, cells, seat)

    def apart(self, cells: Integers, seat: Seat) -> dict[str, Floats]:
        """Return what each metric adds, (K,), by name."""
        return {name: self._look_up(table, cells, seat) for name, table in self._tables.items()}

    def _look_up(self, table: Floats, cells: Integers, seat: Seat) -> Floats:
        if not len(cells):
            return np.zeros(cells.shape[1])
        rows = seat.team.professions * self._across + seat.other.professions
        values = table.take(rows, axis=0).ravel().take(cells)
        added: Floats = values[0]
        for further in values[1:]:
            added = added + further
        return added


def _cells(counts: Integers, most: int) -> tuple[Integers, Integers]:
    """Return every roster's cells, (D, T), and their number, (T,).

    Unused cells are 0: the cell of a roster without the first profession, which adds nothing.
    """
    rosters, professions = np.nonzero(counts)
    distinct = np.bincount(rosters, minlength=len(counts))
    first = np.concatenate(([0], np.cumsum(distinct)))[rosters]
    cells = np.zeros((int(distinct.max(initial=0)), len(counts)), dtype=np.int64)
    cells[np.arange(len(rosters)) - first, rosters] = (
        professions * (most + 1) + counts[rosters, professions]
    )
    return cells, distinct
