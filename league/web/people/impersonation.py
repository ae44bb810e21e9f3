"""Requests of staff who see the site as a player: read-only, and for thirty minutes at most.

Nothing that such a request writes stays: its transaction is rolled back. So no notice is read and
no waiting player is marked as present.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import messages
from django.db import transaction
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from league.models import User
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden
from league.services.people import impersonation
from league.services.people.impersonation import COOKIE, KEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

SAFE = {"GET", "HEAD", "OPTIONS"}
CLOSED = ("/accounts/", "/admin/", "/oauth/", "/settings/", "/api/v1/tokens/", "/setup/")
"""Pages with addresses, tokens, second factors and the like."""
OPEN = ("/settings/dishonor/",)


@require_POST
def end(request: HttpRequest) -> HttpResponse:
    """Stop seeing the site as somebody else."""
    seen = request.session.pop(KEY, None)
    if seen is None:
        return redirect("home")
    messages.success(request, _("You see the site as yourself again."))
    response = redirect("admin:league_user_change", seen["account"])
    response.delete_cookie(COOKIE)
    return response


class Impersonation:
    """Let the account that staff see the site as stand in for theirs, where that is safe."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if COOKIE not in request.COOKIES or KEY not in request.session:
            return self.get_response(request)
        if request.path_info == reverse("impersonation_end"):
            return self.get_response(request)
        account = seen_account(request)
        return self.as_player(request, account) if account else self.as_oneself(request)

    def as_player(self, request: HttpRequest, account: User) -> HttpResponse:
        """Answer as the account would be answered, and keep nothing of what that writes."""
        request.impersonator, request.user = request.user, account  # type: ignore[attr-defined] # ours
        if request.method not in SAFE:
            return refuse(request, _("You can only read while you see the site as a player."))
        if is_closed(request.path_info):
            text = _("This page is closed while you see the site as a player. Press “End” first.")
            return refuse(request, text)
        with transaction.atomic():
            response = self.get_response(request)
            transaction.set_rollback(True)
        patch_cache_control(response, private=True, no_store=True)
        return response

    def as_oneself(self, request: HttpRequest) -> HttpResponse:
        """Say that it is over, and do nothing of what was sent from a page of the player."""
        del request.session[KEY]
        text = _("You see the site as yourself again: the thirty minutes are over.")
        if request.method not in SAFE:
            return refuse(request, text)
        messages.info(request, text)
        return self.get_response(request)


def seen_account(request: HttpRequest) -> User | None:
    """Return the account that the site is seen as, ``None`` if that is over or not allowed."""
    seen = request.session[KEY]
    until = parse_datetime(seen["until"])
    if not request.user.is_authenticated or until is None or database_now() >= until:
        return None
    account = User.objects.select_related("player").filter(pk=seen["account"]).first()
    by = request.user
    return account if account and impersonation.may_see_as(by, account) else None


def is_closed(path: str) -> bool:
    return path.startswith(CLOSED) and not path.startswith(OPEN)


def refuse(request: HttpRequest, text: str) -> HttpResponse:
    refusal = Forbidden("seen_as", text)
    return render(request, "core/refused.html", {"refusal": refusal}, status=403)
