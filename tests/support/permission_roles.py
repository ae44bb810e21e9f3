"""Who may do what: the vocabulary of the permission tables, and the world that they are tried in.

A table is a list of rows. A row names a route, a method, and the answer that each role gets, six
words in the order anonymous, player, reporter, opponent, staff, admin::

    Row("match-confirm", "POST", "login forbidden forbidden ok forbidden forbidden",
        where=lambda world: {"pk": world.reported.pk}),
    Row("arena", "GET", OPEN, where=lambda world: {"slug": world.arena.slug}),

``where`` gives the arguments of the route (none if left out), ``query`` what follows the question
mark, ``data`` the fields that are sent; each takes the world. Every method that no row lists has
to be answered with "method not allowed". Every try is undone before the next, so a row may change
what it likes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from league.models import Match, User
from league.services.results.answers import confirm, dispute
from league.services.results.live import StartingSide, start
from tests.support.cast import NOW, account, arena, beats

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Arena, Player


class Role(StrEnum):
    ANONYMOUS = "anonymous"
    """Nobody: not logged in."""
    PLAYER = "player"
    """Eve: logged in, with no part in the match."""
    REPORTER = "reporter"
    """Alice: captain of the side that reported."""
    OPPONENT = "opponent"
    """Charlie: captain of the other side."""
    STAFF = "staff"
    """Frank: may enter the admin, and nothing more."""
    ADMIN = "admin"
    """Olga: superuser."""


class Answer(StrEnum):
    OK = "ok"
    """Done: 2xx, or sent on to another page than the log-in page."""
    LOGIN = "login"
    """Log in first: 401, or sent to the log-in page."""
    FORBIDDEN = "forbidden"
    """Not this person's to do: 403."""
    MISSING = "missing"
    """No such thing, or none that this person may know of: 404."""
    REFUSED = "refused"
    """Theirs to do, but what they sent cannot be done: 400, 409, 415 or 422."""
    METHOD = "method"
    """Method not allowed: 405."""


OPEN = "ok ok ok ok ok ok"
LOGGED_IN = "login ok ok ok ok ok"
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
ADMIN_ONLY = "login forbidden forbidden forbidden forbidden ok"


@dataclass
class World:
    """What the tables talk about. The arena is a duel, one player against one."""

    arena: Arena
    people: dict[Role, Player]
    live: Match
    """Being played by Alice and Charlie."""
    reported: Match
    """Alice says that she beat Charlie."""
    disputed: Match
    rated: Match
    extras: dict[str, Any] = field(default_factory=dict)
    """What one table alone needs: its first row that asks makes it."""

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


def nothing(world: World) -> dict[str, Any]:
    return {}


@dataclass(frozen=True)
class Row:
    """One method of one route, and what each role is answered."""

    route: str
    """The route's name with its namespace, as ``reverse`` takes it: ``api:match-confirm``."""
    method: str
    expected: str
    where: Callable[[World], dict[str, Any]] = nothing
    query: Callable[[World], dict[str, Any]] = nothing
    data: Callable[[World], dict[str, Any]] = nothing

    @property
    def answers(self) -> dict[Role, Answer]:
        return {role: Answer(word) for role, word in zip(Role, self.expected.split(), strict=True)}

    def __str__(self) -> str:
        return f"{self.method} {self.route}"


def build_world() -> World:
    """The people, an arena, and a match in each state."""
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
