"""A dedicated game server: it takes over the matches that a queue makes, plays and reports them.

    LAUREL_TOKEN=... python game_server.py https://league.example skirmish

It needs Python 3.11 and nothing else. Put your game in the place of ``toss_a_coin``. If it is
stopped and started again, it goes on with the matches that it had.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

if TYPE_CHECKING:
    from collections.abc import Callable

    Match = dict[str, Any]
    Result = list[dict[str, Any]]

TRIES = 5
"""How often a request is sent. All of them have one key, so it takes effect once."""
PAUSE = 2.0
"""Seconds between two looks at the league."""


class Refused(Exception):
    """The league said no. ``code`` says why to programs."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class League:
    """The API of a league, for the owner of a token."""

    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address.rstrip("/") + "/api/v1/", token

    def get(self, path: str) -> Any:
        return self._send("GET", path, None)

    def post(self, path: str, body: Match) -> Any:
        return self._send("POST", path, json.dumps(body).encode())

    def _send(self, method: str, path: str, body: bytes | None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        if body is not None:
            headers["Idempotency-Key"] = str(uuid4())
        request = Request(self.address + path, body, headers, method=method)  # noqa: S310 - the league's
        for tries_left in reversed(range(TRIES)):
            try:
                with urlopen(request, timeout=10) as answer:  # noqa: S310 - as above
                    return json.load(answer)
            except HTTPError as error:
                if error.code not in {429, 502, 503, 504} or not tries_left:
                    raise refusal(error) from error
                time.sleep(wait_of(error))
            except (OSError, HTTPException):
                if not tries_left:
                    raise
                time.sleep(PAUSE)
        raise AssertionError


def wait_of(error: HTTPError) -> float:
    """Return how many seconds the league asks to wait. A proxy may name a date instead."""
    asked = error.headers.get("Retry-After") or ""
    return float(asked) if asked.isdecimal() else PAUSE


def refusal(error: HTTPError) -> Refused:
    """Return what an answer says, also that of a proxy, which is no JSON."""
    try:
        problem = json.load(error)
    except ValueError:
        return Refused("", f"{error.code} {error.reason}")
    return Refused(problem["code"], problem["detail"])


class GameServer:
    """Plays the matches that the queue of an arena makes."""

    def __init__(self, league: League, arena: str, play: Callable[[Match], Result]) -> None:
        self.league, self.arena, self.play = league, arena, play

    def step(self) -> int:
        """Play all matches that wait for a server. Return how many."""
        played, path = 0, f"matches/?arena={self.arena}&status=live&page_size=200"
        while path:
            page = self.league.get(path)
            played += sum(self.run(match) for match in page["results"])
            path = (page["next"] or "").partition("/api/v1/")[2]
        return played

    def run(self, match: Match) -> bool:
        """Play a match, unless it is somebody else's."""
        address = f"matches/{match['id']}/"
        try:
            self.league.post(f"{address}claim/", {})
        except Refused as refusal:
            if refusal.code in {"taken", "no_queue"}:
                return False
            raise
        self.league.post(f"{address}report/", {"sides": self.play(match)})
        return True


def toss_a_coin(match: Match) -> Result:
    """Return the place of each side, from 0."""
    places = list(range(match["side_count"]))
    random.shuffle(places)
    return [{"place": place} for place in places]


def main(address: str, arena: str) -> None:
    server = GameServer(League(address, os.environ["LAUREL_TOKEN"]), arena, toss_a_coin)
    while True:
        server.step()
        time.sleep(PAUSE)


if __name__ == "__main__":
    main(*sys.argv[1:])
