"""The cards of arenas on the admin's first page, with what the reader may do in each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.urls import reverse
from django.utils.http import urlencode

from league.models import Arena, Status
from league.services.competitions.locking import PERMISSION
from league.services.frontpage.arenas import MOST_CARDS, Card, NextRound, cards, order_arenas
from league.services.results.rules.own_matches import ENTER
from league.services.seasons.opening import RUN_SEASONS

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

ADD = "league.add_competition"


@dataclass(frozen=True)
class ShownRound:
    """A round that is next, with the pages of its competition and of its draw."""

    round: NextRound
    address: str
    draw: str
    """Empty if it is drawn, or the reader may not draw it."""


@dataclass(frozen=True)
class ShownCard:
    """An arena's card, with the pages that the reader may open."""

    card: Card
    rounds: list[ShownRound]
    reports: str
    enter: str
    start: str
    """The page of the starting ratings of a season without results."""
    open_season: str
    compete: str
    """The form of a new competition in the running season."""
    review: str

    @property
    def arena(self) -> Arena:
        return self.card.arena


def arena_cards(request: HttpRequest, now: datetime) -> dict[str, Any]:
    """Return the cards of the arenas that this account may see."""
    arenas = admin.site.get_model_admin(Arena)
    if not arenas.has_view_permission(request):
        return {}
    found = list(order_arenas(arenas.get_queryset(request), now)[: MOST_CARDS + 1])
    return {
        "cards": [show(request, card) for card in cards(found[:MOST_CARDS], now)],
        "has_more_arenas": len(found) > MOST_CARDS,
    }


def show(request: HttpRequest, card: Card) -> ShownCard:
    arena = card.arena
    may_change = request.user.has_perm("league.change_arena", arena)
    enters = card.is_running and not arena.is_draft and request.user.has_perm(ENTER, arena)
    starts = enters and arena.is_open and not card.has_results
    opens = (
        card.season is None and not arena.is_draft and request.user.has_perms(RUN_SEASONS, arena)
    )
    return ShownCard(
        card,
        [show_round(request, one) for one in card.rounds],
        reports=reports_address(request, arena),
        enter=reverse("admin:league_arena_evening", args=[arena.pk]) if enters else "",
        start=reverse("starting_list", args=[arena.slug]) if starts else "",
        open_season=reverse("admin:league_arena_open_season", args=[arena.pk]) if opens else "",
        compete=compete_address(request, card),
        review=reverse("admin:league_arena_draft", args=[arena.pk]) if may_change else "",
    )


def compete_address(request: HttpRequest, card: Card) -> str:
    """Return the form of a competition in the running season, for those who may add one."""
    runs = card.is_running and not card.arena.is_draft
    if not runs or card.season is None or not request.user.has_perm(ADD, card.arena):
        return ""
    return f"{reverse('admin:league_competition_add')}?{urlencode({'season': card.season.pk})}"


def show_round(request: HttpRequest, one: NextRound) -> ShownRound:
    competition = one.competition
    if not request.user.has_perm(PERMISSION, competition):
        return ShownRound(one, competition.get_absolute_url(), "")
    run = reverse("competition_run", args=[competition.season.arena.slug, competition.pk])
    return ShownRound(one, run, "" if one.is_drawn else run)


def reports_address(request: HttpRequest, arena: Arena) -> str:
    """Return the list of the results that wait, for those who may see it."""
    if not request.user.has_perm("league.view_match", arena):
        return ""
    waiting = f"{Status.REPORTED},{Status.DISPUTED}"
    chosen: dict[str, str | int] = {"arena__id__exact": arena.pk, "status__in": waiting}
    return f"{reverse('admin:league_match_changelist')}?{urlencode(chosen)}"
