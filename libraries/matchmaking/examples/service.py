"""A matchmaking service over HTTP, with nothing but the standard library and laurel-matchmaking.

    python service.py --port 8080 --team-size 2

POST /queue {"players": [{"id": "Ann", "rating": 1510}]} answers with a ticket. GET /tickets/1 says
whether it waits, or names the match. DELETE /tickets/1 leaves the queue.
"""

from __future__ import annotations

import argparse
import json
import sys
import threading
import time
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from laurel_matchmaking import Match, Matcher, Player, Queue, QueueError


class Lobby:
    """The queue and the matches made so far, for threads to share."""

    def __init__(self, matcher: Matcher) -> None:
        self.matcher = matcher
        self.queue = Queue()
        self.matches: dict[str, dict[str, Any]] = {}
        self.lock = threading.Lock()

    def join(self, players: list[dict[str, Any]]) -> str:
        party = [Player(**player) for player in players]
        if len(party) > self.matcher.rules.team_size:
            raise QueueError(f"a team has {self.matcher.rules.team_size} players")
        with self.lock:
            return str(self.queue.join(party, at=time.monotonic()))

    def leave(self, ticket: str) -> None:
        with self.lock:
            self.queue.leave(int(ticket))

    def status(self, ticket: str) -> dict[str, Any] | None:
        with self.lock:
            if ticket in self.matches:
                return self.matches[ticket]
            waiting = any(str(each.id) == ticket for each in self.queue)
        return {"status": "waiting"} if waiting else None

    def tick(self) -> None:
        with self.lock:
            for match in self.matcher.tick(self.queue, now=time.monotonic()):
                self.matches.update({str(ticket): describe(match) for ticket in match.tickets})


def describe(match: Match) -> dict[str, Any]:
    return {
        "status": "matched",
        "teams": [[player.id for player in team] for team in (match.team1, match.team2)],
        "chance": match.chance,
    }


class Handler(BaseHTTPRequestHandler):
    lobby: Lobby

    def do_POST(self) -> None:
        try:
            sent = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
            self.answer(HTTPStatus.CREATED, {"ticket": self.lobby.join(sent["players"])})
        except (QueueError, ValueError, TypeError, KeyError) as error:
            self.answer(HTTPStatus.BAD_REQUEST, {"error": str(error)})

    def do_GET(self) -> None:
        found = self.lobby.status(self.path.removeprefix("/tickets/"))
        if found is None:
            self.answer(HTTPStatus.NOT_FOUND, {"error": "there is no such ticket"})
        else:
            self.answer(HTTPStatus.OK, found)

    def do_DELETE(self) -> None:
        try:
            self.lobby.leave(self.path.removeprefix("/tickets/"))
            self.answer(HTTPStatus.OK, {"status": "left"})
        except ValueError as error:
            self.answer(HTTPStatus.NOT_FOUND, {"error": str(error)})

    def answer(self, status: HTTPStatus, content: dict[str, Any]) -> None:
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Stay quiet."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--team-size", type=int, default=2)
    parser.add_argument("--interval", type=float, default=2.0, help="seconds between ticks")
    options = parser.parse_args()
    lobby = Lobby(Matcher("laurel", team_size=options.team_size, rules="small-community"))
    Handler.lobby = lobby
    server = ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    sys.stdout.write(f"http://127.0.0.1:{server.server_address[1]}\n")
    sys.stdout.flush()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    while True:
        time.sleep(options.interval)
        lobby.tick()


if __name__ == "__main__":
    main()
