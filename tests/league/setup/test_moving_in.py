"""A whole league as one file: downloaded from a site, and read by an empty one."""

from __future__ import annotations

import os
import signal
import threading
import time
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile

import pyrage
import pytest
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from league.models import Arena, Match, Player, Season, User
from league.services.competitions import progress
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.operations import backup_files, backups, moving_in, postgres_tools, restoring
from league.services.people import first_admin
from league.services.results.reports.answers import dispute
from league.services.results.staff.threads import write
from league.services.seasons.ending import end, freeze_early
from league.services.seasons.opening import open_season
from league.web.core.uploads import ARCHIVES
from tests.support import databases
from tests.support.cast import NOW, arena, beats, beats_as_agreed
from tests.support.celery_steps import Crew, happens_within
from tests.support.competition_steps import START, begun, crowd, play, sides_of
from tests.support.correction_steps import correct
from tests.support.import_steps import RESULTS, imported, upload
from tests.support.moving_steps import Browser, digests, empty_site, holder
from tests.support.pictures import upload as picture
from tests.support.result_steps import user_of
from tests.support.season_steps import NEXT, set_season_rules, win
from tests.support.trf_files import TRF
from tests.support.web_server import WebServer
from tests.support.web_steps import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
KEY = pyrage.x25519.Identity.generate()
HOUR = timedelta(hours=1)


def own_database() -> str:
    return str(connection.settings_dict["NAME"])


@pytest.fixture
def archive(duel: Arena, alice: Player, charlie: Player, tmp_path: Path) -> Path:
    """The archive of a league with one result, whose rules let a deadline of long ago settle it."""
    beats_as_agreed(alice, charlie, duel)
    backups.make(tmp_path / "one.backup")
    return tmp_path / "one.backup"


@pytest.fixture
def lived_in(duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player) -> None:
    """Imports, a Swiss by TRF, another one, corrections, an image, and a season after another."""
    imported(upload(duel, user_of(olga), RESULTS))
    imported(upload(arena("chess"), user_of(olga), TRF, name="open.trf"))
    swiss = begun(duel, olga, crowd(6), "swiss", play={"rounds": 3})
    for fixture in swiss.fixtures.with_sides().order_by("number"):
        play(fixture, sides_of(fixture)[0].captain)
    progress.sweep(START + HOUR)
    now = database_now()
    disputed = dispute(
        beats(alice, charlie, duel, now=now).pk, by=charlie, reason="A draw.", now=now
    )
    write(
        disputed.pk, by=user_of(alice), player=alice, text="Look.", image=picture(),
        description="", now=now,
    )  # fmt: skip
    club = arena("club")
    mistake = win(club, alice, bob)
    win(club, bob, charlie, NOW + HOUR)
    correct(mistake, user_of(olga))
    first = club.seasons.get()
    assert end(first.pk, now=NEXT)
    assert freeze_early(first.pk, now=NEXT)
    set_season_rules(club, start={"placement": "carry-over"})
    open_season(club, starts_at=NEXT)
    win(club, charlie, alice, NEXT + HOUR)


@pytest.fixture
def tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for programs that take the place of PostgreSQL's, in other processes."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("LAUREL_POSTGRES_BIN", str(tmp_path / "bin"))
    program = tmp_path / "bin/pg_restore"
    says = '[ "$1" = --version ] && echo "pg_restore (PostgreSQL) 18.4" && exit'
    program.write_text(f"#!/bin/sh\n{says}\nexec sleep 20\n")
    program.chmod(0o755)


