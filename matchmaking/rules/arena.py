"""The rules of an arena's queue: every attribute of the published configuration.

A matcher reads ``Rules``: ``queue`` (the filter), ``matcher`` (the scores) and ``choices``
(readings of the published page where it is silent or contradicts itself). ``xml`` in each
declaration is its place in the published form, inside ``<Queue>`` or ``<Matcher>``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from matchmaking.rank_filter import RankFilterRules
from matchmaking.regions import RegionRules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.rules.readings import CONFIGURATION, GW2, Choices
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

__all__ = [
    "CONFIGURATION",
    "DAY",
    "GW2",
    "MOST",
    "Choices",
    "LadderFilter",
    "MatcherRules",
    "QueueRules",
    "Rules",
]

MOST = 1e9
"""The largest number in a rule: far beyond any use, and too small to overflow a sum of products."""

DAY = 86400.0


def _unexplained(attribute: str) -> Any:
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

    ladder_start: DurationWithUnit = _unexplained("start")
    ladder_end: DurationWithUnit = _unexplained("end")
    ladder_max: float = _unexplained("max")
    ladder_min: float = _unexplained("min")


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
        unit="rating points",
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
        unit="rating points",
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
    )
    power_curve: float = parameter(
        1.0,
        label="Roster power curve",
        description="Exponent of the number of players in a roster's power.",
        minimum=0,
        maximum=10,
        xml="Power/@curve",
        source=CONFIGURATION,
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

    def clashes(self) -> dict[str, str]:
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
                problems[low] = (
                    f"must be at most {high} ({getattr(self, high):g}); "
                    f"you gave {getattr(self, low):g}"
                )
        return problems


def _score(
    default: float, label: str, description: str, xml: str, *, unit: str = "score points"
) -> float:
    """Declare a score weight: any number, below 0 to repel, above 0 to attract."""
    weight: float = parameter(
        default,
        label=label,
        description=description,
        unit=unit,
        minimum=-MOST,
        maximum=MOST,
        xml=xml,
        source=CONFIGURATION,
    )
    return weight


class MatcherRules(Parameters):
    """The scoring phase: what each metric adds to a roster's score for a seat."""

    type: Literal["Team"] = parameter(
        "Team",
        label="Scoring type",
        description="Rosters are scored for a team, not for the whole match. The published page "
        "has no other type.",
        choices={"Team": "Per team"},
        xml="@type",
        source=CONFIGURATION,
    )
    age_seconds: float = _score(
        2.0, "Age", "Added for each second that the roster has waited.", "Age/@seconds"
    )
    roster_size_max_diff: int = parameter(
        3,
        label="Maximum size difference",
        description="A roster cannot join a team if its size differs by more from the largest "
        "roster of the other team (new matcher) or of the match (old matcher).",
        unit="players",
        minimum=0,
        maximum=MOST,
        xml="RosterSize/@max-diff",
        source=CONFIGURATION,
    )
    roster_size_distance: float = _score(
        -100.0,
        "Size difference",
        "Added for each player of difference in roster size.",
        "RosterSize/@distance",
    )
    roster_size_perfect_fit: float = _score(
        0.0,
        "Perfect fit",
        "Added if the roster exactly fills the team's last seats.",
        "RosterSize/@perfect-fit",
    )
    rank_distance: float = _score(
        0.0,
        "Rank difference",
        "Added for each rank between the roster's average and that of the match "
        "(new matcher) or the team (old matcher).",
        "Rank/@distance",
    )
    rating_distance: float = _score(
        -10.0,
        "Rating difference",
        "Added for each point between the average effective ratings (rating minus "
        "deviation) of the two teams once the roster has joined (new matcher), or "
        "of the roster and the team (old matcher).",
        "Rating/@distance",
    )
    profession_max: int = parameter(
        2,
        label="Maximum of one profession",
        description="Players of one profession that a team should have at most.",
        unit="players",
        minimum=0,
        maximum=MOST,
        xml="Profession/@max",
        source=CONFIGURATION,
    )
    profession_common: float = _score(
        -100.0,
        "Duplicate professions",
        "Added for each player of a profession above that maximum.",
        "Profession/@common",
    )
    profession_unique: float = _score(
        0.0,
        "New professions",
        "Added for each profession that the roster is the first to bring to the team.",
        "Profession/@unique",
    )
    profession_matching: float = _score(
        100.0,
        "Matching professions",
        "Added for each of the roster's professions that the other team has more of (new matcher).",
        "Profession/@matching",
    )
    dishonor_distance: float = _score(
        -100.0,
        "Dishonor difference",
        "Added for each stack of dishonor between the roster and the selected "
        "rosters, measured as chosen in “Dishonor distance”.",
        "Dishonor/@distance",
    )
    dishonor_stack: float = _score(
        -50.0,
        "Dishonor stacks",
        "Added for each stack of dishonor in the roster.",
        "Dishonor/@stack",
    )
    guild_team_affinity: float = _score(
        50.0,
        "Guild team affinity",
        "Added if the roster is a guild team and the other team has a guild team.",
        "GuildTeam/@affinity",
    )
    games_max: float = parameter(
        500.0,
        label="Maximum difference in games",
        description="Differences in games played count up to this many games.",
        unit="games",
        minimum=0,
        maximum=MOST,
        xml="Games/@max",
        source=CONFIGURATION,
    )
    games_distance: float = _score(
        -0.25,
        "Difference in games",
        "Added for each game between the roster's average and that of the match "
        "(new matcher) or the team (old matcher).",
        "Games/@distance",
    )


class Rules(Parameters):
    """The rules of one arena's queue and matcher."""

    name: Annotated[str, Field(max_length=200)] = ""
    team_size: int = parameter(
        5,
        label="Team size",
        description="Players per team.",
        unit="players",
        minimum=1,
        maximum=100,
        source=f"{GW2}: pseudo-code, config.teamSize",
    )
    queue: QueueRules = QueueRules()
    matcher: MatcherRules = MatcherRules()
    choices: Choices = Choices()
    rank_filter: RankFilterRules = RankFilterRules()
    region: RegionRules = RegionRules()
    laurel: LaurelRules = LaurelRules()
