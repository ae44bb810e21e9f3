"""The page of two teams against each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_safe

from league.models import Team
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.results.records.encounters import record_of, seasons_met
from league.services.results.records.lines import lines_in
from league.services.teams.meetings import encounters_of, odds_now, shared_seasons
from league.web.core.acting import player_of
from league.web.results.meetings import lead, named_season, part_of_meetings
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@limit_gets("costly")
@require_safe
def against(request: HttpRequest, pk: int, other_pk: int) -> HttpResponse:
    """Show two teams' matches against each other: record, odds now and the matches."""
    one, other = get_object_or_404(Team, pk=pk), get_object_or_404(Team, pk=other_pk)
    if one == other:
        return redirect(one)
    met = encounters_of(one, other)
    seasons = seasons_met(met)
    shown = [each.season for each in seasons] or shared_seasons(one, other)
    season = named_season(request, shown)
    record = record_of(met)
    context: dict[str, Any] = {
        "player": one,
        "other": other,
        "seasons": seasons,
        "season": season,
        "record": record,
        "lead": lead(one, other, record.wins - record.losses),
        "last": met[-10:],
    }
    if season:
        part = part_of_meetings(request, season, met)
        listed = lines_in(season, None, [place.pk for place in part.rows])
        odds = odds_now(season, one, other, database_now())
        context |= {
            "arena": season.arena,
            "chance": odds.stakes.chance if odds else None,
            "chances": list(odds.stakes.chances.values()) if odds else [],
            "odds_of": odds.rosters if odds else (),
            "matches": sheets(listed, me=player_of(request)),
            "older": part.older.text if part.older else None,
            "newer": part.newer.text if part.newer else None,
        }
    return render(request, "teams/against.html", context)
