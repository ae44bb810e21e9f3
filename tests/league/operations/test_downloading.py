"""The archive of the whole league that superusers download: made while it is sent."""

from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from league.models import Arena, Player, User
from league.services.core.errors import Refused
from league.services.operations import backup_files, backups, restoring
from tests.support.web_steps import browser_of, words

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
ADDRESS = "/admin/archive/"


def test_superusers_download_the_league_without_a_folder_and_read_why_not(
    duel: Arena, alice: Player, olga: Player, settings: Settings
) -> None:
    User.objects.filter(player=alice).update(is_staff=True)
    assert browser_of(alice).post(ADDRESS).status_code == 403
    assert browser_of(olga).get(ADDRESS).status_code == 405
    settings.BACKUP_FOLDER = ""
    page = words(browser_of(olga).get("/admin/backups/"))
    assert "Download an archive of the whole league" in page
    assert "It is not encrypted" in page
    assert "it can also open accounts" in page
    with backups.one_snapshot():
        answer = browser_of(olga).post(ADDRESS)
        assert answer.status_code == 409
        assert "Another backup or restore" in words(answer)
    settings.POSTGRES_BIN = "/nowhere"
    answer = browser_of(olga).post(ADDRESS)
    assert answer.status_code == 400
    assert "pg_dump was not found" in words(answer)


def test_a_download_that_is_given_up_lets_the_next_one_begin(duel: Arena) -> None:
    for _ in range(2):
        pieces = backups.stream()
        assert next(pieces) == b""
        pieces.close()


def test_an_archive_whose_making_fails_has_no_end(
    duel: Arena, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "whole").write_bytes(b"".join(backups.stream()))
    assert restoring.check_backup(tmp_path / "whole").counts["seasons"] == 1
    write = backup_files.write

    def fail_at_the_end(*given: Any) -> None:
        write(*given)
        raise Refused("postgres_failed", "no luck")

    monkeypatch.setattr(backup_files, "write", fail_at_the_end)
    for piece in (2**16, 2**10, 100, 7):
        monkeypatch.setattr(backups, "PIECE", piece)
        received: list[bytes] = []
        with pytest.raises(Refused, match="no luck"):
            received.extend(backups.stream())
        (tmp_path / "broken").write_bytes(b"".join(received))
        with pytest.raises(Refused, match="damaged or incomplete"):
            restoring.check_backup(tmp_path / "broken")
