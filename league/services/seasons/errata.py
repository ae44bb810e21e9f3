"""Read the errata of archived seasons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.models import Erratum, ErratumLine
from league.services.core.numbers import number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player, Season
    from ratings.system import Shows

MOST_SHOWN = 50
COLUMNS = (
    "player_id", "name", "rank_was", "rank_is", "rating_was", "rating_is", "points_was",
    "points_is", "awards_was", "awards_is",
)  # fmt: skip
"""What exports say of a player."""


@dataclass(frozen=True)
class Shown:
    """The lines of an erratum that a page shows, and how many it leaves out."""

    lines: list[ErratumLine]
    more: int
    """Those after the first ``MOST_SHOWN``."""
    finer: int
    """Those in which nothing differs as it is shown: ratings by less than their last digit."""


def visible_part(lines: Sequence[ErratumLine], shows: Shows) -> Shown:
    """Return what a page shows of the lines of an erratum."""
    visible = [line for line in lines if differs(line, shows)]
    finer = len(lines) - len(visible)
    return Shown(visible[:MOST_SHOWN], max(len(visible) - MOST_SHOWN, 0), finer)


def differs(line: ErratumLine, shows: Shows) -> bool:
    """Return whether a reader sees another rank, rating, number of points or award."""
    ratings = [line.rating_was, line.rating_is]
    read = [None if one is None else number(shows.show(one), shows.decimals) for one in ratings]
    was = (line.rank_was, line.points_was, line.awards_was)
    now = (line.rank_is, line.points_is, line.awards_is)
    return was != now or (read[0] != read[1] and not shows.lowest_first)


def errata_of(season: Season, player: Player | None = None) -> list[Any]:
    """Return the errata of a season, or those about a player, each with what to show of it."""
    lines = ErratumLine.objects.filter(erratum__season=season)
    if player is not None:
        lines = lines.filter(player=player)
    errata: dict[int, Any] = {}
    if player is None:
        published = Erratum.objects.filter(season=season).select_related("by__player")
        errata = {one.pk: one for one in published}
    of_erratum: dict[int, list[ErratumLine]] = {}
    for line in lines.select_related("erratum__by__player"):
        errata.setdefault(line.erratum_id, line.erratum)
        of_erratum.setdefault(line.erratum_id, []).append(line)
    for pk, erratum in errata.items():
        erratum.shown = visible_part(of_erratum.get(pk, []), season.shows)
    return list(errata.values())


def exported(season: Season) -> list[dict[str, Any]]:
    """Return the errata of a season as its exports have them."""
    lines = ErratumLine.objects.filter(erratum__season=season)
    by_erratum: dict[int, list[dict[str, Any]]] = {}
    for erratum, *values in lines.values_list("erratum_id", *COLUMNS):
        row = dict(zip(COLUMNS, values, strict=True))
        by_erratum.setdefault(erratum, []).append(row)
    return [
        {
            "match": one.match_id,
            "kind": one.kind,
            "reason": one.reason,
            "at": one.at.isoformat(),
            "players": by_erratum.get(one.pk, []),
        }
        for one in Erratum.objects.filter(season=season)
    ]


def corrected(season: Season) -> dict[int, tuple[int | None, float | None]]:
    """Return the rank and rating of each player concerned, with all errata."""
    lines = ErratumLine.objects.filter(erratum__season=season).order_by("erratum_id")
    return {line.player_id: (line.rank_is, line.rating_is) for line in lines}
