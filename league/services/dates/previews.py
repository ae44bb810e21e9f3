"""Expectations of an arranged match: the odds, and the changes of each outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.services.dates.playing import first_side
from league.services.results.forecasts.stakes import DRAW, LOSS, WIN, expected_sides, stakes

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arrangement, Player, Roster, Season
    from league.services.results.forecasts.handicaps import Race
    from league.services.results.forecasts.outcomes import Change
    from league.services.results.forecasts.stakes import Stakes
    from ratings.system import Shows


@dataclass(frozen=True)
class Outcome:
    """A possible result: the winner, ``None`` for a draw, and how each rating changes."""

    winner: Player | Roster | None
    chance: float | None
    """From 0 to 1, ``None`` if it is not predicted."""
    changes: Sequence[tuple[Player, Change]]


@dataclass(frozen=True)
class Preview:
    """The possible results of a match between two sides, if these players play it."""

    season: Season
    outcomes: Sequence[Outcome]
    line_ups: Sequence[Sequence[Player]]
    expected: float | None
    """The first side's expected result, a draw counting as half; ``None`` if not predicted."""
    race: Race | None
    """The wins that each side needs in an even race, if a single match is uneven."""

    @property
    def chances(self) -> list[float]:
        """Return the chances of the outcomes, empty if they are not all known."""
        return [one.chance for one in self.outcomes if one.chance is not None]

    @property
    def assumes_players(self) -> bool:
        """Return whether other players of the rosters could play instead."""
        return any(len(line_up) > 1 for line_up in self.line_ups)

    @property
    def shows(self) -> Shows:
        return self.season.shows


def preview(one: Arrangement, season: Season | None, now: datetime) -> Preview | None:
    """Return what each outcome would change by the ratings of now, in the running season.

    Rosters are expected to play with their captain and their most active members, as many on both
    sides. The home side of a fixture has the first-side advantage. Returns ``None`` without a
    running season or enough players, and for rating systems that cannot rate such a match.
    """
    line_ups = expected_sides(one.arena, season, one.captains) if season else None
    if season is None or line_ups is None:
        return None
    ids = [[player.pk for player in side] for side in line_ups]
    [found] = stakes(season, [ids], max(one.play_at, now), [first_side(one)])
    if found is None:
        return None
    return Preview(season, outcomes(one, found, line_ups), line_ups, found.chance, found.race)


def outcomes(
    one: Arrangement, found: Stakes, line_ups: Sequence[Sequence[Player]]
) -> list[Outcome]:
    """Return the possible results, the first side's win first."""
    first, second = (roster or captain for captain, roster in one.captains)
    winners = {WIN: first, DRAW: None, LOSS: second}
    return [
        Outcome(
            winners[places],
            found.chances.get(places),
            [(player, changes[player.pk]) for line_up in line_ups for player in line_up],
        )
        for places, changes in found.results.items()
    ]
