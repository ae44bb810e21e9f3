"""Pages for reporting results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.db.models import F, Q
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from league.clients import sent_from
from league.models import Arena, Format, Match, Player, Status
from league.rates import limit_gets
from league.services.competitions import counting, counting_live, fixture_words
from league.services.core.clock import database_now
from league.services.core.errors import AboutMatch, Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.dates import lists
from league.services.dates.limits import reports_from, takes_report
from league.services.ladder import lists as challenges
from league.services.results.records import profiles
from league.services.results.records.lines import in_lines
from league.services.results.reports import live, reporting, suggestions
from league.services.results.reports.agreement import check_captains, check_captains_report
from league.services.results.rules.formats import plays_in_rosters
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import status_of, zone_named
from league.web.results import lineups
from league.web.results.finish_order import OrderForm
from league.web.results.forms import FinishForm, ModeForm, ReportForm
from league.web.results.live_scores import known_scores
from league.web.results.scoresheets import sheet
from league.web.results.stakes import stakes_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse

    from league.models import Arrangement


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask who played, then how it ended. Both steps work without JavaScript."""
    now = database_now()
    arena = open_arena(slug, now)
    check_captains_report(arena)
    me = acting_player(request)
    sent = request.POST if request.method == "POST" else request.GET
    if "opponent" not in sent:
        return opponents_page(request, arena, me)
    try:
        lineup = lineups.lineup_against(arena, me, sent)
        check_captains([side.captain for side in lineup.sides if side.captain != me])
    except Refused as refusal:
        return opponents_page(request, arena, me, refusal)
    date = counting.open_date(arena, lineups.parties_of(lineup, led=True), now)
    due = date if date is not None and takes_report(date, now) else None
    early = date if date is not None and now < reports_from(date) else None
    context: dict[str, Any] = {"arena": arena, "early_date": early}
    # The names come by POST if they may be too many for a URL.
    if request.method != "POST" or request.POST.get("step") == "who":
        form = ReportForm(lineup, initial=ReportForm.fresh_values(now))
        offer(form, due)
        context |= {"form": form, "stakes": stakes_of(lineup, me, now)}
        return render(request, "results/report.html", context)
    form = ReportForm(lineup, request.POST)
    offer(form, due)
    if "same_game" in request.POST:
        form.ask_same_game()
    status = 400
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if form.is_valid():
            try:
                match = counting.report(
                    arena,
                    form.report(),
                    date=due if form.chosen_for_fixture else None,
                    reporter=me,
                    played_at=form.cleaned_data["played_at"],
                    now=now,
                    client_token=form.cleaned_data["client_token"],
                    sent_from=sent_from(request),
                    mode=form.chosen_mode,
                    same_game=form.chosen_same_game,
                )
            except AboutMatch as refusal:
                context |= about_match(form, refusal)
                status = 409
            except Refused as refusal:
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                return to_the_match(request, match, me)
        context |= {"form": form, "stakes": stakes_of(lineup, me, now)}
        return render(request, "results/report.html", context, status=status)


def about_match(form: ReportForm | OrderForm, refusal: AboutMatch) -> dict[str, Any]:
    """Prepare a form to be sent again, and return what to show of the match it collides with."""
    match = Match.objects.get(pk=refusal.match)
    if refusal.code == "token_used":
        form.renew_token()
        return {"reported_match": match}
    form.ask_same_game()
    return {"rival_match": match, "question": refusal.message}


def offer(form: ModeForm, date: Arrangement | None) -> None:
    """Let a form ask whether the result counts for the fixture of a date."""
    if date is not None:
        form.offer_fixture(fixture_words.describe_arrangement(date))


def to_the_match(request: HttpRequest, match: Match, me: Player) -> HttpResponse:
    """Open the match of a report, and say so if somebody else had reported the game already."""
    if text := reported_before(match, me):
        messages.info(request, text)
    return redirect(match)


def reported_before(match: Match, me: Player) -> str:
    """Return a text if somebody else had already reported the game, otherwise an empty one.

    ``match`` is the match that the report returned.
    """
    if match.reported_by_id == me.pk:
        return ""
    others = match.sides.exclude(index=F("match__reported_by_side"))
    if others.filter(Q(captain=me) | Q(participants__player=me)).exists():
        texts = {
            Status.RATED: _("The other side reported the same result, so it is now rated."),
            Status.DISPUTED: _("The other side reported another result. You see both here."),
            Status.REPORTED: _("The other side has reported this game too. Check its report here."),
        }
        return texts.get(Status(match.status), match.get_status_display())
    text = _("%(name)s has already reported this match for your side.")
    return text % {"name": match.reported_by}


