"""``Ratings``: players and their ratings under one system, rated match by match or all at once.

    ratings = Ratings("glicko-2")
    ratings.rate([("Ann", "Bob"), ("Cem", "Dia")], ranks=[0, 1])
    ratings.predict([("Ann", "Cem"), ("Bob", "Dia")]).win

Matches that are rated one by one give the same bits as the same matches rated together, because
both are replays.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from ratings import saving
from ratings.changes import Change, Changes, Rating, moment, rating_of
from ratings.contests import forecasting
from ratings.frames import to_frame
from ratings.history import History, Match, Side
from ratings.levels import shape_codes
from ratings.plain_matches import match_of, members_of, microseconds_of
from ratings.registry import build, read_name
from ratings.replay import profession_keys, replay
from ratings.types import WITHOUT_TIME, Batch

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from ratings.plain_matches import Members, Time
    from ratings.system import RatingSystem
    from ratings.types import Forecast, Integers, States

_FEWEST_ROWS = 16


class NotRatedYet(LookupError):
    """A player without a match. The message names them."""


@dataclass(frozen=True)
class Prediction:
    """The chances of the outcomes of a match."""

    win: tuple[float, ...]
    """The chance of each side to come first alone."""
    draw: float
    """The chance of a draw, 0 if the system does not model draws."""

    @property
    def expected(self) -> tuple[float, ...]:
        """Return the expected result of each side, with draws shared evenly. They sum to 1."""
        return tuple(chance + self.draw / len(self.win) for chance in self.win)


@dataclass(frozen=True)
class Standing:
    """A player's row on the leaderboard. Equal ratings share a rank."""

    rank: int
    player: str
    rating: Rating


