"""Roles, answers and rows of the permission tables, and the world in which they are tested.

A table is a list of rows. A row has a route, a method and the expected answer for each role, as six
words in the order anonymous, player, reporter, opponent, staff, admin::

    Row("match-confirm", "POST", "login forbidden forbidden ok forbidden forbidden",
        where=lambda world: {"pk": world.reported.pk}),
    Row("arena", "GET", OPEN, where=lambda world: {"slug": world.arena.slug}),
    *form("rename", LOGGED_IN, "login ok refused refused refused refused", data=a_name),

``where`` has the arguments of the route, ``query`` the query string and ``data`` the fields to
send. Each is a dictionary, or a function that makes one from the world. Methods without a row must
answer "method not allowed". Each request is rolled back, so rows may change anything.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from league.models import Arena, Match, Player, User
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, account, arena, beats


class Role(StrEnum):
    ANONYMOUS = "anonymous"
    """Not logged in."""
    PLAYER = "player"
    """Eve: logged in, but not in the match."""
    REPORTER = "reporter"
    """Alice: captain of the side that reported."""
    OPPONENT = "opponent"
    """Charlie: captain of the other side."""
    STAFF = "staff"
    """Frank: may open the admin, without other permissions."""
    ADMIN = "admin"
    """Olga: superuser."""


class Answer(StrEnum):
    OK = "ok"
    """Success: 2xx, or a redirect to any page but the log-in page."""
    LOGIN = "login"
    """Log-in required: 401, or a redirect to the log-in page."""
    FORBIDDEN = "forbidden"
    """Not permitted: 403."""
    MISSING = "missing"
    """Not found, or not visible to this account: 404."""
    REFUSED = "refused"
    """Permitted, but the request is invalid: 400, 409, 415 or 422."""
    METHOD = "method"
    """Method not allowed: 405."""


OPEN = "ok ok ok ok ok ok"
LOGGED_IN = "login ok ok ok ok ok"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
ADMIN_ONLY = "login forbidden forbidden forbidden forbidden ok"
PERMITTED = "login login login login forbidden ok"
"""Pages of the admin for staff with a permission."""


@dataclass
class World:
    """The objects that the tables use. The arena is for duels."""

    arena: Arena
    people: dict[Role, Player]
    live: Match
    """A live match of Alice and Charlie."""
    reported: Match
    """Alice reported that she beat Charlie."""
    disputed: Match
    rated: Match
    extras: dict[str, Any] = field(default_factory=dict)
    """Objects that single rows need, created on first use."""

    @property
    def alice(self) -> Player:
        return self.people[Role.REPORTER]

    @property
    def charlie(self) -> Player:
        return self.people[Role.OPPONENT]

    @property
    def eve(self) -> Player:
        return self.people[Role.PLAYER]

    @property
    def olga(self) -> Player:
        return self.people[Role.ADMIN]

    def user(self, role: Role) -> User | None:
        return self.people[role].user if role in self.people else None


Fields = dict[str, Any] | Callable[[World], dict[str, Any]]


def fields_in(world: World, fields: Fields) -> dict[str, Any]:
    return fields(world) if callable(fields) else fields


@dataclass(frozen=True)
class Row:
    """A method of a route, and the expected answer for each role."""

    route: str
    """The route's name with its namespace, for ``reverse``: ``api:match-confirm``."""
    method: str
    expected: str
    where: Fields = field(default_factory=dict)
    query: Fields = field(default_factory=dict)
    data: Fields = field(default_factory=dict)

    @property
    def answers(self) -> dict[Role, Answer]:
        return {role: Answer(word) for role, word in zip(Role, self.expected.split(), strict=True)}

    def __str__(self) -> str:
        return f"{self.method} {self.route}"


def form(route: str, read: str, sent: str, **fields: Fields) -> tuple[Row, Row]:
    """Return the rows of a page with a form: who may read it, and who may send it."""
    data = fields.pop("data", {})
    return Row(route, "GET", read, **fields), Row(route, "POST", sent, data=data, **fields)


def build_world() -> World:
    """Create the people, an arena, and a match in each state."""
    alice, charlie, eve = account("Alice"), account("Charlie"), account("Eve")
    frank, olga = account("Frank"), account("Olga", superuser=True)
    User.objects.filter(player=frank).update(is_staff=True)
    duel = arena("duel")
    rated, disputed, reported = (beats(alice, charlie, duel) for _ in range(3))
    confirm(rated.pk, by=charlie, now=NOW)
    dispute(disputed.pk, by=charlie, reason="It was a draw.", now=NOW)
    return World(
        arena=duel,
        people={
            Role.PLAYER: eve,
            Role.REPORTER: alice,
            Role.OPPONENT: charlie,
            Role.STAFF: frank,
            Role.ADMIN: olga,
        },
        live=start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW),
        reported=reported,
        disputed=disputed,
        rated=Match.objects.get(pk=rated.pk),
    )
