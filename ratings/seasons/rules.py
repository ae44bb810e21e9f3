"""All settings of an arena's seasons, declared once.

They cover the start of a season, who is ranked, decay, the calendar, late results, ladder points,
challenges, fair play and divisions. The published rules are in ``ratings.seasons.decay``,
``ratings.seasons.transitions`` and ``ratings.percentile``. The defaults apply to arenas without
settings of their own: players start as newcomers, nothing decays, and a season lasts until the
next one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from ratings import divisions
from ratings.percentile import Activity, Division, DivisionError
from ratings.points import tables
from ratings.points.rules import Ladder, PointsError
from ratings.seasons.challenges import Challenges
from ratings.seasons.decay import Decay
from ratings.seasons.fair_play import FairPlay, read_fair_play
from ratings.seasons.start import SOURCE, Start, as_now_written
from ratings.seasons.teams import Teams
from ratings.tunables.kinds import CalendarSpan
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import ParameterError, read_parameters
from ratings.tunables.sentences import Sentence
from ratings.tunables.spans import Span

if TYPE_CHECKING:
    from ratings.system import RatingSystem


class Ranked(Activity):
    """The players who are ranked in an arena."""

    returning_matches: int = parameter(
        3,
        label="Placement matches of returning players",
        description="The same for players whose rating comes from the previous season.",
        unit="matches",
        minimum=0,
        maximum=100_000,
        source="Laurel: their rating is an estimate already",
    )
    opponents: int = parameter(
        3,
        label="Different opponents",
        description="Players are ranked if they have played at least this many different ranked "
        "players, and are connected to the largest group of such players. This gives no rank to "
        "accounts that only play each other. Among few players two are enough. 0 turns this off. "
        "It does not apply to ladders.",
        unit="players",
        minimum=0,
        maximum=100,
        source="Laurel: the k-core of the season's matches",
    )
    others: float = parameter(
        0.3,
        label="Share of matches against ranked players",
        description="Players are ranked if at least this share of their matches was against "
        "ranked players, leaving out the one they met most. So nobody is ranked by matches with "
        "one person or with unranked players. It does not apply among few players, or if no "
        "different opponents are needed.",
        minimum=0,
        maximum=1,
        source="Laurel: hardly any team of the football history has less",
        expert=True,
    )

    def matches_needed(self, *, returning: bool) -> int:
        """Return the number of matches a player needs to be ranked."""
        return (
            min(self.placement_matches, self.returning_matches)
            if returning
            else self.placement_matches
        )


class ArenaDecay(Decay):
    """Decay of inactive players' effective ratings in an arena."""

    points: float = parameter(
        0.0,
        label="Decay: points",
        description="The most points that an inactive player's effective rating can lose. 0 turns "
        "decay off. The published value of Ranked is 700.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source=f"{SOURCE} Decay/@points",
    )


class Calendar(Parameters):
    """The ends of seasons, the pauses between them, and the time for late results."""

    length: CalendarSpan = parameter(
        0,
        label="Length of a season",
        description="Such as “1 month”, “2 weeks” or “90d”. A season of whole days, weeks or "
        "months ends at the hour at which it began, even if the clocks have changed. Months are "
        "counted from the first season that began by them: seasons from 31 January on begin on "
        "the last day of each shorter month, and on the 31st of the others. 0 means that a season "
        "lasts until the next is opened by hand.",
        unit="time",
        minimum=0,
        maximum="3650d",
        source="Laurel",
    )
    follows: bool = parameter(
        default=False,
        label="Plan the next season",
        description="If enabled, a season of the same length is planned when one ends.",
        source="Laurel",
    )
    pause: CalendarSpan = parameter(
        0,
        label="Pause between seasons",
        description="Time from the end of a season to the start of the next planned one.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Laurel",
    )
    late: Literal["its-season", "running", "refuse"] = parameter(
        "its-season",
        label="Late results",
        description="What happens to results that are not settled when their season ends.",
        choices={
            "its-season": "count for their own season until its archive is frozen",
            "running": "count for the season running when they arrive",
            "refuse": "do not count",
        },
        source="Laurel",
    )
    archive_after: CalendarSpan = parameter(
        "3d",
        label="Archive after",
        description="How long after the end of a season its standings are frozen, if late results "
        "count for their own season. Otherwise they are frozen at its end.",
        unit="time",
        minimum=0,
        maximum="365d",
        source="Laurel",
        expert=True,
    )
    honoured: int = parameter(
        3,
        label="Players honoured",
        description="How many places receive awards at the end of a season. Players who share a "
        "place all receive one. 0 means none.",
        unit="players",
        minimum=0,
        maximum=100,
        source="Laurel",
    )

    @property
    def wait(self) -> Span:
        """The time from the end of a season to its archive."""
        return self.archive_after if self.late == "its-season" else Span(0)

    def clashes(self) -> dict[str, Sentence]:
        """Check that seasons that follow each other have a length."""
        if self.follows and not self.length:
            return {"length": Sentence("must be above 0 to plan the next season")}
        if 0 < self.length < 3600:
            return {"length": Sentence("must be at least %(least)s, or 0 for no end", least="1h")}
        return {}


SEASON_RULES: dict[str, type[Parameters]] = {
    "start": Start,
    "ranked": Ranked,
    "decay": ArenaDecay,
    "calendar": Calendar,
    "points": Ladder,
    "challenges": Challenges,
    "fair_play": FairPlay,
    "teams": Teams,
    "cuts": divisions.Cuts,
}
"""The groups of rules by their JSON names."""
LISTS = ("divisions", "point_table", "mode_points")
"""Further JSON names, of lists."""


