"""Pages of competitions: the list, each competition, and each fixture."""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING

from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from league.models import Arrangement, Competition, Fixture, Roster
from league.rates import limit_gets
from league.services.competitions import pages, returning
from league.services.competitions.exports import pgn, trf
from league.services.competitions.line_ups import substitutions_of
from league.services.competitions.locking import PERMISSION
from league.services.competitions.outcomes import games_of
from league.services.competitions.running import bracket_names, clock, entering, sitting_out
from league.services.competitions.standings import promotions
from league.services.competitions.versions import version_of
from league.services.core.clock import database_now
from league.services.dates.limits import takes_report
from league.services.dates.previews import preview
from league.services.guesses.boxes import box_of
from league.web.competitions.races import race_of
from league.web.core.acting import player_of
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Player
    from league.services.competitions.outcomes import Game
    from league.services.core.errors import Refused
    from league.services.dates.previews import Preview

MOST_LISTED = 100
FILES = (("csv", "CSV"), ("json", "JSON"), ("xlsx", "XLSX"))
"""The formats of tables and schedules, with their names."""


@require_safe
def competitions(request: HttpRequest, slug: str) -> HttpResponse:
    """List an arena's competitions: open for entries, running and over."""
    arena_page = arena_page_or_404(slug)
    rows = list(pages.competitions_of(arena_page.arena)[:MOST_LISTED])
    state = Competition.State
    context = {
        "arena": arena_page.arena,
        "season": season_of(request, arena_page),
        "open": [one for one in rows if one.state == state.REGISTRATION],
        "running": [one for one in rows if one.state == state.RUNNING],
        "over": [one for one in rows if one.state in {state.OVER, state.CANCELLED}],
    }
    return render(request, "competitions/competitions.html", context)


@require_safe
def competition(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    return competition_page(request, slug, pk)


def visible(request: HttpRequest, slug: str, pk: int) -> Competition:
    """Return a competition that the reader may see: drafts are for staff."""
    rows = Competition.objects.select_related("season__arena")
    one = get_object_or_404(rows, pk=pk, season__arena__slug=slug)
    if one.opened_at is None and not request.user.has_perm(PERMISSION, one):
        return get_object_or_404(rows.published(), pk=pk)
    return one


def competition_page(
    request: HttpRequest, slug: str, pk: int, refusal: Refused | None = None
) -> HttpResponse:
    """Show a competition, with an error message after a refusal."""
    one = visible(request, slug, pk)
    page, me, now = cache(partial(pages.load, one)), player_of(request), database_now()
    mine = one.entrants.led_by(me).with_people().first() if me else None
    number = whole_number(request.GET.get("round"), default=0)
    registers = one.state == Competition.State.REGISTRATION and now < one.starts_at
    open_ = registers or entering.takes_late(one)
    context = {
        "arena": one.season.arena,
        "season": one.season,
        "shows": one.season.shows,
        "competition": one,
        "rules": one.ruled_by(),
        "limits": entering.limits_of(one),
        "moves": promotions.can_move(one),
        "version": version_of(one),
        "page": page,  # read once a template needs it
        "tables": lambda: [(table, race_of(table, mine)) for table in page().tables if table.lines],
        "round": lambda: page().round_to_show(number),
        "round_number": number,
        "mine": mine,
        "out_in": lambda: (
            page().knocked_out_in(mine) if mine and one.state == Competition.State.RUNNING else None
        ),
        "open": open_,
        "rosters": rosters_of(me, one) if open_ and mine is None else [],
        "comes_back": mine is not None and returning.can_come_back(one, mine),
        "byes": sitting_out.options_of(one, mine),
        "check_in_from": entering.check_in_from(one),
        "checks_in": entering.checks_in(one, now),
        "may_run": request.user.has_perm(PERMISSION, one),
        **clock_of(one, now),
        "as_pgn": lambda: pgn.is_for(page()),
        "as_trf": lambda: trf.is_for(page()),
        "files": FILES,
        "refusal": refusal,
        "now": now,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "competitions/competition.html", context, status=status)


def rosters_of(me: Player | None, one: Competition) -> Sequence[Roster]:
    """Return the rosters with which a player can enter a competition."""
    arena = one.season.arena
    if me is None or arena.team_size_max == 1:
        return []
    return list(Roster.objects.led_by(me).filter(arena=arena).order_by("sort_name"))


@limit_gets("costly")
@require_safe
def fixture(request: HttpRequest, slug: str, pk: int, number: int) -> HttpResponse:
    """Show a fixture: its sides, its dates and results, and the odds."""
    one = visible(request, slug, pk)
    found = get_object_or_404(Fixture.objects.with_sides(), competition=one, number=number)
    now, me = database_now(), player_of(request)
    games = games_of([one.pk]).get(found.pk, [])
    dates = Arrangement.objects.with_people().in_bulk([game.date_id for game in games])
    coming, mine = next_date(games, dates), found.side_of(me)
    in_teams = one.season.arena.team_size_max > 1  # players alone have no substitutes
    played_for = substitutions_of([game.match_id for game in games if game.match_id and in_teams])
    outlook = preview_of(coming, now)
    context = {
        "arena": one.season.arena,
        "season": one.season,
        "competition": one,
        "rules": one.ruled_by(),
        "line": pages.line_of(found, games),
        "fixture": found,
        "round_name": bracket_names.names_of(one, one.rounds.all())[found.round_id],
        "games": [
            (game, dates[game.date_id], played_for.get(game.match_id or 0, [])) for game in games
        ],
        "mine": mine,
        "may_report": mine is not None and coming is not None and takes_report(coming, now),
        "next_date": coming,
        "preview": outlook,
        "box": box_of(coming, me, now, outlook.expected if outlook else None) if coming else None,
        "may_run": request.user.is_staff and request.user.has_perm(PERMISSION, one),
        "now": now,
    }
    return render(request, "competitions/fixture.html", context)


def next_date(games: Sequence[Game], dates: dict[int, Arrangement]) -> Arrangement | None:
    """Return the date of the game that is to be played."""
    waiting = [game for game in games if game.is_open and game.match_id is None]
    return dates[waiting[0].date_id] if waiting else None


def preview_of(date: Arrangement | None, now: datetime) -> Preview | None:
    return preview(date, date.arena.current_season(now), now) if date else None


@require_safe
def round_clock(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Show the clock alone, as large as the screen, and to pages that ask again."""
    one = visible(request, slug, pk)
    context = {
        "arena": one.season.arena,
        "competition": one,
        **clock_of(one, database_now()),
    }
    templates = {"line": "competitions/_clock.html", "large": "competitions/clock.html#clock"}
    part = request.GET.get("part", "")
    return render(request, templates.get(part, "competitions/clock.html"), context)


def clock_of(one: Competition, now: datetime) -> dict[str, object]:
    """Return the seconds on the clock of a competition, and how it shows them."""
    left = clock.seconds_left(one, now)
    return {"clock": left, "clock_text": clock.write_clock(left or 0)}
