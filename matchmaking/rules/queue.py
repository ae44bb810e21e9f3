"""The rules of ``<Queue>``: who may queue, when ticks run, and which rosters a target may meet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matchmaking.rules.limits import DAY, MOST
from matchmaking.rules.readings import CONFIGURATION
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from ratings.tunables.sentences import Sentence


def _declare_unexplained(attribute: str) -> Any:
    return parameter(
        0.0,
        label=f"Ladder filter: {attribute}",
        description="No effect: the page does not say what this filter does.",
        minimum=0,
        maximum=0,
        xml=f"@{attribute}",
        source=CONFIGURATION,
    )


class LadderFilter(Parameters):
    """A filter that the published page configures with zeros and never explains.

    It is kept so that a configuration comes back unchanged; values other than 0 are refused.
    """

    ladder_start: DurationWithUnit = _declare_unexplained("start")
    ladder_end: DurationWithUnit = _declare_unexplained("end")
    ladder_max: float = _declare_unexplained("max")
    ladder_min: float = _declare_unexplained("min")


class QueueRules(Parameters):
    """The filter phase: who may queue, when ticks run, and which rosters a target may meet."""

    roster_min: int = parameter(
        1,
        label="Smallest roster",
        description="Minimum number of players in a roster.",
        unit="players",
        minimum=1,
        maximum=100,
        xml="RosterSize/@min",
        source=CONFIGURATION,
    )
    roster_max: int = parameter(
        5,
        label="Largest roster",
        description="Maximum number of players in a roster.",
        unit="players",
        minimum=1,
        maximum=100,
        xml="RosterSize/@max",
        source=CONFIGURATION,
    )
    iteration_interval: DurationWithUnit = parameter(
        30.0,
        label="Time between ticks",
        description="Time from the start of one tick to the next.",
        unit="seconds",
        above=0.0,
        maximum=DAY,
        xml="Iteration/@interval",
        source=CONFIGURATION,
    )
    iteration_rosters: int = parameter(
        100,
        label="Attempts per tick",
        description="Number of rosters that a tick tries to make a match around. A roster that "
        "joins another's match costs no attempt.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Iteration/@rosters",
        source=CONFIGURATION,
        expert=True,
    )
    iteration_limit: DurationWithUnit = parameter(
        0.25,
        label="Longest tick",
        description="Time after which a tick makes no more attempts; 0 for no limit.",
        unit="seconds",
        minimum=0.0,
        maximum=DAY,
        xml="Iteration/@limit",
        source=CONFIGURATION,
        expert=True,
    )
    potentials_min: int = parameter(
        20,
        label="Minimum potentials",
        description="Rosters that must pass the filter before a match is tried. Set it low if "
        "few players are online.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@min",
        source=CONFIGURATION,
    )
    potentials_max: int = parameter(
        500,
        label="Maximum potentials",
        description="Maximum number of rosters that the filter gathers, from the front of the "
        "queue.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@max",
        source=CONFIGURATION,
        expert=True,
    )
    potentials_falloff: float = parameter(
        0.375,
        label="Potentials falloff",
        description="Rosters by which each second of waiting lowers the limit chosen in "
        "“Falloff applies to”.",
        unit="rosters per second",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@falloff",
        source=CONFIGURATION,
        expert=True,
    )
    potentials_start: DurationWithUnit = parameter(
        60.0,
        label="Falloff start",
        description="Wait after which the limit on potentials begins to fall.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Potentials/@start",
        source=CONFIGURATION,
        expert=True,
    )
    potentials_end: DurationWithUnit = parameter(
        180.0,
        label="Falloff end",
        description="Wait after which the limit on potentials stops falling.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Potentials/@end",
        source=CONFIGURATION,
        expert=True,
    )
    rating_start: DurationWithUnit = parameter(
        300.0,
        label="Padding start",
        description="Wait after which the rating window begins to grow.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Rating/@start",
        source=CONFIGURATION,
    )
    rating_end: DurationWithUnit = parameter(
        600.0,
        label="Padding end",
        description="Wait after which the rating window stops growing.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Rating/@end",
        source=CONFIGURATION,
    )
    rating_min: float = parameter(
        25.0,
        label="Narrowest rating window",
        description="Maximum rating difference between rosters at first.",
        unit="points of chess",
        minimum=0,
        maximum=MOST,
        xml="Rating/@min",
        source=CONFIGURATION,
    )
    rating_max: float = parameter(
        1200.0,
        label="Widest rating window",
        description="Maximum rating difference between rosters once the window is fully grown. "
        "It grows evenly from start to end.",
        unit="points of chess",
        minimum=0,
        maximum=MOST,
        xml="Rating/@max",
        source=CONFIGURATION,
    )
    power_percent: float = parameter(
        1.0,
        label="Roster power",
        description="Percentage added to a roster's rating in the filter for playing together.",
        unit="percent",
        minimum=-100,
        maximum=MOST,
        xml="Power/@percent",
        source=CONFIGURATION,
        expert=True,
    )
    power_curve: float = parameter(
        1.0,
        label="Roster power curve",
        description="Exponent of the number of players in a roster's power.",
        minimum=0,
        maximum=10,
        xml="Power/@curve",
        source=CONFIGURATION,
        expert=True,
    )
    rank_min: float = parameter(
        0.0,
        label="Minimum rank",
        description="Rank that every member of a roster needs to queue.",
        minimum=0,
        maximum=MOST,
        xml="Rank/@min",
        source=CONFIGURATION,
    )
    ladder: LadderFilter | None = None

    def clashes(self) -> dict[str, Sentence]:
        """Refuse a minimum above its maximum, or a start after its end."""
        problems = {}
        for low, high in (
            ("roster_min", "roster_max"),
            ("potentials_min", "potentials_max"),
            ("potentials_start", "potentials_end"),
            ("rating_start", "rating_end"),
            ("rating_min", "rating_max"),
        ):
            if getattr(self, low) > getattr(self, high):
                problems[low] = self.too_high(low, high)
        return problems
