"""The people in the tests.

Alice leads the Owls with Bob beside her, Charlie leads the Foxes with Dora beside him, Eve belongs
to nobody, and Olga runs the league. ``duel`` is an arena for one against one, ``teams`` for two
against two, ``melee`` a free-for-all of two to five.
"""

from datetime import UTC, datetime, timedelta
from functools import cache
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import make_password

from league.models import Agreement, Arena, Format, Match, Player, Roster, RosterMember, User
from league.models.limits import Limits
from league.models.names import fold
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports import one_game
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from league.services.seasons.opening import open_season
from league.services.standings.updating import update_pending
from tests.support.prepared import bring_out

OPENING = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
RANKED_AT_ONCE = {
    "ranked": {"placement_matches": 1, "window": "3650d", "opponents": 0},
    "fair_play": {"per_day": 0, "per_week": 0, "repeat_factor": 1, "same_opponents": 0},
}
"""Rules of the tests' arenas: everyone is ranked from the first match on, and every match of the
same opponents counts fully."""
PASSWORD = "correct horse battery staple"


@cache
def hashed_password() -> str:
    """``PASSWORD`` as the database keeps it: hashing is slow on purpose, so once for all."""
    return make_password(PASSWORD)


def account(name: str, *, superuser: bool = False) -> Player:
    """Create a player with an account, without the savepoint that saving a ``User`` takes."""
    user = User(
        username=fold(name),
        password=hashed_password(),
        is_staff=superuser,
        is_superuser=superuser,
    )
    User.objects.bulk_create([user])
    return Player.objects.create(name=name, user=user)


@pytest.fixture
def alice(db: None) -> Player:
    return account("Alice")


@pytest.fixture
def bob(db: None) -> Player:
    return account("Bob")


@pytest.fixture
def charlie(db: None) -> Player:
    return account("Charlie")


@pytest.fixture
def dora(db: None) -> Player:
    return account("Dora")


@pytest.fixture
def eve(db: None) -> Player:
    return account("Eve")


@pytest.fixture
def olga(db: None) -> Player:
    return account("Olga", superuser=True)


@pytest.fixture
def boss(olga: Player) -> User:
    """Return the account of Olga."""
    assert olga.user
    return olga.user


def arena(slug: str, **settings: object) -> Arena:
    settings.setdefault("season_rules", RANKED_AT_ONCE)
    made = Arena(name=slug.capitalize(), slug=slug, **settings)
    made.full_clean(validate_unique=False, validate_constraints=False)  # saving does
    made.save()
    open_season(made, starts_at=OPENING)
    return made


ARENAS: dict[str, dict[str, object]] = {
    "duel": {},
    "teams": {"team_size_min": 1, "team_size_max": 2},
    "melee": {"format": Format.FREE_FOR_ALL, "sides_max": 5},
}
"""Those that most tests play in. The template keeps them ready, each with its season."""


@pytest.fixture
def countless_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let players report any number of games at once, each of them a game of its own."""
    countless = Limits(open_reports=10_000, recent_reports=10_000)
    monkeypatch.setattr(Arena, "limit_settings", lambda arena: countless)
    monkeypatch.setattr(one_game, "PAIRING_WINDOW", timedelta(0))


@pytest.fixture
def duel(db: None) -> Arena:
    return bring_out("duel")


@pytest.fixture
def teams(db: None) -> Arena:
    return bring_out("teams")


@pytest.fixture
def melee(db: None) -> Arena:
    return bring_out("melee")


def roster(arena: Arena, name: str, captain: Player, *members: Player) -> Roster:
    made = Roster.objects.create(arena=arena, name=name, captain=captain)
    RosterMember.objects.bulk_create(
        RosterMember(roster=made, player=player) for player in (captain, *members)
    )
    return made


@pytest.fixture
def owls(teams: Arena, alice: Player, bob: Player) -> Roster:
    return roster(teams, "Owls", alice, bob)


@pytest.fixture
def foxes(teams: Arena, charlie: Player, dora: Player) -> Roster:
    return roster(teams, "Foxes", charlie, dora)


def side(captain: Player, *others: Player, place: int, score: float | None = None) -> ReportedSide:
    """Return a side of ``captain`` and ``others``, all of whom played to the end."""
    return ReportedSide(captain, [PlayedBy(player) for player in (captain, *others)], place, score)


def beats(
    winner: Player,
    loser: Player,
    arena: Arena,
    *,
    reporter: Player | None = None,
    now: datetime = NOW,
) -> Match:
    """Report a duel that waits for confirmation, another one than those of open reports."""
    return report(
        arena,
        [side(winner, place=0), side(loser, place=1)],
        reporter=reporter or winner,
        played_at=now - timedelta(hours=1),
        now=now,
        client_token=uuid4(),
        same_game=False,
    )


def beats_as_agreed(winner: Player, loser: Player, arena: Arena, *, now: datetime = NOW) -> Match:
    """Report a duel to which both players agreed by accepting a ready check."""
    sides = [StartingSide(player, [player]) for player in (winner, loser)]
    match = start(arena, sides, now=now, agreed_by=Agreement.READY_CHECK)
    return finish(match.pk, [Finish(0), Finish(1)], reporter=winner, now=now)


def put_in_order() -> None:
    """What happens by itself every two seconds: leaderboards take in what has changed."""
    update_pending(NOW)
