"""What a rating system is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ratings.tunables import parameters as declared
    from ratings.types import Batch, Forecast, Integers, Outcome, States, Term


class UnsupportedMatch(ValueError):
    """A match that a system cannot rate; the message says which part of it and why."""


@dataclass(frozen=True)
class Shows:
    """What a system keeps of a player, and how a page shows it."""

    rating: str = "Rating"
    """The word for its number."""
    deviation: bool = False
    volatility: bool = False
    decimals: int = 0
    """Decimals that a page shows; ratings themselves are kept in full."""
    lowest_first: bool = False
    """Whether the smallest number is the best, as of a ladder's ranks."""
    memory: tuple[str, ...] = ()
    """Names of the columns of ``States.memory``, where its width is fixed."""


class RatingSystem(ABC):
    """One way to rate players from results.

    A system holds parameters and no players: states come in as arrays and go out as arrays. It
    reads no clock and draws no random number, and row ``i`` of what it returns depends on row
    ``i`` of what it is given and on nothing else.
    """

    name: ClassVar[str]
    """As configuration writes it."""
    label: ClassVar[str]
    summary: ClassVar[str]
    """What it is and whom it suits, in a sentence or two."""
    Parameters: ClassVar[type[declared.Parameters]]
    shows: ClassVar[Shows]
    ranks_population: ClassVar[bool] = False
    """Whether newcomers' states depend on how many came before, so that their order counts."""
    terms: ClassVar[tuple[Term, ...]]
    """What ``rate`` explains of each participant's change, in reading order."""

    parameters: declared.Parameters

    @abstractmethod
    def __init__(self, parameters: declared.Parameters) -> None: ...

    def check(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Refuse what this system cannot rate.

        ``sizes`` counts the participants of each side, ``perf_ceiling`` says that a match limits
        what its result can show of a player. Raises ``UnsupportedMatch``.
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
        """The states ``(count,)`` of players who join after ``population`` others."""

    @abstractmethod
    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate matches that share no player; ``before`` is ``(m, p)``, as last stored."""

    def at(self, states: States, times: Integers) -> States:
        """The states as seen at ``times`` (microseconds since 1970, in the shape of ``states``).

        Only for looking: what time alone does to a player is worked out when it is needed, and
        storing it would count it twice.
        """
        del times
        return states

    @abstractmethod
    def predict(
        self, states: States, sizes: Sequence[int], times: Integers | None = None
    ) -> Forecast:
        """Chances of the sides of ``m`` matches of one shape; ``states`` is ``(m, p)``.

        The chances sum to 1 and do not depend on the order of the sides. ``times`` is ``(m,)``
        and makes the forecast as of then; without it the states are taken as they are.
        """
