"""Lists of the API: one kind of cursor, and each part costs the same at any depth."""

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import resolve, reverse
from rest_framework.test import APIClient

from league.api.core.schema import description
from league.models import (
    Arena,
    Arrangement,
    Challenge,
    Competition,
    FinalPoints,
    FinalStanding,
    Match,
    Player,
    PointEntry,
    PointTotal,
    Rating,
    Roster,
    RosterInvitation,
    Season,
    StaffAction,
    Team,
    User,
    Webhook,
    WebhookDelivery,
)
from league.services.core.clock import database_now
from league.services.following import blocks, follows
from league.services.seasons.planning import plan_season
from league.services.teams import inviting
from tests.support.cast import NOW, account, arena, put_in_order
from tests.support.permission_roles import Role, World, fields_in
from tests.support.permission_walk import OURS
from tests.support.team_steps import team_of

READERS = {
    "blocks": Role.PLAYER,
    "following": Role.PLAYER,
    "invitations": Role.PLAYER,
    "my-team-invitations": Role.PLAYER,
    "notices": Role.REPORTER,
    "penalties": Role.PLAYER,
    "team-invitations": Role.REPORTER,
    "tokens": Role.PLAYER,
}
"""Who has something to read in lists of their own. Olga reads all others."""
PATHS = [
    path
    for path, methods in description()["paths"].items()
    if "get" in methods
    and "cursor" in {one["name"] for one in methods["get"].get("parameters", ())}
]


def view_at(path: str) -> Any:
    return resolve(path.replace("{slug}", "duel").replace("{id}", "1"))


LISTS = [view_at(path).url_name for path in PATHS]


def extra_players() -> list[Player]:
    return [Player.objects.create(name=f"Extra {number}") for number in range(3)]


def three_challenges(where: dict[str, Any]) -> None:
    first = Challenge.objects.get(season__arena__slug=where["slug"])
    for other in extra_players():
        first.pk, first.challenger, first.state, first.closed_at = None, other, "withdrawn", NOW
        first.save(force_insert=True)


def three_standings(where: dict[str, Any]) -> None:
    season = Arena.objects.get(slug=where["slug"]).seasons.get()
    for other in extra_players():
        Rating.objects.create(
            season=season, player=other, rating=1500, deviation=50, games=3, last_played_at=NOW
        )
    put_in_order()


def three_absent(where: dict[str, Any]) -> None:
    season = Arena.objects.get(slug=where["slug"]).seasons.get()
    for other in extra_players():
        Rating.objects.create(
            season=season,
            player=other,
            rating=1500,
            deviation=50,
            games=3,
            last_played_at=NOW - timedelta(days=4_000),
        )
    put_in_order()


def three_totals(where: dict[str, Any]) -> None:
    season = Arena.objects.get(slug=where["slug"]).seasons.get()
    for other in extra_players():
        PointTotal.objects.create(
            season=season, player=other, points=7, matches=3, wins=3, listed=True
        )


def three_seasons(where: dict[str, Any]) -> None:
    arena = Arena.objects.get(slug=where["slug"])
    for number in range(1, 4):
        start = NOW + timedelta(days=3_000 * number)
        plan_season(arena, starts_at=start, ends_at=start + timedelta(days=1_000))


def three_fixtures(where: dict[str, Any]) -> None:
    first = Competition.objects.get(pk=where["pk"]).fixtures.order_by("number")[0]
    number = first.number
    for further in range(1, 4):
        first.pk, first.number = None, number + 100 + further
        first.save(force_insert=True)


def three_messages(where: dict[str, Any]) -> None:
    match = Match.objects.get(pk=where["pk"])
    for _number in range(3):
        message = match.messages.order_by("id")[0]
        message.pk = None
        message.save(force_insert=True)


def three_words(where: dict[str, Any]) -> None:
    date = Arrangement.objects.get(pk=where["pk"])
    for number in range(3):
        date.messages.create(player=date.proposer, text=f"Message {number}", at=NOW)


def three_words_of_a_challenge(where: dict[str, Any]) -> None:
    challenge = Challenge.objects.get(pk=where["pk"])
    for number in range(3):
        challenge.messages.create(player=challenge.challenger, text=f"Message {number}", at=NOW)


