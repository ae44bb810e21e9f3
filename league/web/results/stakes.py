"""The stakes of a match for its reporter, while they choose their opponent."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.models import Arena
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.results.forecasts.stakes import stakes_between
from league.web.core.acting import acting_player, player_required
from league.web.results.lineups import lineup_against

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest, HttpResponse, QueryDict

    from league.models import Player
    from league.services.results.forecasts.stakes import OwnStakes
    from league.web.results.lineups import Lineup


@limit_gets("costly")
@require_safe
@player_required
def stakes(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the stakes against the opponent in a form, nothing while there is none."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    found = stakes_against(arena, acting_player(request), request.GET, database_now())
    return render(request, "results/_stakes.html", {"stakes": found})


def stakes_against(arena: Arena, me: Player, sent: QueryDict, now: datetime) -> OwnStakes | None:
    """Return my stakes against the opponent in ``sent``, ``None`` if there is no such one."""
    try:
        return stakes_of(lineup_against(arena, me, sent), me, now)
    except Refused:
        return None


def stakes_of(lineup: Lineup, me: Player, now: datetime) -> OwnStakes | None:
    """Return my stakes as a captain in a match of two sides."""
    if not lineup.is_two_sided or any(
        side.roster is None and len(side.players) > 1 for side in lineup.sides
    ):
        return None
    mine_first = sorted(lineup.sides, key=lambda side: side.captain != me)
    sides = [(side.captain, side.roster) for side in mine_first]
    found = stakes_between(lineup.arena, me, sides, now)
    names = urlencode([("sides", side.name) for side in mine_first])
    address = f"{reverse('what_if', args=[lineup.arena.slug])}?{names}"
    return replace(found, calculator=address) if found else None
