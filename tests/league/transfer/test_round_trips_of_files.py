"""What is exported can be edited and imported again: only the edited lines change anything."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse
from django.utils.translation import override
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from league.admin.core import exports as admin_exports
from league.models import Arena, Match, Player, Roster, User
from league.services.competitions.running import entering
from league.services.core.errors import Refused
from league.services.core.exports import cell, csv_lines, json_lines, xlsx_pieces
from league.services.integrity.ratings import verify
from league.services.transfer.files.reading import read_table
from league.services.transfer.files.round_trips import export
from ratings.files import tables
from ratings.files.rows import number
from ratings.files.text_rows import text_rows, unescape
from ratings.tunables.sentences import Sentence
from tests.support.admin_steps import staff
from tests.support.cast import NOW, arena
from tests.support.competition_steps import opened
from tests.support.import_steps import RESULTS, boss, bring, checked, edited, undone, upload
from tests.support.result_steps import user_of
from tests.support.team_steps import joined, team_of
from tests.support.web_steps import words

__all__ = ["boss", "staff"]

NOTHING = {"new": 0, "changed": 0, "void": 0, "new_players": 0, "error_count": 0}


def file_of(arena: Arena, what: str = "results") -> str:
    header, rows = export(arena, what)
    return "".join(csv_lines(header, rows))


FORMATS: dict[str, Callable[..., Iterator[str] | Iterator[bytes]]] = {
    "csv": csv_lines,
    "json": json_lines,
    "xlsx": xlsx_pieces,
}


def unchanged_in_every_format(arena: Arena, boss: User, what: str = "results") -> bool:
    """Return whether an export in each format, imported again, changes nothing."""
    for ending, write in FORMATS.items():
        pieces = write(*export(arena, what))
        content = b"".join(one.encode() if isinstance(one, str) else one for one in pieces)
        report = checked(upload(arena, boss, content, what=what, name=f"file.{ending}"))
        if counts(report) != NOTHING:
            return False
    return True


def counts(report: dict[str, Any]) -> dict[str, int]:
    return {name: report[name] for name in NOTHING}


def test_results_come_back_as_they_are_and_edits_alone_count(duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS.replace("Alice", "#1 fan").replace("Dora", "'=2"))
    text = file_of(duel)
    assert unchanged_in_every_format(duel, boss)
    report = checked(upload(duel, boss, edited(text, 1, score_1="5")))
    assert counts(report) == {**NOTHING, "changed": 1}
    assert (report["differences"][0]["was"], report["differences"][0]["is"]) == ("2:2", "5:2")
    gone = "".join(text.splitlines(keepends=True)[:2])
    assert counts(checked(upload(duel, boss, gone))) == NOTHING
    bring(duel, boss, edited(text, 0, void="yes"))
    assert Match.objects.rated().count() == 2
    assert verify(duel.seasons.get()) == []


def test_the_side_at_home_comes_back_in_another_arena(duel: Arena, boss: User) -> None:
    text = "date,first player,second player,result,home side\n"
    rows = ("2026-01-02,Alice,Bob,1-0,1", "2026-01-03,Bob,Cem,1-0,2", "2026-01-04,Cem,Alice,1-0,")
    bring(duel, boss, text.replace(" player", "") + "\n".join(rows))
    firsts = [match.first_side for match in Match.objects.order_by("played_at")]
    assert firsts == [0, 1, None]
    without_numbers = "\n".join(line.split(",", 1)[1] for line in file_of(duel).splitlines())
    other = arena("other")
    bring(other, boss, without_numbers)
    again = Match.objects.filter(arena=other).order_by("played_at")
    assert [match.first_side for match in again] == firsts


def test_orders_of_finish_and_teams_come_back(
    melee: Arena, teams: Arena, boss: User, owls: Roster, foxes: Roster
) -> None:
    bring(melee, boss, "date,order,result\n2026-01-02,Bob > Alice = Eve > Dora,9:7:7:1\n")
    assert file_of(melee).splitlines()[1].split(",")[2:4] == [
        "Bob > Alice = Eve > Dora",
        "9:7:7:1",
    ]
    assert unchanged_in_every_format(melee, boss)
    text = 'date,side 1,side 2,winner\n2026-01-02,Owls,foxes,1\n2026-01-03,"Alice, Eve",Bob,draw\n'
    bring(teams, boss, text)
    assert unchanged_in_every_format(teams, boss)
    report = checked(upload(teams, boss, edited(file_of(teams), 1, winner="2")))
    assert counts(report) == {**NOTHING, "changed": 1}


def test_players_are_imported_renamed_and_put_back(duel: Arena, boss: User, alice: Player) -> None:
    bring(duel, boss, "name,level\nFrida,7\nGustav,\n", what="players")
    frida = Player.objects.get(name="Frida")
    text = file_of(duel, "players")
    assert unchanged_in_every_format(duel, boss, "players")
    at = [row["name"] for row in csv.DictReader(io.StringIO(text))].index("Frida")
    file = bring(duel, boss, edited(text, at, name="Fridolin", level="9"), what="players")
    frida.refresh_from_db()
    assert (frida.name, frida.level) == ("Fridolin", 9)
    assert undone(file).state == "done"
    frida.refresh_from_db()
    assert (frida.name, frida.level) == ("Frida", 7)
    report = checked(upload(duel, boss, "name,level\nHanna,high\n,1\nAlice,\n", what="players"))
    assert [line for line, _text in report["errors"]] == [2, 3]


def test_a_column_names_the_roster_of_each_player(
    teams: Arena, owls: Roster, boss: User, eve: Player
) -> None:
    text = f"player,name,club\n{eve.pk},Eve,owls\n,Frida,Larks\n,Gustav,Larks\n,Hanna,\n"
    report = checked(upload(teams, boss, text, what="players"))
    assert [(row["sides"], row["kind"]) for row in report["differences"]] == [
        ("owls", "members"),
        ("Larks", "roster"),
    ]
    file = bring(teams, boss, text, what="players")
    assert file.mapping["columns"] == {"player": 0, "name": 1, "roster": 2}
    larks = Roster.objects.get(name="Larks")
    assert larks.captain.name == "Frida"
    assert set(larks.members.values_list("name", flat=True)) == {"Frida", "Gustav"}
    assert eve in owls.members.all()
    assert undone(file).state == "done"
    assert eve not in owls.members.all()
    assert not Roster.objects.filter(name="Larks").exists()
    assert not Player.objects.filter(name="Frida").exists()


def test_who_may_not_change_rosters_imports_players_without_them(
    teams: Arena, boss: User, alice: Player
) -> None:
    account = user_of(alice)
    names = ("add_fileimport", "add_player", "change_player")
    account.user_permissions.set(Permission.objects.filter(codename__in=names))
    account = User.objects.get(pk=account.pk)
    report = checked(upload(teams, account, "name,club\nFrida,Larks\n", what="players"))
    assert report["errors"] == [[2, "You may not change rosters. Leave out the roster column."]]
    assert checked(upload(teams, account, "name\nFrida\n", what="players"))["error_count"] == 0


def test_rosters_are_imported_and_put_back(teams: Arena, boss: User, owls: Roster) -> None:
    text = 'roster,members\nCrows,"Frida, Gustav"\nOwls,Hanna\n'
    file = bring(teams, boss, text, what="rosters")
    assert Roster.objects.get(name="Crows").captain.name == "Frida"
    assert owls.members.count() == 3
    assert unchanged_in_every_format(teams, boss, "rosters")
    assert undone(file).state == "done"
    assert (Roster.objects.count(), owls.members.count()) == (1, 2)
    assert not Player.objects.filter(name="Hanna").exists()


def test_only_members_of_a_team_join_its_rosters(
    teams: Arena, boss: User, owls: Roster, eve: Player
) -> None:
    owls.team = joined(team_of(owls.captain), *owls.members.exclude(pk=owls.captain_id))
    owls.save()
    text = "roster,members\nOwls,Eve\nOwls,Frida\n"
    report = checked(upload(teams, boss, text, what="rosters"))
    assert report["errors"] == [[2, "“Owls” plays for a team. Not in Night Owls: Eve, Frida."]]
    joined(owls.team, eve)
    bring(teams, boss, "roster,members\nOwls,Eve\n", what="rosters")
    assert eve in owls.members.all()


@pytest.mark.parametrize("used", ["team", "competition"])
def test_an_imported_roster_that_is_used_stays(
    teams: Arena, boss: User, olga: Player, alice: Player, bob: Player, used: str
) -> None:
    file = bring(teams, boss, f'roster,members\nCrows,"{alice}, {bob}"\n', what="rosters")
    crows = Roster.objects.get(name="Crows")
    if used == "team":
        crows.team = joined(team_of(crows.captain), *crows.members.exclude(pk=crows.captain_id))
        crows.save()
    else:
        one = opened(teams, olga)
        entering.register(one.pk, by=crows.captain, roster=crows, now=NOW)
    assert undone(file).state != "done"
    assert crows.members.count() == 2


def test_lists_are_exported_in_three_formats(
    staff: Client, alice: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    Player.objects.create(name="=1+1")
    page = reverse("admin:league_player_export")
    sent = b"".join(staff.get(page, {"export_as": "json"}).streaming_content)  # type: ignore[attr-defined]
    assert {row["name"] for row in json.loads(sent)} >= {"Alice", "=1+1"}
    sheet = b"".join(staff.get(page, {"export_as": "xlsx"}).streaming_content)  # type: ignore[attr-defined]
    cells = [row[1] for row in load_workbook(io.BytesIO(sheet)).active.iter_rows()]
    assert {one.value for one in cells} >= {"name", "Alice", "=1+1"}
    assert {one.data_type for one in cells} == {"s"}
    assert staff.get(page, {"export_as": "exe"}).status_code == 400
    monkeypatch.setattr(admin_exports, "MOST_SHEET_ROWS", 1)
    answer = staff.get(page, {"export_as": "xlsx"}, follow=True)
    assert "Take fewer, or take them as CSV" in words(answer)


PIECES = st.sampled_from(["=", "+", "-", "@", "\t", "'", ";", '"', " ", "a", ",", "\n", "1"])


@given(st.lists(PIECES, max_size=8).map("".join))
def test_escaped_text_reads_back_and_is_no_formula_in_any_locale(text: str) -> None:
    written = str(cell(text))
    assert unescape(written) == text
    line = "".join(csv_lines(["a"], [[text]])).split("\r\n", 1)[1]
    for part in line.split(";"):
        assert not part.strip(' "\r\n').startswith(("=", "+", "@"))


LANGUAGES = [code for code, _name in settings.LANGUAGES] + ["es", "pt-br", "ar"]
CELLS = st.text("ab,;.\"'=\n 1é王م", max_size=8) | st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("language", LANGUAGES)
@given(rows=st.lists(st.tuples(CELLS, CELLS), max_size=4))
def test_csv_reads_back_in_every_language(language: str, rows: list[tuple[Any, Any]]) -> None:
    with override(language):
        lines = csv_lines(["name", "value"], [("first", 0), *rows])
    content = "".join(lines)
    remarks: list[Sentence] = []
    read = [cells for _line, cells in text_rows(content, remarks)]
    assert read[0] == ["name", "value"]
    assert len(remarks) == (";" in content.splitlines()[0])
    for written, again in zip([("first", 0), *rows], read[1:], strict=True):
        for value, text in zip(written, again, strict=True):
            assert number(text) == value if not isinstance(value, str) else text == value.strip()


@pytest.mark.parametrize("language", LANGUAGES)
def test_results_come_back_in_every_language(language: str, duel: Arena, boss: User) -> None:
    bring(duel, boss, RESULTS.replace(",3,", ",3.5,", 1))
    with override(language):
        assert unchanged_in_every_format(duel, boss)
        assert unchanged_in_every_format(duel, boss, "players")


def test_semicolons_stand_where_the_comma_is_the_decimal_sign() -> None:
    rows = [("Ann, =1", 1.5, 2, True, None)]
    with override("de"):
        german = list(csv_lines(["a", "b", "c", "d", "e"], rows))
    assert german[1] == '"Ann, =1";"1,5";"2";"True";""\r\n'
    with override("zh-hans"):
        assert list(csv_lines(["a", "b", "c", "d", "e"], rows))[1] == '"Ann, =1",1.5,2,True,\r\n'


# What is no file


def sheet(*rows: list[Any]) -> bytes:
    book = Workbook()
    page = book.active
    assert page is not None
    for row in rows:
        page.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (sheet(["a", "b"], ["x", "=1+1"]), "Cell B2 is a formula"),
        (sheet(["a", "b"]), "no rows below the header"),
        (sheet(), "The file is empty"),
        (b"\xd0\xcf\x11\xe0 old", "damaged, or of another kind"),
        (b"name\nJ\x00rg\n", "not text"),
        (b"name,club\nJorg,A\x00\nAnn,B\n", "not text"),
        (b"\x00name\nAnn\n", "not text"),
        (b"\xff\xfe\x00", "not text"),
    ],
)
def test_files_that_are_no_tables_are_refused(content: bytes, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence):
        read_table(content)


def test_one_bad_line_of_a_hundred_thousand_is_named() -> None:
    lines = ["name,level", *(f"Player {number},1" for number in range(100_000))]
    lines[70_000] += ",,,extra"
    table = read_table("\n".join(lines).encode())
    assert [problem.line for problem in table.problems] == [70_001]
    assert len(table.cells) == 99_999


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST_ROWS", 2)
    with pytest.raises(Refused, match="more than 2 rows"):
        read_table(b"name\na\nb\nc\n")
