"""All that an arena lays down for its seasons, declared once.

How a season starts, who is ranked, what absence takes, when seasons follow each other, what becomes
of late results, and the divisions. The published rules are in ``ratings.seasons.carrying_over`` and
``ratings.percentile``; the defaults here are those of an arena whose staff said nothing: ratings
start afresh, nothing decays, a season lasts until the next is opened.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

from ratings import divisions
from ratings.percentile import Activity, Division, DivisionError
from ratings.points import tables
from ratings.points.rules import Ladder, PointsError
from ratings.seasons.carrying_over import Decay, SeasonStart
from ratings.tunables.kinds import DateOrEmpty, Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.types import MICROSECONDS_PER_SECOND

if TYPE_CHECKING:
    from ratings.system import RatingSystem

SOURCE = "GW2 <Ratings>"
CHALLENGES = "Laurel, for Kreimeier 2000, Jacob's Ladder"


class Start(SeasonStart):
    """With what ratings a season of an arena opens."""

    placement: Literal["linear-scale", "carry-over", "fresh"] = parameter(
        "fresh",
        label="Ratings at the start",
        description="What becomes of last season's ratings.",
        choices={
            "fresh": "everyone starts anew",
            "carry-over": "kept as they are",
            "linear-scale": "drawn towards the centre",
        },
        source=f"{SOURCE} Placement/@type",
    )
    reset: Literal["none", "partial", "full"] = parameter(
        "none",
        label="Reset of the absent",
        description="What happens at the start to those who last played before the day below.",
        choices={
            "none": "nothing",
            "partial": "their deviation starts anew (partial reset)",
            "full": "rating and deviation start anew (full reset)",
        },
        source=f"{SOURCE} @partial-reset, @full-reset",
    )
    reset_before: DateOrEmpty = parameter(
        "",
        label="Reset who last played before",
        description="The first day (UTC) whose players are not reset.",
        source=f"{SOURCE} @partial-reset, @full-reset",
    )

    def clashes(self) -> dict[str, str]:
        """A reset needs its day."""
        if self.reset != "none" and not self.reset_before:
            return {"reset_before": "must be given when there is a reset of the absent"}
        return {}

    @property
    def reset_at(self) -> datetime | None:
        """The moment before which the last match must be for a reset."""
        if self.reset == "none":
            return None
        return datetime.fromisoformat(self.reset_before).replace(tzinfo=UTC)


class Ranked(Activity):
    """Who is ranked in an arena."""

    returning_matches: int = parameter(
        3,
        label="Placement matches of those who return",
        description="As above, for players whom the season took over from the one before.",
        unit="matches",
        minimum=0,
        maximum=100_000,
        source="Laurel: their rating is an estimate already",
    )

    def needed(self, *, returning: bool) -> int:
        """Matches until a player is ranked."""
        return (
            min(self.placement_matches, self.returning_matches)
            if returning
            else self.placement_matches
        )


class ArenaDecay(Decay):
    """What absence takes from the effective rating in an arena."""

    points: float = parameter(
        0.0,
        label="Decay: points",
        description="The most that absence takes from the effective rating. 0 turns decay off; "
        "Ranked's published number is 700.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=f"{SOURCE} Decay/@points",
    )


class Calendar(Parameters):
    """When seasons end and follow each other, and what becomes of late results."""

    length: Duration = parameter(
        0,
        label="Length of a season",
        description="In whole days a season ends at the hour at which it began, also when the "
        "clocks have changed. 0: it lasts until the next is opened by hand.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source="Laurel",
    )
    follows: bool = parameter(
        default=False,
        label="Plan the next season",
        description="Whether a next season of the same length is planned when one ends.",
        source="Laurel",
    )
    pause: Duration = parameter(
        0,
        label="Pause between seasons",
        description="How long after the end of a season the next one that is planned starts.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Laurel",
    )
    late: Literal["its-season", "running", "refuse"] = parameter(
        "its-season",
        label="Results that arrive late",
        description="What becomes of results that are not settled when their season ends.",
        choices={
            "its-season": "count for the season they were played in, until its archive is frozen",
            "running": "count for the season that is running when they arrive",
            "refuse": "do not count",
        },
        source="Laurel",
    )
    archive_after: Duration = parameter(
        "3d",
        label="Archive after",
        description="How long after the end of a season its standings are frozen, where late "
        "results count for it. Otherwise they are frozen at its end.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Laurel",
    )
    honoured: int = parameter(
        3,
        label="Players honoured",
        description="How many places are awarded at the end of a season; players who share a "
        "place are all awarded. 0: none.",
        unit="players",
        minimum=0,
        maximum=100,
        source="Laurel",
    )

    @property
    def wait(self) -> float:
        """Seconds from a season's end to its archive."""
        return self.archive_after if self.late == "its-season" else 0.0

    def clashes(self) -> dict[str, str]:
        """Seasons that follow each other have a length."""
        if self.follows and not self.length:
            return {"length": "must be above 0 when the next season is to be planned"}
        if 0 < self.length < 3600:
            return {"length": "must be at least 1h, or 0 for no end"}
        return {}