@dataclass(frozen=True)
class SeasonRules:
    """The settings of an arena's seasons."""

    start: Start = field(default_factory=Start)
    ranked: Ranked = field(default_factory=Ranked)
    decay: ArenaDecay = field(default_factory=ArenaDecay)
    calendar: Calendar = field(default_factory=Calendar)
    points: tables.PointSeason = field(default_factory=tables.PointSeason)
    challenges: Challenges = field(default_factory=Challenges)
    fair_play: FairPlay = field(default_factory=FairPlay)
    teams: Teams = field(default_factory=Teams)
    divisions: divisions.Scale = divisions.DEFAULT

    @property
    def decays(self) -> bool:
        return self.decay.points > 0

    def clash_with(self, system: type[RatingSystem]) -> tuple[str, Sentence] | None:
        """Return a rule (``group.name``) that does not fit ``system`` and why, or ``None``.

        A ladder's ranks are the numbers from 1, each once, so they are kept or reset for everyone.
        """
        if self.start.day_one and not system.zero_sum:
            return "start.day_one", Sentence(
                "%(system)s: only Fermi and Elo draw starting ratings",
                system=Sentence(system.label),
            )
        return self._clash_with_ladder(system) if system.shows.lowest_first else None

    def _clash_with_ladder(self, system: type[RatingSystem]) -> tuple[str, Sentence] | None:
        start, label = self.start, Sentence(system.label)
        if self.teams.rate:
            return "teams.rate", Sentence(
                "%(system)s: a ladder ranks single players, not teams", system=label
            )
        kept = start.placement == "fresh" or (
            start.placement == "carry-over" and not start.changes_some
        )
        if not kept:
            return "start.placement", Sentence(
                "%(system)s: ranks can only be kept or reset for everyone; they cannot move "
                "towards a centre or be reset for some players",
                system=label,
            )
        if self.decays:
            return (
                "decay.points",
                Sentence(
                    "%(system)s: ranks do not decay; set the points of decay to 0", system=label
                ),
            )
        if self.divisions.divisions and self.divisions.cuts.by == "rating":
            return "cuts.by", Sentence(
                "%(system)s: divisions must be cut by percentile or rank", system=label
            )
        return None

    def to_json(self) -> dict[str, Any]:
        """Return the rules as JSON data, the inverse of :func:`read_rules`.

        Those of teams and points by place only where they are used, so that the release before can
        read all others.
        """
        rules = self.complete()
        if self.teams == Teams():
            del rules["teams"]
        if not self.points.by_place:
            del rules["points"]["by_place"]
        return rules

    def complete(self) -> dict[str, Any]:
        """Return the rules as JSON data with a value for each rule of ``SEASON_RULES``."""
        return {
            "start": self.start.to_json(),
            "ranked": self.ranked.to_json(),
            "decay": self.decay.to_json(),
            "calendar": self.calendar.to_json(),
            "points": self.points.ladder.to_json(),
            "point_table": (
                tables.table_as_json(self.points.table)
                if self.points.ladder.table == tables.OWN
                else None
            ),
            # Only where it is used, so that the release before can read all other rules.
            **(
                {"mode_points": tables.mode_tables_as_json(self.points.by_mode)}
                if self.points.by_mode
                else {}
            ),
            "challenges": self.challenges.to_json(),
            "fair_play": self.fair_play.to_json(),
            "teams": self.teams.to_json(),
            "cuts": self.divisions.cuts.to_json(),
            "divisions": divisions.divisions_as_json(self.divisions.divisions),
        }


def read_rules(values: Mapping[str, Any]) -> SeasonRules:
    """Read the rules of a JSON object, using defaults for missing values.

    Raises:
        ParameterError: one sentence for each problem, by ``group.name``, ``divisions``,
            ``point_table`` or ``mode_points``.
    """
    problems: dict[str, Sentence] = {
        name: Sentence(
            "is not part of a season's rules; choose from %(names)s",
            names=", ".join([*SEASON_RULES, *LISTS]),
        )
        for name in values
        if name not in SEASON_RULES and name not in LISTS
    }
    parts: dict[str, Any] = {}
    for group, model in SEASON_RULES.items():
        try:
            given = values.get(group)
            if model is Start:
                given = as_now_written(given)
            parts[group] = (
                read_fair_play(given) if model is FairPlay else read_parameters(model, given)
            )
        except ParameterError as error:
            problems |= {f"{group}.{name}": text for name, text in error.problems.items()}
    if "cuts" in parts:
        try:
            parts["divisions"] = _scale(parts.pop("cuts"), values.get("divisions"))
        except DivisionError as error:
            problems["divisions"] = error.sentence
    if "points" in parts:
        try:
            parts["points"] = tables.point_season(parts["points"], values.get("point_table"))
        except PointsError as error:
            problems["point_table"] = error.sentence
        else:
            try:
                by_mode = tables.mode_tables_from_json(values.get("mode_points"))
                parts["points"] = replace(parts["points"], by_mode=by_mode)
            except PointsError as error:
                problems["mode_points"] = error.sentence
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
            "must be a list such as %(example)s",
            example='[{"name": "Gold", "colour": "#8a6a00", "first": 51}]',
        ) from error
    return divisions.Scale(cuts, found)
