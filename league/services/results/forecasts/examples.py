"""The meaning of matches in an arena for a player, by the example of others with similar ratings.

A reader without a rating is a newcomer, and so is a visitor. In an arena of teams, every team of an
example has as many players of one rating as it can have.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from league.services.rating.forecasts import forecasts, newcomer_row
from league.services.results.forecasts.outcomes import results_of
from league.services.results.forecasts.stakes import own, ratings_of, stakes_of
from league.services.standings.leaderboards import nearest
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from league.models import Arena, Player, Season
    from league.services.rating.forecasts import LineUps, Row
    from league.services.results.forecasts.outcomes import Change, Flags
    from league.services.results.forecasts.stakes import OwnStakes
    from league.services.standings.leaderboard_rows import LeaderboardRow

RIVALS = 3
"""The number of opponents in an example, if the arena's format leaves a choice."""
LARGEST_FIELD = 10
"""Matches of more sides have no example."""
NOBODY = 0
"""The id of a player without a rating, which no player has."""


@dataclass(frozen=True)
class Field:
    """A match of more than two sides, for one of its players."""

    chance: float | None
    """Their chance to win, ``None`` if it is not predicted."""
    places: Sequence[Change]
    """The change by each place, from the first to the last."""


@dataclass(frozen=True)
class Examples:
    """Matches against ``rivals``: against each, or against all of them in one match.

    A rival is ``None`` where nobody is ranked yet: a player with the same rating.
    """

    rivals: Sequence[LeaderboardRow | None] = ()
    duels: Sequence[OwnStakes | None] = ()
    """Against each, ``None`` where the system rates no such match."""
    field: Field | None = None

    @property
    def against_each(self) -> list[tuple[LeaderboardRow | None, OwnStakes]]:
        pairs = zip(self.rivals, self.duels, strict=False)
        return [(rival, stakes) for rival, stakes in pairs if stakes]

    @property
    def names(self) -> list[str]:
        return [rival.name for rival in self.rivals if rival]


def examples(
    season: Season, arena: Arena, me: Player | None, rating: float, now: datetime
) -> Examples:
    """Return what matches played at ``now`` would mean for a player, or for a newcomer.

    ``rating`` is the one that they are ranked by.
    """
    many, reader = arena.sides_max > 2, me.pk if me else NOBODY
    least = arena.sides_min - 1
    most = max(least, min(RIVALS, arena.sides_max - 1)) if many else RIVALS
    if most >= LARGEST_FIELD:
        return Examples()
    near = nearest(season, rating, now=now, count=most, without=reader)
    rivals = [*near, *[None] * (0 if season.lowest_first else least - len(near))]
    if len(rivals) < least:
        return Examples()
    teams = teams_of(reader, rivals, arena.team_size_max)
    held, flags, [fresh] = ratings_of(season, [[[reader], *([one.player_id] for one in near)]])
    known = {**held, **fresh}
    rows = {one: known[who] for team in teams for one, who in team.items()}
    counts = {one: flags[who] for team in teams for one, who in team.items() if who in flags}
    mine, *others = [list(team) for team in teams]
    if many:
        return Examples(rivals, field=field_of(season, [mine, *others], rows, counts, now))
    duels = [[mine, other] for other in others]
    found = stakes_of(season, duels, [rows] * len(duels), counts, now)
    shows = season.shows_in(arena)
    return Examples(rivals, [own(one, mine[0], shows) if one else None for one in found])


def teams_of(
    reader: int, rivals: Sequence[LeaderboardRow | None], size: int
) -> list[dict[int, int]]:
    """Return the player whose rating each member of each team has, the reader's team first.

    In a team of one it is the member. All others have ids that no player has.
    """
    teams = [{reader: reader}] if size == 1 else []
    for number in range(len(teams), len(rivals) + 1):
        rival = rivals[number - 1] if number else None
        model = rival.player_id if rival else reader
        members = range(number * size, (number + 1) * size)
        teams.append({model: model} if rival and size == 1 else {-1 - at: model for at in members})
    return teams


def field_of(
    season: Season, line_ups: LineUps, rows: Mapping[int, Row], flags: Flags, at: datetime
) -> Field | None:
    """Return what each place of the first side would change, with the others in their order."""
    count = len(line_ups)
    places = [(mine, *(at for at in range(count) if at != mine)) for mine in range(count)]
    me = line_ups[0][0]
    try:
        results = results_of(season, line_ups, rows, flags, at, places)
        changes = [changed[me] for _places, changed in results]
        [chances] = forecasts(season, [line_ups], rows, at)
    except UnsupportedMatch:
        return None
    return Field(chances[0] if chances else None, changes)


class Newcomer(NamedTuple):
    """The rating of a player who joins now."""

    rating: float
    deviation: float | None
    """``None`` in a system without deviations."""


def newcomer(season: Season) -> Newcomer:
    system = season.system()
    _id, rating, deviation, *_others = newcomer_row(system, season)
    return Newcomer(float(rating), float(deviation) if system.shows.deviation else None)
