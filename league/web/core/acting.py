"""The account and the player behind a request."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from league.models import User
from league.services.core.errors import Forbidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

    from league.models import Player

Args = ParamSpec("Args")


def account_of(request: HttpRequest) -> User:
    """Return the account in a view that requires a login."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def player_of(request: HttpRequest) -> Player | None:
    """Return the player of the logged-in account, with at most one query per request."""
    if not request.user.is_authenticated:
        return None
    return getattr(request.user, "player", None)


def acting_player(request: HttpRequest) -> Player:
    """Return the player who acts in a request.

    Raises:
        Forbidden: the account has no player.
    """
    player = player_of(request)
    if player is None:
        raise Forbidden(
            "no_player",
            _("Your account has no player yet. First choose a player name in your settings."),
        )
    return player


def player_required(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Make a view require a login and a player."""

    @login_required
    @wraps(view)
    def guard(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        acting_player(request)
        return view(request, *args, **kwargs)

    return guard
