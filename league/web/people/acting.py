"""Who is looking at a page."""

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
    """The account of a view that ``login_required`` guards."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def player_of(request: HttpRequest) -> Player | None:
    """The player of the account that is logged in; one query for a request at most."""
    if not request.user.is_authenticated:
        return None
    return getattr(request.user, "player", None)


def acting_player(request: HttpRequest) -> Player:
    """The player who acts in a request.

    Raises:
        Forbidden: the account has no player.
    """
    player = player_of(request)
    if player is None:
        raise Forbidden(
            "no_player",
            _("Your account has no player yet. Choose a player name in your settings first."),
        )
    return player


def player_required(
    view: Callable[Concatenate[HttpRequest, Args], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Args], HttpResponse]:
    """Ask to log in, and refuse accounts without a player, before ``view``."""

    @login_required
    @wraps(view)
    def guarded(request: HttpRequest, /, *args: Args.args, **kwargs: Args.kwargs) -> HttpResponse:
        acting_player(request)
        return view(request, *args, **kwargs)

    return guarded
