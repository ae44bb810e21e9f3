"""``Queue`` and ``Matcher``: from players to matches in a few lines.

    queue = Queue()
    queue.join([Player("Ann", 1510), Player("Bob", 1490)], at=0)
    for match in Matcher("laurel", team_size=2).tick(queue, now=30):
        ...

Times are seconds on any clock of the caller's; the library reads none.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from matchmaking.expected import chance_of
from matchmaking.lab.quality import Figures, Quality, quality
from matchmaking.lab.simulation import simulate
from matchmaking.lab.workload import Workload
from matchmaking.matchers import MATCHERS
from matchmaking.modes import draw_modes
from matchmaking.presets import PRESETS
from matchmaking.ticket import Player, Ticket
from matchmaking.ticket import Queue as Snapshot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from matchmaking import tick
    from matchmaking.matchers import NamedMatcher
    from matchmaking.rules.arena import Rules
    from matchmaking.types import Integers

Found = TypeVar("Found")


class QueueError(ValueError):
    """A party that cannot join or leave. The message says why."""


class UnknownName(LookupError):
    """There is no matcher or preset with that name. The message lists those that there are."""


class Queue:
    """Parties that wait for a match, first come first."""

    def __init__(self) -> None:
        self._tickets: dict[Hashable, Ticket] = {}
        self._waiting: set[Hashable] = set()
        self._opponents: dict[Hashable, frozenset[Hashable]] = {}
        """The opponents of each player in their last match."""
        self._joined = 0

    def __len__(self) -> int:
        """Number of waiting parties."""
        return len(self._tickets)

    def __iter__(self) -> Iterator[Ticket]:
        return iter(self._tickets.values())

    def __contains__(self, player: object) -> bool:
        """Whether a player waits, by their id."""
        return player in self._waiting

    def join(
        self,
        party: Player | Iterable[Player],
        *,
        at: float,
        modes: Iterable[str] = (),
        ticket: Hashable = None,
    ) -> Hashable:
        """Let a player or a party queue, and return their ticket.

        Args:
            party: A player, or the players who want to play together.
            at: When they queue, in seconds.
            modes: The game modes they want. All players of a match share one.
            ticket: A name for the ticket. By default tickets are numbered.

        Raises:
            QueueError: A player is invalid or waits already.
        """
        players = (party,) if isinstance(party, Player) else tuple(party)
        if ticket is None:
            self._joined += 1
            ticket = self._joined
        self._check(players, at, ticket)
        self._tickets[ticket] = Ticket(ticket, float(at), players, frozenset(modes))
        self._waiting.update(player.id for player in players)
        return ticket

    def leave(self, ticket: Hashable) -> None:
        """Take a party out of the queue. Raises ``QueueError`` if it does not wait."""
        if ticket not in self._tickets:
            raise QueueError(f"ticket {ticket} is not in the queue")
        self._waiting.difference_update(each.id for each in self._tickets.pop(ticket).players)

    def snapshot(self) -> Snapshot:
        """Return the queue as arrays, as the matchers see it."""
        return replace(Snapshot.of(list(self)), met=self._last_opponents())

    def _check(self, players: Sequence[Player], at: float, ticket: Hashable) -> None:
        if ticket in self._tickets:
            raise QueueError(f"ticket {ticket} is in the queue already")
        if not players:
            raise QueueError("a party needs at least one player")
        if not math.isfinite(at):
            raise QueueError(f"the time must be a number of seconds; you gave {at}")
        for player in players:
            if not isinstance(player, Player):
                raise TypeError(f"a party consists of Player objects; you gave {player!r}")
            if not math.isfinite(player.rating) or not 0 <= player.deviation < math.inf:
                raise QueueError(f"{player.id} needs a rating, and a deviation of at least 0")
            if player.id in self._waiting:
                raise QueueError(f"{player.id} is in the queue already")
        if len({player.id for player in players}) < len(players):
            raise QueueError("a player is in the party twice")

    def _last_opponents(self) -> Integers:
        """Return the pairs of tickets whose members were opponents in the last match of either."""
        ticket_of = {
            player.id: number for number, ticket in enumerate(self) for player in ticket.players
        }
        pairs = {
            (min(one, other), max(one, other))
            for player, one in ticket_of.items()
            for opponent in self._opponents.get(player, ())
            if (other := ticket_of.get(opponent)) is not None
        }
        return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)

    def _remove_played(self, matches: Sequence[Match], left: Iterable[Hashable]) -> None:
        """Remove the parties that got a match, and put the others in their new order."""
        for match in matches:
            for own, others in ((match.team1, match.team2), (match.team2, match.team1)):
                opponents = frozenset(player.id for player in others)
                self._opponents.update((player.id, opponents) for player in own)
            for ticket in match.tickets:
                self.leave(ticket)
        self._tickets = {ticket: self._tickets[ticket] for ticket in left}


class PickedTicket(NamedTuple):
    """A picked party, with the points that each metric added to its score."""

    ticket: Hashable
    team: int
    score: float
    shares: dict[str, float]


@dataclass(frozen=True)
class Match:
    """Two teams that a matcher put together."""

    team1: tuple[Player, ...]
    team2: tuple[Player, ...]
    tickets: tuple[Hashable, ...]
    """The tickets of both teams, those of the first team first."""
    mode: str
    """The game mode, empty if the parties named none."""
    waits: tuple[float, ...]
    """The wait of each party, in seconds."""
    chance: float
    """The chance of the first team, by the matcher's forecast."""
    quality: Quality
    _queue: Snapshot
    _match: tick.Match
    _rules: Rules
    _matcher: NamedMatcher
    _now: float

    def explain(self) -> list[PickedTicket]:
        """Return for each pick after the first party what each metric added to its score.

        The published matchers score each pick for its seat. ``laurel`` scores the whole match, so
        all of its picks have the same shares.
        """
        shares = self._matcher.explain(self._queue, self._rules, self._match, now=self._now)
        return [
            PickedTicket(self._queue.ids[pick.ticket], pick.team, pick.score, each)
            for pick, each in zip(self._match.picks, shares, strict=True)
        ]


