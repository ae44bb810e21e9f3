"""`make upgrade-database`: a league of an older PostgreSQL keeps everything, whoever is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.embedded import old_postgres
from tests.embedded.helpers import (
    PROJECT,
    User,
    data_folder,
    kill_all_of,
    processes_of,
    query,
    wait_until,
)
from tests.support.effort import LONG

RESULTS = """\
match_id,played_at,side,place,player
1,2026-01-02T10:00:00Z,a,0,Alice
1,2026-01-02T10:00:00Z,b,1,Charlie
2,2026-01-03T10:00:00Z,a,0,Charlie
2,2026-01-03T10:00:00Z,b,1,Bob
"""
LEAGUE = """
from django.core.management import call_command
from django.utils import timezone
from league.models import Arena
from league.services.seasons.opening import open_season
call_command("migrate", verbosity=0)
arena = Arena.objects.create(slug="duel", name="Duel", rating_system="glicko-2")
open_season(arena, starts_at=timezone.datetime(2026, 1, 1, tzinfo=timezone.timezone.utc))
call_command("import_history", "{results}", arena="duel")
"""
PROBLEM = "was written by PostgreSQL 16, and this Laurel runs PostgreSQL 18. Run `make upgrade"


@pytest.fixture(scope="session")
def old_league() -> Iterator[Path]:
    """The data folder of a league with two results, written by an older PostgreSQL."""
    with data_folder() as data:
        old_postgres.create(data)
        (data / "results.csv").write_text(RESULTS)
        with old_postgres.running(data) as url:
            reached = {"DATABASE_URL": url, "REDIS_URL": "redis://127.0.0.1:1/0"}
            league = LEAGUE.format(results=data / "results.csv")
            old_postgres.manage(data, "shell", "--command", league, **reached)
        yield data


@pytest.fixture
def old(old_league: Path) -> Iterator[Path]:
    with data_folder(old_league) as data:
        yield data


@pytest.fixture(scope="session")
def upgraded(old_league: Path) -> Iterator[tuple[Path, str]]:
    """The same league after an upgrade, and what that wrote."""
    with data_folder(old_league) as data:
        assert PROBLEM in User(data).error()
        yield data, upgrade(data)


def start(data: Path, *given: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "embedded.upgrade", *given],
        cwd=PROJECT,
        env={**os.environ, "LAUREL_DATA": str(data)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def upgrade(data: Path, *given: str) -> str:
    """Upgrade a data folder, and return what was written and the exit status."""
    process = start(data, *given)
    said, _ = process.communicate(timeout=240)
    wait_until(lambda: not processes_of(data))
    return f"{said}{process.returncode}"


def version(data: Path) -> str:
    return (data / "servers" / "postgres" / "PG_VERSION").read_text().strip()


def works(data: Path) -> None:
    """Check that the servers start and have the league."""
    user = User(data).attached()
    assert query(user.sockets, "SHOW server_version").startswith("18")
    assert query(user.sockets, "SELECT count(*) FROM league_ratingevent") == 4
    user.leave()
    wait_until(lambda: not processes_of(data))


def test_a_league_is_upgraded_and_its_old_data_are_kept(upgraded: tuple[Path, str]) -> None:
    old, said = upgraded
    assert "Upgrading" in said
    assert "Duel · Season 1: 2 rated matches, 4 events, 3 ratings, no differences" in said
    assert said.endswith(f"delete them: rm -r {(old / 'servers').resolve()}/postgres.16\n0")
    works(old)
    kept = (old / "servers" / "postgres.16" / "PG_VERSION").read_text()
    assert (version(old), kept) == ("18", "16\n")
    assert upgrade(old) == "The data already have version 18. There is nothing to do.\n0"


def crash(data: Path) -> None:
    """Rename the arena, and kill the old server before it has written that to its tables."""
    with old_postgres.running(data) as url, psycopg.connect(url, autocommit=True) as league:
        league.execute("UPDATE league_arena SET name = 'Recovered'")
        [postmaster, *_] = (data / "servers/postgres/postmaster.pid").read_text().split()
        os.kill(int(postmaster), signal.SIGKILL)


@pytest.mark.parametrize("at", ["Upgrading", "Copying", "Checking"] if LONG else ["Copying"])
def test_after_a_crash_a_killed_upgrade_leaves_the_data_as_they_were_and_can_be_repeated(
    old: Path, at: str
) -> None:
    crash(old)
    process = start(old)
    assert process.stdout
    while not process.stdout.readline().startswith(at):
        assert process.poll() is None
    time.sleep(0.5)
    if at == "Copying":
        kill_all_of(old)
    process.kill()
    process.communicate()
    assert version(old) == "16"
    assert PROBLEM in User(old).error(), "nothing is in the way of the next start"
    if at != "Upgrading":  # that leaves nothing behind
        said = upgrade(old)
        assert "Recovered · Season 1" in said
        assert said.endswith("0")
        works(old)


def test_an_upgrade_that_was_killed_between_the_renames_is_completed(
    upgraded: tuple[Path, str],
) -> None:
    with data_folder(upgraded[0]) as data:
        servers = data / "servers"
        (servers / "upgrade").mkdir()
        (servers / "postgres").rename(servers / "upgrade" / "postgres")
        error = User(data).error()
        assert "The database is missing" in error
        assert "Run `make upgrade-database`, which completes an upgrade that was stopped" in error
        assert not (servers / "postgres").exists(), "no empty database takes its place"
        assert "Completing the upgrade that was stopped" in upgrade(data)
        works(data)


def test_a_league_with_wrong_ratings_is_not_replaced(old: Path) -> None:
    with old_postgres.running(old) as url, psycopg.connect(url, autocommit=True) as league:
        league.execute("UPDATE league_rating SET rating = rating + 1")
    said = upgrade(old)
    assert "The copy failed `manage.py verify_ratings`, as the lines above say." in said
    assert said.endswith("1")
    assert version(old) == "16"
    assert not (old / "servers" / "postgres.16").exists()


def test_a_running_site_is_not_upgraded(old: Path) -> None:
    with old_postgres.running(old):
        process = start(old)
        said, _ = process.communicate()
    assert "The site or one of its commands uses the database. Stop it" in said
    assert process.returncode == 1


@pytest.mark.parametrize(
    ("written_by", "given", "answer"),
    [
        ("15", (), "do not carry PostgreSQL 15, which wrote the data. Install it and name"),
        ("15", ("/usr/bin",), "/usr/bin has no programs of PostgreSQL 15."),
        ("19", (), "Run the Laurel that wrote it, or a later one."),
    ],
)
def test_what_cannot_be_upgraded_is_explained(
    data: Path, written_by: str, given: tuple[str, ...], answer: str
) -> None:
    (data / "servers/postgres/PG_VERSION").write_text(f"{written_by}\n")
    said = upgrade(data, *given)
    assert answer in said
    assert said.endswith("1")


def test_a_folder_without_a_database_gets_none(new_data: Path) -> None:
    assert "has no database to upgrade" in upgrade(new_data)
    assert not new_data.exists()
