"""Activity of people during the faults. Each story records what the site acknowledges."""

from __future__ import annotations

import random
import threading
import traceback
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar
from uuid import uuid4

from django.db import DatabaseError, connection

from league.models import Arena, Player, Season
from league.services.core.clock import database_now
from league.services.seasons.opening import open_season
from tests.chaos.arenas import new_arena, new_queue, person
from tests.chaos.clients import Answer, Client, Record, Stopped
from tests.support.api_steps import a_token
from tests.support.cast import RANKED_AT_ONCE
from tests.support.result_steps import user_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.chaos.model import Model

    Found = TypeVar("Found")

PAGES = ("/", "/api/v1/arenas/", "/api/v1/matches/", "/matches/")
TURN = 0.15
"""Seconds between two steps of a story."""
SEASON_LASTS = timedelta(seconds=25)
ARCHIVED_WITHIN = 60.0
"""Seconds within which a season has to be archived, whatever happens meanwhile."""


def patiently(ask: Callable[[], Found], stop: threading.Event) -> Found:
    """Ask the database until it answers."""
    while True:
        try:
            return ask()
        except DatabaseError:
            connection.close()
            if stop.wait(0.5):
                raise Stopped from None


class Story(threading.Thread):
    """Somebody who uses the site until the run is over."""

    pause = TURN

    def __init__(self, port: int, record: Record, model: Model, seed: int) -> None:
        super().__init__(daemon=True)
        self.port, self.record, self.model = port, record, model
        self.random = random.Random(seed)  # noqa: S311 - to choose what happens
        self.stop = threading.Event()
        """Set when nothing new may begin."""
        self.give_up = threading.Event()
        """Set when work under way has to be left, too."""
        self.problems: list[str] = []

    def client(self, player: Player | None = None, kind: str = "load") -> Client:
        token = a_token(user_of(player))[1] if player else ""
        return Client(self.port, self.record, self.give_up, token, kind)

    def run(self) -> None:
        try:
            while not self.stop.wait(self.pause):
                self.step()
        except Stopped:
            self.problems.append(f"{type(self).__name__} was still waiting for an answer")
        except Exception:  # noqa: BLE001 - whatever it is, the run has failed
            self.problems.append(f"{type(self).__name__}: {traceback.format_exc()}")
        finally:
            connection.close()

    def step(self) -> None:
        raise NotImplementedError

    def unexpected(self, what: str, answer: Answer) -> None:
        self.problems.append(f"{what}: {answer.status} {answer.body}"[:300])


