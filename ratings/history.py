"""Match histories, as objects for writing and as columns for rating.

``Match``, ``Side`` and ``Participant`` describe results for people and sites. ``History`` holds the
same data in parallel arrays, in the order in which matches are rated.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ratings.matches import HistoryError, Match, Participant, Side, problem_of

__all__ = ["Columns", "History", "HistoryError", "Match", "Participant", "Side"]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ratings.types import Booleans, Floats, Integers

NEITHER = -1
"""The first side of a match in which neither side is first."""
NEGLIGIBLE_WEIGHT = 1e-6
"""Up to this weight a match changes no rating."""


class Columns:
    """Matches as growing columns with one entry per match, side or participant."""

    def __init__(self) -> None:
        self.players: dict[str, int] = {}
        self.professions: dict[str, int] = {"": 0}
        self.match_ids: list[str] = []
        self.times = array("q")
        self.weights = array("d")
        self.perf_ceilings = array("d")
        self.side_counts = array("q")
        self.places = array("q")
        self.scores = array("d")
        self.sizes = array("q")
        self.player = array("q")
        self.seconds = array("d")
        self.quits = array("b")
        self.unplayed: list[int] = []
        """Indices of matches that were not played."""
        self.profession = array("q")
        self.first = array("q")
        self.modes: list[str] = []
        self.events: dict[int, Integers] = {}

    def player_code(self, player: str) -> int:
        """Return the row of ``player``, or the next free one for a newcomer."""
        return self.players.setdefault(player, len(self.players))

    def profession_code(self, profession: str) -> int:
        return self.professions.setdefault(profession, len(self.professions))

    def history(self) -> History:
        """Return the current columns as a history. Nothing may be added afterwards."""
        return History(
            players=list(self.players),
            professions=list(self.professions),
            match_ids=self.match_ids,
            times=np.frombuffer(self.times, dtype=np.int64),
            weights=np.frombuffer(self.weights, dtype=np.float64),
            perf_ceilings=np.frombuffer(self.perf_ceilings, dtype=np.float64),
            side_offsets=offsets(self.side_counts),
            places=np.frombuffer(self.places, dtype=np.int64),
            scores=np.frombuffer(self.scores, dtype=np.float64),
            participant_offsets=offsets(self.sizes),
            player=np.frombuffer(self.player, dtype=np.int64),
            seconds=np.frombuffer(self.seconds, dtype=np.float64),
            quits=np.frombuffer(self.quits, dtype=np.bool_),
            profession=np.frombuffer(self.profession, dtype=np.int64),
            played=played_mask(self.unplayed, len(self.times)),
            modes=self.modes if any(self.modes) else None,
            first=first_sides(np.frombuffer(self.first, dtype=np.int64)),
            events=self.events or None,
        )


def played_mask(unplayed: Sequence[int] | Integers, count: int) -> Booleans | None:
    """Return ``(count,)`` whether each match was played, or ``None`` if all were."""
    if not len(unplayed):
        return None
    played = np.ones(count, dtype=np.bool_)
    played[np.asarray(unplayed)] = False
    return played


def first_sides(sides: Integers) -> Integers | None:
    """Return the first side of each match, or ``None`` if no match has one."""
    return sides if (sides != NEITHER).any() else None


def offsets(counts: Sequence[int] | Integers) -> Integers:
    """Return ``(n + 1,)`` the start of each of ``n`` groups, and the end of the last."""
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts


@dataclass(frozen=True)
class History:
    """``M`` matches with ``S`` sides and ``N`` participants, match by match, side by side."""

    players: list[str]
    """Names by code, in order of first appearance."""
    professions: list[str]
    """Names by code. Code 0 is no profession."""
    match_ids: list[str]
    times: Integers
    """``(M,)`` microseconds since 1970 (UTC)."""
    weights: Floats
    """``(M,)``."""
    perf_ceilings: Floats
    """``(M,)``."""
    side_offsets: Integers
    """``(M + 1,)`` first side of each match."""
    places: Integers
    """``(S,)``."""
    scores: Floats
    """``(S,)``, NaN if there is none."""
    participant_offsets: Integers
    """``(S + 1,)`` first participant of each side."""
    player: Integers
    """``(N,)`` codes of ``players``."""
    seconds: Floats
    """``(N,)``, NaN if unknown."""
    quits: Booleans
    """``(N,)``."""
    profession: Integers
    """``(N,)`` codes of ``professions``."""
    played: Booleans | None = None
    """``(M,)`` whether each match was played (see ``Match``), ``None`` if all were."""
    modes: list[str] | None = None
    """The game mode of each of the ``M`` matches, ``None`` if none has one."""
    first: Integers | None = None
    """``(M,)`` the first side of each match (see ``Match``), -1 for neither. ``None`` if no match
    has one."""
    events: Mapping[int, Integers] | None = None
    """The events of matches (see ``Match``) by index: ``(e, 3)`` sides of winners and
    losers, and kinds.
    ``None`` if no match has any."""

    def __len__(self) -> int:
        """Number of matches."""
        return len(self.times)

    @property
    def match_offsets(self) -> Integers:
        """``(M + 1,)`` first participant of each match."""
        return self.participant_offsets[self.side_offsets]

    @property
    def sizes(self) -> Integers:
        """``(S,)`` number of participants of each side."""
        return np.diff(self.participant_offsets)

    @classmethod
    def build(cls, matches: Iterable[Match], players: Iterable[str] = ()) -> History:
        """Build a history of ``matches``, in the order in which they are to be rated.

        ``players`` get the first codes in their order, whether they play or not. When a replay
        starts from given states, pass the names of their players. Raises ``HistoryError``.
        """
        columns = Columns()
        for player in players:
            columns.player_code(player)
        for match in matches:
            if problem := problem_of(match):
                raise HistoryError(f"match {match.match_id}: {problem}")
            _append(columns, match)
        return columns.history()

    @classmethod
    def duels(
        cls,
        players: Sequence[str],
        times: Integers,
        winners: Integers,
        losers: Integers,
        draws: Booleans | None = None,
        match_ids: Sequence[str] | None = None,
    ) -> History:
        """Build a history of one-on-one matches from columns ``(M,)``.

        ``times`` are microseconds since 1970 (UTC) or ``datetime64`` of any unit. ``winners`` and
        ``losers`` are codes of ``players``. For draws, their order does not matter. Raises
        ``HistoryError``.
        """
        times = _microseconds(np.asarray(times))
        count = len(times)
        codes = {"winners": np.asarray(winners), "losers": np.asarray(losers)}
        flags = np.zeros(count, dtype=np.bool_) if draws is None else np.asarray(draws)
        ids = list(match_ids) if match_ids is not None else [str(at) for at in range(count)]
        _check_lengths(count, **codes, draws=flags, match_ids=ids)
        for name, column in codes.items():
            if column.dtype.kind not in "iu" and count:
                raise HistoryError(f"{name} must be whole numbers; they are {column.dtype}")
        player = np.stack(list(codes.values()), axis=-1).astype(np.int64).ravel()
        if count and (player.min() < 0 or player.max() >= len(players)):
            raise HistoryError("winners and losers must be codes of players")
        alone = np.flatnonzero(player[::2] == player[1::2])
        if len(alone):
            raise HistoryError(f"match {alone[0]}: {players[player[2 * alone[0]]]} plays twice")
        if flags.dtype.kind != "b":
            raise HistoryError(f"draws must be true or false; they are {flags.dtype}")
        places = np.tile(np.array([0, 1], dtype=np.int64), count)
        places[1::2][flags] = 0
        return cls(
            players=list(players),
            professions=[""],
            match_ids=ids,
            times=times,
            weights=np.ones(count),
            perf_ceilings=np.full(count, np.inf),
            side_offsets=np.arange(0, 2 * count + 1, 2),
            places=places,
            scores=np.full(2 * count, np.nan),
            participant_offsets=np.arange(2 * count + 1),
            player=player,
            seconds=np.full(2 * count, np.nan),
            quits=np.zeros(2 * count, dtype=np.bool_),
            profession=np.zeros(2 * count, dtype=np.int64),
        )

    def part(self, start: int, stop: int) -> History:
        """Return matches ``start`` to ``stop``, with the same players and codes."""
        sides = slice(self.side_offsets[start], self.side_offsets[stop])
        members = slice(self.participant_offsets[sides.start], self.participant_offsets[sides.stop])
        return History(
            players=self.players,
            professions=self.professions,
            match_ids=self.match_ids[start:stop],
            times=self.times[start:stop],
            weights=self.weights[start:stop],
            perf_ceilings=self.perf_ceilings[start:stop],
            side_offsets=self.side_offsets[start : stop + 1] - sides.start,
            places=self.places[sides],
            scores=self.scores[sides],
            participant_offsets=self.participant_offsets[sides.start : sides.stop + 1]
            - members.start,
            player=self.player[members],
            seconds=self.seconds[members],
            quits=self.quits[members],
            profession=self.profession[members],
            played=None if self.played is None else self.played[start:stop],
            modes=None if self.modes is None else self.modes[start:stop],
            first=None if self.first is None else first_sides(self.first[start:stop]),
            events=None if self.events is None else self._events_of(start, stop),
        )

    def _events_of(self, start: int, stop: int) -> dict[int, Integers] | None:
        events = self.events or {}
        found = {match - start: pairs for match, pairs in events.items() if start <= match < stop}
        return found or None


def _microseconds(times: Integers | NDArray[np.datetime64]) -> Integers:
    """Return times as microseconds since 1970."""
    if times.dtype.kind == "M":
        if np.isnat(times).any():
            raise HistoryError(f"match {np.flatnonzero(np.isnat(times))[0]}: the time is missing")
        return times.astype("datetime64[us]").astype(np.int64)
    if times.dtype.kind not in "iu" and len(times):
        raise HistoryError(
            f"times must be whole microseconds or datetime64; they are {times.dtype}"
        )
    return times.astype(np.int64)


def _check_lengths(count: int, **columns: Sized) -> None:
    for name, column in columns.items():
        if len(column) != count:
            raise HistoryError(f"there are {count} times but {len(column)} {name}")


def _append(columns: Columns, match: Match) -> None:
    columns.match_ids.append(match.match_id)
    columns.times.append(match.played_at_us)
    columns.weights.append(match.weight)
    columns.perf_ceilings.append(match.perf_ceiling)
    if not match.played:
        columns.unplayed.append(len(columns.times) - 1)
    columns.modes.append(match.mode)
    columns.first.append(NEITHER if match.first is None else match.first)
    if match.events:
        columns.events[len(columns.times) - 1] = np.array(
            [(*event, 1)[:3] for event in match.events], dtype=np.int64
        )
    columns.side_counts.append(len(match.sides))
    for side in match.sides:
        columns.places.append(side.place)
        columns.scores.append(math.nan if side.score is None else side.score)
        columns.sizes.append(len(side.participants))
        for one in side.participants:
            columns.player.append(columns.player_code(one.player))
            columns.seconds.append(math.nan if one.seconds is None else one.seconds)
            columns.quits.append(one.quit)
            columns.profession.append(columns.profession_code(one.profession))
