"""The interface of a rating system."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.tunables import parameters as declared
    from ratings.types import Batch, Forecast, Integers, Outcome, States, Term


class UnsupportedMatch(ValueError):
    """A match that a system cannot rate. The message says why."""


@dataclass(frozen=True)
class Shows:
    """Which numbers a system keeps for a player, and how pages show them."""

    rating: str = "Rating"
    """What the system calls its number."""
    deviation: bool = False
    volatility: bool = False
    decimals: int = 0
    """Decimals on pages. Ratings are stored in full."""
    lowest_first: bool = False
    """Whether the smallest number is the best, as for the ranks of a ladder."""
    memory: tuple[str, ...] = ()
    """Names of the columns of ``States.memory``, if its width is fixed."""


class RatingSystem(ABC):
    """A way to rate players from match results.

    A system holds parameters but no players: states come in as arrays and go out as arrays. It
    reads no clock and draws no random numbers. Row ``i`` of a result depends on row ``i`` of the
    input and nothing else.
    """

    name: ClassVar[str]
    """The name used in configuration."""
    label: ClassVar[str]
    summary: ClassVar[str]
    """What the system is and who it is for, in a sentence or two."""
    Parameters: ClassVar[type[declared.Parameters]]
    shows: ClassVar[Shows]
    ranks_population: ClassVar[bool] = False
    """Whether newcomers' states depend on the number of earlier players, so their order matters."""
    counts_time: ClassVar[bool] = False
    """Whether a match that somebody quit is rated by the time that its players played."""
    terms: ClassVar[tuple[Term, ...]]
    """The terms of each participant's change that ``rate`` returns,
    in reading order. One is ``change``."""

    parameters: declared.Parameters

    @property
    def scale(self) -> float:
        """Its points for each point of chess, in which a lead of 400 wins ten to one."""
        return 1.0

    @abstractmethod
    def __init__(self, parameters: declared.Parameters) -> None: ...

    def check(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Raise ``UnsupportedMatch`` if this system cannot rate such a match.

        ``sizes`` holds the number of participants of each side. ``perf_ceiling`` says whether the
        match has a performance ceiling.
        """
        if len(sizes) < 2:
            raise UnsupportedMatch(f"{self.label} rates matches of two or more sides")
        if min(sizes) < 1:
            raise UnsupportedMatch(f"{self.label} rates sides of at least one player")
        if perf_ceiling:
            raise UnsupportedMatch(
                f"{self.label} has no performance ceiling; leave perf_ceiling empty"
            )

    @abstractmethod
    def newcomers(self, count: int, population: int = 0) -> States:
        """Return ``(count,)`` states for players who join after ``population`` others."""

    @abstractmethod
    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate matches that share no player. ``before`` holds the stored states ``(m, p)``."""

    def at(self, states: States, times: Integers) -> States:
        """Return the states as of ``times`` (microseconds since 1970, same shape as ``states``).

        The result is for reading only. The effect of time is computed whenever it is needed, so
        storing it would apply it twice.
        """
        del times
        return states

    @abstractmethod
    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Predict ``m`` matches of one shape from the participants' ``states`` ``(m, p)``.

        The chances sum to 1 and do not depend on the order of the sides. ``times`` ``(m,)`` gives
        the time of each match. Without it, the states are used as they are.
        """

    def predict_batch(self, before: States, batch: Batch) -> Forecast:
        """Predict the matches of a batch from the stored states ``(m, p)``, knowing all of it but
        its result."""
        return self.predict(before, batch.sizes, batch.times)
