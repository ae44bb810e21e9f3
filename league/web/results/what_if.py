"""Show the odds of a match between any players, and what each outcome would change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Arena
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Refused
from league.services.core.numbers import percents
from league.services.results.forecasts import what_if as service
from league.services.results.forecasts.suggestions import kept_suggestions
from league.services.standings.leaderboards import player_row
from league.web.core.acting import player_of
from league.web.core.middleware import status_of
from league.web.results.lineups import entered_lineup

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Player, Season
    from league.services.results.forecasts.outcomes import Change
    from league.services.results.forecasts.what_if import WhatIf
    from league.web.results.lineups import LineupSide


@dataclass(frozen=True)
class SeatChanges:
    """A player, with the change of their rating by each outcome."""

    player: Player
    changes: Sequence[Change]


@limit_gets("costly")
@require_safe
def what_if(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask who plays, and show the odds and outcomes. Without names, suggest opponents."""
    now = database_now()
    arena = get_object_or_404(Arena.objects.published().select_related("queue", "text"), slug=slug)
    season = arena.current_season(now)
    lines = [line for text in request.GET.getlist("sides") for line in text.splitlines()]
    me = player_of(request)
    context: dict[str, Any] = {
        "arena": arena,
        "season": season,
        "lines": lines or ([me.name] if me else []),
        "text": "\n".join(lines or ([me.name] if me else [])),
        "most": service.MOST_SIDES,
    }
    status = 200
    if season and (request.GET.get("show") or sum(bool(line.strip()) for line in lines) > 1):
        try:
            context |= outcome_context(request, arena, season, now)
        except Refused as refusal:
            context["refusal"], status = refusal, status_of(refusal)
    elif season and me:
        row = player_row(season, me, now=now)
        context["suggestions"] = kept_suggestions(season, me, row, now=now)
    return render(request, "results/what_if.html", context, status=status)


def outcome_context(
    request: HttpRequest, arena: Arena, season: Season, now: datetime
) -> dict[str, Any]:
    """Return the odds and outcomes of the match in the address.

    Raises:
        Refused: a name is unknown or given twice, or the sides do not fit the arena.
    """
    sides = entered_lineup(arena, request.GET).sides
    teams = [side.players[: arena.team_size_max] if side.roster else side.players for side in sides]
    service.check_teams(arena, teams)
    found = service.what_if(season, [[player.pk for player in team] for team in teams], now)
    if found is None:
        raise Conflict("unrated", _("This arena does not rate such a match."), field="sides")
    return {
        "found": found,
        "shows": season.shows,
        "odds": list(zip(names(sides), percents(found.chances), strict=True))
        if found.chances
        else [],
        "teams": seats(sides, teams, found),
        "two_sided": len(sides) == 2,
    }


def seats(
    sides: Sequence[LineupSide], teams: Sequence[Sequence[Player]], found: WhatIf
) -> list[tuple[str, list[SeatChanges]]]:
    """Return each side's name, with its players and the changes by each outcome."""
    return [
        (
            name,
            [
                SeatChanges(player, [one.changes[player.pk] for one in found.outcomes])
                for player in team
            ],
        )
        for name, team in zip(names(sides), teams, strict=True)
    ]


def names(sides: Sequence[LineupSide]) -> list[str]:
    """Return names for sides in a table: those of rosters and single players, else numbers."""
    return [
        side.name
        if side.roster or len(side.players) == 1
        else _("Side %(number)d") % {"number": nth}
        for nth, side in enumerate(sides, start=1)
    ]
