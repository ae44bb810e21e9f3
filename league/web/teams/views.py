"""Pages that everybody can read: teams, their list, their ratings and pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from league.models import Arena, Team
from league.rates import limit_gets
from league.services.competitions.exports.calendars import next_of_team
from league.services.competitions.trophies import trophies_of_team
from league.services.core.clock import database_now
from league.services.dates.lists import upcoming_of
from league.services.following.follows import follows
from league.services.teams import inviting, pages, pictures
from league.services.teams.access import membership
from league.services.teams.badges import badges_of
from league.services.teams.meetings import most_met
from league.services.teams.rating import rates_teams
from league.web.core.acting import acting_player, player_of, player_required
from league.web.core.fragments import asks_for_part
from league.web.core.parameters import whole_number
from league.web.results.badge_words import in_words
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from django.http import HttpRequest

NEXT_SHOWN = 5
"""Agreed dates."""


@limit_gets("costly", if_asked=("q",))
@require_safe
def teams(request: HttpRequest) -> HttpResponse:
    """List teams by name, or those whose name contains the search text."""
    search = request.GET.get("q", "").strip()[:60]
    found = pages.list_teams(search, request.GET.get("after", "")[:240].replace("\x00", ""))
    part = "#found" if asks_for_part(request) else ""
    shown = found[: pages.ON_A_PAGE]
    context = {
        "search": search,
        "found": shown,
        "after": shown[-1].folded_name if len(found) > len(shown) else "",
    }
    return render(request, f"teams/teams.html{part}", context)


@limit_gets("costly")
@require_safe
def team(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a team: next matches, members, record, rosters, matches and history."""
    shown = get_object_or_404(Team, pk=pk)
    me, now = player_of(request), database_now()
    page = pages.page_of(shown, now)
    own = page.membership_of(me)
    rosters = [one.roster.pk for one in page.rosters]
    context = {
        "team": shown,
        "page": page,
        "dates": list(upcoming_of(rosters)[:NEXT_SHOWN]) if rosters else [],
        "fixtures": next_of_team(shown, now) if rosters else [],
        "now": now,
        "former_names": list(shown.former_names.all()),
        "sheets": sheets(pages.matches_of(shown)),
        "cups": trophies_of_team(shown),
        "own": own,
        "mine": pages.teams_of(me) if me and own is None else [],
        "met": most_met(shown),
        "badges": in_words(badges_of(shown, page.results, page.records)),
        "followed": follows(me, shown),
        "is_successor": me is not None and shown.successor_id == me.pk,
    }
    return render(request, "teams/team.html", context)


@require_safe
def picture(request: HttpRequest, pk: int, digest: str) -> HttpResponse:
    """Send a team's picture. The address of a replaced or removed picture is not found."""
    content = pictures.content_of(pk, digest)
    if content is None:
        raise Http404
    request.META.pop("HTTP_IF_NONE_MATCH", None)
    headers = {
        "Cache-Control": "public, max-age=86400",
        "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    }
    return HttpResponse(content, content_type="image/webp", headers=headers)


@limit_gets("costly")
@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the team ratings of a season of an arena, by default the running or last one."""
    arena = get_object_or_404(Arena.objects.published(), slug=slug)
    opened = arena.seasons.opened()
    if "season" in request.GET:
        opened = opened.filter(pk=whole_number(request.GET["season"]))
    season = opened.first()
    if season is None or not rates_teams(season):
        raise Http404(_("Teams are not rated here."))
    season.arena = arena
    context = {"arena": arena, "season": season, "shows": season.shows}
    return render(request, "teams/board.html", {**context, "rows": pages.board(season)})


@require_safe
@player_required
def mine(request: HttpRequest) -> HttpResponse:
    """List my teams and my invitations."""
    me, now = acting_player(request), database_now()
    context = {
        "memberships": pages.teams_of(me),
        "team_invitations": list(inviting.invitations_of(me, now)),
    }
    return render(request, "teams/mine.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@player_required
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show who invites me with a link, and join by a POST request."""
    me, now = acting_player(request), database_now()
    if request.method == "POST":
        return redirect(inviting.join(token, by=me, now=now))
    invitation = inviting.read_token(token, now)
    context = {"invitation": invitation, "own": membership(invitation.team, me)}
    return render(request, "teams/join.html", context)
