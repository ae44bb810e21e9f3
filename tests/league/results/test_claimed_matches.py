"""Game servers take over matches that a queue made, and no others."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission

from league.models import Agreement, Arena, Match, Player, Rating, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.playing import servers
from league.services.results.reports import live
from tests.support.api_steps import a_token, by_token, send
from tests.support.cast import NOW, account, arena
from tests.support.concurrency import all_at_once
from tests.support.result_steps import user_of


def server_named(name: str) -> User:
    user = User.objects.create(username=name)
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return user


def queued(where: Arena, one: Player, other: Player) -> Match:
    """Return a match that both accepted in a ready check."""
    sides = [live.StartingSide(player, [player]) for player in (one, other)]
    return live.start(where, sides, now=NOW, agreed_by=Agreement.READY_CHECK)


def test_a_server_finishes_what_the_queue_made(duel: Arena, alice: Player, charlie: Player) -> None:
    match, server = queued(duel, alice, charlie), server_named("server")
    program: Any = by_token(Player(name="", user=server))
    report = f"/api/v1/matches/{match.pk}/report/"
    sides = {"sides": [{"place": 0}, {"place": 1}]}
    assert send(program, report, sides).status_code == 403
    for _twice in range(2):
        assert send(program, f"/api/v1/matches/{match.pk}/claim/", {}).status_code == 200
    done = send(program, report, sides)
    assert (done.json()["status"], done.json()["settlement"]) == ("rated", "server")
    assert [side["agreed_by"] for side in done.json()["sides"]] == ["ready-check"] * 2
    with pytest.raises(Conflict, match="not live"):
        servers.claim(match.pk, by=server_named("late"), now=NOW)


def test_one_server_gets_it(duel: Arena, alice: Player, charlie: Player) -> None:
    match, first = queued(duel, alice, charlie), server_named("first")
    servers.claim(match.pk, by=first, now=NOW)
    other = server_named("other")
    with pytest.raises(Conflict, match="another game server"):
        servers.claim(match.pk, by=other, now=NOW)
    with pytest.raises(Forbidden, match="not the game server"):
        servers.finish(match.pk, [live.Finish(0), live.Finish(1)], by=other, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_one_of_two_servers_gets_it_at_the_same_moment(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = queued(duel, alice, charlie)
    programs = [by_token(Player(name="", user=server_named(name))) for name in ("one", "two")]
    address = f"/api/v1/matches/{match.pk}/claim/"
    answers: list[Any] = all_at_once([lambda p=p: send(p, address, {}) for p in programs])  # type: ignore[misc]
    assert sorted(answer.status_code for answer in answers) == [200, 409]


def test_nobody_serves_their_own_match(duel: Arena, charlie: Player) -> None:
    cheat = account("Cheat")
    user_of(cheat).user_permissions.add(Permission.objects.get(codename="add_match"))
    match = queued(duel, cheat, charlie)
    with pytest.raises(Forbidden, match="You play in this match"):
        servers.claim(match.pk, by=User.objects.get(player=cheat), now=NOW)
    assert not Rating.objects.exists()


def test_what_captains_arranged_is_theirs(duel: Arena, alice: Player, charlie: Player) -> None:
    sides = [live.StartingSide(player, [player]) for player in (alice, charlie)]
    match = live.start(duel, sides, now=NOW, agreed_by=Agreement.DATE)
    with pytest.raises(Refused, match="from a queue"):
        servers.claim(match.pk, by=server_named("server"), now=NOW)


def test_a_captain_can_report_if_the_server_does_not(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = queued(duel, alice, charlie)
    servers.claim(match.pk, by=server_named("server"), now=NOW)
    finished = live.finish(
        match.pk, [live.Finish(0), live.Finish(1)], reporter=alice, now=NOW + timedelta(hours=1)
    )
    assert finished.status == "reported"


def test_a_server_of_another_arena_or_without_permission_claims_nothing(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match, server = queued(duel, alice, charlie), server_named("server")
    token, text = a_token(server, "server")
    token.arenas.set([arena("elsewhere")])
    token.is_bound = True
    token.save()
    program: Any = by_token(Player(name="", user=server))
    program.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    address = f"/api/v1/matches/{match.pk}/claim/"
    refused = send(program, address, {})
    assert (refused.status_code, refused.json()["code"]) == (403, "another_arena")
    assert send(by_token(account("Nobody")), address, {}).status_code == 403
    assert send(program, "/api/v1/matches/999999999/claim/", {}).status_code == 404
