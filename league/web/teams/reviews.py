"""A team's season in review, as a page and as a picture to share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Team
from league.rates import limit_gets
from league.services.results.records.lines import lines_in
from league.services.teams.pages import records_from
from league.services.teams.results import results_of
from league.services.teams.reviews import review_of
from league.web.core.acting import player_of
from league.web.results.badge_words import in_words
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.services.teams.reviews import Review


def read_review(pk: int, season_id: int) -> tuple[Team, Review]:
    """Return a team and its season in review.

    Raises:
        Http404: it has not played in that season.
    """
    team = get_object_or_404(Team, pk=pk)
    results = results_of(team)
    records = records_from(team, results)
    played = next((one for one in records if one.season.pk == season_id), None)
    if played is None:
        raise Http404
    return team, review_of(team, played, records, results)


@limit_gets("costly")
@require_safe
def review(request: HttpRequest, pk: int, season_id: int) -> HttpResponse:
    """Show a team's season: rank, rating, record, best win, streak, rival, regular, badges."""
    team, shown = read_review(pk, season_id)
    season = shown.played.season
    lines = lines_in(season, None, [shown.best_win.match_id] if shown.best_win else [])
    context = {
        "team": team,
        "season": season,
        "arena": season.arena,
        "shows": season.shows,
        "review": shown,
        "record": shown.played,
        "badges": in_words(shown.badges),
        "best_match": sheets(lines, me=player_of(request)),
    }
    return render(request, "teams/review.html", context)
