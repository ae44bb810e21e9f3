"""Parts of the league that other sites show in a frame, and the addresses that tell them how.

These pages are the same for everybody, and the only ones that can be framed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from csp.decorators import csp_replace
from django.conf import settings
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.template.loader import render_to_string
from django.urls import Resolver404, resolve, reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from league.models import Player
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.isolation import gettext as _
from league.services.privacy.reading import unlisted_among
from league.services.results.records import profiles
from league.services.site import frame
from league.services.standings import leaderboards
from league.web.core.lookups import arena_page_or_404
from league.web.sharing import cards

if TYPE_CHECKING:
    from django.http import HttpRequest

ANYWHERE = csp_replace({"frame-ancestors": ["*"]})
KEPT_FOR = 60
"""Seconds for which browsers keep a part."""
WIDTH, LEAST_WIDTH = 480, 240
ROWS = 10


def part(template: str, context: dict[str, Any]) -> HttpResponse:
    text = render_to_string(
        template, {"frame": frame.current(), "site": settings.SITE_URL, **context}
    )
    return HttpResponse(text, headers={"Cache-Control": f"public, max-age={KEPT_FOR}"})


@xframe_options_exempt
@ANYWHERE  # type: ignore[arg-type] # typed for views without arguments
@limit_gets("costly")
@require_safe
def board(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the first ten players of an arena."""
    del request
    arena_page = arena_page_or_404(slug)
    season = arena_page.default_season()
    if season is None:
        raise Http404
    rows = leaderboards.leaderboard(season, now=arena_page.now, per_page=ROWS).rows
    context = {
        "arena": arena_page.arena,
        "season": season,
        "rows": rows,
        "shows": season.shows,
        "unlisted": unlisted_among(row.player_id for row in rows),
    }
    return part("sharing/board.html", context)


@xframe_options_exempt
@ANYWHERE  # type: ignore[arg-type] # typed for views without arguments
@limit_gets("costly")
@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's rating, rank and record in the season that they played last."""
    del request
    shown = get_object_or_404(Player.objects.listed(), pk=pk)
    played = next(iter(profiles.seasons_played(shown)), None)
    card = cards.of_player(shown, played, database_now())
    return part("sharing/player.html", {"player": shown, "card": card})


@dataclass(frozen=True)
class Embedded:
    """A page with a part to embed."""

    title: str
    address: str
    height: int


def find_embed(address: str) -> Embedded | None:
    """Return the part for the address of a page, ``None`` if it has none."""
    asked = urlsplit(address)
    if asked.netloc != urlsplit(settings.SITE_URL).netloc:
        return None
    try:
        found = resolve(asked.path)
    except Resolver404:
        return None
    if found.url_name == "player":
        shown = get_object_or_404(Player.objects.listed(), pk=found.kwargs["pk"])
        return Embedded(shown.name, reverse("embed_player", args=[shown.pk]), 200)
    if found.url_name in {"arena", "leaderboard"}:
        arena_page = arena_page_or_404(found.kwargs["slug"])
        arena = arena_page.arena
        if arena_page.default_season() is None:
            return None
        title = _("Leaderboard of %(arena)s") % {"arena": arena}
        return Embedded(title, reverse("embed_board", args=[arena.slug]), 460)
    return None


@limit_gets("costly")
@require_safe
def oembed(request: HttpRequest) -> HttpResponse:
    """Say how to embed a page (oEmbed 1.0, https://oembed.com), as JSON."""
    if request.GET.get("format", "json") != "json":
        return problem(_("Only the format json is supported."), 501)
    try:
        found = find_embed(request.GET.get("url", ""))
    except (ValueError, Http404):
        found = None
    if found is None:
        return problem(
            _("Set url to the address of a player, an arena or a leaderboard of this site."), 404
        )
    width = max(at_most(request, "maxwidth", WIDTH), LEAST_WIDTH)
    height = at_most(request, "maxheight", found.height)
    frame_of_it = render_to_string(
        "sharing/_iframe.html",
        {"site": settings.SITE_URL, "part": found, "width": width, "height": height},
    )
    return answer(
        {
            "version": "1.0",
            "type": "rich",
            "title": found.title,
            "provider_name": frame.current().name,
            "provider_url": settings.SITE_URL,
            "cache_age": KEPT_FOR,
            "width": width,
            "height": height,
            "html": frame_of_it.strip(),
        }
    )


def at_most(request: HttpRequest, name: str, usual: int) -> int:
    """Return a size, or the limit in the query string if that is less and a number."""
    asked = request.GET.get(name, "")
    return min(usual, int(asked)) if asked.isdecimal() and len(asked) < 6 else usual


def problem(message: str, status: int) -> JsonResponse:
    return answer({"message": message}, status)


def answer(content: dict[str, Any], status: int = 200) -> JsonResponse:
    return JsonResponse(content, status=status, headers={"Access-Control-Allow-Origin": "*"})
