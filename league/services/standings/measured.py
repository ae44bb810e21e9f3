"""The mean and the width of a season's ratings, which a fixed range of shown ratings needs.

They are measured once a day, so that what people see of a rating does not change with each result
of others, and when staff change how ratings are shown. After a season's end they stay. With few
players, they stay near what they are presumed to be before anybody is measured.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.services.standings.distributions import rating_distribution
from ratings.display import presumed_population

if TYPE_CHECKING:
    from league.models import Arena, Season


def measure(season: Season) -> None:
    """Store the mean and width of a season's ratings, if its arena shows a fixed range."""
    if season.arena.displays().scale != "fixed-range" or season.lowest_first:
        return
    found = rating_distribution(season)
    if found is None or not found.width:
        return
    system = season.system()
    newcomer = float(system.newcomers(1).rating[0])
    presumed = presumed_population(season.arena.displays(), newcomer, system.scale)
    known = presumed.with_measured(found.count, found.mean, found.width)
    season.shown_mean, season.shown_width = known.mean, known.width
    season.save(update_fields=["shown_mean", "shown_width"])


def measure_all(arena: Arena) -> None:
    """Measure all seasons of an arena after a change of what it shows."""
    for season in arena.seasons.opened():
        season.arena = arena
        measure(season)
