"""The meaning of a list of starting ratings, before it is saved."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import ratings.registry
from league.models import Player
from league.models.explained import translate
from league.models.names import fold
from league.services.core.isolation import gettext as _
from league.services.core.numbers import write_score
from league.services.people import naming
from ratings.tunables.reading import ParameterError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from league.models import Season
    from league.services.people.entry_lists import Entry

Start = tuple[float, float | None]
"""A rating, in a ladder a rank, and its deviation if the list has one."""


@dataclass(frozen=True)
class PlannedStart:
    """A line of a list, and the start of its player."""

    line: int
    name: str
    player: int | None = None
    """Negative for one who will be created."""
    start: Start | None = None
    was: float | None = None
    """The rating of a player who has one in the season already."""
    new: bool = False
    choices: tuple[tuple[str, list[tuple[int, str]]], ...] = ()
    """The name of a new player, with the players whose name is like it."""
    former: str = ""
    """The present name of the player, if another is written."""
    problem: str = ""

    @property
    def text(self) -> str:
        """The rating or rank as the list has it."""
        return write_start(*self.start) if self.start else ""

    @property
    def was_text(self) -> str:
        """The rating before, if it is another one."""
        if not self.start or self.was is None or self.was == self.start[0]:
            return ""
        return write_score(round(self.was, 2))


@dataclass(frozen=True)
class StartPlan:
    """The start that a list would give a season."""

    lines: list[PlannedStart]
    names: naming.Names
    others: list[PlannedStart] = field(default_factory=list)
    """Players of a ladder whom the list does not name. They come below, in their order."""

    @property
    def starts(self) -> dict[int, Start]:
        """The starts of all players by id, which is negative for those who will be created."""
        return {
            line.player: line.start
            for line in [*self.lines, *self.others]
            if line.player is not None and line.start
        }

    @property
    def problem(self) -> PlannedStart | None:
        return next((line for line in self.lines if line.problem), None)


def write_start(rating: float, deviation: float | None) -> str:
    return " ± ".join(write_score(each) for each in (rating, deviation) if each is not None)


def plan_starts(season: Season, entries: Sequence[Entry], chosen: Mapping[str, int]) -> StartPlan:
    """Return how a season would start by a list. Nothing is written.

    Args:
        chosen: players, by the folded name that is written, whom staff say that it means.
    """
    existing = Player.objects.filter(pk__in=chosen.values()).in_bulk()
    known = {name: player for name, player in chosen.items() if player in existing}
    names = naming.find([entry.name for entry in entries], known)
    held = season.ratings.order_by("rating").values_list("player", "player__name", "rating")
    ratings_now = {player: rating for player, _name, rating in held}
    lines: list[PlannedStart] = []
    taken: dict[int, str] = {}
    for entry in entries:
        line = plan_line(season, entry, names, ratings_now, rank=len(taken) + 1)
        if line.player is not None:
            first = taken.setdefault(line.player, entry.name)
            if first != entry.name:
                text = _("“%(name)s” and “%(first)s” are the same player.")
                problem = text % {"name": entry.name, "first": first}
                line = PlannedStart(entry.line, entry.name, problem=problem)
        lines.append(line)
    if not season.lowest_first:
        return StartPlan(lines, names)
    rest = [(player, name) for player, name, _rating in held if player not in taken]
    others = [
        PlannedStart(0, name, player, (float(rank), None), ratings_now[player])
        for rank, (player, name) in enumerate(rest, start=len(taken) + 1)
    ]
    return StartPlan(lines, names, others)


def plan_line(
    season: Season,
    entry: Entry,
    names: naming.Names,
    ratings_now: Mapping[int, float],
    *,
    rank: int,
) -> PlannedStart:
    folded = fold(entry.name)
    problem = names.problems.get(folded) or ""
    if entry.members:
        problem = _("Write one player on each line, not a team.")
    elif not problem and not season.lowest_first:
        problem = problem_with(season, entry, names.ids[folded])
    if problem:
        return PlannedStart(entry.line, entry.name, problem=problem)
    player = names.ids[folded]
    alike = names.proposals.get(folded)
    has_rating = entry.rating is not None and not season.lowest_first
    return PlannedStart(
        entry.line,
        entry.name,
        player,
        (entry.rating or 0.0, entry.deviation) if has_rating else (float(rank), None),
        ratings_now.get(player),
        new=player < 0,
        choices=((names.new[folded], alike),) if alike and player < 0 else (),
        former=names.former.get(folded, ""),
    )


def problem_with(season: Season, entry: Entry, player: int) -> str:
    """Return why nobody can start with a rating, in a system without ranks; empty if they can."""
    if entry.rating is None:
        return _("Write a rating behind the name, as in “Ann; 1450”.")
    system = ratings.registry.find(season.rating_system)
    if entry.deviation is not None and not system.shows.deviation:
        text = _("%(system)s has no deviations. Leave out the second number.")
        return text % {"system": translate(system.label)}
    if player in season.anchors:
        return _("This player is an anchor, whose rating is fixed by the arena's settings.")
    named = zip(system.newcomer_parameters, (entry.rating, entry.deviation), strict=True)
    given = {name: value for name, value in named if value is not None}
    try:
        ratings.registry.build(season.rating_system, {**season.rating_parameters, **given})
    except ParameterError as error:
        name, problem = next(iter(error.problems.items()))
        is_deviation = name == system.newcomer_parameters[1]
        text = _("Deviation: %(problem)s.") if is_deviation else _("Rating: %(problem)s.")
        return text % {"problem": translate(problem)}
    return ""
