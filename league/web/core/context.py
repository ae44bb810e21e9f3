"""What every page shows: who is looking, and what waits for them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Value

from league.models import Challenge, Match
from league.services.people.invitations import invitations_of
from league.web.people.acting import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def league(request: HttpRequest) -> dict[str, Any]:
    """``me``, the player who looks, and how many reports (``waiting``), invitations (``invited``)
    and challenges (``challenged``) wait for their answer."""
    if not hasattr(request, "user"):  # an error before the account was looked up
        return {}
    me = player_of(request)
    if me is None:
        return {"me": None, "waiting": 0, "invited": 0, "challenged": 0}
    reports = Match.objects.awaiting(me).order_by().values_list(Value("waiting"))
    invitations = invitations_of(me).order_by().values_list(Value("invited"))
    challenges = Challenge.objects.asked().filter(challenged=me)
    asked = challenges.order_by().values_list(Value("challenged"))
    what = Counter(row[0] for row in reports.union(invitations, asked, all=True))  # in one query
    kinds = ("waiting", "invited", "challenged")
    return {"me": me, **{kind: what[kind] for kind in kinds}}
