"""A match being filled: two teams, and the seats that rosters are scored for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from matchmaking.tick import Match

if TYPE_CHECKING:
    from matchmaking.rules.arena import Choices
    from matchmaking.tick import Pick, TeamNumber
    from matchmaking.ticket import Queue
    from matchmaking.types import Integers


class RosterFigures:
    """The figures of each of T tickets that teams sum over their rosters."""

    def __init__(self, queue: Queue) -> None:
        # Python numbers, because teams add them one at a time.
        self.sums: list[tuple[int, float, float, float, float]] = list(
            zip(
                queue.sizes.tolist(),
                queue.effective_total.tolist(),
                queue.games_total.tolist(),
                queue.rank_total.tolist(),
                queue.dishonor_total.tolist(),
                strict=True,
            )
        )
        self.professions: Integers = queue.profession_counts
        self.guild_team: list[bool] = queue.guild_team.tolist()


class Team:
    """The selected rosters of a team: their tickets and running sums, in order of selection."""

    __slots__ = (
        "dishonor_total",
        "effective_total",
        "games_total",
        "has_guild_team",
        "largest",
        "players",
        "professions",
        "rank_total",
        "tickets",
    )

    def __init__(self, professions: int) -> None:
        self.tickets: list[int] = []
        self.players = 0
        self.largest = 0
        self.effective_total = 0.0
        self.games_total = 0.0
        self.rank_total = 0.0
        self.dishonor_total = 0.0
        self.has_guild_team = False
        self.professions: Integers = np.zeros(professions, dtype=np.int64)

    def add(self, ticket: int, figures: RosterFigures) -> None:
        """Add a roster."""
        size, effective, games, rank, dishonor = figures.sums[ticket]
        self.tickets.append(ticket)
        self.players += size
        self.largest = max(self.largest, size)
        self.effective_total += effective
        self.games_total += games
        self.rank_total += rank
        self.dishonor_total += dishonor
        self.has_guild_team = self.has_guild_team or figures.guild_team[ticket]
        self.professions += figures.professions[ticket]

    @property
    def effective_mean(self) -> float:
        """Average effective rating of the players. The means need at least one player."""
        return self.effective_total / self.players

    @property
    def games_mean(self) -> float:
        """Average games of the players."""
        return self.games_total / self.players

    @property
    def rank_mean(self) -> float:
        """Average rank of the players."""
        return self.rank_total / self.players

    def dishonor(self, choices: Choices) -> float:
        """Return the stacks to compare a candidate's with, by the choice ``dishonor``."""
        if choices.dishonor == "match_total":
            return self.dishonor_total
        if choices.dishonor == "player_mean":
            return self.dishonor_total / self.players
        return self.dishonor_total / len(self.tickets)


class Selection:
    """A match being made around a target, which is first in team 1."""

    def __init__(self, target: int, figures: RosterFigures, team_size: int) -> None:
        professions = figures.professions.shape[1]
        self.teams = (Team(professions), Team(professions))
        self.everyone = Team(professions)
        self.team_size = team_size
        self._figures = figures
        self._picks: list[Pick] = []
        self._join(target, 1)

    def sides(self, number: TeamNumber) -> tuple[Team, Team]:
        """Return the team with this number, and the other team."""
        return self.teams[number - 1], self.teams[2 - number]

    def seats(self, number: TeamNumber) -> int:
        """Return the free seats in a team."""
        return self.team_size - self.teams[number - 1].players

    @property
    def is_full(self) -> bool:
        """Whether both teams are full."""
        return self.everyone.players >= 2 * self.team_size

    def pick(self, pick: Pick) -> None:
        """Add a picked roster to its team."""
        self._picks.append(pick)
        self._join(pick.ticket, pick.team)

    def _join(self, ticket: int, number: TeamNumber) -> None:
        self.teams[number - 1].add(ticket, self._figures)
        self.everyone.add(ticket, self._figures)

    def match(self) -> Match:
        """Return the match as it is."""
        team1, team2 = self.teams
        return Match(tuple(team1.tickets), tuple(team2.tickets), tuple(self._picks))


class SelectedMeans(NamedTuple):
    """The averages of the selected rosters that every candidate is compared with."""

    games: float
    rank: float
    dishonor: float


class Seat(NamedTuple):
    """A team's free seats, and what a candidate for them is compared with.

    ``seats`` is their number, ``largest`` the size of the largest roster, and ``rating`` the
    average effective rating of the other team (new matcher) or of the team (old matcher).
    """

    seats: int
    team: Team
    other: Team
    largest: int
    rating: float