class Ratings:
    """Players and their ratings under one system.

    Matches have times, or none of them does. With times, they are rated from the oldest to the
    newest, and systems such as Glicko-2 grow less certain of players who have not played for long.
    """

    def __init__(self, system: str, **parameters: object) -> None:
        """Start without players, with a system's name and the parameters that are not the defaults.

        A name such as ``glicko-2:gw2`` starts from published parameters in place of the defaults.

        Raises:
            UnknownSystem: There is no such system; the message suggests the closest name.
            ParameterError: A parameter is unknown or out of range, with a sentence for each.
        """
        name, published = read_name(system)
        self._system = build(name, {**published, **parameters})
        self._rows: dict[str, int] = {}
        self._states = self._system.newcomers(_FEWEST_ROWS)
        """Each player's state by row. The rows after the last player are those of newcomers."""
        self._latest: int | None = None
        """The time of the last match, ``None`` before the first."""
        self._matches = 0
        self._changes: dict[str, tuple[Changes, int]] = {}
        """The index of each player's last change."""

    @property
    def system(self) -> RatingSystem:
        """The rating system, with its parameters."""
        return self._system

    @property
    def matches(self) -> int:
        """The number of matches rated so far."""
        return self._matches

    @property
    def latest(self) -> int | None:
        """The time of the last match in microseconds since 1970.

        ``None`` before the first match, and if matches have no times.
        """
        return None if self._latest == WITHOUT_TIME else self._latest

    def __len__(self) -> int:
        """Number of players."""
        return len(self._rows)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the players, in order of their first matches."""
        return iter(self._rows)

    def __contains__(self, player: object) -> bool:
        return player in self._rows

    def __getitem__(self, player: str) -> Rating:
        """Return a player's rating at the time of the last match."""
        return rating_of(self._at(self._now(None), np.array([self._row(player)])), 0)

    def __repr__(self) -> str:
        return f"<Ratings {self._system.name}: {len(self)} players, {self._matches} matches>"

    def rate(
        self,
        sides: Sequence[Members],
        ranks: Sequence[float] | None = None,
        *,
        scores: Sequence[float] | None = None,
        at: Time | None = None,
        first: int | None = None,
        weight: float = 1.0,
        match_id: str | None = None,
    ) -> Changes:
        """Rate one match, and return the change of each player.

        Args:
            sides: The sides, each a player or a sequence of players. Players are names, or
                ``Participant`` to say who quit and who played which profession how long.
            ranks: The rank of each side. The lowest is the best, equal ranks tie. Without ranks,
                the sides come in order of their ``scores``, or else in the order given.
            scores: The points of each side, such as goals. Some systems use the margin.
            at: When it was played.
            first: The side that is first, such as the home team or White: 0 or 1. It counts by
                the system's ``first_side``.
            weight: How much the match counts.
            match_id: A name for explanations. By default matches are numbered.

        Raises:
            HistoryError: The match is impossible, such as a player on both sides.
            UnsupportedMatch: The system cannot rate such a match.
            ValueError: Ranks or scores do not fit the sides, or the time comes before the last.
        """
        match = match_of(
            sides,
            ranks,
            scores=scores,
            at=at,
            first=first,
            weight=weight,
            match_id=str(self._matches + 1) if match_id is None else match_id,
        )
        return self.rate_many([match])

    def rate_many(
        self,
        matches: History | Iterable[Match],
        progress: Callable[[int], object] | None = None,
    ) -> Changes:
        """Rate many matches, much faster than one by one, with the same result bit for bit.

        ``matches`` are ordered by time. ``progress`` is called with the number of matches just
        rated. Nothing changes if a match is refused.

        Raises:
            HistoryError: A match is impossible.
            UnsupportedMatch: The system cannot rate a match.
            ValueError: The matches are not in order of time.
        """
        history = matches if isinstance(matches, History) else History.build(matches)
        self._check_times(history)
        newcomers, where, states = self._with(history.players)
        replayed = replay(self._system, history, states.take(where), progress)
        states.put(where, replayed.states)
        self._rows.update(newcomers)
        self._states = states
        self._matches += len(history)
        if len(history):
            self._latest = int(history.times[-1])
        changes = Changes.of(self._system, history, replayed)
        self._remember(history, changes)
        return changes

    def predict(
        self, sides: Sequence[Members], *, at: Time | None = None, first: int | None = None
    ) -> Prediction:
        """Return the chances of a match that has not been played.

        Players without a match count as newcomers. Without ``at``, the match is at the time of the
        last one. ``first`` is the side at home, as in ``rate``.
        """
        everyone = [Side(0, members_of(side)) for side in sides]
        forecast = self.forecast(
            History.build([Match("to predict", self._now(at), everyone, first=first)])
        )
        return Prediction(tuple(forecast.win[0].tolist()), float(forecast.draw[0]))

    def forecast(self, history: History) -> Forecast:
        """Return the chances of many matches of one shape, as arrays. Their places do not count.

        Raises:
            UnsupportedMatch: The system cannot rate such matches.
            ValueError: There is no match, or there are several shapes.
        """
        codes, shapes = shape_codes(history)
        if len(shapes) != 1:
            raise ValueError(f"the matches must have one shape; they have {len(shapes)}")
        self._system.check_sizes(shapes[0])
        _, where, states = self._with(history.players)
        by_player, by_side = (len(codes), sum(shapes[0])), (len(codes), len(shapes[0]))
        batch = Batch(
            sizes=shapes[0],
            players=history.player.reshape(by_player),
            places=np.zeros(by_side, dtype=np.int64),
            scores=np.full(by_side, np.nan),
            seconds=history.seconds.reshape(by_player),
            quits=history.quits.reshape(by_player),
            professions=profession_keys(history).reshape(by_player),
            times=history.times,
            weights=history.weights,
            perf_ceilings=history.perf_ceilings,
            first=history.first,
        )
        return forecasting.predict(self._system, states.take(where[batch.players]), batch)

    def leaderboard(self, limit: int | None = None, *, at: Time | None = None) -> list[Standing]:
        """Return the players, best first, with their ratings at a time or at the last match."""
        states = self._at(self._now(at), np.arange(len(self._rows)))
        best = states.rating if self._system.shows.lowest_first else -states.rating
        order = np.argsort(best, kind="stable")
        ranks = np.searchsorted(best[order], best[order], side="left") + 1
        names = list(self._rows)
        return [
            Standing(rank, names[row], rating_of(states, row))
            for rank, row in zip(ranks[:limit].tolist(), order[:limit].tolist(), strict=True)
        ]

    def explain(self, player: str) -> Change:
        """Return why the player's rating changed in their last match. Print it to read it.

        Loaded ratings do not remember the matches from before they were saved.
        """
        self._row(player)
        if player not in self._changes:
            raise NotRatedYet(f"{player} has not played since these ratings were loaded")
        changes, row = self._changes[player]
        return changes[row]

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the leaderboard as a data frame of pandas, Polars or another library.

        It has the columns that the system keeps: rank, player, rating, games and others.
        """
        return to_frame(self._columns(), backend)

    def _columns(self) -> dict[str, list[object]]:
        board = self.leaderboard()
        shows = self._system.shows
        kept = [
            "rating",
            *(["deviation"] if shows.deviation else []),
            *(["volatility"] if shows.volatility else []),
            "games",
            *(["last_played"] if self.latest is not None else []),
        ]
        return {
            "rank": [row.rank for row in board],
            "player": [row.player for row in board],
            **{name: [getattr(row.rating, name) for row in board] for name in kept},
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save the ratings as JSON, exact to the last bit."""
        saving.write(Path(path), self.to_saved())

    def to_saved(self) -> saving.Saved:
        """Return what ``save`` writes."""
        return saving.Saved(
            system=self._system,
            players=list(self._rows),
            states=self._states.take(slice(0, len(self._rows))),
            latest=self._latest,
            matches=self._matches,
        )

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Return saved ratings. Raises ``SavedError`` if the file holds none."""
        return cls.going_on(saving.read(Path(path)))

    @classmethod
    def going_on(cls, saved: saving.Saved) -> Self:
        """Return the ratings that were ``saved``."""
        ratings = cls(saved.system.name, **saved.system.parameters.to_json())
        count = len(saved.players)
        more = ratings._system.newcomers(max(count, _FEWEST_ROWS), population=count)
        ratings._states = saved.states.joined_by(more)
        ratings._rows = {name: row for row, name in enumerate(saved.players)}
        ratings._latest, ratings._matches = saved.latest, saved.matches
        return ratings

    def _with(self, players: Sequence[str]) -> tuple[dict[str, int], Integers, States]:
        """Return rows for those of the players who are new, the rows of all, and all states.

        Nothing is changed.
        """
        known = len(self._rows)
        new = [player for player in players if player not in self._rows]
        rows = {player: row for row, player in enumerate(new, start=known)}
        states = self._states
        while len(states) < known + len(new):
            more = self._system.newcomers(len(states), population=len(states))
            states = states.joined_by(more)
        where = [rows[each] if each in rows else self._rows[each] for each in players]
        return rows, np.array(where, dtype=np.int64), states

    def _row(self, player: str) -> int:
        try:
            return self._rows[player]
        except KeyError:
            raise NotRatedYet(f"{player} has not played a match") from None

    def _now(self, at: Time | None) -> int:
        if at is not None:
            if self._latest == WITHOUT_TIME:
                raise ValueError("the matches had no times, so leave “at” out")
            return microseconds_of(at)
        return WITHOUT_TIME if self._latest is None else self._latest

    def _at(self, time: int, rows: Integers) -> States:
        return self._system.at(self._states.take(rows), np.full(len(rows), time, dtype=np.int64))

    def _check_times(self, history: History) -> None:
        times = history.times
        if not len(times):
            return
        late = np.flatnonzero(np.diff(times, prepend=times[0]) < 0)
        if len(late):
            name = history.match_ids[late[0]]
            raise ValueError(f"match {name} is before the match above it; rate the oldest first")
        untimed = times == WITHOUT_TIME
        if untimed.any() and not untimed.all():
            name = history.match_ids[int(np.argmin(untimed))]
            raise ValueError(f"match {name} has a time, and others have none; give all or none")
        if self._latest is None:
            return
        if self._latest == WITHOUT_TIME:
            if times[0] != WITHOUT_TIME:
                raise ValueError("the matches before had no times, so this one cannot have one")
        elif times[0] == WITHOUT_TIME:
            raise ValueError("the matches before had times, so this one needs a time")
        elif times[0] < self._latest:
            raise ValueError(
                f"match {history.match_ids[0]} is at {moment(int(times[0]))}, before the last "
                f"match ({moment(self._latest)}); rate matches from the oldest to the newest"
            )

    def _remember(self, history: History, changes: Changes) -> None:
        """Keep the last change of each player, and nothing else of a long history."""
        last = np.zeros(len(history.players), dtype=np.int64)
        np.maximum.at(last, history.player, np.arange(len(history.player)))
        played = np.unique(history.player)
        kept = changes if len(history) == 1 else changes.take(last[played])
        for row, code in enumerate(history.player if len(history) == 1 else played):
            self._changes[history.players[code]] = (kept, row)