class Matcher:
    """A matchmaking algorithm with its rules."""

    def __init__(
        self,
        name: str = "laurel",
        *,
        team_size: int | None = None,
        rules: str | Rules = "recommended",
        seed: int = 0,
        forecast: Callable[[Snapshot], tick.Forecast] | None = None,
    ) -> None:
        """Choose an algorithm and rules.

        Args:
            name: ``laurel`` searches the whole queue for fair teams. ``new`` and ``old`` are the
                published algorithms of Guild Wars 2.
            team_size: Players per team, by default as in the rules.
            rules: A preset's name, or ``Rules``.
            seed: What chance depends on: the mode of a match, and teams of ``old``.
            forecast: Return what predicts matches of a queue. By default Glickman's expected
                result does, from ratings and deviations.

        Raises:
            UnknownName: There is no such algorithm or preset.
            ValueError: The team size is not from 1 to 100.
        """
        self._matcher = _find(MATCHERS, name, "matcher")
        self.rules = _find(PRESETS, rules, "preset").rules() if isinstance(rules, str) else rules
        if team_size is not None:
            if not 1 <= team_size <= 100:
                raise ValueError(f"the team size must be from 1 to 100; you gave {team_size}")
            self.rules = type(self.rules).model_validate(
                {**dict(self.rules), "team_size": team_size}
            )
        self._generator = np.random.default_rng(seed)
        self._forecast = forecast

    def tick(self, queue: Queue, now: float) -> list[Match]:
        """Make matches, and take their parties out of the queue.

        Call it every few seconds. The longer a party waits, the wider the search for it.

        Raises:
            QueueError: A party is larger than a team.
        """
        snapshot = queue.snapshot()
        refuse_large(snapshot, self.rules)
        forecast = self._forecast(snapshot) if self._forecast else None
        found = self._matcher.match(
            snapshot, self.rules, now=now, generator=self._generator, forecast=forecast
        )
        modes = draw_modes(snapshot, found.matches, self._generator)
        waiting, waits = list(queue), snapshot.waits(now)
        matches = [
            Match(
                team1=_players(waiting, match.team1),
                team2=_players(waiting, match.team2),
                tickets=tuple(snapshot.ids[ticket] for ticket in match.tickets),
                mode=mode,
                waits=tuple(waits[list(match.tickets)].tolist()),
                chance=_chance(snapshot, match, self.rules, forecast),
                quality=quality(snapshot, match, self.rules.scale),
                _queue=snapshot,
                _match=match,
                _rules=self.rules,
                _matcher=self._matcher,
                _now=now,
            )
            for match, mode in zip(found.matches, modes, strict=True)
        ]
        queue._remove_played(matches, [snapshot.ids[ticket] for ticket in found.left])  # noqa: SLF001 - of this package
        return matches

    def simulate(self, workload: Workload | None = None, *, seed: int = 0) -> Figures:
        """Run the matcher on a simulated league, and return waits and the quality of matches."""
        run = simulate(workload or Workload(), self._matcher.match, self.rules, seed=seed)
        return run.figures()


def refuse_large(queue: Snapshot, rules: Rules) -> None:
    """Raise ``QueueError`` for the first ticket with more players than a team."""
    large = np.flatnonzero(queue.sizes > rules.team_size)
    if len(large):
        raise QueueError(
            f"ticket {queue.ids[large[0]]} has {queue.sizes[large[0]]} players, and a team has "
            f"{rules.team_size}"
        )


def _chance(
    queue: Snapshot, match: tick.Match, rules: Rules, forecast: tick.Forecast | None
) -> float:
    """Return the chance of the first team, by ratings and deviations if a forecast has none."""
    if forecast is not None:
        tickets = np.array([match.tickets])
        chance = float(forecast(tickets, np.isin(tickets, match.team1))[0])
        if not math.isnan(chance):
            return chance
    return chance_of(queue, match, rules.laurel.chance_scale * rules.scale)


def _players(waiting: Sequence[Ticket], team: Iterable[int]) -> tuple[Player, ...]:
    return tuple(player for ticket in team for player in waiting[ticket].players)


def _find(known: Mapping[str, Found], name: str, what: str) -> Found:
    try:
        return known[name]
    except KeyError:
        raise UnknownName(f"there is no {what} “{name}”; choose from {', '.join(known)}") from None