def three_words_of_a_match(where: dict[str, Any]) -> None:
    match = Match.objects.get(pk=where["pk"])
    for number in range(3):
        match.talk.create(player=match.sides.all()[0].captain, text=f"Message {number}", at=NOW)


def three_invitations(where: dict[str, Any]) -> None:
    del where
    first = RosterInvitation.objects.filter(player__name="Eve").order_by("id")[0]
    for number in range(3):
        first.roster = Roster.objects.create(
            arena=first.roster.arena, captain=first.roster.captain, name=f"Extra {number}"
        )
        first.pk = None
        first.save(force_insert=True)


def three_entries(where: dict[str, Any]) -> None:
    first = PointEntry.objects.filter(player=where["pk"]).order_by("id")[0]
    for match in Match.objects.exclude(point_entries__player=where["pk"])[:3]:
        first.pk, first.match = None, match
        first.save(force_insert=True)


def three_places(where: dict[str, Any]) -> None:
    season = Season.objects.get(pk=where["pk"])
    for number, other in enumerate(extra_players()):
        kept = {"season": season, "position": 100 + number, "player": other, "name": other.name}
        won = {"wins": 2, "matches": 3, "points": 7, "rank": 1}
        FinalPoints.objects.create(**kept, **won)
        FinalStanding.objects.create(
            **kept, rating=1500, games=3, wins=2, draws=0, losses=1, streak=1
        )


def three_errata(where: dict[str, Any]) -> None:
    olga = User.objects.get(player__name="Olga")
    for match in Match.objects.order_by("pk")[:3]:
        kept = {"kind": "erratum", "match": match, "details": {"season": where["pk"]}}
        StaffAction.objects.create(**kept, actor=olga, reason="Wrong", at=NOW)


def three_teams(where: dict[str, Any]) -> None:
    del where
    for number in range(3):
        team_of(account(f"Extra {number}"), f"Team {number}", f"X{number}")


def three_who_invite_eve(where: dict[str, Any]) -> None:
    del where
    eve = Player.objects.get(name="Eve")
    for number in range(3):
        captain = account(f"Extra {number}")
        team = team_of(captain, f"Team {number}", f"X{number}")
        inviting.invite(team, eve, by=captain, now=database_now())


def three_links(where: dict[str, Any]) -> None:
    team = Team.objects.get(pk=where["pk"])
    for _number in range(3):
        inviting.make_link(team, 1, by=team.members.get(role="captain").player, now=database_now())


def three_followed_and_blocked(where: dict[str, Any]) -> None:
    del where
    eve = Player.objects.get(name="Eve")
    for other in extra_players():
        follows.follow(eve, other, now=NOW)
        blocks.block(eve, other, now=NOW)


def three_webhooks(where: dict[str, Any]) -> None:
    del where
    first = Webhook.objects.get()
    for _number in range(3):
        first.pk = None
        first.save(force_insert=True)


def three_deliveries(where: dict[str, Any]) -> None:
    first = WebhookDelivery.objects.filter(webhook=where["pk"]).order_by("id")[:1].get()
    for _number in range(3):
        first.pk = None
        first.save(force_insert=True)


FILLED: dict[str, Callable[[dict[str, Any]], None]] = {
    "blocks": three_followed_and_blocked,
    "challenges": three_challenges,
    "leaderboard": three_standings,
    "points": three_totals,
    "seasons": three_seasons,
    "fixtures": three_fixtures,
    "following": three_followed_and_blocked,
    "date-messages": three_words,
    "challenge-messages": three_words_of_a_challenge,
    "match-talk": three_words_of_a_match,
    "match-messages": three_messages,
    "inactive": three_absent,
    "invitations": three_invitations,
    "player-points": three_entries,
    "final-standings": three_places,
    "season-errata": three_errata,
    "season-points": three_places,
    "teams": three_teams,
    "my-team-invitations": three_who_invite_eve,
    "team-invitations": three_links,
    "webhooks": three_webhooks,
    "webhook-deliveries": three_deliveries,
}


