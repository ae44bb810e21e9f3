"""Pages for challenges on a ladder."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from league.clients import sent_from
from league.models import Arena, Challenge, Player, Status
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.core.numbers import write_score
from league.services.ladder import challenges as service
from league.services.ladder import draws, entering, playing, unplayed
from league.services.ladder.lists import PEOPLE, challengeable, challenges_of, why_nobody
from league.services.people import naming
from league.services.results.forecasts.stakes import own_stakes
from league.services.results.rules import own_matches
from league.services.seasons.starting_lists import may_give
from league.web.core.acting import account_of, acting_player, player_of, player_required
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.middleware import status_of, zone_named
from league.web.core.parameters import whole_number
from league.web.results.forms import ReportForm
from league.web.results.lineups import Lineup, LineupSide
from league.web.results.stakes import stakes_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Rating, Season
    from league.services.results.forecasts.stakes import OwnStakes

MOST_OPEN, MOST_OVER, MOST_NAMES = 100, 20, 500
SIDES = ("challenger", "challenged")

ANSWER_MESSAGES = {
    "accept": gettext_lazy("Challenge accepted. Start the match when you play, or report it then."),
    "decline": gettext_lazy("Challenge declined."),
    "withdraw": gettext_lazy("Challenge withdrawn."),
}


@require_safe
def challenges(request: HttpRequest, slug: str) -> HttpResponse:
    return challenges_page(request, get_object_or_404(Arena.objects.published(), slug=slug))


def challenges_page(
    request: HttpRequest, arena: Arena, refusal: Refused | None = None
) -> HttpResponse:
    """Show a ladder's challenges, with an error message after a refusal."""
    arena_page = arena_page_or_404(arena.slug)
    season, now = season_of(request, arena_page), arena_page.now
    ladder = service.ladder_of(season) if season else None
    if season is None or ladder is None or not service.takes_challenges(season):
        if refusal:
            raise refusal
        raise Http404
    me = player_of(request)
    all_ = challenges_of(season)
    open_ = list(all_.to_come().order_by("answer_by", "id")[:MOST_OPEN])
    mine = list(all_.to_come().of(me).order_by("answer_by", "id")) if me else []
    running = service.is_running(season, now)
    possible = challengeable(season, me, now) if me else []
    may_enter = running and request.user.has_perm(own_matches.ENTER, arena)
    context = {
        "arena": arena,
        "season": season,
        "shows": season.shows,
        "ladder": ladder.parameters,
        "rules": service.challenge_rules(season),
        "running": running,
        "mine": mine,
        "others": [one for one in open_ if one not in mine],
        "over": [(one, result_of(one)) for one in all_.over().with_results()[:MOST_OVER]],
        "possible": with_stakes(season, me, possible, now) if me else [],
        "why_nobody": why_nobody(season, me) if me and running and not possible else "",
        "my_rank": service.ranks_of(season, [me]).get(me.pk) if me else None,
        "may_start": running and may_give(season, request.user),
        "may_enter": may_enter,
        "names": names_on(season) if may_enter else [],
        "sides": SIDES if may_enter else (),
        "sent": request.POST,
        "refusal": refusal,
        "now": now,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "ladder/challenges.html", context, status=status)


def result_of(one: Challenge) -> str:
    """Return the result of a challenge that was played, empty before it is settled."""
    if one.state != Challenge.State.ACCEPTED or one.match is None:
        return ""
    if one.match.status == Status.VOID:
        return one.match.get_status_display()
    if one.match.status != Status.RATED:
        return ""
    sides = sorted(one.match.sides.all(), key=lambda side: side.place or 0)
    first, last = sides[0], sides[-1]
    if first.place == last.place:
        return _("a draw")
    names = {"winner": first.captain}
    if first.score is None or last.score is None:
        return _("%(winner)s won") % names
    score = f"{write_score(first.score)}–{write_score(last.score)}"
    return _("%(winner)s won %(score)s") % {**names, "score": score}


def names_on(season: Season) -> list[str]:
    """Return the names of players on a ladder, for the form that suggests them."""
    rows = season.ratings.order_by("player__sort_name")
    return list(rows.values_list("player__name", flat=True)[:MOST_NAMES])


