"""Create the demo league: football since 1872, a practice arena, a ladder, a weekly contest, a
queue with simulated players, a chess club and a league of teams."""

from __future__ import annotations

import lzma
import secrets
import shutil
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from django.contrib.auth.hashers import make_password
from django.db import connection, transaction
from django.db.models import Q

from league.models import Arena, ArenaQueue, Format, Player, User
from league.services.core.types import PlayedBy, ReportedSide
from league.services.demo import chess, teams
from league.services.demo.building import make_arena
from league.services.demo.names import invent_names
from league.services.demo.results import (
    CONTESTS,
    WEEKS_OF_LADDER,
    contest_results,
    ladder_results,
    practice_results,
)
from league.services.demo.skirmish import (
    DAYS,
    PARTIES,
    SEED,
    TEAM,
    party_names,
    skirmish_results,
)
from league.services.people.invitations import answer
from league.services.people.players import save_roster
from league.services.results.reports.reporting import report
from league.services.transfer.files.repeats import EACH
from league.services.transfer.files.result_files import read
from league.services.transfer.histories.imports import import_history

if TYPE_CHECKING:
    from league.services.core.types import Progress

RESULTS = Path(__file__).resolve().parents[2] / "demo" / "international_results.csv.xz"
FIRST_MATCH = datetime(1872, 1, 1, tzinfo=UTC)
ADMIN = "admin"
CAPTAINS = ["England", "Scotland", "Brazil", "Argentina"]
PRACTISING = [*CAPTAINS, "Wales", "Republic of Ireland", "Uruguay", "Chile"]
MEMBERS = 40
RUNNERS = 200
SKIRMISHERS = 200

FOOTBALL, PRACTICE = "International football", "Practice pitch"
LADDER, SPRINT = "Table tennis ladder", "Saturday sprint"
SKIRMISH = "Skirmish 5v5"
ARENAS = {
    "football": FOOTBALL,
    "practice": PRACTICE,
    "table-tennis": LADDER,
    "saturday-sprint": SPRINT,
    "skirmish": SKIRMISH,
    "chess": chess.NAME,
    "team-league": teams.NAME,
}
"""The names of the demo's arenas by slug, in the order of creation."""


@dataclass(frozen=True)
class Credentials:
    """The passwords of the demo's accounts."""

    admin_password: str | None
    """None without an account for the admin."""
    captains_password: str


@dataclass(frozen=True)
class Seeded:
    """The rows that seeding created."""

    arenas: list[str]
    """The names of the new arenas."""
    credentials: Credentials | None
    """The passwords of new accounts, which are not stored in plain text."""


def missing() -> list[str]:
    """Return the slugs of missing demo arenas. An arena with the slug or the name counts."""
    existing = Arena.objects.filter(Q(slug__in=ARENAS) | Q(name__in=ARENAS.values()))
    known = {word for pair in existing.values_list("slug", "name") for word in pair}
    return [slug for slug, name in ARENAS.items() if slug not in known and name not in known]


def seed(
    now: datetime, progress: Progress = lambda *_: None, given: Credentials | None = None
) -> Seeded:
    """Create the missing parts of the demo league in one transaction.

    The accounts are created with the football arena, for some of its nations, with the passwords
    ``given`` or random ones.
    """
    credentials = None
    with transaction.atomic():
        wanted = missing()
        if "football" in wanted:
            credentials = given or Credentials(secrets.token_urlsafe(9), secrets.token_urlsafe(9))
            make_admin(credentials.admin_password)
            seed_football(now, progress)
            make_captains(credentials.captains_password)
        if "practice" in wanted:
            seed_practice(now)
        if "table-tennis" in wanted:
            seed_ladder(now, progress)
        if "saturday-sprint" in wanted:
            seed_sprint(now, progress)
        if "skirmish" in wanted:
            seed_skirmish(now, progress)
        if "chess" in wanted:
            chess.seed_chess(now, CAPTAINS)
        if "team-league" in wanted:
            teams.seed_teams(now)
        analyze_tables()
    return Seeded([ARENAS[slug] for slug in wanted], credentials)


def seed_football(now: datetime, progress: Progress) -> None:
    football = make_arena(
        slug="football",
        name=FOOTBALL,
        description="Every men’s full international since 1872. Each nation is a player, rated "
        "with Glicko-2.",
        rating_system="glicko-2",
        rating_parameters={"first_side": 100},
        result_rules={"score_steps": "whole"},
        season_rules={"ranked": {"window": "730d"}},
        starts_at=FIRST_MATCH,
    )
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "international_results.csv"
        with lzma.open(RESULTS) as packed, plain.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
        import_history(football, read(plain, repeats=EACH), now=now, progress=progress)


def seed_practice(now: datetime) -> None:
    practice = make_arena(
        slug="practice",
        name=PRACTICE,
        description="Nothing is at stake here. Report a result as one captain, confirm it as "
        "another, and watch the Elo ratings change.",
        rating_system="elo",
        season_rules={
            "ranked": {"placement_matches": 1, "opponents": 0},
            "fair_play": {"per_day": 0, "per_week": 0, "repeat_factor": 1, "same_opponents": 0},
        },
        starts_at=now - timedelta(days=30),
    )
    results = practice_results(PRACTISING, now, np.random.default_rng(11))
    import_history(practice, results, now=now)
    leave_a_report(practice, now)


