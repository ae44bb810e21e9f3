"""A league with the default rules, in which results come through the services."""

from datetime import datetime, timedelta
from itertools import combinations
from typing import Any
from uuid import uuid4

from league.models import Arena, Match, Player
from league.services.core.errors import Refused
from league.services.integrity.standings import differences
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.standings import connections
from league.services.standings.leaderboards import leaderboard
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, account, arena, side


class League:
    """A club with the default rules, but for fewer placement matches."""

    def __init__(
        self, *, system: str = "elo", fair_play: dict[str, Any] | None = None, **ranked: Any
    ) -> None:
        rules = {
            "ranked": {"placement_matches": 3, "window": "3650d", **ranked},
            "fair_play": fair_play or {},
        }
        self.arena: Arena = arena("club", season_rules=rules, rating_system=system)
        self.season = self.arena.seasons.get()
        self.now: datetime = NOW
        self.refused = 0

    def wins(self, winner: Player, loser: Player) -> None:
        """Report and confirm a win at the next minute; count refused reports."""
        self.ends(winner, loser, places=(0, 1))

    def draws(self, one: Player, other: Player) -> None:
        self.ends(one, other, places=(0, 0))

    def wins_in(self, winner: Player, loser: Player, time: timedelta) -> Match:
        """Let time pass, then report and confirm a win."""
        self.now += time
        self.wins(winner, loser)
        return self.last()

    def last(self) -> Match:
        """The match rated last."""
        return self.arena.matches.rated().latest("rated_order")

    def ends(self, winner: Player, loser: Player, places: tuple[int, int]) -> None:
        self.now += timedelta(minutes=1)
        sides = [side(one, place=at) for one, at in zip((winner, loser), places, strict=True)]
        try:
            made = report(
                self.arena,
                sides,
                reporter=winner,
                played_at=self.now,
                now=self.now,
                client_token=uuid4(),
            )
        except Refused as refusal:
            if refusal.code != "same_opponents":
                raise
            self.refused += 1
        else:
            confirm(made.pk, by=loser, now=self.now)

    def play_each_other(self, players: list[Player], rounds: int = 1) -> None:
        """Every pair plays, and each player wins about half of their matches."""
        for round_ in range(rounds):
            for nth, (one, other) in enumerate(combinations(players, 2)):
                self.wins(*((one, other) if (nth + round_) % 2 else (other, one)))

    def settle(self) -> None:
        """Let the workers run until nothing is left to do."""
        for _ in range(3):
            update_pending(self.now)
            connections.refresh_due(self.now)
        assert differences(self.season, self.now) == []

    def ranked(self) -> list[str]:
        self.settle()
        return [row.name for row in leaderboard(self.season, now=self.now).rows]


def people(*names: str) -> list[Player]:
    return [account(name) for name in names]


def honest(league: League, count: int = 10) -> list[Player]:
    players = people(*(f"Honest {number}" for number in range(count)))
    league.play_each_other(players)
    return players
