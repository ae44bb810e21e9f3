"""What every page shows: who is looking, and what waits for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Value

from league.models import Match
from league.services.invitations import invitations_of
from league.web.people import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def league(request: HttpRequest) -> dict[str, Any]:
    """``me``, the player who looks, and how many reports (``waiting``) and invitations
    (``invited``) wait for their answer."""
    if not hasattr(request, "user"):  # an error before the account was looked up
        return {}
    me = player_of(request)
    if me is None:
        return {"me": None, "waiting": 0, "invited": 0}
    reports = Match.objects.awaiting(me).order_by().values_list(Value("waiting"))
    invitations = invitations_of(me).order_by().values_list(Value("invited"))
    what = Counter(row[0] for row in reports.union(invitations, all=True))  # in one query
    return {"me": me, "waiting": what["waiting"], "invited": what["invited"]}
