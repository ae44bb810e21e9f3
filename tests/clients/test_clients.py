"""The clients of docs/clients.md play a match from the queue to the ratings."""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, ClassVar

import pytest
from pytest_django.live_server_helper import LiveServer

from league.api.core.idempotency import SECRETIVE
from league.api.core.schema import description
from league.models import ArenaQueue, Match, Player, Profile, Rating, Settlement, Status
from league.services.core.clock import database_now
from league.services.queue.ticks import tick
from tests.support.api_steps import a_token
from tests.support.cast import account, arena
from tests.support.node import NODE
from tests.support.pictures import halves, saved
from tests.support.queue_steps import ANYBODY

PROJECT = Path(__file__).parents[2]
CLIENTS = PROJECT / "clients"
GUIDE = (PROJECT / "docs/clients.md").read_text()
A_SIDE = 5
CALL = """
import { Laurel, Refused } from "./laurel.ts";
const [address, path] = process.argv.slice(2);
try {
  const league = new Laurel(address, "token");
  console.log(JSON.stringify(await league.call("post", path, { path: { id: "a/b" } })));
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  console.log(JSON.stringify(error.problem));
}
"""
UPLOAD = """
import { Laurel } from "./laurel.ts";
const [address, token, picture] = process.argv.slice(2);
const league = new Laurel(address, token);
const body = new FormData();
body.set("image", new Blob([Buffer.from(picture, "base64")]), "me.png");
const shown = await league.call("put", "/api/v1/profile/picture/", { body });
const bot = { name: "Bot", address: "http://127.0.0.1:9/", events: ["result.confirmed"] };
const made = await league.call("post", "/api/v1/webhooks/", { body: bot });
const path = { id: made.id };
const changed = await league.call("post", "/api/v1/webhooks/{id}/secret/", { path });
console.log(JSON.stringify([shown.picture, made.secret !== changed.secret]));
"""