def with_stakes(
    season: Season, me: Player, possible: list[Rating], now: datetime
) -> list[tuple[Rating, OwnStakes | None]]:
    """Return the players whom I can challenge, each with what a match against them would mean."""
    players = [one.player for one in possible]
    return list(zip(possible, own_stakes(season, me, players, now), strict=True))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def new(request: HttpRequest, slug: str) -> HttpResponse:
    """Challenge a player. GET requests return to the list of challenges."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method != "POST":
        return redirect("challenges", slug)
    me = acting_player(request)
    named = whole_number(request.POST.get("player"), default=0)
    challenged = Player.objects.select_related("user").filter(pk=named).first()
    if challenged is None:
        missing = Refused("player", _("Choose a player from the list."))
        return challenges_page(request, arena, missing)
    try:
        service.challenge(arena, challenged, by=me, now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return challenges_page(request, arena, refusal)
    messages.success(request, _("Challenge sent to %(player)s.") % {"player": challenged})
    return redirect("challenges", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def enter(request: HttpRequest, slug: str) -> HttpResponse:
    """Enter a challenge as an organiser. GET requests return to the list of challenges."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if not request.user.has_perm(own_matches.ENTER, arena):
        raise Forbidden("not_staff", _("Only organisers can enter challenges."))
    if request.method != "POST":
        return redirect("challenges", slug)
    try:
        pair = [naming.find_one(request.POST.get(side, ""), side) for side in SIDES]
        one = entering.enter(arena, *pair, by=account_of(request), now=database_now())
    except Refused as refusal:
        return challenges_page(request, arena, refusal)
    messages.success(request, _("Entered: %(challenge)s.") % {"challenge": one})
    return redirect("challenges", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def end(request: HttpRequest, pk: int) -> HttpResponse:
    """End a challenge without a game as an organiser. GET requests return to the challenges."""
    one = get_object_or_404(Challenge.objects.select_related("season__arena"), pk=pk)
    if not request.user.has_perm(own_matches.ENTER, one):
        raise Forbidden("not_staff", _("Only organisers can enter this."))
    if request.method != "POST":
        return redirect(one)
    try:
        ending = request.POST.get("ending", "")
        ended = unplayed.end(pk, ending, by=account_of(request), now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return challenges_page(request, one.season.arena, refusal)
    messages.success(
        request, _("The challenge is over: %(state)s.") % {"state": ended.get_state_display()}
    )
    return redirect(one)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Challenge somebody at random. GET requests return to the list of challenges."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    if request.method != "POST":
        return redirect("challenges", slug)
    me = acting_player(request)
    try:
        sent = draws.draw(arena, by=me, now=database_now(), seed=secrets.randbits(63))
    except Forbidden:
        raise
    except Refused as refusal:
        return challenges_page(request, arena, refusal)
    among = sent.drawn_from or 0
    drawn = ngettext(
        "Your challenge was sent to %(player)s, the only player you could draw.",
        "Your challenge was sent to %(player)s, drawn from %(count)d players.",
        among,
    )
    messages.success(request, drawn % {"count": among, "player": sent.challenged})
    return redirect("challenges", slug)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept, decline or withdraw a challenge."""
    rows = Challenge.objects.select_related("season__arena")
    one = get_object_or_404(rows, pk=pk)
    arena = one.season.arena
    if request.method != "POST":
        return redirect("challenges", arena.slug)
    wanted = request.POST.get("answer", "")
    if wanted not in ANSWER_MESSAGES:
        unclear = Refused("answer", _("Choose to accept, decline or withdraw."))
        return challenges_page(request, arena, unclear)
    services = {"accept": service.accept, "decline": service.decline, "withdraw": service.withdraw}
    try:
        answered = services[wanted](pk, by=acting_player(request), now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return challenges_page(request, arena, refusal)
    if answered.match:
        messages.success(request, _("Challenge declined. This is what it cost you."))
        return redirect(answered.match)
    messages.success(request, ANSWER_MESSAGES[wanted])
    return redirect(answered)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def start(request: HttpRequest, pk: int) -> HttpResponse:
    """Start the match of an accepted challenge. GET requests return to the challenges."""
    one = get_object_or_404(Challenge.objects.select_related("season__arena"), pk=pk)
    if request.method != "POST":
        return redirect(one)
    try:
        match = playing.start(pk, by=acting_player(request), now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return challenges_page(request, one.season.arena, refusal)
    messages.success(request, _("The match is on: report it when it is over."))
    return redirect(match)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the result of an accepted challenge."""
    one = get_object_or_404(Challenge.objects.select_related(*PEOPLE), pk=pk)
    me, now = acting_player(request), database_now()
    playing.check_player(one, me)
    mine_first = sorted(playing.players_of(one), key=lambda player: player != me)
    lineup = Lineup(one.season.arena, [LineupSide(player, [player]) for player in mine_first])
    if request.method != "POST":
        playing.check_to_be_played(one, now)
        return report_page(request, one, ReportForm(lineup, initial=ReportForm.fresh_values(now)))
    form = ReportForm(lineup, request.POST)
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if not form.is_valid():
            return report_page(request, one, form, 400)
        try:
            match = playing.report(
                pk,
                form.report(),
                reporter=me,
                played_at=form.cleaned_data["played_at"],
                now=now,
                client_token=form.cleaned_data["client_token"],
                sent_from=sent_from(request),
                mode=form.chosen_mode,
            )
        except Forbidden:
            raise
        except Refused as refusal:
            form.refuse(refusal)
            return report_page(request, one, form, status_of(refusal))
    return redirect(match)


def report_page(
    request: HttpRequest, one: Challenge, form: ReportForm, status: int = 200
) -> HttpResponse:
    stakes = stakes_of(form.lineup, acting_player(request), database_now())
    context = {"arena": one.season.arena, "challenge": one, "form": form, "stakes": stakes}
    return render(request, "results/report.html", context, status=status)