class Reader(Story):
    """Somebody who reads pages and gives up at an error, as people do."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.reader = self.client(kind="page")

    def step(self) -> None:
        self.reader.once("GET", self.random.choice(PAGES))


class Captains(Story):
    """Two captains who report, confirm and dispute, and an organiser who decides and corrects."""

    kind = "load"

    def __init__(self, *arguments: Any, arena: Arena | None = None) -> None:
        super().__init__(*arguments)
        self.use(arena or new_arena("duel"))
        self.players = [person("Captain"), person("Captain")]
        self.captains = [self.client(player, self.kind) for player in self.players]
        self.staff = self.client(person("Organiser", superuser=True))

    def use(self, arena: Arena) -> None:
        self.arena = arena
        self.model.arenas.add(arena.pk)

    def step(self) -> None:
        winner = self.random.choice((0, 1))
        match = self.reports(winner)
        if match is None:
            return
        if self.random.random() < 0.1:
            self.disputes(match, winner)
        elif self.confirms(match, winner) and self.random.random() < 0.2:
            self.corrects(match, winner)

    def reports(self, winner: int) -> int | None:
        """Let the first captain report who has won. Return the match."""
        token = uuid4()
        now = patiently(database_now, self.give_up)
        sides = [
            {"captain": player.pk, "participants": [{"player": player.pk}], "place": place}
            for player, place in zip(self.players, (winner, 1 - winner), strict=True)
        ]
        body = {"sides": sides, "client_token": str(token), "played_at": now.isoformat()}
        answer = self.captains[0].insist("POST", f"/api/v1/arenas/{self.arena.slug}/reports/", body)
        if not answer.accepted:
            self.refused("report", answer)
            return None
        match = int(answer.body["id"])
        self.model.reports[token] = match
        return match

    def confirms(self, match: int, winner: int) -> bool:
        answer = self.captains[1].insist("POST", f"/api/v1/matches/{match}/confirm/", {})
        if answer.accepted or (answer.in_doubt and answer.code == "rated"):
            pair = self.players[winner].pk, self.players[1 - winner].pk
            self.model.rated[match] = pair
            return True
        self.refused("confirmation", answer)
        return False

    def refused(self, what: str, answer: Answer) -> None:
        """Note an unexplained refusal."""
        self.unexpected(what, answer)

    def disputes(self, match: int, winner: int) -> None:
        path = f"/api/v1/matches/{match}"
        answer = self.captains[1].insist("POST", f"{path}/dispute/", {"reason": "We won."})
        if not (answer.accepted or (answer.in_doubt and answer.code == "disputed")):
            return self.refused("dispute", answer)
        self.model.disputed.add(match)
        voided = self.random.random() < 0.5
        verdict = {"verdict": "voided" if voided else "upheld", "reason": "Seen."}
        answer = self.staff.insist("POST", f"{path}/decision/", verdict)
        done = "void" if voided else "rated"
        if not (answer.accepted or (answer.in_doubt and answer.code == done)):
            return self.refused("decision", answer)
        if voided:
            self.model.void.add(match)
        else:
            self.model.rated[match] = self.players[winner].pk, self.players[1 - winner].pk
        self.model.disputed.discard(match)
        return None

    def corrects(self, match: int, winner: int) -> None:
        """Void a rated match, or give it to the other captain."""
        voided = self.random.random() < 0.5
        placings = [{"place": 1 - winner}, {"place": winner}]
        body: dict[str, Any] = {} if voided else {"placings": placings}
        path = f"/api/v1/matches/{match}"
        preview = self.staff.insist("POST", f"{path}/correction-preview/", body)
        if not preview.accepted:
            return self.refused("preview", preview)
        body |= {name: preview.body[name] for name in ("digest", "horizon")}
        answer = self.staff.insist("POST", f"{path}/corrections/", body | {"reason": "Wrong."})
        if answer.accepted:
            self.model.corrections[answer.body["id"]] = match
            done = self.finished(f"{path}/corrections/{answer.body['id']}/", answer)
        else:
            done = answer.in_doubt and answer.code in {"not_rated", "same_result"}
        if not done:
            return self.refused("correction", answer)
        if voided:
            self.model.void.add(match)
        else:
            self.model.rated[match] = self.players[1 - winner].pk, self.players[winner].pk
        return None

    def finished(self, path: str, answer: Answer) -> bool:
        """Wait until a correction is finished. Return whether it was made."""
        while answer.body["state"] == "waiting":
            if self.give_up.wait(0.5):
                raise Stopped
            answer = self.staff.insist("GET", path)
        return bool(answer.body["state"] == "done")


class Probe(Captains):
    """Two captains whose matches show when results count again."""

    kind = "result"

    def step(self) -> None:
        match = self.reports(0)
        if match is not None:
            self.confirms(match, 0)


class Queue(Story):
    """Three players who queue, accept or decline, play and report."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arena = new_queue("queue")
        self.model.arenas.add(self.arena.pk)
        self.players = {player.pk: player for player in (person("Queuer") for _number in range(3))}
        self.clients = {pk: self.client(player) for pk, player in self.players.items()}

    def step(self) -> None:
        player = self.random.choice(list(self.players))
        client = self.clients[player]
        path = f"/api/v1/arenas/{self.arena.slug}/queue/"
        ticket = client.insist("GET", path).body.get("ticket")
        if ticket is None:
            answer = client.insist("POST", path, {})
            if answer.accepted and answer.body["ticket"]:
                self.model.tickets.add(answer.body["ticket"]["id"])
            elif not answer.accepted and answer.code != "busy":
                self.unexpected("join", answer)
        elif check := ticket["ready_check"]:
            self.model.tickets.add(ticket["id"])
            accept = self.random.random() < 0.95
            answer = client.insist(
                "POST", f"/api/v1/ready-checks/{check['id']}/answer/", {"accept": accept}
            )
            if answer.accepted and answer.body["match"]:
                self.plays(answer.body["match"])

    def plays(self, match: int) -> None:
        """Report a match and let the other side confirm it."""
        detail = self.clients[next(iter(self.clients))].insist("GET", f"/api/v1/matches/{match}/")
        first, second = (side["captain"]["id"] for side in detail.body["sides"])
        body = {"sides": [{"place": 0}, {"place": 1}]}
        answer = self.clients[first].insist("POST", f"/api/v1/matches/{match}/report/", body)
        if not (answer.accepted or (answer.in_doubt and answer.code in {"reported", "rated"})):
            return self.unexpected("report of a live match", answer)
        answer = self.clients[second].insist("POST", f"/api/v1/matches/{match}/confirm/", {})
        if not (answer.accepted or (answer.in_doubt and answer.code == "rated")):
            return self.unexpected("confirmation of a live match", answer)
        self.model.rated[match] = first, second
        return None


class Lonely(Story):
    """A player alone in a queue, so that each of its ticks shows that workers work."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.arena = new_queue("lonely")
        self.waiter = self.client(person("Loner"))

    def step(self) -> None:
        path = f"/api/v1/arenas/{self.arena.slug}/queue/"
        if self.waiter.insist("GET", path).body.get("ticket") is None:
            self.waiter.insist("POST", path, {})
        self.stop.wait(2)


class Cup(Captains):
    """The same in seasons that end every half minute, while results come in."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments, arena=self.new_cup())
        self.over = False

    def new_cup(self) -> Arena:
        rules = {**RANKED_AT_ONCE, "calendar": {"archive_after": 0, "late": "refuse"}}
        arena = new_arena("cup", opens=False, season_rules=rules)
        now = database_now()
        self.season: Season = open_season(
            arena, starts_at=now - timedelta(days=1), ends_at=now + SEASON_LASTS
        )
        return arena

    def refused(self, what: str, answer: Answer) -> None:
        if answer.code not in {"closed", "archived", "before_season", "void", "not_rated"}:
            super().refused(what, answer)
        self.over = True

    def step(self) -> None:
        super().step()
        if not self.over:
            return
        waited = 0.0
        while not patiently(self.is_archived, self.give_up):
            if waited > ARCHIVED_WITHIN:
                self.problems.append(f"{self.season} was not archived")
                break
            waited += 0.5
            if self.give_up.wait(0.5):
                raise Stopped
        else:
            self.model.ended.add(self.season.pk)
        self.use(patiently(self.new_cup, self.give_up))
        self.over = False

    def is_archived(self) -> bool:
        return Season.objects.filter(pk=self.season.pk, archived_at__isnull=False).exists()
