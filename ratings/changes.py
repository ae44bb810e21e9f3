"""Changes by matches, for people and programs: one change per participant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ratings.contests.first_side import replayed_terms
from ratings.explain import ExplainedTerm, explain
from ratings.frames import to_frame
from ratings.replay import without_memory
from ratings.types import NEVER, WITHOUT_TIME

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from ratings.history import History
    from ratings.replay import Replay
    from ratings.system import RatingSystem
    from ratings.types import Booleans, Floats, Integers, States

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Rating:
    """A player's rating in a system. What it does not keep is ``None``."""

    rating: float
    deviation: float | None
    volatility: float | None
    games: int
    last_played: datetime | None
    """``None`` for newcomers, and if matches have no times."""


@dataclass(frozen=True)
class Change:
    """The change of one player's rating by one match, with its reasons."""

    player: str
    match_id: str
    place: int
    """0 is best."""
    before: Rating
    after: Rating
    terms: tuple[ExplainedTerm, ...]
    """The numbers behind the change, in reading order."""

    @property
    def change(self) -> float:
        """Return by how much the rating changed."""
        return self.after.rating - self.before.rating

    def __str__(self) -> str:
        """Return the explanation as lines of text."""
        change = f"{self.before.rating:.2f} → {self.after.rating:.2f} ({self.change:+.2f})"
        lines = [f"{self.player}: {change} in match {self.match_id}"]
        width = max((len(each.term.label) for each in self.terms), default=0)
        lines += [
            f"  {each.term.label:<{width}}  {each.value:10.4f}  {each.term.help}".rstrip()
            for each in self.terms
        ]
        return "\n".join(lines)


@dataclass(frozen=True, repr=False)
class Changes(Sequence[Change]):
    """The changes of ``N`` participants, in the order of the matches and their sides."""

    system: RatingSystem
    players: NDArray[np.object_]
    match_ids: NDArray[np.object_]
    times: Integers
    """``(N,)`` microseconds since 1970."""
    places: Integers
    before: States
    """``(N,)``, without memory."""
    after: States
    terms: Mapping[str, Floats]
    ignored: Booleans
    """Whether the match was none to the system."""

    @classmethod
    def of(cls, system: RatingSystem, history: History, replayed: Replay) -> Changes:
        """Return the changes of a replay."""
        members = np.diff(history.match_offsets)
        return cls(
            system=system,
            players=np.array(history.players, dtype=object)[history.player],
            match_ids=np.repeat(np.array(history.match_ids, dtype=object), members),
            times=np.repeat(history.times, members),
            places=np.repeat(history.places, history.sizes),
            before=without_memory(replayed.before),
            after=without_memory(replayed.after),
            terms=replayed.terms,
            ignored=replayed.ignored,
        )

    def take(self, rows: Integers) -> Changes:
        """Return some of the changes."""
        return Changes(
            system=self.system,
            players=self.players[rows],
            match_ids=self.match_ids[rows],
            times=self.times[rows],
            places=self.places[rows],
            before=self.before.take(rows),
            after=self.after.take(rows),
            terms={name: values[rows] for name, values in self.terms.items()},
            ignored=self.ignored[rows],
        )

    def __len__(self) -> int:
        return len(self.players)

    def __repr__(self) -> str:
        return f"<Changes of {len(self)} participants under {self.system.name}>"

    @overload
    def __getitem__(self, at: int) -> Change: ...
    @overload
    def __getitem__(self, at: slice) -> list[Change]: ...
    def __getitem__(self, at: int | slice) -> Change | list[Change]:
        """Return one change, or a list of several."""
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        if not -len(self) <= at < len(self):
            raise IndexError(f"there are {len(self)} changes, no number {at}")
        terms = {name: float(values[at]) for name, values in self.terms.items()}
        return Change(
            player=self.players[at],
            match_id=self.match_ids[at],
            place=int(self.places[at]),
            before=rating_of(self.before, at),
            after=rating_of(self.after, at),
            terms=tuple(explain(type(self.system), terms)),
        )

    def to_frame(self, backend: str = "pandas") -> Any:
        """Return the changes as a data frame of pandas, Polars or another library."""
        return to_frame(self.columns(), backend)

    def columns(self) -> dict[str, list[object]]:
        """Return the changes as the columns of the file that ``replay --events`` writes."""
        kept = {
            "rating": True,
            "deviation": self.system.shows.deviation,
            "volatility": self.system.shows.volatility,
        }
        return {
            "match_id": self.match_ids.tolist(),
            "played_at": [moment(time) for time in self.times.tolist()],
            "place": self.places.tolist(),
            "player": self.players.tolist(),
            **{
                f"{name}_{when}": getattr(states, name).tolist()
                for name, is_kept in kept.items()
                if is_kept
                for when, states in (("before", self.before), ("after", self.after))
            },
            **{term.name: self.terms[term.name].tolist() for term in replayed_terms(self.system)},
        }


def rating_of(states: States, row: int) -> Rating:
    """Return what is known of the player in a row of the states."""
    return Rating(
        rating=float(states.rating[row]),
        deviation=_none_for_nan(states.deviation[row]),
        volatility=_none_for_nan(states.volatility[row]),
        games=int(states.games[row]),
        last_played=moment(int(states.last_played[row])),
    )


def moment(time: int) -> datetime | None:
    """Return microseconds since 1970 as a time in UTC, ``None`` if there is none."""
    return None if time in {NEVER, WITHOUT_TIME} else EPOCH + timedelta(microseconds=time)


def _none_for_nan(number: float) -> float | None:
    return None if np.isnan(number) else float(number)