def seed_ladder(now: datetime, progress: Progress) -> None:
    """Create a club whose members challenge each other. Two captains are members."""
    ladder = make_arena(
        slug="table-tennis",
        name=LADDER,
        description="The ladder of a table tennis club: beat a player above you and take their "
        "rank. Members and results are invented.",
        rating_system="ladder",
        draws_allowed=False,
        season_rules={"divisions": []},
        starts_at=now - timedelta(weeks=WEEKS_OF_LADDER + 1),
    )
    chance = np.random.default_rng(1926)
    members = invent_names(MEMBERS - 2, chance)
    members[6:6] = CAPTAINS[:1]
    members[18:18] = CAPTAINS[1:2]
    import_history(ladder, ladder_results(members, now, chance), now=now, progress=progress)


def seed_sprint(now: datetime, progress: Progress) -> None:
    """Create an open weekly contest. Two captains are regulars."""
    sprint = make_arena(
        slug="saturday-sprint",
        name=SPRINT,
        description="An hour of puzzles every Saturday, open to all. Most points win. Players and "
        "results are invented.",
        rating_system="elo-mmr",
        format=Format.FREE_FOR_ALL,
        sides_max=RUNNERS,
        season_rules={"ranked": {"placement_matches": 3}},
        starts_at=now - timedelta(weeks=CONTESTS + 1),
    )
    chance = np.random.default_rng(2021)
    players = CAPTAINS[2:] + invent_names(RUNNERS - 2, chance)
    import_history(sprint, contest_results(players, now, chance), now=now, progress=progress)


def seed_skirmish(now: datetime, progress: Progress) -> None:
    """Create a queue and its players, whom ``manage.py demo_players`` simulates."""
    skirmish = make_arena(
        slug="skirmish",
        name=SKIRMISH,
        description="Five against five. Queue alone or with your roster. The 200 players here are "
        "simulated and play in fast motion: queue and play with them.",
        rating_system="glicko-2",
        team_size_min=TEAM,
        team_size_max=TEAM,
        draws_allowed=False,
        season_rules={"points": {"counts": True}},
        confirmation_window=timedelta(minutes=1),
        starts_at=now - timedelta(days=DAYS + 1),
    )
    drawn = np.random.default_rng(SEED)
    names = invent_names(SKIRMISHERS, drawn)
    import_history(skirmish, skirmish_results(names, now, drawn), now=now, progress=progress)
    open_queue(skirmish)
    form_parties(skirmish, names, drawn, now)


def open_queue(skirmish: Arena) -> None:
    """Open a queue for a small community, with frequent ticks for play in fast motion."""
    queue = ArenaQueue(arena=skirmish, ready_window=timedelta(seconds=20))
    queue.start_from("small-community")
    queue.rules["queue"]["iteration_interval"] = "2s"
    queue.full_clean()
    queue.save()


def form_parties(
    skirmish: Arena, names: list[str], drawn: np.random.Generator, now: datetime
) -> None:
    """Create rosters of two to five players, the full ones for teams. The others play alone."""
    players = {player.name: player for player in Player.objects.filter(name__in=names)}
    members = iter(drawn.permutation(names).tolist())
    for number, (name, size) in enumerate(zip(party_names(drawn), PARTIES, strict=True)):
        captain, *others = party = [players[next(members)] for _ in range(size)]
        if size == TEAM:
            colour, beasts = name.split()
            named = [(name, colour[:2] + beasts[:2]), (f"{name} {TEAM}", f"{colour[:2]}{number}")]
            teams.found_with_roster(skirmish, named, number, party, now)
            continue
        roster = save_roster(skirmish, captain, name, others, now=now)
        for invitation in roster.invitations.select_related("player"):
            answer(invitation.pk, by=invitation.player, accept=True, now=now)


def analyze_tables() -> None:
    """Update the database's statistics now.

    Autovacuum would do it a minute later, and until then queries are planned for empty tables.
    """
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def make_admin(password: str | None) -> None:
    if password is not None and not User.objects.filter(username=ADMIN).exists():
        User.objects.create_superuser(username=ADMIN, password=password)


def make_captains(password: str) -> None:
    """Create accounts for a few nations, for trying out reports and answers.

    A nation whose name an account already has gets none.
    """
    hashed = make_password(password)
    for name in CAPTAINS:
        if User.objects.filter(username=name.lower()).exists():
            continue
        user = User.objects.create(username=name.lower(), password=hashed)
        Player.objects.named(name).update(user=user)


def leave_a_report(practice: Arena, now: datetime) -> None:
    """Report a result that waits for England's confirmation."""
    scotland, england = (Player.objects.named(name).get() for name in ("Scotland", "England"))
    report(
        practice,
        [
            ReportedSide(scotland, [PlayedBy(scotland)], place=0, score=1),
            ReportedSide(england, [PlayedBy(england)], place=1, score=0),
        ],
        reporter=scotland,
        played_at=now - timedelta(hours=2),
        now=now,
    )
