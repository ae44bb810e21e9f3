"""Compare players: head-to-head pages, and rating curves in one chart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from league.models import Player, Season
from league.rates import limit_gets
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.privacy.reading import hides_curve, reads_history, reads_meetings
from league.services.results.forecasts.stakes import duel_now
from league.services.results.records import encounters, profiles
from league.services.results.records.lines import lines_in
from league.web.core.acting import player_of
from league.web.core.middleware import status_of
from league.web.rating.player_charts import comparison_of
from league.web.results.lineups import players_named
from league.web.results.meetings import lead, named_season, part_of_meetings
from league.web.results.scoresheets import sheets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import HttpRequest, HttpResponse

    from league.services.results.records.encounters import Encounter, SeasonMet

MOST_COMPARED = 6


@limit_gets("costly")
@require_safe
def against(request: HttpRequest, pk: int, other_pk: int) -> HttpResponse:
    """Show two people's matches against each other: record, odds now, curves and the matches."""
    one, other = person_or_404(pk), person_or_404(other_pk)
    if one == other:
        return redirect(one)
    if (one.pk, other.pk) != (pk, other_pk):
        return redirect("player_against", one.pk, other.pk, permanent=True)
    if not reads_meetings(one, other, request.user):
        return hidden_meetings(request, one, other)
    now = database_now()
    met = encounters.encounters(one, other)
    seasons = encounters.seasons_met(met)
    season = season_to_show(request, seasons, one, other)
    record = encounters.record_of(met)
    context: dict[str, Any] = {
        "player": one,
        "other": other,
        "seasons": seasons,
        "season": season,
        "record": record,
        "lead": lead(one, other, record.wins - record.losses),
        "last": met[-10:],
    }
    if season:
        duel = duel_now(season, one, other, now)
        shown = next((found for found in seasons if found.season == season), None)
        context |= {
            "arena": season.arena,
            "shows": season.shows,
            "chart": comparison_of(season, readable(request, season, [one, other])),
            "chance": duel.chance if duel else None,
            "chances": duel.chances if duel else (),
            "odds_of": (one.name, other.name),
            **meetings_context(request, season, met, shown, player_of(request)),
        }
    return render(request, "people/against.html", context)


def hidden_meetings(request: HttpRequest, one: Player, other: Player) -> HttpResponse:
    """Say who of two people hides their matches."""
    hiding = [player for player in (one, other) if not reads_history(player, request.user)]
    return render(
        request, "people/against_hidden.html", {"player": one, "other": other, "hiding": hiding}
    )


def readable(request: HttpRequest, season: Season, players: Sequence[Player]) -> list[Player]:
    """Return the players whose matches in a season the reader may see: a curve shows them all.

    Nobody's curve is left to be compared with itself.
    """
    found = [player for player in players if reads_history(player, request.user, season)]
    return found if len(found) == len(players) else []


@limit_gets("costly")
@require_safe
def against_named(request: HttpRequest, pk: int) -> HttpResponse:
    """Redirect from a form with a name to the head-to-head page of the two."""
    one = person_or_404(pk)
    try:
        others = find_players(request, most=1)
    except Refused as refusal:
        return comparing(request, one, refusal=refusal)
    return redirect("player_against", one.pk, others[0].pk)


@limit_gets("costly")
@require_safe
def compare(request: HttpRequest, pk: int) -> HttpResponse:
    """Compare the rating curves of a player and up to five others in a season."""
    one = person_or_404(pk)
    if not any(request.GET.getlist("with")):
        return comparing(request, one)
    try:
        others = find_players(request, most=MOST_COMPARED - 1)
    except Refused as refusal:
        return comparing(request, one, refusal=refusal)
    return comparing(request, one, [player for player in others if player != one])


def comparing(
    request: HttpRequest, one: Player, others: Sequence[Player] = (), refusal: Refused | None = None
) -> HttpResponse:
    """Render the page that compares players."""
    seasons = [played.season for played in profiles.seasons_played(one) if played.player == one]
    season = named_season(request, seasons)
    hiding = next(
        (who for who in [one, *others] if not reads_history(who, request.user, season)), None
    )
    if hiding is not None and others:
        refusal = hides_curve(hiding, field="with")
    context = {
        "player": one,
        "others": others,
        "hidden": hiding is not None,
        "seasons": seasons,
        "season": season,
        "most": MOST_COMPARED - 1,
        "sent": "\n".join(request.GET.getlist("with")),
        "refusal": refusal,
        "shows": season.shows if season else None,
        "chart": comparison_of(season, [one, *others]) if season and hiding is None else None,
    }
    status = status_of(refusal) if refusal else 200
    return render(request, "people/compare.html", context, status=status)


def person_or_404(pk: int) -> Player:
    """Return a player, or the one they were merged into."""
    player = get_object_or_404(Player.ever.select_related("profile", "merged_into__profile"), pk=pk)
    return player.merged_into or player


def find_players(request: HttpRequest, *, most: int) -> list[Player]:
    """Return the players named in the address.

    Raises:
        Refused: none or too many are named, or a name is unknown.
    """
    names = [name.strip() for text in request.GET.getlist("with") for name in text.splitlines()]
    names = [name for name in names if name]
    if not names:
        raise Refused("no_name", _("Name a player."), field="with")
    if len(names) > most:
        raise Refused(
            "too_many",
            _("You named %(count)d players. Name at most %(most)d.")
            % {"count": len(names), "most": most},
            field="with",
        )
    return players_named(names, "with")


def season_to_show(
    request: HttpRequest, seasons: Sequence[SeasonMet], one: Player, other: Player
) -> Season | None:
    """Return the season in the address, else where the two last met, else one both played."""
    if seasons:
        return named_season(request, [met.season for met in seasons])
    return named_season(request, encounters.shared_seasons(one, other))


def meetings_context(
    request: HttpRequest,
    season: Season,
    met: Sequence[Encounter],
    shown: SeasonMet | None,
    me: Player | None,
) -> dict[str, Any]:
    """Return a part of the matches of two people in a season, and where its neighbours begin."""
    if shown is None:
        return {"matches": []}
    part = part_of_meetings(request, season, met)
    player = Player.ever.get(pk=shown.player_id)
    listed = lines_in(season, player, [place.pk for place in part.rows])
    return {
        "matches": sheets(listed, player, me=me),
        "older": part.older.text if part.older else None,
        "newer": part.newer.text if part.newer else None,
    }
