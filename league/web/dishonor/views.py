"""The page of a player's own dishonor."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.shortcuts import render
from django.views.decorators.http import require_safe

from league.models import ArenaQueue
from league.services.core.clock import database_now
from league.services.core.pages import Page
from league.services.dishonor import discipline
from league.services.moderation import appeals
from league.web.core.acting import acting_player, player_required
from league.web.core.parameters import whole_number

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

PENALTIES_A_PAGE = 20


@require_safe
@player_required
def dishonor(request: HttpRequest) -> HttpResponse:
    """Show the player their stacks, timeout, penalties and the cost of the next offence."""
    me, now = acting_player(request), database_now()
    penalties = discipline.history_of(me)
    queues = list(ArenaQueue.objects.open().select_related("arena"))
    rules, readings = discipline.in_force()
    page = Page.cut(
        whole_number(request.GET.get("page")),
        penalties.count(),
        PENALTIES_A_PAGE,
        lambda part: list(penalties[part]),
    )
    status, ban = discipline.status_and_ban_of(me, now)
    context = {
        "status": status,
        "ban": ban,
        "life": timedelta(seconds=rules.stack_duration),
        "together": readings.decay == "parallel",
        "costs": discipline.costs_of(me, now),
        "barring": [queue.arena for queue in queues if queue.bars_timeouts],
        "casual": [queue.arena for queue in queues if not queue.bars_timeouts],
        "page": page,
        "appealable": {award.pk for award in page.rows if appeals.can_appeal(award, now)},
        "now": now,
    }
    return render(request, "dishonor/dishonor.html", context)
