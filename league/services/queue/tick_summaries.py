"""A tick in figures and names, and whether running it again finds the same."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.models import ArenaQueue, Player
from league.services.queue.kept_ticks import snapshot_of
from league.services.queue.ticks import run_again
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from league.models import Tick
    from matchmaking.ticket import Player as Waiting
    from matchmaking.ticket import Ticket

MOST_MATCHES = 100
"""At most this many matches are listed."""


@dataclass(frozen=True)
class Team:
    """The players of a team."""

    names: list[str]
    rating: float
    """The mean of their ratings, in rating points."""


@dataclass(frozen=True)
class FoundMatch:
    """A match that the matcher found."""

    teams: list[Team]

    @property
    def gap(self) -> float:
        """Rating points between the teams' means."""
        ratings = [team.rating for team in self.teams]
        return max(ratings) - min(ratings)


@dataclass(frozen=True)
class TickSummary:
    """A tick's queue and matches. Waits are in seconds, ``None`` for an empty queue."""

    players: int
    median_wait: float | None
    longest_wait: float | None
    matches: list[FoundMatch]
    """The first ``MOST_MATCHES``."""


def summarize_tick(tick: Tick) -> TickSummary:
    """Return the figures of a tick, from what it stored."""
    tickets = snapshot_of(tick).tickets
    waits = [max(tick.at.timestamp() - ticket.queued_at, 0.0) for ticket in tickets]
    return TickSummary(
        players=sum(len(ticket.players) for ticket in tickets),
        median_wait=statistics.median(waits) if waits else None,
        longest_wait=max(waits, default=None),
        matches=named_matches(tick.found[:MOST_MATCHES], {ticket.id: ticket for ticket in tickets}),
    )


def named_matches(matches: list[list[list[Any]]], tickets: dict[Any, Ticket]) -> list[FoundMatch]:
    """Return matches, given as ticket ids, with their players' names and ratings."""
    seated = [
        [[player for ticket in team for player in tickets[ticket].players] for team in teams]
        for teams in matches
    ]
    known = Player.ever.in_bulk({one.id for teams in seated for team in teams for one in team})
    return [FoundMatch([team_of(team, known) for team in teams]) for teams in seated]


def team_of(players: list[Waiting], known: dict[int, Player]) -> Team:
    names = [str(known.get(int(str(player.id)), player.id)) for player in players]
    return Team(names, statistics.fmean(player.rating for player in players))


def finds_the_same(tick: Tick) -> bool:
    """Run the matcher again on what the tick stored. Return whether it finds the same."""
    return bool(run_again(tick) == tick.found)


def was_cut_short(tick: Tick) -> bool:
    """Return whether the tick ran out of time: run again without a limit, it may find more."""
    limit: float = Rules.model_validate(tick.rules).queue.iteration_limit
    return 0 < limit <= tick.seconds


def configuration(tick: Tick) -> Any:
    """Return the version of the queue's settings that a tick ran with, if it is kept."""
    queue = ArenaQueue.objects.filter(arena=tick.arena_id).first()
    if queue is None:
        return None
    versions: Any = queue.history  # its package has no types
    return versions.filter(history_date__lte=tick.at).order_by("-history_date").first()
