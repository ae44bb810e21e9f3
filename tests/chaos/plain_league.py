"""A league in plain Python: one arena of duels, its queue, its results and their ratings."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import Enum

K, SCALE, START = 32.0, 400.0, 1500.0
"""Elo as in chess."""


class Stage(Enum):
    """The stage of a match."""

    LIVE = "live"
    REPORTED = "reported"
    DISPUTED = "disputed"
    RATED = "rated"
    VOID = "void"


class Place(Enum):
    """Where a player is."""

    FREE = "free"
    WAITING = "waiting"
    ASKED = "asked"
    PLAYING = "playing"


@dataclass
class PlainMatch:
    """A match of two players."""

    players: tuple[int, int]
    """By side."""
    stage: Stage
    winner: int = 0
    """The side that won."""
    reporter: int = 0
    """The side that reported."""
    began_live: bool = False
    deadline: datetime | None = None
    """The time by which the other side answers."""


@dataclass
class Check:
    """A ready check."""

    players: tuple[int, int]
    began: datetime
    deadline: datetime
    accepted: set[int] = field(default_factory=set)


@dataclass
class PlainLeague:
    """The whole league. Rated matches are in the order in which they were rated."""

    places: dict[int, Place] = field(default_factory=dict)
    matches: dict[int, PlainMatch] = field(default_factory=dict)
    checks: dict[int, Check] = field(default_factory=dict)
    rated: list[int] = field(default_factory=list)
    dodges: dict[int, int] = field(default_factory=dict)

    def settle(self, match: int) -> None:
        self.matches[match].stage = Stage.RATED
        self.rated.append(match)

    def void(self, match: int) -> None:
        one = self.matches[match]
        if one.stage is Stage.RATED:
            self.rated.remove(match)
        if one.stage is Stage.LIVE:
            self.free(one.players)
        one.stage = Stage.VOID

    def free(self, players: tuple[int, int]) -> None:
        for player in players:
            self.places[player] = Place.FREE

    def start(self, number: int, check: int) -> None:
        """Let everyone who accepted play."""
        players = self.checks.pop(check).players
        self.matches[number] = PlainMatch(players, Stage.LIVE, began_live=True)
        for player in players:
            self.places[player] = Place.PLAYING

    def cancel(self, check: int, dodged: set[int], dropped: set[int]) -> None:
        """End a ready check. Players who are not dropped wait again."""
        for player in self.checks.pop(check).players:
            self.places[player] = Place.FREE if player in dropped else Place.WAITING
        for player in dodged:
            self.dodges[player] = self.dodges.get(player, 0) + 1

    def expire_checks(self, now: datetime, stepped: timedelta, asleep: timedelta) -> int:
        """End the ready checks that are over. Return how many."""
        over = 0
        for number, check in list(self.checks.items()):
            if check.began > now + stepped or check.deadline < now - asleep:
                self.cancel(number, set(), set())
            elif check.deadline <= now:
                silent = set(check.players) - check.accepted
                self.cancel(number, silent, silent)
            else:
                continue
            over += 1
        return over

    def ratings(self) -> dict[int, float]:
        """Return the ratings of all players with a rated match."""
        found: dict[int, float] = {}
        for number in self.rated:
            match = self.matches[number]
            winner, loser = match.players[match.winner], match.players[1 - match.winner]
            high, low = found.get(winner, START), found.get(loser, START)
            gain = K / (1 + 10 ** ((high - low) / SCALE))
            found[winner], found[loser] = high + gain, low - gain
        return found

    def records(self) -> dict[int, tuple[int, int]]:
        """Return games and wins of all players with a rated match."""
        found: dict[int, tuple[int, int]] = {}
        for number in self.rated:
            match = self.matches[number]
            for side, player in enumerate(match.players):
                games, wins = found.get(player, (0, 0))
                found[player] = games + 1, wins + (side == match.winner)
        return found
