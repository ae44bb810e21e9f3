"""The dedicated server of ``examples`` plays what a queue makes, over HTTP."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import Permission
from pytest_django.live_server_helper import LiveServer

from examples import game_server
from examples.game_server import GameServer, League, toss_a_coin
from league.models import Arena, ArenaQueue, Match, Player, Rating, Settlement, Status, User
from league.services.core.clock import database_now
from league.services.queue.ticks import tick
from tests.support.api_steps import a_token, by_token, send
from tests.support.cast import account
from tests.support.effort import examples
from tests.support.queue_steps import ANYBODY

GUIDE = Path(__file__).parents[2] / "docs" / "game-servers.md"
MATCHES = examples(12, 1_000)
A_TICK = examples(6, 50)
"""Matches that the queue makes at once."""


def server_account() -> User:
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return user


def queue_for(arena: Arena) -> ArenaQueue:
    made = ArenaQueue(
        arena=arena, matcher="new", rules={"queue": ANYBODY | {"iteration_interval": "1s"}}
    )
    made.full_clean()
    made.save()
    return made


def meet(queue: ArenaQueue, players: Sequence[Player]) -> None:
    """Let players queue, and accept what is found for them."""
    programs = {player: by_token(player) for player in players}
    address = f"/api/v1/arenas/{queue.arena.slug}/queue/"
    for program in programs.values():
        assert send(program, address, {}).status_code == 201
    while tick(queue.arena_id, now=database_now(), seed=1) is None:
        time.sleep(0.1)
    for program in programs.values():
        check = program.get(address).json()["ticket"]["ready_check"]["id"]
        assert send(program, f"/api/v1/ready-checks/{check}/answer/", {"accept": True}).json()


@pytest.mark.django_db(transaction=True)
def test_a_dedicated_server_plays_the_matches_of_a_queue(
    live_server: LiveServer, duel: Arena, settings: Any
) -> None:
    unlimited = {"address": None, "account": None}
    settings.REQUESTS_A_MINUTE = dict.fromkeys(settings.REQUESTS_A_MINUTE, unlimited)
    queue = queue_for(duel)
    players = [account(f"Player {number}") for number in range(2 * A_TICK)]
    _made, token = a_token(server_account(), "server")
    server = GameServer(League(live_server.url, token), duel.slug, toss_a_coin)
    played = 0
    while played < MATCHES:
        meet(queue, players)
        played += server.step()
    assert server.step() == 0
    matches = Match.objects.all()
    assert {(one.status, one.settlement) for one in matches} == {(Status.RATED, Settlement.SERVER)}
    assert played == matches.count()
    assert sum(Rating.objects.values_list("games", flat=True)) == 2 * played


@pytest.mark.django_db(transaction=True)
def test_the_first_match_of_the_guide_is_rated(
    live_server: LiveServer, duel: Arena, alice: Player, bob: Player
) -> None:
    block = re.search(r"```python\n(.+?)```", GUIDE.read_text(), re.DOTALL)
    assert block
    _made, token = a_token(server_account(), "server")
    environment = {
        **os.environ,
        "LEAGUE": live_server.url,
        "TOKEN": token,
        "PLAYERS": f"{alice.pk} {bob.pk}",
    }
    done = subprocess.run(
        [sys.executable, "-c", block[1]],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    assert done.stdout == "rated\n"
    assert Rating.objects.get(player=alice).games == 1


class Shaky(BaseHTTPRequestHandler):
    """Breaks off, says that it is busy and sends a proxy's page, and then answers."""

    keys: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.keys.append(self.headers["Idempotency-Key"])
        self.rfile.read(int(self.headers["Content-Length"]))
        if len(self.keys) == 1:
            return
        status = {2: 503, 3: 502}.get(len(self.keys), 200)
        self.send_response(status)
        if status == 503:
            self.send_header("Retry-After", "Fri, 27 Nov 2026 08:00:00 GMT")
        self.end_headers()
        self.wfile.write(b"{}" if status == 200 else b"<html>")

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


def test_a_request_is_sent_again_with_the_same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_server, "PAUSE", 0.01)
    monkeypatch.setattr(Shaky, "keys", [])
    with HTTPServer(("127.0.0.1", 0), Shaky) as there:
        Thread(target=there.serve_forever, daemon=True).start()
        league = League(f"http://127.0.0.1:{there.server_port}", "token")
        assert league.post("matches/1/claim/", {}) == {}
        there.shutdown()
    assert (len(Shaky.keys), len(set(Shaky.keys))) == (4, 1)
