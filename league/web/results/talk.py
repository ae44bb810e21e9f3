"""Messages between the players of a match that was found in a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Match
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.dates import threads
from league.web.core.acting import account_of, player_of
from league.web.core.thread import DateMessageForm
from league.web.results.matches import match_page

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def talk(request: HttpRequest, pk: int) -> HttpResponse:
    """Write to the players of a match of a queue. GET requests return to the match."""
    match = get_object_or_404(Match.objects.select_related("arena"), pk=pk)
    if request.method != "POST":
        return redirect(match)
    account, me = account_of(request), player_of(request)
    threads.check_reader(match, account, me)
    form = DateMessageForm(request.POST)
    if not form.is_valid():
        return match_page(request, pk, talk_form=form)
    try:
        text = form.cleaned_data["text"]
        threads.write(match, by=account, player=me, text=text, now=database_now())
    except Forbidden:
        raise
    except Refused as refusal:
        return match_page(request, pk, refusal=refusal, talk_form=form)
    messages.success(request, _("Sent."))
    return redirect(f"{match.get_absolute_url()}#messages")
