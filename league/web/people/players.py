"""Player search and player pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import Http404
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.models import DivisionChange, Player, Season, User
from league.rates import limit_gets
from league.services.competitions.trophies import trophies_of
from league.services.core.keyset import edge_of
from league.services.ladder.challenges import is_running, reason_against, takes_challenges
from league.services.people.claims import refusal
from league.services.people.players import Shown, shown_player
from league.services.points import points_leaderboard
from league.services.privacy.reading import reads_history
from league.services.results.forecasts.stakes import own_stakes
from league.services.results.playing.figures import totals_of
from league.services.results.records import histories, profiles
from league.services.results.records.badges import badges_of
from league.services.results.records.histories import players_by_id
from league.services.results.records.lines import lines_in, open_matches
from league.services.search.known import find_players, latest_players
from league.services.seasons.archives import awards_of
from league.services.seasons.day_one import drawn_by
from league.services.seasons.errata import errata_of
from league.services.standings import division_news, leaderboards, outlook
from league.services.standings.order_in_words import describe_place
from league.services.standings.professions import professions_of
from league.services.teams.pages import teams_of
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.fragments import asks_for_part
from league.web.core.lookups import chosen_mode
from league.web.core.parameters import whole_number
from league.web.rating.player_charts import Drawing, Span, chart_of, form_of, spans_of
from league.web.results.badge_words import in_words
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.services.results.forecasts.stakes import OwnStakes
    from league.services.results.records.histories import History
    from league.services.results.records.profiles import Point, SeasonPlayed

MAX_FOUND, LATEST = 50, 24
MATCHES_A_PAGE = 20


@limit_gets("costly", if_asked=("q",))
@require_safe
def players(request: HttpRequest) -> HttpResponse:
    """List players whose name contains the search text, or who have just played.

    htmx requests get the list only.
    """
    search = request.GET.get("q", "").strip()
    found = find_players(search, MAX_FOUND + 1) if search else latest_players(LATEST)
    part = "#found" if asks_for_part(request) else ""
    return render(
        request,
        f"people/players.html{part}",
        {"search": search, "found": found[:MAX_FOUND], "more": len(found) > MAX_FOUND},
    )


@limit_gets("costly")
@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's season: rating and its history, record, matches and opponents."""
    me = player_of(request)
    player, now, followed = shown_or_404(pk, me)
    person = player.merged_into or player
    seasons = profiles.seasons_played(person)
    chosen = chosen_season(request, seasons, player)
    if player != (chosen.player if chosen else person):
        return moved_to(request, chosen.player if chosen else person)
    season = chosen.season if chosen else None
    may_read = reads_history(person, request.user, season)
    context = {
        "player": player,
        "person": person,
        "seasons": seasons,
        "season": season,
        "is_me": me == person,
        "may_claim": may_claim(request, person, now),
        "hidden": not may_read,
        "may_moderate": (
            request.user.is_authenticated
            and request.user.is_staff
            and request.user.has_perm("league.change_player")
        ),
    }
    if chosen and season:
        if may_read:
            history = histories.history_of(season, player)
            context |= matches_context(request, season, player, me, history.points)
        if asks_for_part(request):
            return render(request, "people/player.html#matches", context)
        if may_read:
            others = [one.season for one in seasons if one.player == player]
            drawing, choices = drawing_of(request, history, others)
            context |= history_context(season, player, me, drawing, choices)
        row = leaderboards.player_row(season, player, now=now)
        near = leaderboards.neighbours(season, row, now=now) if row else []
        context |= {
            "row": row,
            "outlook": outlook.outlook(season, player, row, now=now) if row else None,
            "shows": season.shows,
            "arena": season.arena,
            "neighbours": near,
            "place_in_words": describe_place(row, near, season.shows) if row else [],
            "day_one": drawn_by(season, player),
            "points": points_of(season, player),
            "record": chosen.record,
            "errata": errata_of(season, player) if season.archived_at else [],
            "stakes": duel_stakes(season, player, me, now) if player == person else None,
            **challenge_context(season, person, me, now),
        }
    awards = awards_of(person) if any(one.season.archived_at for one in seasons) else []
    context["awards"] = awards
    context["cups"] = trophies_of(person)
    if may_read:
        context["badges"] = in_words(badges_of(person, seasons, awards))
        is_open = open_matches(player)
        context["open"] = sheets(is_open, player, me=me)
    context["teams"] = teams_of(person)
    context["followed"] = followed
    return render(request, "people/player.html", context)


def shown_or_404(pk: int, reader: Player | None) -> Shown:
    try:
        return shown_player(pk, reader)
    except Player.DoesNotExist as error:
        raise Http404 from error


def drawing_of(
    request: HttpRequest, history: History, seasons: Sequence[Season]
) -> tuple[Drawing, list[Span]]:
    """Return the matches of the chart that the address asks for, and the times to choose from.

    The chart of all seasons has those of the arena with numbers on the same scale.
    """
    season = history.season
    alike = [
        one for one in seasons if one.arena_id == season.arena_id and one.shows == season.shows
    ]
    choices = spans_of(history, alike)
    asked = request.GET.get("time", "")
    span = next((one for one in choices if one == asked), Span.SEASON)
    return Drawing(history, span, tuple(alike) if span == Span.ALL else ()), choices