def bot_in(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture
def python_client(tmp_path: Path, live_server: LiveServer) -> Path:
    """Return the folder of the client that the guide's command generates."""
    made = tmp_path / "python"
    address = f"{live_server.url}/api/v1/schema/"
    options = ["--config", str(CLIENTS / "python.yaml"), "--output-path", str(made)]
    generator = Path(sys.executable).with_name("openapi-python-client")
    ran = subprocess.run(
        [generator, "generate", "--url", address, *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, "arning" in ran.stdout + ran.stderr) == (0, False), (
        ran.stdout + ran.stderr
    )
    return made


@pytest.fixture
def typescript_client(tmp_path: Path) -> Path:
    made = tmp_path / "typescript"
    shutil.copytree(CLIENTS / "typescript", made)
    (made / "bot.ts").write_text(bot_in("typescript"))
    return made


def fives() -> ArenaQueue:
    queue = ArenaQueue(
        arena=arena("fives", team_size_min=A_SIDE, team_size_max=A_SIDE),
        matcher="new",
        rules={"queue": ANYBODY | {"iteration_interval": "1s"}},
    )
    queue.full_clean()
    queue.save()
    return queue


def play(
    command: Sequence[object], player: Player, address: str, folder: Path
) -> subprocess.Popen[str]:
    _made, token = a_token(player.user)
    bot = {"LEAGUE": address, "TOKEN": token, "ARENA": "fives", "PAUSE": "0.3"}
    return subprocess.Popen(
        [str(part) for part in command],
        cwd=folder,
        env={**os.environ, **bot},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.django_db(transaction=True)
def test_ten_bots_in_two_languages_play_a_match_from_the_queue_to_the_ratings(
    live_server: LiveServer, python_client: Path, typescript_client: Path, settings: Any
) -> None:
    unlimited = {"address": None, "account": None}
    settings.REQUESTS_A_MINUTE = dict.fromkeys(settings.REQUESTS_A_MINUTE, unlimited)
    queue = fives()
    python = ([sys.executable, "-c", bot_in("python")], python_client)
    typescript = ([NODE, "bot.ts"], typescript_client)
    bots = []
    for number in range(2 * A_SIDE):
        command, folder = (python, typescript)[number % 2]
        player = account(f"Player {number}")
        bots.append((player, play(command, player, live_server.url, folder)))
    ends = time.monotonic() + 90
    while any(bot.poll() is None for _player, bot in bots) and time.monotonic() < ends:
        if not Match.objects.exists():
            tick(queue.arena_id, now=database_now(), seed=1)
        time.sleep(0.2)
    for _player, bot in bots:
        bot.kill()
    said = {player: (*bot.communicate(), bot.returncode) for player, bot in bots}
    for player, (figures, complaints, code) in said.items():
        assert (code, complaints) == (0, "")
        before, after = map(int, figures.split())
        assert after == round(Rating.objects.get(player=player).rating)
        assert before != after
    match = Match.objects.get()
    assert (match.status, match.settlement) == (Status.RATED, Settlement.CAPTAIN)


class Shaky(BaseHTTPRequestHandler):
    """Breaks off, then says that it is busy, and then answers what a test has put down."""

    asked: ClassVar[list[tuple[str, str]]] = []
    answer: ClassVar[tuple[int, str, str]]

    def do_POST(self) -> None:
        self.asked.append((self.path, self.headers["Idempotency-Key"]))
        self.rfile.read(int(self.headers["Content-Length"] or 0))
        if len(self.asked) == 1:
            return
        status, kind, body = (503, "text/html", "") if len(self.asked) == 2 else self.answer
        self.send_response(status)
        self.send_header("Retry-After", "Fri, 27 Nov 2026 08:00:00 GMT")
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_args: object) -> None:
        """Say nothing."""


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ((200, "application/json", '{"id": 3}'), {"id": 3}),
        ((409, "application/problem+json", '{"code": "taken"}'), {"code": "taken"}),
        ((413, "text/html", "<html>"), {"code": "", "status": 413}),
    ],
    ids=["accepted", "refused", "refused by a proxy"],
)
def test_the_typescript_client_sends_a_request_again_with_the_same_key(
    typescript_client: Path,
    monkeypatch: pytest.MonkeyPatch,
    answer: tuple[int, str, str],
    expected: dict[str, object],
) -> None:
    monkeypatch.setattr(Shaky, "asked", [])
    monkeypatch.setattr(Shaky, "answer", answer, raising=False)
    (typescript_client / "call.ts").write_text(CALL)
    with HTTPServer(("127.0.0.1", 0), Shaky) as there:
        Thread(target=there.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{there.server_port}"
        ran = subprocess.run(
            [NODE, "call.ts", address, "/api/v1/matches/{id}/claim/"],
            cwd=typescript_client,
            capture_output=True,
            text=True,
            check=False,
        )
        there.shutdown()
    assert (ran.returncode, ran.stderr) == (0, "")
    said = json.loads(ran.stdout)
    assert {name: said[name] for name in expected} == expected
    assert len(Shaky.asked) == 3
    [(path, key)] = set(Shaky.asked)
    assert path == "/api/v1/matches/a%2Fb/claim/"
    assert key


@pytest.mark.django_db(transaction=True)
def test_the_typescript_client_uploads_and_takes_secrets_without_a_key(
    live_server: LiveServer, typescript_client: Path, olga: Player, settings: Any
) -> None:
    settings.WEBHOOK_TEST_HOSTS = ["127.0.0.1"]
    _made, token = a_token(olga.user)
    picture = base64.b64encode(saved(halves())).decode()
    (typescript_client / "upload.ts").write_text(UPLOAD)
    ran = subprocess.run(
        [NODE, "upload.ts", live_server.url, token, picture],
        cwd=typescript_client,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    shown, is_new = json.loads(ran.stdout)
    assert Profile.objects.get(player=olga).picture in shown
    assert is_new


def test_the_typescript_client_knows_what_takes_no_key() -> None:
    [found] = re.findall(
        r"SECRETIVE = new Set<string>\((.*?)\)", (CLIENTS / "typescript/laurel.ts").read_text()
    )
    secretive = {
        (method, path)
        for path, methods in description()["paths"].items()
        for method, one in methods.items()
        if SECRETIVE in one
    }
    assert secretive == {("post", path) for path in json.loads(found)}
