"""The addresses of the demo league: at least one for each page of the permission tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.urls import NoReverseMatch, reverse

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Match,
    Player,
    Rating,
    Roster,
    Season,
    Status,
    Team,
    User,
)
from league.services.competitions import progress
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.ladder.challenges import challenge
from league.services.teams import rating

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

QUERIES = {
    "search": "?q=an",
    "stakes": "?opponent=Scotland",
    "player_against_named": "?player=Scotland",
}
KINDS: dict[str, str] = {
    Competition.Format.TABLE: "table",
    Competition.Format.SWISS: "Swiss",
    Competition.Format.DOUBLE: "double elimination",
}


Variant = tuple[str, dict[str, Any], str]
"""An addition to a page's name, the fields of its address, and the arena of its reader."""


def prepare() -> None:
    """Give accounts to players of each arena, and bring what workers bring up to date."""
    now = database_now()
    progress.sweep(now)
    rating.refresh_all(now)
    for player in readers().values():
        if player.user is None:
            player.user = User.objects.create(username=f"reader-{player.pk}")
            player.save(update_fields=["user"])
    ladder = Arena.objects.get(slug="table-tennis")
    players = [
        row.player
        for row in Rating.objects.filter(season__arena=ladder).select_related("player")
        if row.player.user is None
    ]
    challenged = players[0]
    challenged.user = User.objects.create(username=f"challenged-{challenged.pk}")
    challenged.save(update_fields=["user"])
    try:
        challenge(ladder, challenged, by=readers()["table-tennis"], now=now)
    except Refused as refusal:
        print(f"No challenge: {refusal}")


def readers() -> dict[str, Player]:
    """Return a player of each arena, with an account once :func:`prepare` has run."""
    found = {"": Player.objects.named("England").select_related("user").get()}
    for arena in Arena.objects.all():
        rows = Rating.objects.filter(season__arena=arena).order_by("-player__user_id", "player_id")
        led = Roster.objects.filter(arena=arena, team__isnull=False).order_by("pk").first()
        if led:
            found[arena.slug] = led.captain
        elif row := rows.select_related("player__user").last():
            found[arena.slug] = row.player
    for slug in ("football", "practice"):
        found[slug] = found[""]
    return found


def addresses(only: Collection[str] = ()) -> Iterator[tuple[str, str, Player | None]]:
    """Yield a name, an address and a reader for each page, in each arena and of each kind."""
    from tests.support.permission_walk import OURS

    people = readers()
    routes = dict.fromkeys(
        row.route for row in OURS if row.method == "GET" and not row.route.startswith("api:")
    )
    for route in only or routes:
        for name, fields, slug in fields_of(route):
            try:
                address = reverse(route, kwargs=fields)
            except NoReverseMatch:
                continue
            yield f"{route}{name}", address + QUERIES.get(route, ""), people.get(slug, people[""])


def fields_of(route: str) -> Iterator[Variant]:
    """Yield fields that the route may have, with an addition to its name and an arena's slug."""
    yield "", {}, ""
    for arena in Arena.objects.all():
        yield "", {"slug": arena.slug}, arena.slug
    kind = route.split("_", maxsplit=1)[0].removesuffix("s")
    if kind == "competition" or route in {"fixture", "round_pgn"}:
        yield from of_competition(route)
    elif kind in KIND_FIELDS:
        yield from KIND_FIELDS[kind]()


def of_team() -> Iterator[Variant]:
    for team in Team.objects.order_by("pk")[:1]:
        roster, member = team.rosters.get(), team.members.order_by("pk").last()
        yield "", {"pk": team.pk}, roster.arena.slug
        yield "", {"pk": team.pk, "roster_id": roster.pk}, roster.arena.slug
        yield "", {"pk": team.pk, "digest": team.picture}, roster.arena.slug
        if member:
            yield "", {"pk": team.pk, "member_id": member.pk}, roster.arena.slug


def of_match() -> Iterator[Variant]:
    for match in matches():
        yield "", {"pk": match.pk}, match.arena.slug


def of_season() -> Iterator[Variant]:
    for season in Season.objects.select_related("arena"):
        yield "", {"pk": season.pk}, season.arena.slug
        yield "", {"pk": season.pk, "kind": "csv"}, season.arena.slug


def of_date() -> Iterator[Variant]:
    for date in Arrangement.objects.accepted().select_related("arena").order_by("-pk")[:8]:
        yield "", {"slug": date.arena.slug, "pk": date.pk}, date.arena.slug


def of_roster() -> Iterator[Variant]:
    for roster in Roster.objects.select_related("arena").order_by("arena", "pk")[:1]:
        yield "", {"slug": roster.arena.slug, "pk": roster.pk}, roster.arena.slug


def of_site_map() -> Iterator[Variant]:
    for section in ("arenas", "players", "competitions"):
        yield "", {"section": section}, ""


def of_challenge() -> Iterator[Variant]:
    for one in readers()["table-tennis"].challenges_made.all():
        yield "", {"pk": one.pk}, "table-tennis"


def of_competition(route: str) -> Iterator[Variant]:
    rows = Competition.objects.select_related("season__arena")
    for one in rows:
        slug = one.season.arena.slug
        name = f", {KINDS[one.format]}{' that is over' if one.state == one.State.OVER else ''}"
        yield name if route == "competition" else "", {"slug": slug, "pk": one.pk}, slug
        yield "", {"pk": one.pk}, slug
        yield "", {"slug": slug, "pk": one.pk, "number": 1}, slug


def of_player() -> Iterator[Variant]:
    spain = Player.objects.named("Spain").get()
    england = Player.objects.named("England").get()
    busiest = Rating.objects.order_by("-games").select_related("player")[0].player
    season = Season.objects.get(arena__slug="football")
    for player in (spain, busiest, england):
        yield "", {"pk": player.pk}, ""
        yield "", {"pk": player.pk, "other_pk": england.pk}, ""
        yield "", {"pk": player.pk, "season_id": season.pk}, ""
    for slug, player in readers().items():
        yield "", {"pk": player.pk}, slug


def matches() -> Iterator[Match]:
    """Yield a match of each arena, and one that waits for its confirmation."""
    for arena in Arena.objects.all():
        yield from Match.objects.rated().filter(arena=arena).select_related("arena")[:1]
    yield from Match.objects.filter(status=Status.REPORTED).select_related("arena")[:1]
    fixtures = Match.objects.filter(arrangement__isnull=False).select_related("arena")
    yield from fixtures.order_by("-pk")[:1]


KIND_FIELDS = {
    "team": of_team,
    "match": of_match,
    "player": of_player,
    "embed": of_player,
    "season": of_season,
    "point": of_season,
    "date": of_date,
    "roster": of_roster,
    "sitemap": of_site_map,
    "challenge": of_challenge,
}