class Challenges(Parameters):
    """How players of a ladder challenge each other; what ignoring costs is the ladder's to say."""

    answer: Duration = parameter(
        "3d",
        label="Time to answer a challenge",
        description="How long the challenged has to accept or decline. After that the challenge "
        "counts as ignored, which costs the ranks that the ladder's own parameter says.",
        unit="time",
        minimum="1m",
        maximum="30d",
        source=CHALLENGES,
    )
    play: Duration = parameter(
        "7d",
        label="Time to play",
        description="How long the two have from acceptance to the report of the result. After that "
        "the match is void and nobody pays; who did not turn up is for staff to judge.",
        unit="time",
        minimum="1m",
        maximum="90d",
        source=CHALLENGES,
    )
    sent: int = parameter(
        1,
        label="Open challenges that a player may have sent",
        description="How many of a player's own challenges may be unanswered or not yet played.",
        unit="challenges",
        minimum=1,
        maximum=100,
        source=CHALLENGES,
    )
    received: int = parameter(
        1,
        label="Open challenges against one player",
        description="How many may challenge the same player at a time; others have to wait.",
        unit="challenges",
        minimum=1,
        maximum=100,
        source=CHALLENGES,
    )
    rest: Duration = parameter(
        "1d",
        label="Rest before a rematch",
        description="How long after one challenge is over the same two cannot challenge each other "
        "again, whichever way.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Kreimeier 2000, Jacob's Ladder: rematch regulations",
    )
    decline_cost: int = parameter(
        1,
        label="A declined challenge costs",
        description="How many ranks a player drops for declining; those passed move up by one. 0 "
        "lets everyone decline for free, which may leave the top unchallenged.",
        unit="ranks",
        minimum=0,
        maximum=1_000_000,
        source=CHALLENGES,
    )


GROUPS: dict[str, type[Parameters]] = {
    "start": Start,
    "ranked": Ranked,
    "decay": ArenaDecay,
    "calendar": Calendar,
    "points": Ladder,
    "challenges": Challenges,
    "cuts": divisions.Cuts,
}
"""The parts of the rules, by the name under which JSON holds them."""
LISTS = ("divisions", "point_table")
"""What JSON holds beside them."""


@dataclass(frozen=True)
class SeasonRules:
    """The rules of an arena's seasons."""

    start: Start = field(default_factory=Start)
    ranked: Ranked = field(default_factory=Ranked)
    decay: ArenaDecay = field(default_factory=ArenaDecay)
    calendar: Calendar = field(default_factory=Calendar)
    points: tables.PointSeason = field(default_factory=tables.PointSeason)
    challenges: Challenges = field(default_factory=Challenges)
    divisions: divisions.Scale = divisions.DEFAULT

    @property
    def decays(self) -> bool:
        return self.decay.points > 0

    def clash_with(self, system: type[RatingSystem]) -> tuple[str, str] | None:
        """Which rule (``group.name``) seasons rated by ``system`` cannot have, and why.

        A ladder's ranks are the numbers from 1 on, each once: they can be kept or begun anew.
        """
        if not system.shows.lowest_first:
            return None
        start = self.start
        kept = start.placement == "fresh" or (
            start.placement == "carry-over" and start.reset == "none" and not start.reset_deviation
        )
        if not kept:
            return "start.placement", (
                f"{system.label}: ranks can be kept as they are or everyone can start anew; they "
                "cannot be drawn towards a centre or reset for some"
            )
        if self.decays:
            return (
                "decay.points",
                f"{system.label}: ranks do not decay; set the points of decay to 0",
            )
        if self.divisions.divisions and self.divisions.cuts.by == "rating":
            return "cuts.by", f"{system.label}: divisions are cut by percentile or by rank"
        return None

    def active_since(self, now: int) -> int:
        """The earliest last match of the active at ``now``; both microseconds since 1970."""
        return now - round(self.ranked.window * MICROSECONDS_PER_SECOND)

    def written(self) -> dict[str, Any]:
        """The rules as JSON; :func:`read_rules` gives the same again."""
        return {
            "start": self.start.written(),
            "ranked": self.ranked.written(),
            "decay": self.decay.written(),
            "calendar": self.calendar.written(),
            "points": self.points.ladder.written(),
            "point_table": (
                tables.as_json(self.points.table)
                if self.points.ladder.table == tables.OWN
                else None
            ),
            "challenges": self.challenges.written(),
            "cuts": self.divisions.cuts.written(),
            "divisions": divisions.as_json(self.divisions.divisions),
        }


def read_rules(values: Mapping[str, Any]) -> SeasonRules:
    """The rules of a JSON object, defaults where it is silent.

    Raises:
        ParameterError: one sentence for each problem, by ``group.name``, ``divisions`` or
            ``point_table``.
    """
    problems = {
        name: f"is no part of a season's rules; known are {', '.join([*GROUPS, *LISTS])}"
        for name in values
        if name not in GROUPS and name not in LISTS
    }
    parts: dict[str, Any] = {}
    for group, model in GROUPS.items():
        try:
            parts[group] = read_parameters(model, values.get(group))
        except ParameterError as error:
            problems |= {f"{group}.{name}": text for name, text in error.problems.items()}
    if "cuts" in parts:
        try:
            parts["divisions"] = _scale(parts.pop("cuts"), values.get("divisions"))
        except DivisionError as error:
            problems["divisions"] = str(error)
    if "points" in parts:
        try:
            parts["points"] = tables.season_of(parts["points"], values.get("point_table"))
        except PointsError as error:
            problems["point_table"] = str(error)
    if problems:
        raise ParameterError(problems)
    return SeasonRules(**parts)


def _scale(cuts: divisions.Cuts, listed: Any) -> divisions.Scale:
    if listed is None:
        if cuts.by == "percentile":
            return replace(divisions.DEFAULT, cuts=cuts)
        return divisions.Scale(cuts, ())
    everybody = divisions.Scale(cuts, ()).everybody
    try:
        found = tuple(
            Division(
                str(one["name"]),
                everybody if one.get("first") is None else float(one["first"]),
                str(one.get("colour", "")),
            )
            for one in listed
        )
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise DivisionError(
            'must be a list such as [{"name": "Gold", "colour": "#8a6a00", "first": 51}]'
        ) from error
    return divisions.Scale(cuts, found)