@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
def test_a_league_moves_to_an_empty_site_to_the_bit(
    lived_in: None, olga: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: Any
) -> None:
    monkeypatch.setenv("LAUREL_BACKUP_KEY", str(key or ""))
    server = WebServer(tmp_path)
    browser = Browser(server)
    browser.log_in(user_of(olga))
    file = tmp_path / "league.backup"
    try:
        answer = browser.send("/admin/backups/", "/admin/archive/")
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Content-Disposition"].startswith('attachment; filename="laurel-')
        assert "Content-Encoding" not in answer.headers
        file.write_bytes(answer.content)
        before = digests(own_database())
    finally:
        server.stop()
    assert restoring.check_backup(file, str(key or "")).counts["seasons"] == Season.objects.count()

    monkeypatch.setenv("LAUREL_BACKUP_KEY", "")
    with empty_site(tmp_path) as (database, server):
        stranger = Browser(server)
        assert "Bring its archive" in stranger.get("/").text
        stranger.give_code()
        told = stranger.wait(stranger.bring(file, str(key or "")))
        assert "The league is here." in told
        assert f"Accounts {before['league_user'].split()[0]} " in told
        restoring.leave()  # the sessions of this process have ended, too
        after = digests(database)
        assert {name for name in before if before[name] != after.get(name)} == set()
        assert after.keys() == before.keys()
        assert int(after["league_evidencecontent"].split()[0]) == 1
        call_command("verify_ratings")
        assert stranger.get("/setup/").status_code == 409
        assert stranger.get("/setup/archive/").status_code == 409
        stranger.session.cookies.update(browser.session.cookies)
        assert stranger.get("/admin/").status_code == 200, "sessions are those of the archive"
        kind = ContentType.objects.get(app_label="league", model="arena")
        assert stranger.get(f"/admin/r/{kind.pk}/{Arena.objects.all()[0].pk}/").status_code == 200


def test_a_running_site_goes_on_with_the_league_that_moved_in(
    archive: Path, tmp_path: Path, duel: Arena
) -> None:
    """Pages are served or put off, and workers and clock settle what is due in the new league."""
    with empty_site(tmp_path) as (database, server):
        crew = Crew(tmp_path)
        try:
            worker, clock = crew.worker(), crew.clock()
            assert happens_within(lambda: cache.get("laurel") is None and is_watched(database), 120)
            statuses: set[int] = set()
            is_over = threading.Event()

            def look() -> None:
                visitor = Browser(server)
                while not is_over.is_set():
                    statuses.add(visitor.get("/arenas/").status_code)

            looking = threading.Thread(target=look)
            looking.start()
            browser = Browser(server)
            browser.give_code()
            assert "The league is here." in browser.wait(browser.bring(archive))
            is_over.set()
            looking.join()
            restoring.leave()  # the sessions of this process have ended, too
            assert statuses <= {200, 503}
            assert browser.get("/arenas/duel/").status_code == 200
            assert happens_within(lambda: Match.objects.filter(status="rated").exists(), 120)
            assert worker.poll() is None
            assert clock.poll() is None
        finally:
            crew.end()


def is_watched(database: str) -> bool:
    """Return whether a clock and a worker have sessions in a database."""
    with postgres_tools.connect("postgres") as server:
        query = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
        return bool(backups.one_value(server, query, [database]) >= 3)


def processes() -> set[int]:
    """The processes that this one has started and that run."""
    own = os.getpid()
    return {
        int(pid)
        for thread in Path(f"/proc/{own}/task").iterdir()
        for pid in (thread / "children").read_text().split()
    }


