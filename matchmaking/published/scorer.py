"""The scoring phase: all metrics, with one arena's weights, over one queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from matchmaking.published import metrics
from matchmaking.published.professions import ProfessionTables

if TYPE_CHECKING:
    from collections.abc import Callable

    from matchmaking.published.selection import Seat, SelectedMeans
    from matchmaking.rules.arena import MatcherRules, Rules
    from matchmaking.ticket import Queue
    from matchmaking.types import Booleans, Floats, Integers

    RatingMetric = Callable[["Candidates", Seat, float], Floats]

SHARES = (
    "age",
    "games",
    "rank",
    "roster_size",
    "rating",
    "profession_common",
    "profession_unique",
    "profession_matching",
    "dishonor_distance",
    "dishonor_stack",
    "guild_team",
    "perfect_fit",
)
"""The parts of a score, in the order of summation."""

_NO_SIZE = 0
"""The column of a roster that fits no seat, as no roster has size 0."""


class Candidates:
    """The potentials of one target: K rosters in queue order.

    All arrays are (K,) except ``cells``, (D, K): see ``ProfessionTables``. ``dishonor`` is what the
    choice of that name compares; ``age`` and ``dishonor_stack`` are already shares of the score.
    """

    __slots__ = (
        "age",
        "cells",
        "dishonor",
        "dishonor_stack",
        "effective_mean",
        "effective_total",
        "games_mean",
        "guild_team",
        "rank_mean",
        "size_columns",
        "sizes",
        "tickets",
    )

    def __init__(
        self,
        tickets: Integers,
        columns: Floats,
        size_columns: Integers,
        cells: Integers,
        guild_team: Booleans,
    ) -> None:
        self.tickets = tickets
        (
            self.sizes,
            self.effective_total,
            self.effective_mean,
            self.games_mean,
            self.rank_mean,
            self.dishonor,
            self.age,
            self.dishonor_stack,
        ) = columns
        self.size_columns = size_columns
        self.cells = cells
        self.guild_team = guild_team

    def remove(self, places: int | Booleans) -> None:
        """Make these rosters fit no seat: they were picked, or may not meet a picked roster."""
        self.size_columns[places] = _NO_SIZE


class SharedScores(NamedTuple):
    """The parts of a score that are the same for every seat of a match, (K,) each.

    ``first`` is age, games and rank together, which come first in the sum; ``dishonor`` is the
    dishonor distance, ``None`` if nobody in the queue has a stack.
    """

    first: Floats
    dishonor: Floats | None


class SeatScorer:
    """Scores candidates for seats.

    ``rating`` is the metric in which the new and the old matcher differ: a function of candidates,
    seat and weight.
    """

    def __init__(self, queue: Queue, rules: Rules, waits: Floats, rating: RatingMetric) -> None:
        matcher, choices = rules.matcher, rules.choices
        self._rules = matcher
        self._rating = rating
        self._games_most, self._games_weight = (
            (matcher.games_max, matcher.games_distance)
            if choices.games == "config"
            else (np.inf, matcher.rating_distance)
        )
        player_mean = choices.dishonor == "player_mean"
        self._columns: Floats = np.stack(
            [
                queue.sizes.astype(np.float64),
                queue.effective_total,
                queue.effective_mean,
                queue.games_mean,
                queue.rank_mean,
                queue.dishonor_total / queue.sizes if player_mean else queue.dishonor_total,
                metrics.age(waits, matcher.age_seconds),
                metrics.dishonor_stack(queue.dishonor_total, matcher.dishonor_stack),
            ]
        )
        self._sizes = _SizeTable(queue.sizes, matcher, rules.team_size)
        self._professions = ProfessionTables(queue.profession_counts, matcher, rules.team_size)
        self._guild_team = queue.guild_team
        self._guilds_count = choices.guild == "opponent" and bool(queue.guild_team.any())
        self._dishonor_counts = bool(queue.dishonor_total.any())

    def candidates(self, tickets: Integers) -> Candidates:
        """Return these tickets as candidates."""
        return Candidates(
            tickets,
            self._columns.take(tickets, axis=1),
            self._sizes.columns.take(tickets),
            self._professions.cells(tickets),
            self._guild_team.take(tickets),
        )

    def common(self, candidates: Candidates, selected: SelectedMeans) -> SharedScores:
        """Return the parts of each candidate's score that are the same for all seats."""
        rules = self._rules
        first: Floats = candidates.age + self._games(candidates, selected)
        if rules.rank_distance:
            first += self._rank(candidates, selected)
        return SharedScores(
            first, self._dishonor(candidates, selected) if self._dishonor_counts else None
        )

    def scores(self, candidates: Candidates, seat: Seat, common: SharedScores) -> Floats:
        """Return each candidate's score for the seat, (K,), minus infinity if it may not take it.

        Metrics that have no effect are skipped.
        """
        rules = self._rules
        score = common.first + self._sizes.scores(candidates.size_columns, seat)
        score += self._rating(candidates, seat, rules.rating_distance)
        if self._professions.count:
            score += self._professions.together(candidates.cells, seat)
        if common.dishonor is not None:
            score += common.dishonor
            score += candidates.dishonor_stack
        if self._guilds_count and seat.other.has_guild_team:
            score += self._guild(candidates, seat)
        if rules.roster_size_perfect_fit:
            score += self._perfect_fit(candidates, seat)
        return score

    def shares(self, ticket: int, seat: Seat, selected: SelectedMeans) -> dict[str, float]:
        """Return what each metric of ``SHARES`` adds to a ticket's score for a seat."""
        alone = self.candidates(np.array([ticket]))
        rules = self._rules
        parts = {
            "age": alone.age,
            "games": self._games(alone, selected),
            "rank": self._rank(alone, selected),
            "roster_size": self._sizes.scores(alone.size_columns, seat),
            "rating": self._rating(alone, seat, rules.rating_distance),
            **self._professions.apart(alone.cells, seat),
            "dishonor_distance": self._dishonor(alone, selected),
            "dishonor_stack": alone.dishonor_stack,
            "guild_team": self._guild(alone, seat),
            "perfect_fit": self._perfect_fit(alone, seat),
        }
        # Adding 0 turns negative zero into zero.
        return {name: float(part[0]) + 0.0 for name, part in parts.items()}

    def _games(self, candidates: Candidates, selected: SelectedMeans) -> Floats:
        return metrics.games(
            candidates.games_mean, selected.games, self._games_most, self._games_weight
        )

    def _rank(self, candidates: Candidates, selected: SelectedMeans) -> Floats:
        return metrics.rank(candidates.rank_mean, selected.rank, self._rules.rank_distance)

    def _dishonor(self, candidates: Candidates, selected: SelectedMeans) -> Floats:
        return metrics.dishonor_distance(
            candidates.dishonor, selected.dishonor, self._rules.dishonor_distance
        )

    def _guild(self, candidates: Candidates, seat: Seat) -> Floats:
        return metrics.guild_team(
            candidates.guild_team,
            other_has_one=self._guilds_count and seat.other.has_guild_team,
            weight=self._rules.guild_team_affinity,
        )

    def _perfect_fit(self, candidates: Candidates, seat: Seat) -> Floats:
        return metrics.perfect_fit(
            candidates.sizes, seat.seats, self._rules.roster_size_perfect_fit
        )


class _SizeTable:
    """The rosters that fit a seat, and the points of their size: a row of sizes for each kind of
    seat.

    ``columns`` (T,) is each roster's column in the rows: its size, or 0 if it is larger than a
    team.
    """

    def __init__(self, sizes: Integers, rules: MatcherRules, team_size: int) -> None:
        self.columns: Integers = np.where(sizes <= team_size, sizes, _NO_SIZE)
        self._sizes = np.arange(team_size + 1, dtype=np.float64)
        self._rules = rules
        self._rows: dict[tuple[int, int], Floats] = {}

    def scores(self, columns: Integers, seat: Seat) -> Floats:
        kind = (seat.seats, seat.largest)
        row = self._rows.get(kind)
        if row is None:
            row = self._rows[kind] = self._row(*kind)
        return row.take(columns)

    def _row(self, seats: int, largest: int) -> Floats:
        fits = (self._sizes <= seats) & (
            np.abs(self._sizes - largest) <= self._rules.roster_size_max_diff
        )
        fits[_NO_SIZE] = False
        distance = metrics.roster_size(self._sizes, largest, self._rules.roster_size_distance)
        return np.where(fits, distance, -np.inf)
