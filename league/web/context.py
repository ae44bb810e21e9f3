"""What every page shows: who is looking, and what waits for them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.models import Match
from league.web.people import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def league(request: HttpRequest) -> dict[str, Any]:
    """``me``, the player who looks, and ``waiting``, how many reports wait for their answer."""
    if not hasattr(request, "user"):  # an error before the account was looked up
        return {}
    me = player_of(request)
    return {"me": me, "waiting": Match.objects.awaiting(me).count() if me else 0}
