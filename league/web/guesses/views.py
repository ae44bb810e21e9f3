"""Guessing coming matches: those to guess, a guess, the table of a season, and one's own record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Arrangement
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.core.pages import Page
from league.services.guesses import giving, records
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.lookups import arena_page_or_404, season_of
from league.web.core.middleware import status_of
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

MOST_OPEN, PAST_A_PAGE = 20, 30


@limit_gets("costly")
@require_safe
def guesses(request: HttpRequest) -> HttpResponse:
    """List the next matches of all arenas that the reader can guess."""
    return guesses_page(request)


def guesses_page(request: HttpRequest, refusal: Refused | None = None) -> HttpResponse:
    me, now = player_of(request), database_now()
    context = {
        "rows": giving.list_open_for(me, now, MOST_OPEN),
        "arenas": list(Arena.objects.published().filter(sides_min__lte=2).order_by("sort_name")),
        "refusal": refusal,
        "fewest": records.FEWEST,
        "even": records.EVEN,
        "now": now,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "guesses/guesses.html", context, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def guess(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Guess a match, or change the guess. GET requests return to its page."""
    agreed = Arrangement.objects.filter(accepted_at__isnull=False)
    rows = agreed.with_people().select_related("game__fixture__competition__season__arena")
    one = get_object_or_404(rows, pk=pk, arena__slug=slug)
    if request.method != "POST":
        return redirect(one)
    try:
        given = giving.give(one, percent_in(request), by=acting_player(request), now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return guesses_page(request, refusal)
    text = _("Your guess: %(percent)d %% for %(side)s. You can change it until the match begins.")
    messages.success(request, text % {"percent": given.percent, "side": one.proposer_name})
    page = request.POST.get("page")
    if page in {"guesses", "home"}:
        return redirect(page)
    return redirect(one.game.fixture if page == "fixture" and hasattr(one, "game") else one)


def percent_in(request: HttpRequest) -> int:
    """Return the guess of a form: the number that was changed, else the slider.

    Without JavaScript, they do not follow each other.

    Raises:
        Refused: the numbers of the two sides contradict each other.
    """
    sent = request.POST
    shown = whole_number(sent.get("shown"), default=-1)
    said = {whole_number(sent.get("percent", sent.get("shown")), default=-1)}
    if "other" in sent:
        said.add(100 - whole_number(sent["other"], default=101))
    changed = said - {shown}
    if len(changed) > 1:
        raise Refused("percent", _("Enter two numbers that add up to 100."), field="percent")
    if changed or "slider" not in sent:
        return (changed or said).pop()
    return 100 - whole_number(sent["slider"], default=101)


@limit_gets("costly")
@require_safe
def table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how well everybody guessed in a season, with the forecast at its place."""
    arena_page = arena_page_or_404(slug)
    season, me = season_of(request, arena_page), player_of(request)
    context = {
        "arena": arena_page.arena,
        "season": season,
        "seasons": [one for one in arena_page.seasons if one.opened_at],
        "rows": records.standings(season) if season else [],
        "mine": records.standing_of(me, season) if season and me else None,
        "fewest": records.FEWEST,
        "even": records.EVEN,
    }
    return render(request, "guesses/table.html", context)


@require_safe
@player_required
def own(request: HttpRequest) -> HttpResponse:
    """Show one's own guesses: how often they came true, those that wait, and those that count."""
    me = acting_player(request)
    counted = records.counted_of(me)
    results = list(records.counted_guesses().filter(player=me).values_list("percent", "result"))
    context = {
        "bands": records.calibration(results),
        "to_come": records.waiting_of(me),
        "page": Page.cut(
            whole_number(request.GET.get("page")),
            len(results),
            PAST_A_PAGE,
            lambda part: list(counted[part]),
        ),
        "fewest": records.FEWEST,
    }
    return render(request, "guesses/own.html", context)
