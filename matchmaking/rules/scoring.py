"""The rules of ``<Matcher>``: what each metric adds to a score."""

from __future__ import annotations

from typing import Literal

from matchmaking.rules.limits import MOST
from matchmaking.rules.readings import CONFIGURATION
from ratings.tunables.parameters import Parameters, parameter


def _score(
    default: float, label: str, description: str, xml: str, *, expert: bool = False
) -> float:
    """Declare a score weight: any number, below 0 to repel, above 0 to attract."""
    weight: float = parameter(
        default,
        label=label,
        description=description,
        unit="score points",
        minimum=-MOST,
        maximum=MOST,
        xml=xml,
        expert=expert,
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
        expert=True,
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
        expert=True,
    )
    rank_distance: float = _score(
        0.0,
        "Rank difference",
        "Added for each rank between the roster's average and that of the match "
        "(new matcher) or the team (old matcher).",
        "Rank/@distance",
        expert=True,
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
        expert=True,
    )
    profession_common: float = _score(
        -100.0,
        "Duplicate professions",
        "Added for each player of a profession above that maximum.",
        "Profession/@common",
        expert=True,
    )
    profession_unique: float = _score(
        0.0,
        "New professions",
        "Added for each profession that the roster is the first to bring to the team.",
        "Profession/@unique",
        expert=True,
    )
    profession_matching: float = _score(
        100.0,
        "Matching professions",
        "Added for each of the roster's professions that the other team has more of (new matcher).",
        "Profession/@matching",
        expert=True,
    )
    dishonor_distance: float = _score(
        -100.0,
        "Dishonor difference",
        "Added for each stack of dishonor between the roster and the selected "
        "rosters, measured as chosen in “Dishonor distance”.",
        "Dishonor/@distance",
        expert=True,
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
        expert=True,
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
        expert=True,
    )
    games_distance: float = _score(
        -0.25,
        "Difference in games",
        "Added for each game between the roster's average and that of the match "
        "(new matcher) or the team (old matcher).",
        "Games/@distance",
        expert=True,
    )
