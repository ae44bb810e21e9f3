"""A player's season in review, as a page and as a picture to share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Player
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.privacy.reading import check_reads_history
from league.services.results.records.badges import badges_of
from league.services.results.records.histories import history_of, players_by_id
from league.services.results.records.lines import lines_in
from league.services.results.records.profiles import seasons_played
from league.services.results.records.reviews import review_of
from league.services.seasons.archives import awards_of
from league.web.core.acting import player_of
from league.web.rating.player_charts import Drawing, chart_of
from league.web.results.badge_words import in_words
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.services.results.records.histories import History
    from league.services.results.records.reviews import Review


def read_review(pk: int, season_id: int) -> tuple[Player, Review, History]:
    """Return a person, their season in review and its matches, by the player they were then.

    Raises:
        Http404: they have not played in that season.
    """
    player = get_object_or_404(Player.ever.select_related("merged_into"), pk=pk)
    person = player.merged_into or player
    seasons = seasons_played(person)
    own = (one for one in seasons if one.season.pk == season_id and one.record.total)
    played = next(own, None)
    if played is None or played.season.arena.is_draft:
        raise Http404
    found = badges_of(person, seasons, awards_of(person))
    history = history_of(played.season, played.player)
    return person, review_of(person, played, history, found, database_now()), history


@limit_gets("costly")
@require_safe
def review(request: HttpRequest, pk: int, season_id: int) -> HttpResponse:
    """Show a player's season: rank, record, best win, streak, rival, partner, badges, rating."""
    person, shown, history = read_review(pk, season_id)
    season, player = shown.played.season, shown.played.player
    check_reads_history(person, request.user, season)
    me = player_of(request)
    drawing = Drawing(history)
    names = {pk: one.name for pk, one in players_by_id([*drawing.opponents]).items()}
    lines = lines_in(season, player, [shown.best_win.match_id] if shown.best_win else [])
    context = {
        "player": player,
        "person": person,
        "season": season,
        "arena": season.arena,
        "shows": season.shows,
        "review": shown,
        "record": shown.played.record,
        "badges": in_words(shown.badges),
        "best_match": sheets(lines, player, me=me),
        "best": history.best,
        "chart": chart_of(drawing, player, season.shows, names),
        "is_me": me == person,
        "is_shared": not (person.is_unlisted or person.hides_history),
    }
    return render(request, "people/review.html", context)
