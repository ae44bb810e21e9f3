"""Fixtures are exported, edited and imported: only what was edited changes, and can be undone."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from league.models import Arena, Arrangement, Competition, FileImport, Fixture, Job, Notice, Player
from league.services.competitions import decisions
from league.services.competitions.standings.competition_tables import read_tables
from league.services.core.exports import csv_lines, xlsx_pieces
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.services.transfer.files.round_trips import export
from league.work import WORK
from tests.support.cast import account
from tests.support.competition_steps import START, begun, date_of, play, sides_of
from tests.support.import_steps import edited
from tests.support.result_steps import user_of

AFTER = START + timedelta(hours=2)
COUNTED = ("known", "changed", "error_count")


@pytest.fixture
def cup(duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player) -> Competition:
    return begun(duel, olga, [alice, bob, charlie, account("Dora")])


def text_of(arena: Arena) -> str:
    return "".join(csv_lines(*export(arena, "fixtures")))


def done(job: Job) -> Job:
    jobs.carry_out(job.pk, WORK, AFTER)
    job.refresh_from_db()
    return job


def checked(arena: Arena, by: Player, content: str | bytes) -> FileImport:
    content = content.encode() if isinstance(content, str) else content
    boss = user_of(by)
    file = file_imports.upload(
        arena, "fixtures", name="f.csv", content=content, season=None, by=boss, now=AFTER
    )
    if not file.header:
        done(file_imports.ask_read(file, by=boss, now=AFTER))
        file.refresh_from_db()
    job = done(file_imports.ask_check(file, by=boss, now=AFTER))
    assert job.state == Job.State.DONE, job.refusal
    file.refresh_from_db()
    return file


def report_of(file: FileImport) -> dict[str, Any]:
    assert file.report is not None
    report: dict[str, Any] = file.report
    return report


def counts(file: FileImport) -> tuple[int, ...]:
    return tuple(report_of(file)[name] for name in COUNTED)


def imported(file: FileImport) -> FileImport:
    job = done(file_imports.ask_import(file, by=file.by, now=AFTER))
    assert job.state == Job.State.DONE, job.refusal
    file.refresh_from_db()
    return file


def undone(file: FileImport) -> Job:
    return done(file_imports.ask_undo(file, reason="A mistake.", by=file.by, now=AFTER))


def errors_of(file: FileImport) -> list[str]:
    return [text for _line, text in report_of(file)["errors"]]


def test_fixtures_come_back_as_they_are(duel: Arena, olga: Player, cup: Competition) -> None:
    first = cup.fixtures.order_by("number")[0]
    play(first, sides_of(first)[0].player)
    last = cup.fixtures.order_by("number").last()
    assert last
    decisions.decide(last.pk, "home", by=user_of(olga), reason="Ill.", now=AFTER, forfeit=True)
    sheet = b"".join(xlsx_pieces(*export(duel, "fixtures")))
    for content in (text_of(duel), sheet):
        assert counts(checked(duel, olga, content)) == (6, 0, 0)


def test_a_check_changes_nothing_and_an_import_only_what_was_edited(
    duel: Arena, olga: Player, cup: Competition
) -> None:
    first, second = cup.fixtures.filter(round__number=1).order_by("number")
    was = date_of(first).play_at
    text = edited(text_of(duel), first.number - 1, date="2026-03-04 19:30")
    text = edited(text, second.number - 1, decision="Away", forfeit="yes")
    notices = Notice.objects.count()
    file = checked(duel, olga, text)
    assert counts(file) == (4, 2, 0)
    kinds = [row["kind"] for row in report_of(file)["differences"]]
    assert kinds == ["date", "decision"]
    assert (date_of(first).play_at, Notice.objects.count()) == (was, notices)

    imported(file)
    assert date_of(first).play_at == datetime(2026, 3, 4, 19, 30, tzinfo=UTC)
    second.refresh_from_db()
    assert (second.result, second.decided_by) == ("away", "forfeit")
    assert second.action
    assert second.action.reason == "Import of f.csv"
    [table] = read_tables(cup)
    assert table.lines[0].entrant == second.away
    assert counts(checked(duel, olga, text_of(duel))) == (6, 0, 0)

    assert undone(file).state == Job.State.DONE
    second.refresh_from_db()
    assert (second.result, second.decided_by) == ("", "")
    assert date_of(first).play_at == was
    assert date_of(second).state == Arrangement.State.ACCEPTED


def test_a_decision_is_left_to_the_games_again(duel: Arena, olga: Player, cup: Competition) -> None:
    fixture = cup.fixtures.order_by("number")[0]
    decisions.decide(fixture.pk, "neither", by=user_of(olga), reason="Both ill.", now=AFTER)
    file = imported(checked(duel, olga, edited(text_of(duel), 0, decision="games")))
    assert Fixture.objects.get(pk=fixture.pk).result == ""
    assert undone(file).state == Job.State.DONE
    assert Fixture.objects.get(pk=fixture.pk).result == "neither"


def test_what_was_changed_since_is_not_undone(duel: Arena, olga: Player, cup: Competition) -> None:
    fixture = cup.fixtures.order_by("number")[0]
    file = imported(checked(duel, olga, edited(text_of(duel), 0, decision="home")))
    decisions.decide(fixture.pk, "away", by=user_of(olga), reason="No.", now=AFTER)
    job = undone(file)
    assert job.state == Job.State.FAILED
    assert "has been used or changed since the import" in job.refusal
    assert Fixture.objects.get(pk=fixture.pk).result == "away"


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"competition": "Summer Cup"}, "No running competition is called “Summer Cup”."),
        ({"number": "70"}, "Spring Cup has no fixture number “70”."),
        ({"number": "²"}, "Spring Cup has no fixture number “²”."),
        ({"number": "2"}, "A file cannot change the sides."),
        ({"home": "Olga"}, "A file cannot change the sides."),
        ({"date": "2026-03-04"}, "“2026-03-04” is no date with a time."),
        ({"date": "soon"}, "“soon” is no date with a time."),
        ({"date": "2026-01-04 19:30"}, "Choose a time in the future."),
        ({"decision": "maybe"}, "“maybe” is no decision."),
        ({"forfeit": "yes"}, "Say in the column of decisions who wins by forfeit."),
        ({"decision": "home", "date": "2026-03-04 19:30"}, "A decided fixture has no date."),
    ],
)
def test_lines_that_are_wrong_are_named(
    duel: Arena, olga: Player, cup: Competition, cells: dict[str, str], problem: str
) -> None:
    file = checked(duel, olga, edited(text_of(duel), 0, **cells))
    assert report_of(file)["errors"][0][0] == 2
    assert any(problem in text for text in errors_of(file)), errors_of(file)
    assert done(file_imports.ask_import(file, by=file.by, now=AFTER)).state == Job.State.FAILED


def test_a_fixture_that_is_in_a_file_twice_is_named(
    duel: Arena, olga: Player, cup: Competition
) -> None:
    line = "competition,number,decision\nSpring Cup,1,home\nspring cup,1,away\n"
    assert errors_of(checked(duel, olga, line)) == ["This fixture is in the file twice."]


def test_organisers_who_play_in_the_competition_import_nothing_into_it(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    begun(duel, olga, [alice, bob, olga])
    account("Boss", superuser=True)
    [error] = errors_of(checked(duel, olga, edited(text_of(duel), 0, decision="home")))
    assert "You play in this competition" in error
