"""Compare the lines of a file of results with those stored, without writing anything."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from league.models import Match, Player, Season, User
from league.models.moments import describe_moment
from league.models.reach import may
from league.services.core.clock import microseconds, moment
from league.services.core.errors import Refused
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.corrections.checks import order_of
from league.services.people import naming
from league.services.rating.bulk import silent
from league.services.rating.tail import read_tail
from league.services.results.rules import own_matches
from league.services.transfer.files import repeats
from league.services.transfer.files.result_lines import Errors, Line, LineError, Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date, datetime
    from zoneinfo import ZoneInfo

    from league.models import Arena
    from league.services.core.types import Progress
    from league.services.rating.tail import Tail
    from ratings.files.documents import Found

Sides = Sequence[Sequence[int]]
Row = tuple[Line, Sides]
"""A line with the ids of the players of each side."""
LineUp = tuple[tuple[int, ...], ...]
Placings = list[tuple[int, float | None]]


@dataclass(frozen=True)
class Stored:
    """A result that counts."""

    match: int
    time: int
    sides: list[list[int]]
    placings: Placings
    mode: str

    @property
    def line_up(self) -> LineUp:
        return line_up_of(self.sides)


@dataclass
class SeasonPlan:
    """The effect of a file on one season."""

    season: Season
    was: Tail
    new: list[Row] = field(default_factory=list)
    changed: list[tuple[Line, Stored, Placings]] = field(default_factory=list)
    void: list[tuple[Line, Stored]] = field(default_factory=list)
    known: int = 0
    """Lines that are here already."""

    @property
    def nothing(self) -> bool:
        return not (self.new or self.changed or self.void)


@dataclass
class Plan:
    """The effect of a file on an arena."""

    reader: Reader
    names: naming.Names
    seasons: list[SeasonPlan]
    repeats: dict[int, int]
    """Lines that repeat another one, with the first such line."""
    left_out: bool
    """Whether these do nothing."""


def line_up_of(sides: Iterable[Iterable[int]]) -> LineUp:
    return tuple(sorted(tuple(sorted(side)) for side in sides))


def plan(
    arena: Arena,
    found: Found,
    chosen: Mapping[str, int],
    *,
    by: User,
    now: datetime,
    brought: Season | None = None,
    each: bool = False,
    day: date | None = None,
    left_out: frozenset[str] = frozenset(),
    progress: Progress = silent,
) -> Plan:
    """Compare a file with the arena. The plan's ``reader.errors`` has its errors.

    Lines that repeat another one do nothing, unless ``each`` line is a match of its own.

    ``brought`` is a season to which results may belong, besides those that there are. ``day`` is
    that of results without a date, ``left_out`` the kinds of errors whose lines are left out.
    """
    reader = Reader(arena, arena.system(), day=day, errors=Errors(left_out=left_out))
    lines = reader.read(found, progress)
    rosters = naming.Rosters.of(arena) if arena.team_size_max > 1 else naming.Rosters({})
    alone = {name for line in lines for side in line.names if len(side) == 1 for name in side}
    as_rosters = alone & set(rosters.members)
    used = {name for line in lines for side in line.names for name in side} - as_rosters
    names = naming.find((reader.written[name] for name in used_in_order(reader, used)), chosen)
    resolved = [
        (line, sides)
        for line in lines
        if (sides := sides_of(line, reader, names, rosters, as_rosters)) is not None
    ]
    plans = by_season(arena, reader, resolved, now, brought)
    may = OwnMatches.of(by, arena)
    repeated = repeats.find(row for _one, theirs in plans for row in theirs)
    for one, theirs in plans:
        left = theirs if each else [row for row in theirs if row[0].line not in repeated]
        compare(one, left, reader, may)
    return Plan(reader, names, [one for one, _theirs in plans], repeated, left_out=not each)


def used_in_order(reader: Reader, used: set[str]) -> list[str]:
    return [name for name in reader.written if name in used]


def sides_of(
    line: Line, reader: Reader, names: naming.Names, rosters: naming.Rosters, as_rosters: set[str]
) -> Sides | None:
    """Return the ids of the players of each side, or None after noting what is wrong."""
    sides: list[Sequence[int]] = []
    for side in line.names:
        if len(side) == 1 and side[0] in as_rosters:
            sides.append(rosters.members[side[0]])
            continue
        for name in side:
            if name in names.problems:
                reader.errors.add(line.line, names.problems[name])
                return None
        sides.append(tuple([names.ids[name] for name in side]))
    try:
        reader.check_line_up(line, sides)
    except Refused as refusal:
        reader.errors.add(line.line, refusal.message)
        return None
    return tuple(sides)


def by_season(
    arena: Arena,
    reader: Reader,
    resolved: list[Row],
    now: datetime,
    brought: Season | None,
) -> list[tuple[SeasonPlan, list[Row]]]:
    """Return a plan for each season with its lines, and note lines outside all seasons.

    A line with a match number belongs to the season of that match, others to that of their time.
    Without a time of day, the day on which a season starts counts from its start.
    """
    seasons = list(Season.objects.opened().filter(arena=arena).order_by("starts_at"))
    if brought is not None and brought not in seasons:
        seasons.append(brought)
    for season in seasons:
        season.arena = arena
    found: dict[int, tuple[SeasonPlan, list[Row]]] = {}
    latest = microseconds(now)
    spans = [span(season) for season in seasons]
    numbers = [line.match for line, _sides in resolved if line.match is not None]
    homes = dict(
        Match.objects.filter(arena=arena, pk__in=any_of(numbers)).values_list("pk", "season")
    )
    position = {season.pk: at for at, season in enumerate(seasons)}
    for row in resolved:
        line = row[0]
        if not line.has_hour:
            line.time = first_time_of_day(line.time, arena.zone, spans) + line.after
            line.has_hour = bool(line.after)
        if line.time > latest:
            reader.errors.add(line.line, _("A match cannot be played in the future."))
            continue
        at = position.get(homes.get(line.match or 0, -1))
        if at is None:
            at = next((at for at, (a, b) in enumerate(spans) if a <= line.time < b), None)
        if at is None:
            reader.homeless.append(line.time)
            reader.errors.add(
                line.line,
                _("No season ran on %(when)s. Create one with the import, or correct the date.")
                % {"when": describe_moment(moment(line.time), arena.zone)},
            )
            continue
        season = seasons[at]
        if season.pk not in found:
            found[season.pk] = (SeasonPlan(season, read_tail(season, -1)), [])
        found[season.pk][1].append(row)
    return list(found.values())


def first_time_of_day(time: int, zone: ZoneInfo, spans: Sequence[tuple[int, int]]) -> int:
    """Return the first time from the start of a day at which one of some seasons runs, that start
    if none does."""
    if any(a <= time < b for a, b in spans):
        return time
    day = moment(time).astimezone(zone).date()
    starts = [a for a, _b in spans if moment(a).astimezone(zone).date() == day]
    return min(starts, default=time)


def span(season: Season) -> tuple[int, int]:
    return microseconds(season.starts_at), (
        microseconds(season.ends_at) if season.ends_at else 2**62
    )


@dataclass(frozen=True)
class OwnMatches:
    """Nobody imports a match that they played in, unless nobody else can."""

    player: int | None
    deciders: frozenset[int | None]
    """The players of others who may decide. None for an account without one."""
    may_void: bool
    """Whether the importer may make rated results void."""

    @classmethod
    def of(cls, by: User, arena: Arena) -> OwnMatches:
        player = Player.objects.filter(user=by).values_list("pk", flat=True).first()
        others = User.objects.filter(may(own_matches.ENTER, arena.pk))
        deciders = frozenset(others.exclude(pk=by.pk).values_list("player", flat=True))
        return cls(player, deciders, by.has_perm(own_matches.VOID, arena))

    def check_own_matches(self, sides: Sides) -> None:
        """Raise ``LineError`` for an own match that somebody else can decide."""
        playing = {player for side in sides for player in side}
        if self.player in playing and not self.deciders <= playing:
            raise LineError(_("You played in this match. Ask another organiser to import it."))


def compare(one: SeasonPlan, lines: list[Row], reader: Reader, may: OwnMatches) -> None:
    """Sort lines into new results, changes, and those that are here already."""
    stored = stored_for(one.was, lines)
    free: dict[tuple[int, LineUp], list[Stored]] = defaultdict(list)
    named = {line.match for line, _sides in lines}
    for result in stored.values():
        if result.match not in named:
            free[result.time, result.line_up].append(result)
    open_lines = []
    for row in lines:
        line, sides = row
        if line.match is not None:
            noting(reader, line, of_match, one, line, sides, stored.get(line.match), may)
            continue
        same = free.get((line.time, line_up_of(sides)), [])
        exact = next((result for result in same if new_placings(line, sides, result) is None), None)
        if exact is None:
            open_lines.append(row)
        else:
            same.remove(exact)
            one.known += 1
    for row in open_lines:
        line, sides = row
        same = free.get((line.time, line_up_of(sides)), [])
        noting(reader, line, of_line_up, one, row, same, may)


def noting(reader: Reader, line: Line, step: Callable[..., None], *given: Any) -> None:
    """Do a step, and note what is wrong with its line."""
    try:
        step(*given)
    except LineError as error:
        reader.errors.add(line.line, str(error))


def of_match(
    one: SeasonPlan, line: Line, sides: Sides, result: Stored | None, may: OwnMatches
) -> None:
    """Plan what a line does to the match whose number it has."""
    if result is None:
        raise LineError(
            _("There is no result number %(match)d in %(season)s that counts.")
            % {"match": line.match, "season": one.season}
        )
    if result.line_up != line_up_of(sides):
        raise LineError(
            _("Match %(match)d has other players. Make it void and add a line for the new result.")
            % {"match": line.match}
        )
    if result.time != line.time:
        raise LineError(
            _("Match %(match)d was played at another time. Make it void and add a line.")
            % {"match": line.match}
        )
    placings = None if line.void else new_placings(line, sides, result)
    if placings is None and not line.void:
        one.known += 1
        return
    refuse_frozen(one)
    may.check_own_matches(sides)
    if placings is None:
        if not may.may_void:
            raise LineError(_("You may not void results."))
        one.void.append((line, result))
    else:
        one.changed.append((line, result, placings))


def of_line_up(one: SeasonPlan, row: Row, same: list[Stored], may: OwnMatches) -> None:
    """Plan a line without a match number that says something new."""
    line, sides = row
    refuse_frozen(one)
    may.check_own_matches(sides)
    if not same:
        one.new.append(row)
        return
    if not line.has_hour:
        raise LineError(
            _(
                "Match %(match)d of that day has another result. If the line means that match, add "
                "a column with its match number; if it is another one, add the time of day."
            )
            % {"match": same[0].match}
        )
    result = same.pop(0)
    placings = new_placings(line, sides, result)
    if placings is not None:
        one.changed.append((line, result, placings))


def refuse_frozen(one: SeasonPlan) -> None:
    if one.season.archived_at is not None:
        raise LineError(
            _("%(season)s is archived. Its results no longer change.") % {"season": one.season}
        )


def new_placings(line: Line, sides: Sides, result: Stored) -> Placings | None:
    """Return the places and scores that a line gives a stored result, None if it has them.

    Scores that a line does not have stay as they are, if the places stay.
    """
    of_side = {tuple(sorted(side)): at for at, side in enumerate(sides)}
    at = [of_side[tuple(sorted(side))] for side in result.sides]
    placings = [(line.places[row], line.scores[row]) for row in at]
    same_order = order_of(placings) == order_of(result.placings)
    wanted = [score for _place, score in placings]
    if same_order and (
        not any(score is not None for score in wanted)
        or wanted == [score for _place, score in result.placings]
    ):
        return None
    if same_order:
        places = [place for place, _score in result.placings]
        return list(zip(places, wanted, strict=True))
    return placings


def stored_for(was: Tail, lines: Sequence[Row]) -> dict[int, Stored]:
    """Return the results that lines could mean: those played at their times, or with their number.

    Forfeits and steps of decay are none.
    """
    times = np.array([line.time for line, _sides in lines], dtype=np.int64)
    numbers = [line.match for line, _sides in lines if line.match is not None]
    wanted = np.isin(was["time"], times) | np.isin(was["match"], numbers)
    rows = was.only(wanted & (was["played"] == 1))
    found: dict[int, Stored] = {}
    values = zip(
        *(rows[name].tolist() for name in ("match", "side", "player", "time", "place", "score")),
        rows["mode"].tolist(),
        strict=True,
    )
    for match, side, player, time, place, score, mode in values:
        result = found.get(match)
        if result is None:
            result = found[match] = Stored(match, time, [], [], was.modes[mode])
        if side == len(result.sides):
            result.sides.append([])
            result.placings.append((place, None if score != score else score))  # noqa: PLR0124 - NaN
        result.sides[-1].append(player)
    return found
