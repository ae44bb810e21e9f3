"""The page of what waits for a player and is theirs to play, and the bar on top of every page."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING

from django.http import HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.http import require_safe

from league.models import Match, Status
from league.services.competitions import fixture_words
from league.services.core.clock import database_now
from league.services.dates import limits
from league.services.dates import lists as dates
from league.services.ladder import lists as challenges
from league.services.people.invitations import invitations_of
from league.services.results.records.lines import lines_of, open_ids
from league.services.results.reports import claims, countering
from league.services.teams import inviting
from league.web.core import polling
from league.web.core.acting import acting_player, player_required
from league.web.core.context import POLLED, POLLED_IN_QUEUE, counts_on, league
from league.web.core.fragments import asks_for_part
from league.web.results.scoresheets import Sheet, sheets

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.http import HttpRequest

    from league.models.match import MatchQuerySet

LAPSED_SHOWN = timedelta(days=14)
"""The time for which a lapsed report is listed to its players."""
MOST_WAITING = 50
"""The most matches of each kind on the page of what waits for an answer."""


def ids_of(matches: MatchQuerySet) -> list[int]:
    return list(matches.values_list("pk", flat=True)[:MOST_WAITING])


@require_safe
def waiting(request: HttpRequest) -> HttpResponse:
    """List what waits for my answer. htmx requests get the bar only, if it has changed.

    While somebody waits in a queue, their bar asks every few seconds, which one short statement
    answers.
    """
    quiet = asks_for_part(request) and not polling.has_news(request, POLLED_IN_QUEUE, POLLED)
    return HttpResponse(status=204) if quiet else waiting_page(request)


@player_required
def waiting_page(request: HttpRequest) -> HttpResponse:
    """List what waits for my answer, or return the bar if it has changed."""
    if asks_for_part(request):
        bar = league(request)
        if request.GET.get("seen") == bar["bar_state"]:
            return HttpResponse(status=204)
        return HttpResponse(render_to_string("results/_waiting.html", bar))
    me, now = acting_player(request), database_now()
    counts = counts_on(request, me)
    reports = Match.objects.awaiting(me).order_by("confirm_deadline")
    awaiting = ids_of(reports) if counts["waiting"] else []
    countered = ids_of(countering.asking(me)) if counts["contradicted"] else []
    mine = open_ids(me)
    lapsed = Match.objects.lapsed(me, now - LAPSED_SHOWN).order_by("-settled_at", "-id")
    over = ids_of(lapsed)
    lines = lines_of([*awaiting, *countered, *mine, *over], me)
    invited = invitations_of(me).select_related("roster__captain")
    joining = inviting.invitations_of(me, now)
    counts_for = fixture_words.words_of(awaiting)
    claimed = claims.asking(me) if counts["claimed"] else Match.objects.none()

    def list_sheets(ids: Iterable[int]) -> list[Sheet]:
        return sheets([lines[pk] for pk in ids if pk in lines], me, me=me)

    to_play = list(dates.to_play(me).in_lines()) if counts["to_play"] else []
    others = list_sheets(pk for pk in mine if pk not in {*awaiting, *countered})
    return render(
        request,
        "results/waiting.html",
        {
            "awaiting": [
                (sheet, counts_for.get(sheet.match.pk)) for sheet in list_sheets(awaiting)
            ],
            "claims": claimed.select_related("arena", "reported_by"),
            "challenges": list(challenges.waiting_for(me)) if counts["challenged"] else [],
            "dates": list(dates.waiting_for(me, now).in_lines()) if counts["dated"] else [],
            "dates_to_play": to_play,
            "clashes": [at for at, n in Counter(one.play_at for one in to_play).items() if n > 1],
            "due": {one.pk for one in to_play if one.has(me) and limits.takes_report(one, now)},
            "challenges_to_play": list(challenges.to_play(me)) if counts["to_play"] else [],
            "other_results": list_sheets(countered),
            "being_played": [sheet for sheet in others if sheet.match.status == Status.LIVE],
            "invitations": list(invited) if counts["invited"] else [],
            "team_invitations": list(joining) if counts["asked_to_join"] else [],
            "others": [sheet for sheet in others if sheet.match.status != Status.LIVE],
            "lapsed": list_sheets(over),
            "now": now,
        },
    )
