"""The common parts of the pages of two opponents, players or teams."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import Http404

from league.services.core.keyset import Place, edge_of
from league.services.results.records.profiles import part_of_games
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest

    from league.models import Player, Season, Team
    from league.services.core.keyset import Part
    from league.services.results.records.encounters import Encounter

MEETINGS_A_PAGE = 20


@dataclass(frozen=True)
class Lead:
    """The opponent with more wins, and by how many."""

    leader: Player | Team | None
    wins: int


def lead(one: Player | Team, other: Player | Team, wins: int) -> Lead:
    return Lead(None if not wins else one if wins > 0 else other, abs(wins))


def named_season(request: HttpRequest, seasons: Sequence[Season]) -> Season | None:
    """Return the season in the address, else the first of these."""
    if "season" not in request.GET:
        return seasons[0] if seasons else None
    asked = whole_number(request.GET["season"], default=0)
    season = next((season for season in seasons if season.pk == asked), None)
    if season is None:
        raise Http404
    return season


def part_of_meetings(request: HttpRequest, season: Season, met: Sequence[Encounter]) -> Part[Place]:
    """Return the part that the address asks for of two opponents' matches in a season."""
    games = sorted(
        {Place(one.played_at, one.match_id) for one in met if one.season_id == season.pk}
    )
    edge = edge_of(request.GET.get("after", ""), request.GET.get("before", ""))
    return part_of_games(games, edge, MEETINGS_A_PAGE)
