"""The match in the making: two teams filling up, and the seats that rosters are scored for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from matchmaking.tick import Match

if TYPE_CHECKING:
    from matchmaking.rules.arena import Choices
    from matchmaking.tick import Pick, TeamNumber
    from matchmaking.ticket import Queue
    from matchmaking.types import Integers


class Facts:
    """What teams sum over their rosters, of each of the queue's T tickets."""

    def __init__(self, queue: Queue) -> None:
        # Python numbers: teams add them one at a time.
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
    """Selected rosters: their tickets and running sums, in the order of selection."""

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

    def add(self, ticket: int, facts: Facts) -> None:
        """A roster joins."""
        size, effective, games, rank, dishonor = facts.sums[ticket]
        self.tickets.append(ticket)
        self.players += size
        self.largest = max(self.largest, size)
        self.effective_total += effective
        self.games_total += games
        self.rank_total += rank
        self.dishonor_total += dishonor
        self.has_guild_team = self.has_guild_team or facts.guild_team[ticket]
        self.professions += facts.professions[ticket]

    @property
    def effective_mean(self) -> float:
        """Average effective rating of the players; there must be some, so for the next two."""
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
        """The stacks that a candidate's are compared with, as the choice ``dishonor`` reads it."""
        if choices.dishonor == "match_total":
            return self.dishonor_total
        if choices.dishonor == "player_mean":
            return self.dishonor_total / self.players
        return self.dishonor_total / len(self.tickets)


class Selection:
    """A match being made around a target, who is the first of team 1."""

    def __init__(self, target: int, facts: Facts, team_size: int) -> None:
        professions = facts.professions.shape[1]
        self.teams = (Team(professions), Team(professions))
        self.everyone = Team(professions)
        self.team_size = team_size
        self._facts = facts
        self._picks: list[Pick] = []
        self._join(target, 1)

    def sides(self, number: TeamNumber) -> tuple[Team, Team]:
        """The team of this number, and the other."""
        return self.teams[number - 1], self.teams[2 - number]

    def seats(self, number: TeamNumber) -> int:
        """Seats that are free in a team."""
        return self.team_size - self.teams[number - 1].players

    @property
    def is_full(self) -> bool:
        """Whether both teams are."""
        return self.everyone.players >= 2 * self.team_size

    def pick(self, pick: Pick) -> None:
        """A roster is picked for a team."""
        self._picks.append(pick)
        self._join(pick.ticket, pick.team)

    def _join(self, ticket: int, number: TeamNumber) -> None:
        self.teams[number - 1].add(ticket, self._facts)
        self.everyone.add(ticket, self._facts)

    def match(self) -> Match:
        """The match as it stands."""
        team1, team2 = self.teams
        return Match(tuple(team1.tickets), tuple(team2.tickets), tuple(self._picks))


class Selected(NamedTuple):
    """What a roster is compared with for whichever seat: averages of those selected."""

    games: float
    rank: float
    dishonor: float


class Seat(NamedTuple):
    """A team's free seats, with what a roster that might take them is compared with.

    ``seats``: how many; ``largest``: size of the largest roster; ``rating``: average effective
    rating of the other team (new matcher) or of the team (old matcher).
    """

    seats: int
    team: Team
    other: Team
    largest: int
    rating: float
