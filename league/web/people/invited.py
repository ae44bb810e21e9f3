"""The page of an invitation's link, and what it leaves in the session for a sign-up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from league.models import User
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.people import invited as invitations
from league.web.core.acting import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import PlayerInvitation

IN_SESSION = "invited"
SIGN_UP_WITHIN = 3600
"""Seconds for which a sign-up in the same browser is that of the invited person."""


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def show_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """Show who is invited, and let them sign up, take the player over, or decline."""
    now = database_now()
    invitation = invitations.read_link(token, now)
    if request.method == "POST":
        return answer(request, token, invitation)
    if request.method == "GET":
        invitations.note_opened(invitation, now)
        remember(request, token)
    obstacle = ""
    if isinstance(request.user, User):
        try:
            invitations.check_may_join(invitation, request.user, now)
        except Refused as refusal:
            obstacle = refusal.message
    context = {
        "invitation": invitation,
        "own": player_of(request),
        "obstacle": obstacle,
        "here": request.path,
    }
    return render(request, "people/invited.html", context)


def answer(request: HttpRequest, token: str, invitation: PlayerInvitation) -> HttpResponse:
    """Take the step that the form names."""
    match request.POST.get("answer"):
        case "sign-up":
            remember(request, token)
            return to_sign_up(target_of(invitation))
        case "other-name":
            request.session.pop(IN_SESSION, None)
            return to_sign_up(request.path)
        case "decline":
            request.session.pop(IN_SESSION, None)
            invitations.decline(token, database_now())
            messages.success(request, _("You get no more of these mails."))
            return redirect("home")
        case "join" if isinstance(request.user, User):
            joined = invitations.join(token, request.user, database_now())
            welcome = _("From now on you act for %(player)s.") % {"player": joined.player}
            messages.success(request, welcome)
            return redirect(target_of(joined))
        case "join":
            raise Forbidden("not_logged_in", _("Log in first."))
        case _other:
            raise Refused("answer", _("Choose what to do."))


def remember(request: HttpRequest, token: str) -> None:
    """Let visitors sign up as the invited player, whichever way they find to the sign-up."""
    if not request.user.is_authenticated:
        request.session[IN_SESSION] = [token, time.time() + SIGN_UP_WITHIN]


def to_sign_up(target: str) -> HttpResponse:
    return redirect(f"{reverse('account_signup')}?{urlencode({'next': target})}")


def target_of(invitation: PlayerInvitation) -> str:
    """Return the page to which an invitation leads in the end."""
    return (invitation.competition or invitation.player).get_absolute_url()


def token_in(request: HttpRequest) -> str:
    """Return the token of the invitation with which this browser signs up, empty without one."""
    token, until = request.session.get(IN_SESSION, ["", 0])
    return str(token) if time.time() < until else ""


def invitation_in(request: HttpRequest) -> PlayerInvitation | None:
    """Return the invitation with which this browser signs up, if its link still works."""
    token = token_in(request)
    try:
        return invitations.read_link(token, database_now()) if token else None
    except Refused:
        return None