def history_context(
    season: Season, player: Player, me: Player | None, drawing: Drawing, choices: Sequence[Span]
) -> dict[str, Any]:
    """Return what a player's page shows of their rated matches, besides the matches themselves."""
    history = drawing.history
    known = players_by_id([*drawing.opponents, *(one.player_id for one in history.meetings)])
    names = {player: one.name for player, one in known.items()}
    opponents = history.opponents(known)
    met = me is not None and any(one.player == me for one in opponents)
    moves = division_news.moves_of(season, player)
    return {
        "totals": totals_of(season, player),
        "opponents": opponents,
        "opponents_version": (me if met else None, *(one.version for one in opponents)),
        "professions": professions_of(season, player, history.professions),
        "moves": moves,
        "news": next((move for move in moves if move.is_news), None) if me == player else None,
        "chart": chart_of(drawing, player, season.shows, names, choices),
        "best": history.best,
        "form": form_of(history),
        "games": sum(point.is_game for point in history.points),
    }


def duel_stakes(
    season: Season, player: Player, me: Player | None, now: datetime
) -> OwnStakes | None:
    """Return what a duel against a player would mean for me, if one can be played now."""
    arena = season.arena
    duels = arena.is_open and arena.team_size_max == 1 and arena.sides_max == 2
    if me is None or me == player or not duels or not season.is_running(now):
        return None
    return own_stakes(season, me, [player], now)[0]


def challenge_context(
    season: Season, person: Player, me: Player | None, now: datetime
) -> dict[str, Any]:
    """Return whether I can challenge a player on a ladder now, and what speaks against it.

    Players without an account could not answer; the page says so already.
    """
    can_ask = me is not None and me != person and person.user_id is not None
    if me is None or not can_ask or person.left_at is not None:
        return {}
    if not takes_challenges(season) or not is_running(season, now):
        return {}
    refusal = reason_against(season, person, by=me, now=now)
    return {"may_challenge": refusal is None, "against_challenge": refusal}


def matches_context(
    request: HttpRequest,
    season: Season,
    player: Player,
    me: Player | None,
    history: Sequence[Point],
) -> dict[str, Any]:
    """Return a part of a player's matches and the places at which its neighbours begin.

    Old addresses have the number of a page.

    Raises:
        Refused: the address has no valid place.
    """
    mode = chosen_mode(request, season.arena)
    games = profiles.games_in(history, mode)
    edge = edge_of(request.GET.get("after", ""), request.GET.get("before", ""))
    if edge.place is None:
        edge = profiles.edge_of_page(games, whole_number(request.GET.get("page")), MATCHES_A_PAGE)
    part = profiles.part_of_games(games, edge, MATCHES_A_PAGE)
    listed = lines_in(season, player, [place.pk for place in part.rows])
    return {
        "mode": mode,
        "matches": sheets(listed, player, me=me),
        "older": part.older.text if part.older else None,
        "newer": part.newer.text if part.newer else None,
    }


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def division_seen(request: HttpRequest, pk: int) -> HttpResponse:
    """Dismiss the player's division news and return to the page it was on."""
    me = acting_player(request)
    change = get_object_or_404(DivisionChange, pk=pk, player=me)
    if request.method == "POST":
        division_news.dismiss(change.pk, by=me)
        if request.POST.get("page") == "home":
            return redirect("home")
    return redirect(f"{me.get_absolute_url()}?season={change.season_id}")


def points_of(season: Season, player: Player) -> points_leaderboard.PointsStanding | None:
    """Return the player's ladder points if the season counts them."""
    counts = season.season_rules().points.ladder.counts
    return points_leaderboard.points_standing(season, player) if counts else None


def moved_to(request: HttpRequest, player: Player) -> HttpResponse:
    """Redirect to the page of the player that a person was, or is."""
    query = request.META.get("QUERY_STRING", "")
    address = player.get_absolute_url()
    permanent = player.merged_into_id is None
    return redirect(f"{address}?{query}" if query else address, permanent=permanent)


def may_claim(request: HttpRequest, person: Player, now: datetime) -> bool:
    """Return whether the reader's account can ask for a player as its own."""
    if person.user_id or not isinstance(request.user, User):
        return False
    return refusal(request.user, person, now) is None


def chosen_season(
    request: HttpRequest, seasons: list[SeasonPlayed], player: Player
) -> SeasonPlayed | None:
    """Return the season that the URL names, or else the one that the person played last."""
    own = [one for one in seasons if one.player == player]
    if "season" in request.GET:
        wanted = [one for one in seasons if str(one.season.pk) == request.GET["season"]]
    elif "arena" in request.GET:
        wanted = [one for one in own if one.season.arena.slug == request.GET["arena"]]
        return wanted[0] if wanted else None
    else:
        return own[0] if own and player.merged_into_id is None else None
    if not wanted:
        # A list can still name somebody whose results in a season have just become void.
        get_object_or_404(Season, pk=whole_number(request.GET.get("season"), default=0))
        return None
    return next((one for one in wanted if one.player == player), wanted[0])
