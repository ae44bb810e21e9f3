"""The rules of an arena's queue: every attribute of the published configuration, declared once.

``Rules`` is what a matcher reads: ``queue`` (the filter), ``matcher`` (the scores) and ``choices``
(the readings of what the published page leaves open or says in two ways). ``xml`` in each
declaration is its place in the published form, inside ``<Queue>`` or ``<Matcher>``.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from matchmaking.rank_filter import RankFilterRules
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
"""The largest number a rule takes: far beyond use, and far from overflowing a sum of products."""

DAY = 86400.0


def _unexplained(attribute: str) -> Any:
    return parameter(
        0.0,
        label=f"Ladder filter: {attribute}",
        description="Without effect: the page does not say what this filter does.",
        minimum=0,
        maximum=0,
        xml=f"@{attribute}",
        source=CONFIGURATION,
    )


class LadderFilter(Parameters):
    """A filter that the published page configures and explains nowhere: only its zeros are known.

    It is kept so that a configuration that has it comes back whole; other values are refused
    rather than ignored.
    """

    ladder_start: DurationWithUnit = _unexplained("start")
    ladder_end: DurationWithUnit = _unexplained("end")
    ladder_max: float = _unexplained("max")
    ladder_min: float = _unexplained("min")


class QueueRules(Parameters):
    """The filter phase: who may queue, how often the matcher runs, whom a target may meet."""

    roster_min: int = parameter(
        1,
        label="Smallest roster",
        description="Players that a roster needs in order to queue.",
        unit="players",
        minimum=1,
        maximum=100,
        xml="RosterSize/@min",
        source=CONFIGURATION,
    )
    roster_max: int = parameter(
        5,
        label="Largest roster",
        description="Players that a roster may have in order to queue.",
        unit="players",
        minimum=1,
        maximum=100,
        xml="RosterSize/@max",
        source=CONFIGURATION,
    )
    iteration_interval: DurationWithUnit = parameter(
        30.0,
        label="Time between ticks",
        description="How long after one attempt to make matches the next one begins.",
        unit="seconds",
        above=0.0,
        maximum=DAY,
        xml="Iteration/@interval",
        source=CONFIGURATION,
    )
    iteration_rosters: int = parameter(
        100,
        label="Attempts a tick",
        description="For how many rosters a tick tries to make a match around each. One that is "
        "taken into another's match costs no attempt.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Iteration/@rosters",
        source=CONFIGURATION,
    )
    iteration_limit: DurationWithUnit = parameter(
        0.25,
        label="Longest tick",
        description="Time after which a tick makes no further attempt; 0 for no limit.",
        unit="seconds",
        minimum=0.0,
        maximum=DAY,
        xml="Iteration/@limit",
        source=CONFIGURATION,
    )
    potentials_min: int = parameter(
        20,
        label="Fewest potentials",
        description="How many rosters must pass the filter before a match is tried. In a league "
        "of few players online, as many will never pass: set it low there.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@min",
        source=CONFIGURATION,
    )
    potentials_max: int = parameter(
        500,
        label="Most potentials",
        description="How many rosters the filter gathers at most, the first in the queue first.",
        unit="rosters",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@max",
        source=CONFIGURATION,
    )
    potentials_falloff: float = parameter(
        0.375,
        label="Falloff of potentials",
        description="By how many rosters each second of waiting lowers the number that the choice "
        "“falloff” names.",
        unit="rosters a second",
        minimum=0,
        maximum=MOST,
        xml="Potentials/@falloff",
        source=CONFIGURATION,
    )
    potentials_start: DurationWithUnit = parameter(
        60.0,
        label="Start of the falloff",
        description="Wait after which the number of potentials begins to fall.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Potentials/@start",
        source=CONFIGURATION,
    )
    potentials_end: DurationWithUnit = parameter(
        180.0,
        label="End of the falloff",
        description="Wait after which the number of potentials falls no further.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Potentials/@end",
        source=CONFIGURATION,
    )
    rating_start: DurationWithUnit = parameter(
        300.0,
        label="Start of the padding",
        description="Wait after which the rating window begins to grow.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Rating/@start",
        source=CONFIGURATION,
    )
    rating_end: DurationWithUnit = parameter(
        600.0,
        label="End of the padding",
        description="Wait after which the rating window grows no further.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="Rating/@end",
        source=CONFIGURATION,
    )
    rating_min: float = parameter(
        25.0,
        label="Narrowest rating window",
        description="Largest rating difference between rosters to begin with.",
        unit="rating points",
        minimum=0,
        maximum=MOST,
        xml="Rating/@min",
        source=CONFIGURATION,
    )
    rating_max: float = parameter(
        1200.0,
        label="Widest rating window",
        description="Largest rating difference between rosters once the window has grown. It "
        "grows by the same amount each second from its start to its end.",
        unit="rating points",
        minimum=0,
        maximum=MOST,
        xml="Rating/@max",
        source=CONFIGURATION,
    )
    power_percent: float = parameter(
        1.0,
        label="Power of a roster",
        description="By how many percent playing together raises a roster's rating in the filter.",
        unit="percent",
        minimum=-100,
        maximum=MOST,
        xml="Power/@percent",
        source=CONFIGURATION,
    )
    power_curve: float = parameter(
        1.0,
        label="Curve of the power",
        description="Exponent of the number of players in a roster's power.",
        minimum=0,
        maximum=10,
        xml="Power/@curve",
        source=CONFIGURATION,
    )
    rank_min: float = parameter(
        0.0,
        label="Lowest rank",
        description="Rank that every member needs in order to queue.",
        minimum=0,
        maximum=MOST,
        xml="Rank/@min",
        source=CONFIGURATION,
    )
    ladder: LadderFilter | None = None

    def clashes(self) -> dict[str, str]:
        """Smallest above largest, or start after end."""
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
    default: float, label: str, description: str, xml: str, *, unit: str = "points of score"
) -> float:
    """A weight of the score: any number, below 0 to repel, above 0 to attract."""
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
    """The scoring phase: what each metric adds to the score of a roster for a seat."""

    type: Literal["Team"] = parameter(
        "Team",
        label="Kind of scoring",
        description="Rosters are scored for a team, not for the match as a whole. The published "
        "page knows no other kind.",
        choices={"Team": "For each team"},
        xml="@type",
        source=CONFIGURATION,
    )
    age_seconds: float = _score(
        2.0, "Age", "Added for each second that a roster has waited.", "Age/@seconds"
    )
    roster_size_max_diff: int = parameter(
        3,
        label="Largest difference of sizes",
        description="A roster joins no team if its size differs by more from the largest roster "
        "of the other team (new matcher) or of the match (old matcher).",
        unit="players",
        minimum=0,
        maximum=MOST,
        xml="RosterSize/@max-diff",
        source=CONFIGURATION,
    )
    roster_size_distance: float = _score(
        -100.0,
        "Difference of sizes",
        "Added for each player by which the roster's size differs.",
        "RosterSize/@distance",
    )
    roster_size_perfect_fit: float = _score(
        0.0,
        "Perfect fit",
        "Added if the roster fills the team's last seats exactly.",
        "RosterSize/@perfect-fit",
    )
    rank_distance: float = _score(
        0.0,
        "Difference of ranks",
        "Added for each rank between the roster's average and the match's (new matcher) or the "
        "team's (old matcher).",
        "Rank/@distance",
    )
    rating_distance: float = _score(
        -10.0,
        "Difference of ratings",
        "Added for each point between the effective average ratings (rating less deviation) of "
        "the two teams with the roster (new matcher), or of the roster and the team (old "
        "matcher).",
        "Rating/@distance",
    )
    profession_max: int = parameter(
        2,
        label="Most of one profession",
        description="How many players of one profession a team should have at most.",
        unit="players",
        minimum=0,
        maximum=MOST,
        xml="Profession/@max",
        source=CONFIGURATION,
    )
    profession_common: float = _score(
        -100.0,
        "Duplicate professions",
        "Added for each player of a profession above the most that a team should have.",
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
        "Difference of dishonor",
        "Added for each stack of dishonor between the roster and those already selected, as the "
        "choice “dishonor” measures it.",
        "Dishonor/@distance",
    )
    dishonor_stack: float = _score(
        -50.0,
        "Stacks of dishonor",
        "Added for each stack of dishonor in the roster.",
        "Dishonor/@stack",
    )
    guild_team_affinity: float = _score(
        50.0,
        "Guild teams meet",
        "Added if the roster is a guild's team and the other team has a guild's team.",
        "GuildTeam/@affinity",
    )
    games_max: float = parameter(
        500.0,
        label="Largest difference of games",
        description="Differences of games played count up to this many.",
        unit="games",
        minimum=0,
        maximum=MOST,
        xml="Games/@max",
        source=CONFIGURATION,
    )
    games_distance: float = _score(
        -0.25,
        "Difference of games",
        "Added for each game between the roster's average and the match's (new matcher) or the "
        "team's (old matcher).",
        "Games/@distance",
    )


class Rules(Parameters):
    """The rules of one arena's queue and matcher."""

    name: Annotated[str, Field(max_length=200)] = ""
    team_size: int = parameter(
        5,
        label="Team size",
        description="Players of one team.",
        unit="players",
        minimum=1,
        maximum=100,
        source=f"{GW2}: pseudo-code, config.teamSize",
    )
    queue: QueueRules = QueueRules()
    matcher: MatcherRules = MatcherRules()
    choices: Choices = Choices()
    rank_filter: RankFilterRules = RankFilterRules()
    laurel: LaurelRules = LaurelRules()