@pytest.mark.parametrize("route", LISTS)
def test_many_rows_and_the_last_part_of_a_list_cost_as_much_as_the_first(
    route: str, world: World
) -> None:
    row = next(one for one in OURS if one.route == f"api:{route}" and one.method == "GET")
    where = fields_in(world, row.where)
    if fill := FILLED.get(route):
        fill(where)
    client = APIClient()
    client.force_authenticate(world.user(READERS.get(route, Role.ADMIN)))
    address = reverse(row.route, kwargs=where)

    client.get(f"{address}?page_size=1")
    with CaptureQueriesContext(connection) as at_once:
        whole = client.get(f"{address}?page_size=200").json()["results"]
    parts, costs, following = [], [], f"{address}?page_size=1"
    while following:
        with CaptureQueriesContext(connection) as made:
            part = client.get(following).json()
        if route != "leaderboard":  # which skips part of a bucket, whose size is limited
            skipped = [
                one for one in made.captured_queries if re.search("OFFSET [1-9]", one["sql"])
            ]
            assert skipped == []
        parts.append(part)
        costs.append(len(made))
        following = part["next"]
    assert [one for part in parts for one in part["results"]] == whole
    assert len(parts) > 1
    assert len(at_once) <= costs[0] + 1, "a statement for each row"
    assert costs[-1] <= costs[1] <= costs[0] + 1  # which may ask whether anything comes before
    assert client.get(parts[-1]["previous"]).json()["results"] == parts[-2]["results"]


def test_equal_and_missing_values_are_told_apart_by_the_id(world: World) -> None:
    """Ratings are listed by the last match, those without one last."""
    player = Player.objects.create(name="Collector")
    for number, played in enumerate([None, NOW, None, NOW, NOW - timedelta(days=1), None]):
        where = arena(f"arena-{number}")
        Rating.objects.create(
            season=where.seasons.get(),
            player=player,
            rating=1500,
            deviation=50,
            games=3,
            last_played_at=played,
        )
    address = f"/api/v1/players/{player.pk}/ratings/?page_size="
    client = APIClient()
    whole = client.get(f"{address}100").json()["results"]
    assert [row["last_played_at"] is None for row in whole] == [False] * 3 + [True] * 3
    there, back, following = [], [], f"{address}1"
    while following:
        part = client.get(following).json()
        there += part["results"]
        before, following = part["previous"], part["next"]
    while before:
        part = client.get(before).json()
        back += part["results"]
        before = part["previous"]
    assert there == whole
    assert [*reversed(back), there[-1]] == whole


def test_a_cursor_of_another_list_or_a_changed_one_is_refused(world: World) -> None:
    client = APIClient()
    cursor = client.get("/api/v1/arenas/?page_size=1").json()["next"].split("cursor=")[1]
    cursor = cursor.split("&")[0]
    assert client.get(f"/api/v1/arenas/?cursor={cursor}").status_code == 200
    for address in (
        f"players/?cursor={cursor}",
        f"arenas/?cursor=x{cursor}",
        "arenas/?cursor=",
        "arenas/?cursor=%00",
        "arenas/duel/leaderboard/?cursor=2",
        f"arenas/?cursor={cursor}&page=2",
    ):
        assert client.get(f"/api/v1/{address}").status_code == 400


def test_page_numbers_still_lead_to_the_first_pages_and_say_that_they_will_go(
    world: World,
) -> None:
    client = APIClient()
    first = client.get("/api/v1/players/?page_size=2")
    second = client.get("/api/v1/players/?page_size=2&page=2")
    assert client.get(first.json()["next"]).json() == second.json()
    assert "Deprecation" not in first
    assert second.headers["Deprecation"] == "@1796083200"
    assert second.headers["Sunset"] == "Wed, 01 Dec 2027 00:00:00 GMT"
    assert second.headers["Link"] == '</api/v1/docs/>; rel="deprecation"; type="text/html"'
    assert client.get("/api/v1/players/?page_size=2&page=1000").status_code == 404
    assert client.get("/api/v1/players/?page_size=200&page=100000").status_code == 400
    (page,) = (
        one
        for one in description()["paths"]["/api/v1/players/"]["get"]["parameters"]
        if one["name"] == "page"
    )
    assert page["deprecated"]
