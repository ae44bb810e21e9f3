"""Backups of a real league: made, proven, restored, and refused when they should be."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from league.models import Arena, Backup, Match, Player, User
from league.services.core.errors import Conflict, Refused
from league.services.operations import backup_files, backups, postgres_tools, restoring
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, beats
from tests.support.celery_steps import PROJECT, database_url, happens_within

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def command(*words: str) -> str:
    output = StringIO()
    call_command(*words, stdout=output)
    return output.getvalue()


def databases() -> list[str]:
    with postgres_tools.connect("postgres") as server:
        own = f"{postgres_tools.own_database()}%"
        rows = server.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [own])
        return [name for (name,) in rows if name.startswith(f"{postgres_tools.own_database()}")]


def leave() -> None:
    """Close this process's connections, as a site that is stopped does."""
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined] # of PostgreSQL alone


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    return match


@pytest.fixture
def tools(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """A folder for programs that take the place of PostgreSQL's."""
    settings.POSTGRES_BIN = str(tmp_path / "bin")
    (tmp_path / "bin").mkdir()
    yield tmp_path / "bin"
    postgres_tools.version.cache_clear()


def program(folder: Path, name: str, *lines: str, version: str = "18.4") -> None:
    asked = f'[ "$1" = --version ] && echo "{name} (PostgreSQL) {version}" && exit'
    path = folder / name
    path.write_text("\n".join(["#!/bin/sh", asked, *lines, ""]))
    path.chmod(0o755)


def test_an_encrypted_backup_is_proven_and_one_with_a_wrong_rating_is_not(
    rated_match: Match, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = command("backup", "--new-key").strip()
    settings.BACKUP_KEY = key
    monkeypatch.setenv("LAUREL_BACKUP_KEY", key)
    monkeypatch.setenv("DISCORD_SECRET", "hush-hush")
    monkeypatch.setenv("STEAM_CLIENT_ID", "")
    path = tmp_path / "one.backup"
    said = command("backup", str(path))
    assert "matches: 1, rating events: 2" in said
    assert "bytes, encrypted" in said
    assert f"backup --verify {path}" in said
    about = backup_files.read_manifest(path)
    assert {"DISCORD_SECRET", "LAUREL_BACKUP_KEY"} <= set(about.settings)
    assert "STEAM_CLIENT_ID" not in about.settings
    for secret in (b"hush-hush", key.encode(), b"PGDMP", b"Charlie"):
        assert secret not in path.read_bytes()
    assert Backup.objects.get().size == path.stat().st_size

    with postgres_tools.connect("postgres") as server:  # as a killed run leaves it
        server.execute(f'CREATE DATABASE "{restoring.derive_name(restoring.SCRATCH)}"')
    proven = command("backup", "--verify", str(path))
    assert "Season 1: 1 rated matches, 2 events, 2 ratings, no differences" in proven
    assert proven.endswith("The backup is proven.\n")
    assert len(databases()) == 1

    with connection.cursor() as cursor:
        cursor.execute("UPDATE league_rating SET rating = rating + 1 WHERE games > 0")
    command("backup", str(tmp_path / "two.backup"))
    with pytest.raises(CommandError, match="values differ from the replay"):
        command("backup", "--verify", str(tmp_path / "two.backup"))
    assert len(databases()) == 1


def test_a_league_with_matches_is_replaced_only_when_told_so_and_while_nobody_uses_it(
    rated_match: Match, duel: Arena, alice: Player, charlie: Player, tmp_path: Path
) -> None:
    path = tmp_path / "one.backup"
    backups.make(path)
    later = beats(charlie, alice, duel)
    User.objects.filter(player=alice).update(username="later")
    cache.set("replaced", 1)

    with pytest.raises(CommandError, match="Add --replace") as refused:
        command("restore", str(path))
    assert "the league here (accounts: 2, players: 2, seasons: 1, matches: 2" in str(refused.value)
    assert "by the backup made" in str(refused.value)
    assert Match.objects.filter(pk=later.pk).exists()
    with (
        postgres_tools.connect(postgres_tools.own_database()),
        pytest.raises(CommandError, match=r"in use .connections: 1.\. Stop the site first"),
    ):
        command("restore", str(path), "--replace")
    assert Match.objects.filter(pk=later.pk).exists()

    assert "accounts: 2, players: 2" in command("restore", str(path), "--replace")
    assert list(Match.objects.values_list("pk", flat=True)) == [rated_match.pk]
    assert not User.objects.filter(username="later").exists()
    assert cache.get("replaced") is None
    assert len(databases()) == 1
    assert beats(charlie, alice, duel).pk  # ids go on where they were


def test_a_league_without_matches_or_without_tables_is_replaced_at_once(
    rated_match: Match, tmp_path: Path
) -> None:
    path, own = tmp_path / "one.backup", postgres_tools.own_database()
    backups.make(path)
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE league_staffaction DISABLE TRIGGER USER")  # it is a ledger
        cursor.execute("TRUNCATE league_match CASCADE")
    command("restore", str(path))
    assert Match.objects.count() == 1

    leave()
    with postgres_tools.connect("postgres") as server:
        server.execute(f'DROP DATABASE "{own}"')
        command("restore", str(path))
        assert Match.objects.count() == 1
        leave()
        server.execute(f'DROP DATABASE "{own}"')
        server.execute(f'CREATE DATABASE "{own}"')
    with pytest.raises(Refused, match="The database has no league"):
        backups.make(tmp_path / "two.backup")
    command("restore", str(path))
    assert Match.objects.count() == 1


def test_a_backup_that_cannot_be_restored_changes_nothing(
    rated_match: Match, tmp_path: Path, settings: Settings
) -> None:
    path = tmp_path / "one.backup"
    about = backups.make(path).manifest

    def changed(**changes: Any) -> Path:
        name = tmp_path / "_".join(changes)
        with backup_files.draft_of(name) as file, path.open("rb") as dump:
            backup_files.write(file, about.model_copy(update=changes), dump, None)
        return name

    newer = {**about.migrations, "league": [*about.migrations["league"], "9999_future"]}
    for file, message in (
        (changed(settings=[]), "pg_restore failed: .*valid (tar )?archive"),
        (changed(migrations=newer), "newer version of Laurel: its database has 9999_future"),
        (changed(postgresql=99), r"made from PostgreSQL 99\. This server is of version 18"),
    ):
        with pytest.raises(CommandError, match=message):
            command("restore", str(file), "--replace")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(CommandError, match="damaged or incomplete"):
        command("restore", str(path), "--replace")
    assert Match.objects.get() == rated_match
    assert len(databases()) == 1


def test_two_backups_at_once_are_one(rated_match: Match, tmp_path: Path) -> None:
    with backups.one_snapshot(), pytest.raises(Conflict, match="Another backup or restore"):
        backups.make(tmp_path / "one.backup")
    with restoring.maintenance(), pytest.raises(Conflict), restoring.maintenance():
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_backup_that_is_killed_leaves_nothing_that_looks_complete(
    rated_match: Match, tools: Path, tmp_path: Path
) -> None:
    program(tools, "pg_dump", "head -c 100000 /dev/zero", "exec sleep 600")
    path = tmp_path / "one.backup"
    process = subprocess.Popen(
        [sys.executable, "manage.py", "backup", path],
        cwd=PROJECT,
        env={
            **os.environ,
            "DATABASE_URL": database_url(),
            "REDIS_URL": "redis://nowhere",
            "LAUREL_POSTGRES_BIN": str(tools),
        },
        start_new_session=True,
    )

    def drafts() -> list[Path]:
        return [file for file in tmp_path.glob(".one*.draft") if file.stat().st_size > 50_000]

    assert happens_within(drafts, 60)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert not path.exists()
    with pytest.raises(Refused, match="damaged or incomplete"):
        restoring.check_backup(drafts()[0])


def test_a_dump_that_fails_leaves_no_file(rated_match: Match, tools: Path, tmp_path: Path) -> None:
    program(tools, "pg_dump", "echo half a dump", "echo 'pg_dump: error: no luck' >&2", "exit 1")
    with pytest.raises(CommandError, match="pg_dump failed: pg_dump: error: no luck"):
        command("backup", str(tmp_path / "one.backup"))
    assert [file.name for file in tmp_path.iterdir()] == ["bin"]
    assert not Backup.objects.exists()


def test_missing_and_old_programs_of_postgresql_are_named(
    rated_match: Match, tools: Path, tmp_path: Path
) -> None:
    with pytest.raises(CommandError, match=r"pg_dump was not found. Install the client programs"):
        command("backup", str(tmp_path / "one.backup"))
    program(tools, "pg_dump", version="16.9 (Debian 16.9-1)")
    with pytest.raises(CommandError, match=r"bin/pg_dump is of version 16, and the server of .*18"):
        command("backup", str(tmp_path / "one.backup"))
