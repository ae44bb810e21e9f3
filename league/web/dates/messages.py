"""Writing about a date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.dates import threads
from league.web.core.acting import account_of, player_of
from league.web.core.thread import DateMessageForm
from league.web.dates.views import date_page, visible

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def write(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Write about a date. GET requests return to its page."""
    one, account, me = visible(request, slug, pk), account_of(request), player_of(request)
    if request.method != "POST":
        return redirect(one)
    threads.check_reader(one, account, me)
    form = DateMessageForm(request.POST)
    if not form.is_valid():
        return date_page(request, slug, pk, date_message_form=form)
    try:
        threads.write(
            one, by=account, player=me, text=form.cleaned_data["text"], now=database_now()
        )
    except Forbidden:
        raise
    except Refused as refusal:
        return date_page(request, slug, pk, refusal, date_message_form=form)
    messages.success(request, _("Sent."))
    return redirect(f"{one.get_absolute_url()}#messages")