def test_an_attempt_that_is_killed_leaves_the_league_empty_and_the_next_one_works(
    archive: Path, tools: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with empty_site(tmp_path) as (database, _server):
        before, known = digests(database), processes()
        attempt = moving_in.begin(archive, "")
        [process] = processes() - known

        def is_restoring() -> bool:
            with postgres_tools.connect("postgres") as server:
                query = "SELECT 1 FROM pg_database WHERE datname = %s"
                name = restoring.derive_name(restoring.SCRATCH)
                return bool(backups.one_value(server, query, [name]))

        assert happens_within(is_restoring, 60)
        second = moving_in.begin(archive, "")
        assert happens_within(lambda: refusal_of(second), 60)
        assert "Another backup or restore" in refusal_of(second)
        assert refusal_of(attempt) == ""
        os.kill(process, signal.SIGKILL)
        assert happens_within(lambda: moving_in.state_of(attempt) is None, 30)
        page = Client().get(f"{ARCHIVES}{attempt}/")
        assert "as empty as before. The attempt was interrupted." in words(page)
        assert digests(database) == before

        monkeypatch.delenv("LAUREL_POSTGRES_BIN")
        third = moving_in.begin(archive, "")
        assert happens_within(lambda: is_done(third), 120)
        restoring.leave()  # the sessions of this process have ended, too
        assert Match.objects.count() == 1
        assert not is_restoring()


def refusal_of(attempt: str) -> str:
    state = moving_in.state_of(attempt)
    return state.refusal if state else ""


def is_done(attempt: str) -> bool:
    state = moving_in.state_of(attempt)
    assert not refusal_of(attempt)
    return bool(state and state.is_done)


def test_whoever_signs_up_while_an_archive_is_restored_keeps_the_account(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The league is empty when the attempt begins, and no longer when it would be replaced."""
    compare = restoring.compare_counts

    def sign_up_meanwhile(*given: Any) -> dict[str, int]:
        User.objects.create_user("early", password="a quiet harbour")
        return compare(*given)

    with empty_site(tmp_path) as (database, _server):
        monkeypatch.setattr(restoring, "compare_counts", sign_up_meanwhile)
        with pytest.raises(Refused, match="has accounts, players or seasons already"):
            moving_in.move_in(archive, moving_in.State())
        assert User.objects.get().username == "early"
        with pytest.raises(Refused, match="has accounts, players or seasons already"):
            moving_in.move_in(archive, moving_in.State())
        User.objects.all().delete()
        monkeypatch.setattr(restoring, "compare_counts", compare)
        # Another session than the site's keeps the database from being renamed.
        with postgres_tools.connect(database) as other:
            monkeypatch.setattr(moving_in, "END_OTHERS", "SELECT 1")
            with pytest.raises(Refused, match="is in use"):
                moving_in.move_in(archive, moving_in.State())
            assert backups.one_value(other, "SELECT count(*) FROM league_match") == 0
        assert not moving_in.is_inhabited()


def test_content_types_are_read_again_in_a_new_session_only(
    duel: Arena, django_assert_num_queries: Any
) -> None:
    """Another league gives them other numbers."""
    for _ in range(20):  # each session of the pool is known
        connection.close()
        assert Arena.objects.exists()
    ContentType.objects.get_for_model(Arena)
    connection.close()
    assert Arena.objects.exists()
    with django_assert_num_queries(0):
        ContentType.objects.get_for_model(Arena)
    restoring.leave()
    assert Arena.objects.exists()
    with django_assert_num_queries(1):
        ContentType.objects.get_for_model(Arena)


@pytest.fixture
def refusal_page(archive: Path) -> Iterator[Any]:
    """Brings bytes to an empty league, and returns the page that refuses them."""
    content, known = archive.read_bytes(), processes()
    with databases.unused():

        def bring(change: Any, **fields: str) -> str:
            file = SimpleUploadedFile("my.backup", change(content))
            answer = holder().post(ARCHIVES, {"archive": file, **fields})
            assert answer.status_code == 400
            return words(answer)

        yield bring
    assert processes() == known, "nothing has begun"


def bomb(_content: bytes) -> bytes:
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"bomb{os.getpid()}"  # noqa: S108 - removed below
    about = backup_files.Manifest(
        format=1, made_at=NOW, postgresql=18, migrations={"league": []}, counts={}, settings=[]
    )
    with ZipFile(path, "w", ZIP_DEFLATED) as file:
        file.writestr("manifest.json", about.model_dump_json())
        with file.open("database.dump", "w", force_zip64=True) as entry:
            for _ in range(300):
                entry.write(bytes(2**20))
    content = path.read_bytes()
    path.unlink()
    return content


def test_files_that_are_no_archive_are_refused_in_words(refusal_page: Any) -> None:
    damaged = "my.backup is damaged or incomplete, or no backup of Laurel."
    assert "The submitted file is empty." in refusal_page(lambda _content: b"")
    for part in (0.01, 0.3, 0.9, 0.999):
        assert damaged in refusal_page(
            lambda content, part=part: content[: int(part * len(content))]
        )
    assert damaged in refusal_page(lambda content: content[:-1])
    assert damaged in refusal_page(lambda _content: b"date,winner,loser\n2026-01-01,Ann,Bob\n")
    began = time.monotonic()
    assert damaged in refusal_page(bomb)
    assert time.monotonic() - began < 30
    assert damaged in refusal_page(lambda _content: bytes(17 * 2**20)), "larger than other files"
    assert "This is not a key of age." in refusal_page(bytes, key="hunter2")


def test_an_archive_of_a_newer_version_is_refused_in_words(
    archive: Path, refusal_page: Any
) -> None:
    about = backup_files.read_manifest(archive)
    migrations = {**about.migrations, "league": [*about.migrations["league"], "9999_future"]}
    changed: list[dict[str, Any]] = [{"format": 2}, {"migrations": migrations}]
    for number, changes in enumerate(changed):
        newer = archive.with_name(f"newer{number}")
        with backup_files.draft_of(newer) as file, archive.open("rb") as dump:
            backup_files.write(file, about.model_copy(update=changes), dump, None)
        content = newer.read_bytes()
        assert "was made by a newer version of Laurel" in refusal_page(lambda _, new=content: new)


def test_an_encrypted_archive_needs_its_key(
    archive: Path, tmp_path: Path, settings: Settings
) -> None:
    settings.BACKUP_KEY = str(KEY)
    backups.make(tmp_path / "two.backup")
    settings.BACKUP_KEY = ""
    content = (tmp_path / "two.backup").read_bytes()
    another = str(pyrage.x25519.Identity.generate())
    with databases.unused():
        for key, message in (("", "The backup is encrypted."), (another, "The key is another one")):
            file = SimpleUploadedFile("two.backup", content)
            answer = holder().post(ARCHIVES, {"archive": file, "key": key})
            assert answer.status_code == 400
            assert message in words(answer)
            assert another not in answer.content.decode()


def test_a_league_with_people_takes_no_archive(archive: Path) -> None:
    assert Player.objects.exists()
    for answer in (
        holder().get(ARCHIVES),
        holder().post(ARCHIVES, {"archive": SimpleUploadedFile("a", archive.read_bytes())}),
    ):
        assert answer.status_code == 409
        assert "has accounts, players or seasons already" in words(answer)


def test_the_code_comes_before_the_file(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also on the machine itself. Without the code, nothing larger than an image is read."""
    browser = Client(headers={"Host": "localhost:8000"})
    first_admin.setup_code()
    assert "Setup code" in words(browser.get(ARCHIVES))
    answer = browser.post(ARCHIVES, {"code": "BCDF-GHJK-LMNP"})
    assert answer.status_code == 400
    assert "This is not the setup code." in words(answer)
    large: Any = {"CONTENT_LENGTH": str(200 * 2**20)}
    answer = browser.post(ARCHIVES, {}, **large)
    assert answer.status_code == 413
    assert "enter the setup code" in words(answer)
    huge: Any = {"CONTENT_LENGTH": str(5 * 10**9)}
    answer = holder().post(ARCHIVES, {}, **huge)
    assert answer.status_code == 413
    assert "It can have at most 4.0 GB here" in words(answer)
    answer = browser.post(ARCHIVES, {"archive": SimpleUploadedFile("a", b"PK")})
    assert answer.status_code == 400
    assert "Setup code" in words(answer)
    browser.cookies["setup"] = "given"
    assert browser.post(ARCHIVES, {}, **large).status_code == 413
