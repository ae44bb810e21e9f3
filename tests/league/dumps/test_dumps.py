"""Dumps have all public data as of one moment, in three formats, without what players hide."""

from __future__ import annotations

import csv
import gzip
import hashlib
import io
import json
import os
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import psycopg
import pyarrow.parquet as pq
import pytest
from django.core.management import CommandError, call_command

from league.models import (
    Arena,
    Entrant,
    FinalStanding,
    Player,
    Rating,
    RatingEvent,
    Side,
    Team,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.dumps import files, making
from league.services.dumps.formats import FORMATS, all_formats
from league.services.dumps.tables import INTEGER, NUMBER, TEXT, TIME, TRUTH, Table
from league.services.operations import postgres_tools
from league.services.privacy.reading import set_privacy
from league.services.results.reports.answers import confirm
from league.tasks import make_dump
from tests.support.cast import NOW, beats, roster
from tests.support.competition_steps import begun, crowd

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client
    from pytest_django import Settings

    from league.models import Match

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


@pytest.fixture
def folder(tmp_path: Path, settings: Settings) -> Path:
    settings.DUMP_FOLDER = str(tmp_path / "dumps")
    return tmp_path / "dumps"


def rated(winner: Player, loser: Player, where: Arena) -> Match:
    return confirm(beats(winner, loser, where).pk, by=loser, now=NOW)


def rows_of(folder: Path, table: str) -> list[dict[str, Any]]:
    """Return the rows of a table, which must be the same in all formats."""
    path = folder / files.names()[-1]
    parquet = pq.read_table(path / f"{table}.parquet").to_pylist()
    lines = [json.loads(line) for line in text_of(path / f"{table}.ndjson.gz").splitlines()]
    assert [{name: plain(value) for name, value in row.items()} for row in parquet] == lines
    cells = list(csv.DictReader(io.StringIO(text_of(path / f"{table}.csv.gz"), newline="")))
    assert cells == [{name: text(value) for name, value in row.items()} for row in lines]
    return lines


def text_of(path: Path) -> str:
    return gzip.decompress(path.read_bytes()).decode()


def plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat(timespec="microseconds").replace("+00:00", "Z")
    return value


def text(value: Any) -> str:
    return "" if value is None else str(int(value) if isinstance(value, bool) else value)


def test_a_dump_holds_each_match_and_rating_change_as_the_league_does(
    folder: Path, duel: Arena, alice: Player, bob: Player
) -> None:
    match = rated(alice, bob, duel)
    dump = making.make(database_now())
    assert [row["slug"] for row in rows_of(folder, "arenas")] == ["duel"]
    assert [row["id"] for row in rows_of(folder, "matches")] == [match.pk]
    assert [(row["player"], row["side"]) for row in rows_of(folder, "participants")] == [
        ("Alice", 0),
        ("Bob", 1),
    ]
    assert [row["place"] for row in rows_of(folder, "sides")] == [0, 1]
    stored = RatingEvent.objects.order_by("id").values_list("player_id", "rating_after")
    found = [(row["player_id"], row["rating_after"]) for row in rows_of(folder, "rating_changes")]
    assert found == list(stored), "to the bit"
    ratings = {row["player_id"]: row["rating"] for row in rows_of(folder, "ratings")}
    assert ratings == dict(Rating.objects.values_list("player_id", "rating"))
    assert {row["name"] for row in rows_of(folder, "players")} >= {"Alice", "Bob"}
    for file in dump.files:
        content = (folder / dump.name / file.name).read_bytes()
        assert file.size == len(content)
        assert file.sha256 == hashlib.sha256(content).hexdigest()


def test_every_table_can_be_read_of_a_league_that_has_everything(
    folder: Path, teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    Team.objects.create(name="Night Owls", tag="OWL", created_at=NOW)
    roster(teams, "Owls", alice, bob)
    dump = making.make(database_now())
    for table in dump.tables:
        assert len(rows_of(folder, table.name)) == table.rows
    assert [row["tag"] for row in rows_of(folder, "teams")] == ["OWL"]


def test_competitions_appear_once_players_can_see_them(
    folder: Path, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4))
    making.make(database_now())
    assert [row["name"] for row in rows_of(folder, "competitions")] == [one.name]
    entrants = {row["id"] for row in rows_of(folder, "entrants")}
    fixtures = rows_of(folder, "fixtures")
    assert fixtures
    assert {row["home_id"] for row in fixtures} <= entrants
    one.opened_at = None
    one.state = "draft"
    one.save()
    making.make(database_now() + DAY)
    for table in ("competitions", "entrants", "fixtures"):
        assert not rows_of(folder, table), "a draft"


def test_nobody_unlisted_is_named_and_no_hidden_history_is_given_away(
    folder: Path, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    rated(alice, bob, duel)
    rated(charlie, bob, duel)
    set_privacy(alice, hides_history=False, is_unlisted=True)
    set_privacy(bob, hides_history=True, is_unlisted=False)
    making.make(database_now())
    for path in (folder / files.names()[-1]).glob("*.ndjson.gz"):
        assert "Alice" not in text_of(path), path.name
    assert {row["player"] for row in rows_of(folder, "participants")} == {None, "Bob", "Charlie"}
    assert {row["player_id"] for row in rows_of(folder, "rating_changes")} == {charlie.pk}
    assert alice.pk not in {row["player_id"] for row in rows_of(folder, "ratings")}
    assert alice.pk not in {row["id"] for row in rows_of(folder, "players")}


def test_a_merged_player_does_not_give_away_the_person_who_hides(
    folder: Path, duel: Arena, alice: Player, bob: Player
) -> None:
    rated(alice, bob, duel)
    set_privacy(alice, hides_history=True, is_unlisted=False)
    Player.objects.filter(pk=bob.pk).update(user=None, merged_into=alice)
    making.make(database_now())
    assert not rows_of(folder, "rating_changes")


def test_a_merged_player_does_not_name_the_person_who_is_unlisted(
    folder: Path, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4))
    rated(alice, bob, duel)
    player = one.entrants.order_by("id")[0].player
    assert player
    FinalStanding.objects.create(
        season=duel.seasons.get(),
        player=bob,
        name="Bob",
        position=1,
        rating=1000,
        games=1,
        wins=0,
        draws=0,
        losses=1,
        streak=1,
    )
    set_privacy(alice, hides_history=False, is_unlisted=True)
    for gone in (bob, player):
        Player.objects.filter(pk=gone.pk).update(user=None, merged_into=alice)
    making.make(database_now())
    for table in ("participants", "ratings", "final_standings", "entrants"):
        rows = rows_of(folder, table)
        assert rows, table
        shown = {row["player_id"] for row in rows}
        assert not shown & {alice.pk, bob.pk, player.pk}, table
        assert not {"Alice", "Bob", player.name} & {
            name for row in rows for name in (row.get("player"), row.get("name"))
        }, table


def test_a_roster_named_after_somebody_unlisted_has_no_name(
    folder: Path, duel: Arena, teams: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    sides = rated(alice, bob, duel).sides.order_by("index")
    named = roster(teams, "ALICE’s Owls", alice)
    other = roster(teams, "Foxes", bob)
    for side, entered in zip(sides, (named, other), strict=True):
        Side.objects.filter(pk=side.pk).update(roster=entered)
    one = begun(duel, olga, crowd(4))
    for entrant, entered in zip(one.entrants.order_by("id"), (named, other), strict=False):
        Entrant.objects.filter(pk=entrant.pk).update(roster=entered, name=entered.name)
    set_privacy(alice, hides_history=False, is_unlisted=True)
    making.make(database_now())
    assert [row["roster"] for row in rows_of(folder, "sides")] == [None, "Foxes"]
    assert [row["name"] for row in rows_of(folder, "entrants")][:2] == [None, "Foxes"]


def test_nothing_of_a_draft_arena_is_dumped(
    folder: Path, duel: Arena, alice: Player, bob: Player
) -> None:
    rated(alice, bob, duel)
    Arena.objects.filter(pk=duel.pk).update(is_draft=True, is_open=False)
    dump = making.make(database_now())
    empty = {table.name for table in dump.tables if not table.rows}
    assert empty >= {"arenas", "seasons", "matches", "sides", "participants", "ratings"}


def test_results_that_do_not_count_yet_are_not_dumped(
    folder: Path, duel: Arena, alice: Player, bob: Player
) -> None:
    beats(alice, bob, duel)
    making.make(database_now())
    assert not rows_of(folder, "matches")
    assert not rows_of(folder, "participants")


def test_it_is_made_once_a_night_and_two_are_kept(folder: Path, duel: Arena) -> None:
    now = datetime(2026, 5, 1, 3, 0, 1, tzinfo=UTC)
    assert making.make_if_due(now)
    assert not making.make_if_due(now + timedelta(hours=23))
    assert making.make_if_due(now + DAY)
    (folder / "notes.txt").touch()
    stale = folder / f"{files.DRAFT}stale"
    fresh = folder / f"{files.DRAFT}fresh"
    stale.mkdir()
    os.utime(stale, (0, 0))
    fresh.mkdir()
    assert making.make_if_due(now + 2 * DAY)
    assert files.names() == ["20260502T030001Z", "20260503T030001Z"]
    assert {path.name for path in folder.iterdir()} == {*files.names(), "notes.txt", fresh.name}


def test_the_first_is_made_at_once_and_none_without_a_folder(
    folder: Path, duel: Arena, settings: Settings
) -> None:
    assert make_dump()
    assert not make_dump()
    settings.DUMP_FOLDER = ""
    assert not make_dump()
    with pytest.raises(CommandError, match="LAUREL_DUMP_FOLDER is off"):
        call_command("dump")


def test_only_one_worker_makes_it(folder: Path, duel: Arena) -> None:
    with psycopg.connect(**postgres_tools.address("default")) as other:
        other.execute(making.LOCK)
        assert not make_dump()
        with pytest.raises(Conflict, match="being made"):
            making.make(database_now())
    assert make_dump()


def test_the_next_can_be_made_before_the_server_has_closed_the_connection(
    folder: Path, duel: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = database_now()
    with postgres_tools.connect(postgres_tools.own_database()) as league:
        monkeypatch.setattr(postgres_tools, "connect", lambda _database: nullcontext(league))
        making.make(now)
        monkeypatch.undo()
        making.make(now + DAY)
    assert len(files.names()) == 2


def test_what_cannot_be_written_leaves_nothing_and_is_tried_again(
    folder: Path, duel: Arena, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_given: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as broken:
        broken.setattr(making, "described", full)
        assert not make_dump()
    assert "No space left on device" in caplog.text
    assert not list(folder.iterdir())
    assert make_dump()


def test_names_with_quotes_lines_and_formulas_survive_in_each_format(tmp_path: Path) -> None:
    table = Table(
        "odd", "", {"n": INTEGER, "x": NUMBER, "t": TEXT, "at": TIME, "is": TRUTH}, "SELECT"
    )
    at = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    rows = [
        (1, 0.1 + 0.2, 'a "quoted", line\nbreak', at, True),
        (None, None, None, None, None),
        (2**53 + 1, -1e300, "=HYPERLINK(1)", at.replace(year=1970), False),
        (-3, 1e-300, "Łódź 🦉", at.replace(microsecond=0), None),
    ]
    with all_formats(tmp_path, table) as write:
        write(rows[:2])
        write(rows[2:])
    assert {path.name for path in tmp_path.iterdir()} == {f"odd.{form}" for form in FORMATS}
    parquet = pq.read_table(tmp_path / "odd.parquet").to_pylist()
    assert [tuple(row.values()) for row in parquet] == rows
    lines = [json.loads(line) for line in text_of(tmp_path / "odd.ndjson.gz").splitlines()]
    assert [row["t"] for row in lines] == [row[2] for row in rows]
    assert [row["x"] for row in lines] == [row[1] for row in rows]
    assert lines[0]["at"] == "2026-01-02T03:04:05.678901Z"
    cells = list(csv.DictReader(io.StringIO(text_of(tmp_path / "odd.csv.gz"), newline="")))
    assert [row["t"] for row in cells] == [rows[0][2], "", "'=HYPERLINK(1)", "Łódź 🦉"]
    assert [row["is"] for row in cells] == ["1", "", "0", ""]


def test_the_page_and_the_api_lead_to_the_files(
    folder: Path, duel: Arena, alice: Player, bob: Player, client: Client
) -> None:
    page = client.get("/data/").content.decode()
    assert "No files yet" in page
    assert client.get("/api/v1/data/").status_code == 404
    assert client.get("/data/latest/matches.parquet").status_code == 404

    match = rated(alice, bob, duel)
    call_command("dump", stdout=io.StringIO())
    page = client.get("/data/").content.decode()
    listed = client.get("/api/v1/data/").json()
    assert len(listed["files"]) == len(listed["tables"]) * 3
    for file in listed["files"]:
        path = "/" + file["address"].split("/", 3)[3]
        assert f'href="{path}"' in page
        answer = client.get(path, headers={"Accept-Encoding": "gzip"})
        assert answer["Content-Length"] == str(file["size"])
        assert "Content-Encoding" not in answer, "it is compressed already"
        content = b"".join(answer.streaming_content)  # type: ignore[attr-defined] # a file
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
        assert answer["Content-Type"].startswith("application/")
        assert "attachment" in answer["Content-Disposition"]
    last = client.get("/data/latest/matches.parquet", follow=True)
    body = io.BytesIO(b"".join(last.streaming_content))  # type: ignore[attr-defined] # a file
    assert pq.read_table(body)["id"].to_pylist() == [match.pk]
    again = client.get(last.request["PATH_INFO"], headers={"If-None-Match": last["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "latest/manifest.json",
        "latest/..%2f..%2fsecret-key",
        "20260101T000000Z/matches.parquet",
        "nonsense/matches.parquet",
        "latest/matches.exe",
    ],
)
def test_only_files_of_a_dump_are_sent(
    folder: Path, duel: Arena, client: Client, path: str
) -> None:
    (folder.parent / "secret-key").write_text("hush")
    making.make(database_now())
    assert client.get(f"/data/{path}").status_code == 404


@pytest.mark.parametrize("name", ["%0a", "%0d%0aX-Evil:%201", "%22", "nothing.parquet"])
def test_no_file_is_unchanged_that_there_is_not(
    folder: Path, duel: Arena, client: Client, name: str
) -> None:
    dump = making.make(database_now())
    for condition, status in (("If-None-Match", 404), ("If-Match", 412)):
        for stored in (dump.name, "20260101T000000Z"):
            answer = client.get(f"/data/{stored}/{name}", headers={condition: "*"})
            assert answer.status_code == status


def test_a_damaged_manifest_counts_as_no_dump(folder: Path, duel: Arena, client: Client) -> None:
    making.make(datetime(2026, 5, 1, 4, tzinfo=UTC))
    broken = folder / "20260502T040000Z"
    broken.mkdir()
    (broken / files.MANIFEST).write_text("{")
    assert files.latest() == files.read("20260501T040000Z")
    assert client.get("/data/").status_code == 200
