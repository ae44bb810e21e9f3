"""Backups on schedule: made when due, proven, kept for a while, and shown to staff."""

import os
from datetime import timedelta
from pathlib import Path

import pytest
from django.http import HttpResponse
from pytest_django import Settings

from league.models import Arena, Backup, Player
from league.services.core.clock import database_now
from league.services.operations import backup_files, keeping, restoring
from league.tasks import back_up, back_up_now
from tests.support.web_steps import browser_of, words

HOUR = timedelta(hours=1)


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path / "backups")
    return tmp_path / "backups"


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.django_db(transaction=True)
def test_a_backup_is_made_and_proven_when_due_and_old_ones_are_deleted(
    duel: Arena, folder: Path, settings: Settings
) -> None:
    settings.BACKUP_COPIES = 2
    folder.mkdir()
    old = [f"laurel-2026010{day}T000000Z.backup" for day in (1, 2, 3)]
    kept = {"notes.txt", "laurel-by-hand.backup", ".laurel-fresh.draft"}
    for name in (*old, *kept, ".laurel-stale.draft"):
        (folder / name).touch()
    os.utime(folder / ".laurel-stale.draft", (0, 0))

    assert back_up()
    made = Backup.objects.get()
    assert made.proven_at
    assert made.size == (folder / made.name).stat().st_size
    assert names(folder) == {made.name, old[2], *kept}
    assert not back_up()
    assert not keeping.back_up_if_due(made.made_at + 23 * HOUR)
    assert keeping.is_due(made.made_at + 24 * HOUR)


def test_nothing_is_backed_up_without_a_folder(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    settings.BACKUP_FOLDER = ""
    assert not back_up()
    assert not back_up_now()
    assert not names(tmp_path)
    assert keeping.state(database_now()) is None
    assert not Backup.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_backup_that_proves_wrong_deletes_no_other_and_is_not_made_again_at_once(
    duel: Arena, folder: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_COPIES = 1
    folder.mkdir()
    (folder / "laurel-20260101T000000Z.backup").touch()
    monkeypatch.setattr(restoring, "check_backup", backup_files.read_manifest)
    monkeypatch.setattr(restoring, "fill", lambda *_given: None)  # a dump of nothing
    assert back_up()
    made = Backup.objects.get()
    assert "seasons: 1, matches: 0" in made.problem
    assert "and restores nothing" in made.problem
    assert made.proven_at is None
    assert len(names(folder)) == 2
    assert not keeping.is_due(database_now())


def test_a_failure_is_recorded_and_shown_to_staff(
    folder: Path, olga: Player, settings: Settings
) -> None:
    folder.write_text("not a folder")
    assert not back_up()
    assert "File exists" in Backup.objects.get().problem
    assert keeping.is_due(database_now())
    page = words(index(olga))
    assert "The last backup failed" in page
    assert "File exists" in page


def index(olga: Player) -> HttpResponse:
    return browser_of(olga).get("/admin/")  # type: ignore[return-value] # the client's own kind
