"""Template context of every page: the reader's player and the number of open requests."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from django.db.models import Value

from league.models import Arrangement, Challenge, Match
from league.services.people.invitations import invitations_of
from league.web.people.acting import player_of

if TYPE_CHECKING:
    from django.http import HttpRequest


def league(request: HttpRequest) -> dict[str, Any]:
    """Return ``me``, the reader's player, and the number of reports (``waiting``), invitations
    (``invited``), challenges (``challenged``) and proposed dates (``dated``) that wait for their
    answer."""
    if not hasattr(request, "user"):  # an error before the account was loaded
        return {}
    me = player_of(request)
    if me is None:
        return {"me": None, "waiting": 0, "invited": 0, "challenged": 0, "dated": 0}
    reports = Match.objects.awaiting(me).order_by().values_list(Value("waiting"))
    invitations = invitations_of(me).order_by().values_list(Value("invited"))
    challenges = Challenge.objects.open().filter(challenged=me)
    asked = challenges.order_by().values_list(Value("challenged"))
    dates = Arrangement.objects.proposed().filter(asked=me).order_by()
    others = (invitations, asked, dates.values_list(Value("dated")))
    counts = Counter(row[0] for row in reports.union(*others, all=True))  # one query
    kinds = ("waiting", "invited", "challenged", "dated")
    return {"me": me, **{kind: counts[kind] for kind in kinds}}