def open_arena(slug: str, now: datetime) -> Arena:
    """Return the arena, or raise ``Conflict`` if it takes no reports now."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    check_open(arena, now)
    return arena


def check_open(arena: Arena, now: datetime) -> None:
    """Raise ``Conflict`` if an arena takes no reports now."""
    if not arena.takes_results(now):
        raise Conflict("closed", _("No season is running in %(arena)s.") % {"arena": arena})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def report_order(request: HttpRequest, slug: str) -> HttpResponse:
    """Report a free-for-all in one step, as a list of names in order of finish."""
    now = database_now()
    arena = open_arena(slug, now)
    check_captains_report(arena)
    if arena.format != Format.FREE_FOR_ALL:
        return redirect("report", slug)
    me = acting_player(request)
    if request.method != "POST":
        form = OrderForm(arena, me, initial=OrderForm.fresh_values(now))
        return render(request, "results/report_order.html", {"arena": arena, "form": form})
    form = OrderForm(arena, me, request.POST)
    if "same_game" in request.POST:
        form.ask_same_game()
    context: dict[str, Any] = {"arena": arena, "form": form}
    status = 400
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if form.is_valid():
            try:
                match = reporting.report(
                    arena,
                    form.cleaned_data["order"],
                    reporter=me,
                    played_at=form.cleaned_data["played_at"],
                    now=now,
                    client_token=form.cleaned_data["client_token"],
                    sent_from=sent_from(request),
                    mode=form.chosen_mode,
                    same_game=form.chosen_same_game,
                )
            except AboutMatch as refusal:
                context |= about_match(form, refusal)
                status = 409
            except Refused as refusal:
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                return to_the_match(request, match, me)
        return render(request, "results/report_order.html", context, status=status)


def opponents_page(
    request: HttpRequest, arena: Arena, me: Player, refusal: Refused | None = None
) -> HttpResponse:
    """Ask for the opponents, or for one of the matches that I am to report."""
    due = matches_to_report(arena, me, database_now())
    context = {
        "arena": arena,
        "to_report": due,
        "recent": recent_opponents(arena, me),
        "rosters": list(arena.rosters.led_by(me)),
        "in_rosters": plays_in_rosters(arena),
        "sent": request.POST if request.method == "POST" else request.GET,
        "refusal": refusal,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "results/report_opponents.html", context, status=status)


def recent_opponents(arena: Arena, me: Player) -> list[suggestions.Opponent]:
    """Return my last opponents, where a match has two sides."""
    return suggestions.recent_opponents(arena, me) if arena.sides_min == 2 else []


def matches_to_report(arena: Arena, me: Player, now: datetime) -> dict[str, Any]:
    """Return the matches of an arena that I can report as a captain now, most urgent first."""
    dates = lists.to_play(me).filter(Q(proposer=me) | Q(opponent=me), arena=arena)
    due = [one for one in dates.with_people() if takes_report(one, now)]
    live_ones = Match.objects.filter(arena=arena, status=Status.LIVE, sides__captain=me)
    return {
        "live": [
            sheet(match, me=me)
            for match in in_lines(live_ones.distinct())
            if not live.awaits_server(match, now)
        ],
        "dates": [(one, date_words(one)) for one in due],
        "challenges": challenges.to_play(me).filter(season__arena=arena, play_by__gt=now),
    }


def date_words(one: Arrangement) -> str:
    """Return the fixture that a date is for, empty if the captains just agreed on it."""
    return fixture_words.describe_arrangement(one) if one.play_until else ""


@limit_gets("costly")
@require_safe
@player_required
def opponents(request: HttpRequest, slug: str) -> HttpResponse:
    """Return matching names as options while somebody types."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    found = suggestions.opponents(arena, request.GET.get("opponent", ""))
    return render(request, "results/_options.html", {"found": found})


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def finish(request: HttpRequest, pk: int) -> HttpResponse:
    """Report the result of a live match."""
    match = get_object_or_404(profiles.with_sides(Match.objects.all()), pk=pk)
    me, now = acting_player(request), database_now()
    check_may_finish(match, me, now)
    sent = request.POST if request.method == "POST" else None
    lineup = lineups.of_match(match)
    initial = known_parts(match) | known_scores(match, lineup)
    form = FinishForm(lineup, sent, initial=initial)
    offer(form, counting_live.open_date_of(match, now))
    if form.is_valid():
        links = counting_live.linking_by_captain(me, now)
        try:
            live.finish(
                pk,
                form.finishes(),
                reporter=me,
                now=now,
                sent_from=sent_from(request),
                mode=form.chosen_mode,
                link=links if form.chosen_for_fixture else None,
            )
        except (Forbidden, Conflict):
            raise
        except Refused as refusal:
            form.refuse(refusal)
        else:
            text = _("Reported. The other side can now confirm it.")
            messages.success(request, with_fixture(text, match))
            return redirect(match)
    context = {
        "arena": match.arena,
        "match": match,
        "form": form,
        "stakes": None if match.first_side is not None else stakes_of(form.lineup, me, now),
        "agreed": all(side.agreed_at for side in match.sides.all()),
    }
    status = 400 if form.is_bound else 200
    return render(request, "results/report.html", context, status=status)


def check_may_finish(match: Match, me: Player, now: datetime) -> None:
    """Refuse reports of a match by others than its captains, or while it takes none of theirs."""
    if me.pk not in {side.captain_id for side in match.sides.all()}:
        raise Forbidden("not_a_captain", _("Only the captains of the sides can report."))
    if match.status != Status.LIVE:
        raise Conflict(match.status, _("This match has already been reported."))
    check_captains_report(match.arena)
    live.check_server_is_lost(match, now)


def with_fixture(text: str, match: Match) -> str:
    """Return a text about a report, and for which fixture it counts, if it does for one."""
    fixture = fixture_words.words_of([match.pk]).get(match.pk)
    counts = _("It counts for %(fixture)s.") % {"fixture": fixture}
    return f"{text} {counts}" if fixture else text


def known_parts(match: Match) -> dict[str, object]:
    """Return a live match's professions and leavers as initial values of a report."""
    parts = [part for side in match.sides.all() for part in side.participants.all()]
    known: dict[str, object] = {f"profession-{part.player_id}": part.profession for part in parts}
    for part in parts:
        if part.quit:
            known[f"quit-{part.player_id}"] = True
            known[f"seconds-{part.player_id}"] = round(part.seconds or 0)
    return known
