"""Pictures of pages, which messengers and networks show beside a link."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from league.caching import kept_part
from league.models import Competition, LeagueLogo, Match, Player, Team
from league.rates import limit_gets
from league.replica import from_replica
from league.services.competitions import pages
from league.services.competitions.versions import version_of
from league.services.core.clock import database_now
from league.services.privacy.reading import names_unlisted
from league.services.results.records import profiles
from league.services.results.records.lines import in_lines
from league.services.site import frame
from league.services.teams import pictures as team_pictures
from league.services.teams.pages import records_of
from league.web.core.lookups import arena_page_or_404
from league.web.people.reviews import read_review
from league.web.sharing import cards, drawing
from league.web.teams.reviews import read_review as read_team_review

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.web.sharing.cards import Card

KEPT_FOR = 600
"""Seconds for which others keep a picture."""


def picture(card: Card) -> HttpResponse:
    return picture_response(draw_card(card))


def draw_card(card: Card) -> bytes:
    shown = frame.current()
    return drawing.png(card, shown.name, shown.accent)


def picture_response(content: bytes, kind: str = "image/png") -> HttpResponse:
    headers = {"Cache-Control": f"public, max-age={KEPT_FOR}", "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type=kind, headers=headers)


@limit_gets("costly")
@require_safe
def of_league(request: HttpRequest) -> HttpResponse:
    """Draw the name of the league over its picture."""
    del request
    shown = frame.current()
    if shown.picture is None:
        raise Http404
    ground = get_object_or_404(LeagueLogo, pk=shown.picture.digest)
    content = drawing.jpeg(bytes(ground.webp), shown.name, shown.about)
    return picture_response(content, "image/jpeg")


@limit_gets("costly")
@require_safe
def of_player(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a player's rating, rank and record in the season that they played last."""
    del request
    player = get_object_or_404(Player.objects.listed(), pk=pk)
    played = next(iter(profiles.seasons_played(player)), None)
    return picture(cards.of_player(player, played, database_now()))


@limit_gets("costly")
@require_safe
def of_review(request: HttpRequest, pk: int, season_id: int) -> HttpResponse:
    """Draw a player's season in review."""
    del request
    person, review, _history = read_review(pk, season_id)
    if person.is_unlisted or person.hides_history or person.left_at:
        raise Http404
    return picture(cards.of_review(review))


@limit_gets("costly")
@require_safe
@from_replica
def of_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a match with its result."""
    del request
    match = in_lines(Match.objects.games().filter(pk=pk)).first()
    if match is None or names_unlisted([match]):
        raise Http404
    return picture(cards.of_match(match))


@limit_gets("costly")
@require_safe
def of_board(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw the first players of an arena's leaderboard."""
    del request
    arena_page = arena_page_or_404(slug)
    season = arena_page.default_season()
    if season is None:
        raise Http404
    return picture(cards.of_board(season, arena_page.now))


@limit_gets("costly")
@require_safe
def of_team(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a team's picture, rating and record in the season that it played last."""
    del request
    team = get_object_or_404(Team, pk=pk)
    emblem = team_pictures.content_of(pk, team.picture) if team.picture else None
    return picture(cards.of_team(team, records_of(team), emblem or b""))


@limit_gets("costly")
@require_safe
def of_team_review(request: HttpRequest, pk: int, season_id: int) -> HttpResponse:
    """Draw a team's season in review."""
    del request
    team, review = read_team_review(pk, season_id)
    emblem = team_pictures.content_of(pk, team.picture) if team.picture else None
    return picture(cards.of_team_review(team, review, emblem or b""))


@limit_gets("costly")
@require_safe
def of_competition(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw the top of a competition's table, the current round of its bracket, or who won it."""
    del request
    rows = Competition.objects.published().select_related("season__arena")
    one = get_object_or_404(rows, pk=pk)
    shown = frame.current()
    key = ("competition-picture", pk, version_of(one), shown.name, shown.accent)
    return picture_response(
        kept_part(key, lambda: draw_card(cards.of_competition(pages.load(one))))
    )
