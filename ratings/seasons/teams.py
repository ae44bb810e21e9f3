"""The rules of teams and rosters in a season: team ratings, locks, eligibility, stand-ins."""

from __future__ import annotations

from ratings.tunables.kinds import CalendarSpan
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence


class Teams(Parameters):
    """The rules of teams and rosters in a season."""

    rate: bool = parameter(
        default=False,
        label="Rate teams",
        description="Teams get ratings of their own from matches between rosters of different "
        "teams. The season's rating system rates each team as one player. Players' ratings do not "
        "change. It does not apply to ladders.",
        source="Kreimeier 2000, Credit Assignment: groups of players are rated as teams",
    )
    lock_after: CalendarSpan = parameter(
        0,
        label="Rosters locked after",
        description="How long after the start of a season rosters are locked. From then on nobody "
        "can join a roster or be removed from one, except in a transfer window. Members can still "
        "leave. 0 means that rosters are never locked.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source="Laurel",
    )
    window_every: CalendarSpan = parameter(
        0,
        label="Time between transfer windows",
        description="How often a transfer window opens, counted from when rosters are locked. 0 "
        "means that there are no transfer windows.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source="Laurel",
    )
    window_length: CalendarSpan = parameter(
        "7d",
        label="Length of a transfer window",
        description="How long a transfer window stays open.",
        unit="time",
        minimum="1h",
        maximum="365d",
        source="Laurel",
    )
    members_max: int = parameter(
        0,
        label="Most players in a roster",
        description="The most members that a roster can have. 0 means no such limit.",
        unit="players",
        minimum=0,
        maximum=1_000,
        source="Laurel",
    )
    lowest_rating: float = parameter(
        0.0,
        label="Lowest rating to join a roster",
        description="Players with a lower rating in the season cannot join a roster. It applies to "
        "players who have played in the season. 0 means no limit. It does not apply to ladders.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source="Laurel",
    )
    highest_rating: float = parameter(
        0.0,
        label="Highest rating to join a roster",
        description="Players with a higher rating in the season cannot join a roster. Otherwise as "
        "for the lowest rating.",
        unit="rating points",
        minimum=-1_000_000,
        maximum=1_000_000,
        source="Laurel",
    )
    stand_ins: int = parameter(
        0,
        label="Stand-ins per side",
        description="How many players of a side may be in no roster of its captain. They are other "
        "members of the team, or players who have offered to stand in. They are rated as "
        "themselves. 0 means none.",
        unit="players",
        minimum=0,
        maximum=100,
        source="Laurel",
    )

    def clashes(self) -> dict[str, Sentence]:
        """Check that windows are shorter than the time between them, and the ratings in order."""
        problems = {}
        if self.window_every and not self.lock_after:
            problems["window_every"] = Sentence("needs a time after which rosters are locked")
        elif self.window_every and self.window_length >= self.window_every:
            problems["window_length"] = Sentence(
                "must be shorter than the time between transfer windows"
            )
        if self.lowest_rating and self.highest_rating and self.highest_rating < self.lowest_rating:
            problems["highest_rating"] = Sentence("must not be below the lowest rating")
        return problems
