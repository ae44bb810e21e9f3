"""Moving an agreed date and calling it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Arrangement
from league.services.arranging import changing, playing
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Forbidden, Refused
from league.web.arranging.forms import CallOffForm, MoveForm
from league.web.arranging.views import answer_page, date_page, visible
from league.web.core.middleware import zone_named
from league.web.core.parameters import whole_number
from league.web.people.acting import acting_player, player_required

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def reschedule(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Ask the other captain to move a date. GET requests return to its page."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    me, now = acting_player(request), database_now()
    playing.check_captain(one, me)
    form = MoveForm(request.POST)
    with timezone.override(zone_named(request.POST.get("zone", ""))):
        if not form.is_valid():
            return date_page(request, one, reschedule_form=form)
        play_at, seen = form.cleaned_data["play_at"], form.cleaned_data["revision"]
        try:
            changing.ask_to_move(pk, play_at, by=me, seen=seen, now=now)
        except Forbidden:
            raise
        except Conflict as refusal:
            return date_page(request, visible(request, slug, pk), refusal)
        except Refused as refusal:
            form.refuse(refusal)
            return date_page(request, one, reschedule_form=form)
    messages.success(request, _("Asked. The date stands until the other side agrees."))
    return redirect(one)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def call_off(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Call a date off, or ask the other captain to. GET requests return to its page."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    me = acting_player(request)
    playing.check_captain(one, me)
    form = CallOffForm(request.POST)
    if not form.is_valid():
        return date_page(request, one, call_off_form=form)
    reason, seen = form.cleaned_data["reason"], form.cleaned_data["revision"]
    try:
        after = changing.call_off(pk, by=me, seen=seen, reason=reason, now=database_now())
    except Forbidden:
        raise
    except Conflict as refusal:
        return date_page(request, visible(request, slug, pk), refusal)
    except Refused as refusal:
        form.refuse(refusal)
        return date_page(request, one, call_off_form=form)
    if after.state == Arrangement.State.CALLED_OFF:
        messages.success(request, _("Called off. The other side has been told."))
    else:
        messages.success(request, _("Asked. The date stands until the other side agrees."))
    return redirect(one)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Agree to a request, refuse or withdraw it. GET requests return to the date's page."""
    return answer_page(request, slug, pk, answered)


def answered(request: HttpRequest, pk: int) -> str:
    """Give the answer in the form and return a message about it."""
    me, now = acting_player(request), database_now()
    number = whole_number(request.POST.get("request"), default=0)
    match request.POST.get("answer"):
        case "agree":
            after = changing.agree(pk, by=me, request=number, now=now)
            if after.state == Arrangement.State.CALLED_OFF:
                return _("You agreed. The date is called off.")
            return _("You agreed. The date is moved.")
        case "refuse":
            changing.refuse(pk, by=me, request=number, now=now)
            return _("Refused. The date stands.")
        case "withdraw":
            changing.drop(pk, by=me, request=number, now=now)
            return _("Withdrawn. The date stands.")
    raise Refused("answer", _("Choose to agree, refuse or withdraw."))
