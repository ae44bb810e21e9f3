"""Moving an agreed date and calling it off."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from league.models import Arrangement
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.dates import changing, playing
from league.web.core.acting import acting_player, player_required
from league.web.core.middleware import zone_named
from league.web.core.parameters import whole_number
from league.web.dates.forms import CallOffForm, MoveForm
from league.web.dates.views import answer_page, carry_out, visible

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

    def ask(given: dict[str, Any]) -> str:
        changing.ask_to_move(pk, given["play_at"], by=me, seen=given["revision"], now=now)
        return _("Asked. The date stands until the other side agrees.")

    with timezone.override(zone_named(request.POST.get("zone", ""))):
        return carry_out(request, one, ask, reschedule_form=MoveForm(request.POST))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def call_off(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Call a date off, or ask the other captain to. GET requests return to its page."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    me, now = acting_player(request), database_now()
    playing.check_captain(one, me)

    def call_off_or_ask(given: dict[str, Any]) -> str:
        reason, seen = given["reason"], given["revision"]
        after = changing.call_off(pk, by=me, seen=seen, reason=reason, now=now)
        if after.state == Arrangement.State.CALLED_OFF:
            return _("Called off. The other side has been told.")
        return _("Asked. The date stands until the other side agrees.")

    return carry_out(request, one, call_off_or_ask, call_off_form=CallOffForm(request.POST))


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Agree to a request, refuse or withdraw it. GET requests return to the date's page."""
    return answer_page(request, slug, pk, give_answer)


def give_answer(request: HttpRequest, pk: int) -> str:
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
