"""Pages for counter-reports and for messages about a dispute."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.clients import sent_from
from league.models import Match, Status
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.results.records import profiles
from league.services.results.reports import countering, images
from league.services.results.staff import threads
from league.web.core.acting import account_of, acting_player, player_of, player_required
from league.web.core.middleware import status_of
from league.web.results import lineups
from league.web.results.answer_forms import CounterForm, MessageForm
from league.web.results.matches import match_page, may_answer

if TYPE_CHECKING:
    from django.http import HttpRequest


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def counter(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a report with another result."""
    match = get_object_or_404(profiles.with_sides(Match.objects.all()), pk=pk)
    me = acting_player(request)
    led = {side.index for side in match.sides.all() if side.captain_id == me.pk}
    if not may_answer(match, led):
        raise Forbidden(
            "not_a_captain", _("Only captains of the other sides can answer this report.")
        )
    if request.method != "POST" and match.status != Status.REPORTED:
        return redirect(match)
    lineup, status = lineups.of_match(match), 200
    initial = {"revision": match.revision, "mode": match.mode}
    form = CounterForm(lineup, request.POST or None, initial=initial)
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                countering.counter(
                    pk,
                    form.placings(),
                    by=me,
                    now=database_now(),
                    comment=form.cleaned_data["comment"],
                    revision=form.cleaned_data["revision"],
                    mode=form.chosen_mode,
                    sent_from=sent_from(request),
                )
            except Conflict as refusal:
                return match_page(request, pk, refusal=refusal)
            except Refused as refusal:
                form.refuse(refusal)
                status = status_of(refusal)
            else:
                messages.success(request, _("Reported. The other side can accept your result."))
                return redirect(match)
    return render(request, "results/counter.html", {"match": match, "form": form}, status=status)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, pk: int) -> HttpResponse:
    """Accept or reject a counter-report. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    get_object_or_404(Match, pk=pk)
    accepts = request.POST.get("answer") == "accept"
    me, now = acting_player(request), database_now()
    try:
        if accepts:
            match = countering.accept(pk, by=me, now=now, sent_from=sent_from(request))
        else:
            match = countering.reject(pk, by=me, now=now)
    except Conflict as refusal:
        return match_page(request, pk, refusal=refusal)
    if accepts:
        messages.success(request, _("Accepted. See the rating changes below."))
    else:
        messages.success(request, _("Rejected. Staff will decide and give their reason here."))
    return redirect(match)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write(request: HttpRequest, pk: int) -> HttpResponse:
    """Write about a disputed match. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    match = get_object_or_404(Match, pk=pk)
    form = MessageForm(request.POST, request.FILES, everyone=match.status == Status.RATED)
    if not form.is_valid():
        threads.check_author(match, account_of(request), player_of(request))
        form.ask_for_image_again()
        return match_page(request, pk, message_form=form)
    try:
        threads.write(
            pk,
            by=account_of(request),
            player=player_of(request),
            text=form.cleaned_data["text"],
            link=form.cleaned_data["link"],
            image=form.cleaned_data["image"],
            description=form.cleaned_data["description"],
            now=database_now(),
        )
    except Forbidden:
        raise
    except (Conflict, LimitReached) as refusal:
        form.ask_for_image_again()
        return match_page(request, pk, refusal=refusal, message_form=form)
    except Refused as refusal:
        form.refuse(refusal)
        form.ask_for_image_again()
        return match_page(request, pk, message_form=form)
    messages.success(request, _("Sent."))
    return redirect(f"{match.get_absolute_url()}#history")


@require_safe
def image(request: HttpRequest, pk: int, message_id: int) -> HttpResponse:
    """Return the image of a message, to those who may read it."""
    match = get_object_or_404(Match, pk=pk)
    since = threads.read_since(match, request.user, player_of(request))
    content = images.content_of(pk, message_id, read_since=since) if since else None
    if content is None:
        raise Http404
    request.META.pop("HTTP_IF_NONE_MATCH", None)  # see headers_of
    return HttpResponse(content, headers=images.headers_of(pk, message_id))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def remove_image(request: HttpRequest, pk: int, message_id: int) -> HttpResponse:
    """Remove an image as staff. GET requests return to the match."""
    if request.method != "POST":
        return redirect("match", pk)
    match = get_object_or_404(Match, pk=pk)
    try:
        images.remove(
            pk,
            message_id,
            by=account_of(request),
            reason=request.POST.get("reason", ""),
            now=database_now(),
        )
    except Forbidden:
        raise
    except Refused as refusal:
        return match_page(request, pk, refusal=refusal)
    messages.success(request, _("Removed."))
    return redirect(f"{match.get_absolute_url()}#history")
