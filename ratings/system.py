"""The interface of a rating system."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from ratings.tunables.sentences import Explained, Name, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ratings.candidates import Candidates
    from ratings.tunables import parameters as declared
    from ratings.tunables.published import Published
    from ratings.types import (
        Batch,
        Floats,
        Forecast,
        Integers,
        Learnt,
        Loop,
        Outcome,
        States,
        Term,
        TermUnit,
    )


class UnsupportedMatch(Explained):
    """A match that a system cannot rate. The message says why."""


@dataclass(frozen=True)
class Shows:
    """The numbers that a system keeps for a player, and how pages show them."""

    rating: str = "Rating"
    """The system's name for its number."""
    deviation: bool = False
    volatility: bool = False
    decimals: int = 0
    """Decimals on pages. Ratings are stored in full."""
    lowest_first: bool = False
    """Whether the smallest number is the best, as for the ranks of a ladder."""
    memory: tuple[str, ...] = ()
    """Names of the columns of ``States.memory``, if its width is fixed."""

    # An arena may show other numbers than its ratings: see ``ratings.display``.

    @property
    def numbers(self) -> Shows:
        """Return the display of numbers that are already what people see."""
        return self

    def show(self, rating: float) -> float:
        """Return what people see for a rating."""
        return rating

    def movement(self, before: float, after: float) -> float:
        """Return by how much what people see differs between two ratings."""
        return after - before

    def spread(self, rating: float, deviation: float) -> float:
        """Return what people see for the deviation of a rating."""
        del rating
        return deviation

    def points(self, points: float) -> float:
        """Return what people see for a number of rating points, wherever they are."""
        return points

    def deviation_of(self, spread: float) -> float | None:
        """Return the deviation that people see as ``spread``, ``None`` if it depends on the
        rating."""
        return spread

    def edge(self, rating: float) -> float:
        """Return what people see for a round rating, without needless decimals."""
        return rating

    @property
    def explains(self) -> bool:
        """Whether a change can be recomputed from terms as they are shown.

        Otherwise it is explained on the rating's own scale.
        """
        return True

    def term(self, unit: TermUnit, value: float, rating: float) -> float:
        """Return what people see for a term that explains a change of a rating."""
        del unit, rating
        return value


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
    """The system and its purpose in a sentence or two."""
    Parameters: ClassVar[type[declared.Parameters]]
    shows: ClassVar[Shows]
    ranks_population: ClassVar[bool] = False
    """Whether newcomers' states depend on the number of earlier players, so their order matters."""
    counts_time: ClassVar[bool] = False
    """Whether a match that somebody quit is rated by the time that its players played."""
    lowest: ClassVar[float] = -math.inf
    """No rating is below this."""
    zero_sum: ClassVar[bool] = False
    """Whether the sum of all ratings stays the same, whatever is played."""
    adds_members: ClassVar[bool] = False
    """Whether the strength of a side is always the sum of its members' ratings."""
    knows_first_side: ClassVar[bool] = False
    """Whether it rates the advantage of the first side itself. For all others, the replay does."""
    knows_draws: ClassVar[bool] = False
    """Whether it forecasts draws itself. For all others, ``ratings.contests.draws`` does."""
    kept_in_states: ClassVar[tuple[str, ...]] = ()
    """Names of parameters on which the layout or meaning of stored states depends. They cannot
    change in the middle of a history."""
    newcomer_parameters: ClassVar[tuple[str, str]] = ("initial_rating", "initial_deviation")
    """Names of the parameters of a newcomer's rating and deviation. The second one exists only in
    systems with deviations."""
    against_two_sides: ClassVar[str] = ""
    """The reason not to offer it for matches of two sides, though it rates them. Empty if none."""
    published: ClassVar[Mapping[str, Published]] = {}
    """Parameters of sources by a short name, where the defaults are others."""
    fitted: ClassVar[tuple[str, ...]] = ()
    """Names of the parameters that are worth fitting to a history first."""
    terms: ClassVar[tuple[Term, ...]]
    """The terms of each participant's change that ``rate`` returns,
    in reading order. One is ``change``."""

    parameters: declared.Parameters
    anchors: frozenset[str] = frozenset()
    """Names of the players whose ratings no result moves. Others are rated against them as ever."""

    def with_anchors(self, players: Iterable[str]) -> Self:
        """Return this system with anchors. Raises ``UnsupportedMatch`` for systems of ranks."""
        if self.shows.lowest_first:
            raise self.refuse("%(system)s has ranks, which cannot be held fixed")
        same = copy(self)
        same.anchors = frozenset(players)
        return same

    @property
    def rates_events(self) -> bool:
        """Whether matches with events are rated by them and not by their places."""
        return bool(getattr(self.parameters, "rate_events", False))

    def rate_events(
        self, ratings: list[float], events: Integers, weight: float, held: Sequence[bool]
    ) -> dict[str, list[float]]:
        """Rate one match of single players event by event, and return terms of each player.

        ``ratings`` are those before it, and become those after it. ``events`` ``(e, 3)`` are the
        winner and the loser of each event, as indices of ``ratings``, and its kind. Players that
        are ``held`` keep their rating throughout. Terms that are not returned stay as ``rate`` gave
        them.
        """
        del ratings, events, weight, held
        raise self.refuse("%(system)s does not rate single events")

    @property
    def idle_period(self) -> float | None:
        """Seconds without a match after which a rating grows uncertain in steps, if it does."""
        return None

    def unsettles(self, gap: float) -> bool:
        """Return whether ratings cannot become certain if so many seconds pass between matches."""
        del gap
        return False

    @property
    def temperature(self) -> float | None:
        """The lead in rating points with which it expects to win 73%, if its chances are logistic.

        Kreimeier's T. ``None`` for systems with chances of another kind, or none.
        """
        return None

    @property
    def is_logistic(self) -> bool:
        """Whether a lead of 400 times its ``scale`` wins ten duels for each one lost."""
        return self.temperature is not None

    @property
    def ignores_all_tied(self) -> bool:
        """Whether a match in which all sides tie is none to it, as parameters say."""
        return bool(getattr(self.parameters, "ignore_all_tied", False))

    @property
    def sums_sides(self) -> bool:
        """Whether the strength of a side, as parameters say, is the sum of its members' ratings."""
        return self.adds_members or getattr(self.parameters, "team_strength", "") == "sum"

    @property
    def averages_sides(self) -> bool:
        """Whether the strength of a side, as parameters say, is its members' mean rating."""
        return getattr(self.parameters, "team_strength", "") == "mean"

    @property
    def scale(self) -> float:
        """Its points for each point of chess, in which a lead of 400 wins ten to one."""
        return 1.0

    def scale_at(self, rating: float) -> float:
        """Return the same near a rating, if it depends on it."""
        del rating
        return self.scale

    def in_chess(self, before: Floats, after: Floats) -> Floats:
        """Return changes of ratings in points of chess."""
        return (after - before) / self.scale

    @abstractmethod
    def __init__(self, parameters: declared.Parameters) -> None: ...

    def check_sizes(self, sizes: Sequence[int], *, perf_ceiling: bool = False) -> None:
        """Raise ``UnsupportedMatch`` if this system cannot rate such a match.

        ``sizes`` holds the number of participants of each side. ``perf_ceiling`` says whether the
        match has a performance ceiling.
        """
        if len(sizes) < 2:
            raise self.refuse("%(system)s rates matches of two or more sides")
        if min(sizes) < 1:
            raise self.refuse("%(system)s rates sides of at least one player")
        if perf_ceiling:
            raise self.refuse(
                "%(system)s has no performance ceiling; leave %(perf_ceiling)s empty",
                perf_ceiling=Name("perf_ceiling", label="Performance ceiling"),
            )

    def refuse(self, message: str, **values: object) -> UnsupportedMatch:
        """Return an error whose message can name this ``%(system)s``."""
        return UnsupportedMatch(message, system=Sentence(self.label), **values)

    @classmethod
    def side_by_side(cls, candidates: Sequence[Self]) -> Candidates | None:
        """Return what rates duels with several systems of this class at once.

        They differ in numbers only. ``None`` if these cannot, which is the default.
        """
        del candidates
        return None

    def compiled_loop(self, sizes: tuple[int, ...]) -> Loop | None:
        """Return compiled code for sides of these sizes, without professions.

        ``None`` if there is none, which is the default. Raises ``ImportError`` if Numba is
        missing or does not work.
        """
        del sizes
        return None

    @abstractmethod
    def newcomers(self, count: int, population: int = 0) -> States:
        """Return ``(count,)`` states for players who join after ``population`` others."""

    @abstractmethod
    def rate(self, before: States, batch: Batch) -> Outcome:
        """Rate matches that share no player. ``before`` holds the stored states ``(m, p)``.

        What ``ignores_all_tied`` leaves out is rated like any other match. The replay undoes it.
        """

    def at(self, states: States, times: Integers) -> States:
        """Return the states as of ``times`` (microseconds since 1970, same shape as ``states``).

        The result is for reading only. The effect of time is computed whenever it is needed, so
        storing it would apply it twice.
        """
        del times
        return states

    def describe_game(self, states: States) -> Learnt | None:
        """Return the game as players of ``states`` ``(n,)`` know it.

        ``None`` if the system learns nothing but strengths, which is the default.
        """
        del states
        return None

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

    def raise_by(self, states: States, points: Floats) -> States:
        """Return states ``(m, p)`` of players who are stronger by ``points`` ``(m, p)``.

        They are only opponents, so what a system remembers for their own next rating may stay.
        """
        return replace(states, rating=states.rating + points)
