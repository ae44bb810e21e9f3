"""People with accounts who use the site through its API."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from league.models import Arena, Format, Match, Player, Rating, Status, User
from league.services.core.clock import database_now
from league.services.people.players import register
from league.services.results.reports.answers import confirm_expired
from league.services.seasons.opening import open_season
from tests.support.api_steps import a_token


@dataclass(frozen=True)
class Answer:
    """What the API answered."""

    status: int
    body: dict[str, Any]

    @property
    def accepted(self) -> bool:
        return self.status < 300


@dataclass(frozen=True)
class Person:
    """Somebody with an account and a token."""

    player: Player
    address: str
    token: str

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Answer:
        """Post to the API, at a path below its version."""
        request = Request(  # noqa: S310 - our own
            f"{self.address}/api/v1/{path}",
            json.dumps(body or {}).encode(),
            {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=60) as response:  # noqa: S310 - our own
                return Answer(response.status, json.load(response))
        except HTTPError as error:
            return Answer(error.code, json.load(error))

    def report(
        self,
        arena: Arena,
        *order: Player,
        scores: tuple[float, ...] = (),
        left: Player | None = None,
        hours_ago: float = 1,
    ) -> Answer:
        """Report a match of single players, best first. ``left`` is said to have left it."""
        sides = [
            {
                "captain": player.pk,
                "participants": [{"player": player.pk, "quit": player == left}],
                "place": place,
                "score": scores[place] if scores else None,
            }
            for place, player in enumerate(order)
        ]
        played_at = (database_now() - timedelta(hours=hours_ago)).isoformat()
        return self.post(f"arenas/{arena.slug}/reports/", {"sides": sides, "played_at": played_at})

    def confirm(self, report: Answer) -> Answer:
        return self.post(f"matches/{report.body['id']}/confirm/")


def sign_up(address: str, name: str) -> Person:
    user = User.objects.create_user(username=name)
    _made, token = a_token(user)
    return Person(register(user, name), address, token)


def new_arena(slug: str, **settings: Any) -> Arena:
    """Open an arena with the default rules."""
    arena = Arena(name=slug.capitalize(), slug=slug, **settings)
    arena.full_clean()
    arena.save()
    open_season(arena, starts_at=database_now() - timedelta(days=365))
    return arena


def free_for_all(slug: str, **settings: Any) -> Arena:
    return new_arena(slug, format=Format.FREE_FOR_ALL, sides_max=8, **settings)


def two_days_pass() -> None:
    """Let the time to answer run out for all open reports."""
    now = database_now()
    Match.objects.filter(status=Status.REPORTED).update(confirm_deadline=now)
    confirm_expired(now + timedelta(seconds=1), limit=10_000)


def rating_of(player: Player, arena: Arena) -> float | None:
    """The player's rating; ``None`` before their first rated match."""
    found = Rating.objects.filter(player=player, season__arena=arena).first()
    return found.rating if found else None
