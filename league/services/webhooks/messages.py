"""The messages of events: JSON documents, with what everybody may read in the API.

Messages leave the site by themselves, so like feeds and embedded parts they name nobody who is
unlisted. A message is made when it is sent, and is not kept: names that are gone go nowhere.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import Prefetch

from league.models import Competition, Fixture, FixtureGame, Match, Participant, Season, Side
from league.models.webhook import TEST

if TYPE_CHECKING:
    from league.models import Entrant, Player, WebhookEvent

UNLISTED = {"id": None, "name": "Unlisted player"}


def message_of(event: WebhookEvent) -> bytes:
    """Return the body of a message: type, time and data of an event.

    The data is as now, but for what ``event.facts`` remembers of the moment.
    """
    message = {"type": event.type, "timestamp": as_text(event.at), "data": data_of(event)}
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode()


def data_of(event: WebhookEvent) -> dict[str, Any]:
    if event.type == TEST:
        return {"webhook": event.subject, "site": settings.SITE_URL}
    subject = event.type.partition(".")[0]
    found: dict[str, Any] | None = DATA[subject](event.subject or 0)
    if found is None:
        return {"id": event.subject, "deleted": True}
    return {**found, **event.facts}


def match_data(number: int) -> dict[str, Any] | None:
    parts = Participant.objects.select_related("player").order_by("position")
    sides = Side.objects.select_related("captain", "roster").order_by("index")
    sides = sides.prefetch_related(Prefetch("participants", parts))
    rows = Match.objects.select_related("arena", "season").prefetch_related(
        Prefetch("sides", sides)
    )
    match = rows.filter(pk=number).first()
    if match is None:
        return None
    return {
        "id": match.pk,
        "url": settings.SITE_URL + match.get_absolute_url(),
        "arena": match.arena.slug,
        "season": {"id": match.season_id, "name": match.season.name},
        "status": match.status,
        "revision": match.revision,
        "settlement": match.settlement,
        "mode": match.mode,
        "region": match.region,
        "played_at": as_text(match.played_at),
        "settled_at": as_text(match.settled_at),
        "sides": [side_data(side) for side in match.sides.all()],
        "fixture": fixture_of(match),
    }


def side_data(side: Side) -> dict[str, Any]:
    return {
        "index": side.index,
        "place": side.place,
        "score": side.score,
        "captain": player_data(side.captain),
        "roster": side.roster.name if side.roster else None,
        "participants": [{"player": player_data(one.player)} for one in side.participants.all()],
    }


def player_data(player: Player) -> dict[str, Any]:
    return UNLISTED if player.is_unlisted else {"id": player.pk, "name": player.name}


def fixture_of(match: Match) -> dict[str, Any] | None:
    """Return the fixture that a match counts for, if any."""
    games = FixtureGame.objects.filter(arrangement__match=match)
    game = games.select_related("fixture__competition").first()
    if game is None:
        return None
    fixture = game.fixture
    return {
        "competition": fixture.competition_id,
        "name": fixture.competition.name,
        "number": fixture.number,
    }


def season_data(number: int) -> dict[str, Any] | None:
    season = Season.objects.select_related("arena").filter(pk=number).first()
    if season is None:
        return None
    return {
        "id": season.pk,
        "url": settings.SITE_URL + season.get_absolute_url(),
        "arena": season.arena.slug,
        "name": season.name,
        "starts_at": as_text(season.starts_at),
        "ends_at": as_text(season.ends_at),
        "archived_at": as_text(season.archived_at),
    }


def competition_data(number: int) -> dict[str, Any] | None:
    rows = Competition.objects.select_related("season__arena")
    competition = rows.filter(pk=number).first()
    if competition is None:
        return None
    return {
        "id": competition.pk,
        "url": settings.SITE_URL + competition.get_absolute_url(),
        "arena": competition.season.arena.slug,
        "season": {"id": competition.season_id, "name": competition.season.name},
        "name": competition.name,
        "format": competition.format,
        "state": competition.state,
    }


def fixture_data(number: int) -> dict[str, Any] | None:
    fixture = Fixture.objects.with_sides().filter(pk=number).first()
    if fixture is None:
        return None
    return {
        "id": fixture.pk,
        "url": settings.SITE_URL + fixture.get_absolute_url(),
        "arena": fixture.competition.season.arena.slug,
        "competition": fixture.competition_id,
        "name": fixture.competition.name,
        "number": fixture.number,
        "home": entrant_data(fixture.home),
        "away": entrant_data(fixture.away),
        "result": fixture.result,
        "decided_by": fixture.decided_by,
    }


def entrant_data(entrant: Entrant | None) -> dict[str, Any] | None:
    if entrant is None:
        return None
    hidden = entrant.roster_id is None and entrant.player.is_unlisted
    return UNLISTED if hidden else {"id": entrant.pk, "name": entrant.name}


DATA = {
    "match": match_data,
    "result": match_data,
    "dispute": match_data,
    "season": season_data,
    "competition": competition_data,
    "fixture": fixture_data,
}
"""The functions that make the data, by the first word of an event's type."""


def as_text(moment: datetime | None) -> str | None:
    """Return a time as the API writes it."""
    if moment is None:
        return None
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")
