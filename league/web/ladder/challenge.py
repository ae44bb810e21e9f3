"""The page of a challenge, from when it is sent until its match begins or is reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arrangement, Challenge
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.dates import lists, threads
from league.services.dates.previews import preview
from league.services.ladder.challenges import is_running
from league.services.ladder.lists import PEOPLE
from league.services.results.rules import own_matches
from league.web.core.acting import account_of, player_of
from league.web.core.middleware import status_of
from league.web.core.thread import DateMessageForm, thread_context

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse


@limit_gets("costly")
@require_safe
def challenge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a challenge. Its address leads on to its agreed date, and then to its match."""
    one = get_object_or_404(Challenge.objects.select_related(*PEOPLE), pk=pk)
    if one.match:
        return redirect(one.match)
    dates = list(lists.dates_of(one)) if one.is_agreed else []
    agreed = next((date for date in dates if date.state == Arrangement.State.ACCEPTED), None)
    if agreed is not None:
        return redirect(agreed)
    return challenge_page(request, one, dates)


def challenge_page(
    request: HttpRequest,
    one: Challenge,
    dates: list[Arrangement],
    refusal: Refused | None = None,
    **bound: Any,
) -> HttpResponse:
    """Show a challenge that has no match yet, with an error after a refusal."""
    me, now, season = player_of(request), database_now(), one.season
    arena = season.arena
    pending = one.is_agreed or one.state == Challenge.State.OPEN
    takes_part = me is not None and me.pk in {one.challenger_id, one.challenged_id}
    context = {
        "challenge": one,
        "arena": arena,
        "rival": (one.challenged if me == one.challenger else one.challenger)
        if takes_part
        else None,
        "dates": [
            date for date in dates if takes_part and date.play_at > now
        ],  # proposals are for the two
        "may_propose": takes_part and one.is_agreed and is_running(season, now),
        "may_enter": is_running(season, now) and request.user.has_perm(own_matches.ENTER, arena),
        "preview": preview(pairing_of(one, now), season, now) if pending else None,
        "refusal": refusal,
        "now": now,
        **(thread_context(request, one, now) if one.accepted_at else {}),
        **bound,
    }
    status = status_of(refusal) if refusal else 400 if bound else 200
    return render(request, "ladder/challenge.html", context, status=status)


def pairing_of(one: Challenge, now: datetime) -> Arrangement:
    """Return the two sides of a challenge as a date that is not saved, for its odds."""
    return Arrangement(
        arena=one.season.arena, proposer=one.challenger, opponent=one.challenged, play_at=now
    )


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write(request: HttpRequest, pk: int) -> HttpResponse:
    """Write about a challenge. GET requests return to its page."""
    one = get_object_or_404(Challenge.objects.select_related(*PEOPLE), pk=pk)
    if request.method != "POST":
        return redirect(one)
    account, me = account_of(request), player_of(request)
    threads.check_reader(one, account, me)
    form = DateMessageForm(request.POST)
    if not form.is_valid():
        return challenge_page(request, one, [], date_message_form=form)
    try:
        text = form.cleaned_data["text"]
        threads.write(one, by=account, player=me, text=text, now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return challenge_page(request, one, [], refusal, date_message_form=form)
    messages.success(request, _("Sent."))
    return redirect(f"{one.get_absolute_url()}#messages")
