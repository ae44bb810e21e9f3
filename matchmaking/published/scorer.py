"""All metrics of the scoring phase with one arena's weights, over the tickets of one queue."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from matchmaking.published import metrics
from matchmaking.published.professions import ProfessionTables

if TYPE_CHECKING:
    from collections.abc import Callable

    from matchmaking.published.selection import Seat, Selected
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
"""The parts of a score, in the order in which they are added up."""

_NOWHERE = 0
"""The size of no roster: stands for one that fits no seat."""


class Candidates:
    """The potentials of one target: K rosters in queue order.

    All are (K,) but ``cells``, (D, K): see ``ProfessionTables``. ``dishonor`` is what the choice of
    that name compares, ``age`` and ``dishonor_stack`` are shares of the score already.
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
        "size_places",
        "sizes",
        "tickets",
    )

    def __init__(
        self,
        tickets: Integers,
        columns: Floats,
        size_places: Integers,
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
        self.size_places = size_places
        self.cells = cells
        self.guild_team = guild_team

    def remove(self, places: int | Booleans) -> None:
        """These rosters fit no further seat: who was picked, or may not meet who was."""
        self.size_places[places] = _NOWHERE


class Common(NamedTuple):
    """Parts of a score that are the same for every seat of a match, (K,) each.

    ``first``: age, games and rank together, which come first in the sum; ``dishonor``: its
    distance, ``None`` where nobody in the queue has a stack.
    """

    first: Floats
    dishonor: Floats | None


class Scorer:
    """Scores candidates for seats.

    ``rating`` is the metric in which the new and the old matcher differ: it takes candidates, a
    seat and the weight.
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
        """These tickets as candidates."""
        return Candidates(
            tickets,
            self._columns.take(tickets, axis=1),
            self._sizes.places.take(tickets),
            self._professions.cells(tickets),
            self._guild_team.take(tickets),
        )

    def common(self, candidates: Candidates, selected: Selected) -> Common:
        """What each candidate's scores for all seats have in common."""
        rules = self._rules
        first: Floats = candidates.age + self._games(candidates, selected)
        if rules.rank_distance:
            first += self._rank(candidates, selected)
        return Common(
            first, self._dishonor(candidates, selected) if self._dishonor_counts else None
        )

    def scores(self, candidates: Candidates, seat: Seat, common: Common) -> Floats:
        """Each candidate's score for the seat, (K,); minus infinity for one that may not take it.

        Metrics that can have no effect are left out.
        """
        rules = self._rules
        score = common.first + self._sizes.scores(candidates.size_places, seat)
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

    def shares(self, ticket: int, seat: Seat, selected: Selected) -> dict[str, float]:
        """What each metric adds to a ticket's score for a seat, by its name in ``SHARES``."""
        alone = self.candidates(np.array([ticket]))
        rules = self._rules
        parts = {
            "age": alone.age,
            "games": self._games(alone, selected),
            "rank": self._rank(alone, selected),
            "roster_size": self._sizes.scores(alone.size_places, seat),
            "rating": self._rating(alone, seat, rules.rating_distance),
            **self._professions.apart(alone.cells, seat),
            "dishonor_distance": self._dishonor(alone, selected),
            "dishonor_stack": alone.dishonor_stack,
            "guild_team": self._guild(alone, seat),
            "perfect_fit": self._perfect_fit(alone, seat),
        }
        # Adding 0 makes a plain zero of a negative one.
        return {name: float(part[0]) + 0.0 for name, part in parts.items()}

    def _games(self, candidates: Candidates, selected: Selected) -> Floats:
        return metrics.games(
            candidates.games_mean, selected.games, self._games_most, self._games_weight
        )

    def _rank(self, candidates: Candidates, selected: Selected) -> Floats:
        return metrics.rank(candidates.rank_mean, selected.rank, self._rules.rank_distance)

    def _dishonor(self, candidates: Candidates, selected: Selected) -> Floats:
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
    """Who fits a seat and what a roster's size adds: one small row of sizes for each kind of seat.

    ``places`` (T,) is each roster's place in the rows: its size, or 0 where it is bigger than a
    team.
    """

    def __init__(self, sizes: Integers, rules: MatcherRules, team_size: int) -> None:
        self.places: Integers = np.where(sizes <= team_size, sizes, _NOWHERE)
        self._sizes = np.arange(team_size + 1, dtype=np.float64)
        self._rules = rules
        self._rows: dict[tuple[int, int], Floats] = {}

    def scores(self, places: Integers, seat: Seat) -> Floats:
        kind = (seat.seats, seat.largest)
        row = self._rows.get(kind)
        if row is None:
            row = self._rows[kind] = self._row(*kind)
        return row.take(places)

    def _row(self, seats: int, largest: int) -> Floats:
        fits = (self._sizes <= seats) & (
            np.abs(self._sizes - largest) <= self._rules.roster_size_max_diff
        )
        fits[_NOWHERE] = False
        distance = metrics.roster_size(self._sizes, largest, self._rules.roster_size_distance)
        return np.where(fits, distance, -np.inf)
