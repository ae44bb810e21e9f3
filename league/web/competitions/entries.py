"""Entering a competition, checking in and withdrawing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from league.models import Competition, Entrant, Roster
from league.services.competitions import returning
from league.services.competitions.running import entering, sitting_out, withdrawing
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.web.competitions.views import competition_page, visible
from league.web.core.acting import acting_player, player_required
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def entry(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Enter, leave, withdraw and the like. GET requests return to the competition."""
    one = visible(request, slug, pk)
    if request.method != "POST":
        return redirect(one)
    try:
        message = take_step(request, one)
    except Forbidden:
        raise
    except Refused as refusal:
        return competition_page(request, slug, pk, refusal)
    messages.success(request, message)
    return redirect(one)


def take_step(request: HttpRequest, one: Competition) -> str:
    """Take the step in the form and return a message about it."""
    me, now = acting_player(request), database_now()
    named = {"competition": one}
    match request.POST.get("answer"):
        case "register":
            mine = entering.register(one.pk, by=me, now=now, roster=roster_in(request))
            text = _("You have entered %(competition)s.")
            if mine.state == Entrant.State.WAITING:
                text = _("All places are taken. You are on the waiting list.")
        case "leave":
            entering.leave(one.pk, by=me, now=now)
            text = _("You have left %(competition)s.")
        case "check-in":
            entering.check_in(one.pk, by=me, now=now)
            text = _("You are checked in.")
        case "withdraw":
            withdrawing.withdraw(one.pk, by=me, now=now)
            text = _("You have withdrawn from %(competition)s.")
        case "come-back":
            returning.come_back(one.pk, by=me, now=now)
            text = _("You are back in %(competition)s.")
        case "sit-out":
            number = whole_number(request.POST.get("round"), default=0)
            choice = request.POST.get("choice", "")
            sitting_out.ask(one.pk, number, choice, by=me, now=now)
            text = bye_in_words(number, choice)
        case _other:
            raise Refused("answer", _("Choose to enter, leave, check in or withdraw."))
    return text % named


def bye_in_words(number: int, choice: str) -> str:
    """Return what an entrant has chosen for a round."""
    texts = {
        "play": _("You play in round %(round)d."),
        "draw": _("You sit out round %(round)d, which counts as a draw."),
        "nothing": _("You sit out round %(round)d without points."),
    }
    return texts[choice] % {"round": number}


def roster_in(request: HttpRequest) -> Roster | None:
    """Return the roster that the form names, ``None`` for the player alone."""
    named = whole_number(request.POST.get("roster"), default=0)
    if not named:
        return None
    roster = Roster.objects.select_related("arena", "captain").filter(pk=named).first()
    if roster is None:
        raise Refused("roster", _("Choose a roster from the list."), field="roster")
    return roster
