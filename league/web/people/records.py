"""A player's records in a season, and all their matches on one page."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, Any

from cachetools import TTLCache, cached
from django.http import Http404
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.views.decorators.http import require_safe

from league.models import Player
from league.rates import limit_gets
from league.services.competitions.trophies import trophies_of
from league.services.privacy.reading import check_reads_history
from league.services.results.records import player_records as service
from league.services.results.records.histories import history_of
from league.services.results.records.lines import lines_in
from league.services.results.records.profiles import seasons_played
from league.services.seasons.archives import awards_of
from league.web.core.acting import player_of
from league.web.people.players import chosen_season
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from datetime import tzinfo

    from django.http import HttpRequest, HttpResponse
    from django.utils.safestring import SafeString

    from league.services.results.records.histories import History


TITLES = {
    "side": gettext_lazy("By side"),
    "mode": gettext_lazy("By game mode"),
    "map": gettext_lazy("By map"),
    "profession": gettext_lazy("By profession"),
}
"""The page's name for each breakdown."""
LISTS_KEPT = 8
"""Whole lists of matches kept in a process, up to half a megabyte each."""
SECONDS = 60
"""The time for which a list is kept: people in it may be renamed, merged or gone this much
later."""

lists: TTLCache[Any, SafeString] = TTLCache(LISTS_KEPT, SECONDS)


@limit_gets("costly")
@require_safe
def records(request: HttpRequest, pk: int) -> HttpResponse:
    """Show streaks, upsets, rivals and results by side, mode, map and profession of a season."""
    player = get_object_or_404(Player.ever, pk=pk)
    person = player.merged_into or player
    seasons = seasons_played(person)
    chosen = chosen_season(request, seasons, player)
    if chosen is None:
        raise Http404
    player, season = chosen.player, chosen.season
    check_reads_history(player, request.user, season)
    history = history_of(season, player)
    played = history.played
    upset = service.biggest_upset(played, lowest_first=season.lowest_first)
    rivals = service.rivals_of(season, player)
    upset_lines = lines_in(season, player, [upset.match.match_id] if upset else [])
    context: dict[str, Any] = {
        "player": player,
        "seasons": seasons,
        "season": season,
        "shows": season.shows,
        "best": history.best,
        "winning": service.longest(played, "win"),
        "unbeaten": service.unbeaten_run(season, played),
        "upset": upset,
        "upset_match": sheets(upset_lines, player, me=player_of(request)),
        "rivals": service.with_players(rivals.most_met),
        "closest": service.with_players(rivals.closest),
        "breakdowns": [
            (TITLES[one.kind], one.parts)
            for one in service.breakdowns(season.arena.sides_max, played)
        ],
        "awards": awards_of(person),
        "cups": trophies_of(person),
    }
    return render(request, "people/records.html", context)


@limit_gets("costly")
@require_safe
def all_matches(request: HttpRequest, pk: int) -> HttpResponse:
    """List all matches of a player in a season at once, latest first."""
    player = get_object_or_404(Player.ever, pk=pk)
    person = player.merged_into or player
    chosen = chosen_season(request, seasons_played(person), player)
    if chosen is None:
        raise Http404
    check_reads_history(chosen.player, request.user, chosen.season)
    history = history_of(chosen.season, chosen.player)
    listed = render_history(
        history, player_of(request), timezone.get_current_timezone(), get_language()
    )
    context = {
        "player": chosen.player,
        "season": chosen.season,
        "matches": listed,
        "count": sum(point.is_game for point in history.points),
    }
    return render(request, "people/all_matches.html", context)


@cached(lists, lock=Lock())
def render_history(
    history: History, me: Player | None, _zone: tzinfo, _language: str | None
) -> SafeString:
    """Return the list of all matches of a history. Cached, as it may be long."""
    games = [point.match_id for point in reversed(history.points) if point.is_game]
    listed = lines_in(history.season, history.player, games)
    return render_to_string(
        "results/_games.html", {"sheets": sheets(listed, history.player, me=me)}
    )
