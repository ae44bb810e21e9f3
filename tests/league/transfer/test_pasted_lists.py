"""Olga pastes teams with their members, who have no account."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import Arena, FileImport, Match, Player, Roster
from tests.league.transfer.test_admin_imports import press
from tests.support.admin_steps import staff
from tests.support.cast import account, arena
from tests.support.web_steps import textarea, words

__all__ = ["staff"]

LISTS = [
    "Reds: Ann, Ben, Cem\nBlues: Dan, Eva\n",
    "\n  Reds :Ann,Ben , Cem\n\nBlues: Dan; Eva",
    "team,player\nReds,Ann\nReds,Ben\nReds,Cem\nBlues,Dan\nBlues,Eva\n",
    "Team\tPlayer\nReds\tAnn\nReds\tBen\nReds\tCem\nBlues\tDan\nBlues\tEva\n",
    "roster;captain;members\nReds;Ann;Ben,Cem\nBlues;;Dan,Eva\n",
]


def paste(staff: Client, arena: Arena, text: str, what: str = "rosters") -> FileImport:
    page = reverse("admin:league_arena_import", args=[arena.pk])
    answer = staff.post(page, {"what": what, "pasted": text})
    assert answer.status_code == 302, words(answer)
    return FileImport.objects.latest("id")


def columns(file: FileImport) -> dict[str, str]:
    return {name: str(at) for name, at in file.mapping["columns"].items()}


@pytest.mark.parametrize("text", LISTS)
def test_teams_are_pasted_checked_brought_and_undone(
    staff: Client, teams: Arena, text: str
) -> None:
    file = paste(staff, teams, text)
    assert file.file_name == "Pasted list"
    seen = press(staff, file, columns(file))
    assert "Reds" in seen
    assert not Roster.objects.exists()
    press(staff, file, {"import": "1"})
    made = {
        roster.name: (str(roster.captain), [str(one) for one in roster.members.order_by("name")])
        for roster in Roster.objects.filter(arena=teams)
    }
    assert made == {"Reds": ("Ann", ["Ann", "Ben", "Cem"]), "Blues": ("Dan", ["Dan", "Eva"])}
    assert not Player.objects.filter(name="Ann", user__isnull=False).exists()
    press(staff, file, {"undo": "1", "reason": "The wrong list."})
    assert not Roster.objects.exists()


def test_a_likely_double_can_be_chosen(staff: Client, teams: Arena) -> None:
    known = account("Inès Solé")
    file = paste(staff, teams, "Reds: Ines Sole, Ben")
    assert "Inès Solé" in press(staff, file, columns(file))
    press(staff, file, {"names": "1", "name-0": str(known.pk)})
    press(staff, file, {"import": "1"})
    assert known in Roster.objects.get().members.all()
    assert not Player.objects.filter(name="Ines Sole").exists()


def test_results_can_be_pasted_too(staff: Client, duel: Arena) -> None:
    file = paste(staff, duel, "date,home,away,result\n2026-01-02,Ann,Ben,3-1\n", "results")
    press(staff, file, columns(file))
    press(staff, file, {"import": "1"})
    assert Match.objects.rated().count() == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "Choose a file or paste a list."),
        (" \n ", "Choose a file or paste a list."),
        ("Reds: Ann\x00", "Null characters are not allowed."),
        ("x" * 200_001, "at most 200000 characters"),
    ],
)
def test_what_is_no_list_is_refused(staff: Client, teams: Arena, text: str, problem: str) -> None:
    page = reverse("admin:league_arena_import", args=[teams.pk])
    assert problem in words(staff.post(page, {"what": "rosters", "pasted": text}))
    both = {"what": "rosters", "pasted": "Reds: Ann", "file": SimpleUploadedFile("a.csv", b"x")}
    assert "not both" in words(staff.post(page, both))
    assert not FileImport.objects.exists()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"Reds: {'x' * 200}, Ben", "A name has at most 60 characters"),
        (f"{'x' * 200}: Ann, Ben", "at most 60 characters"),
        ("Reds: , ,", "Name the roster and its members."),
        ("Reds:", "Name the roster and its members."),
    ],
)
def test_wrong_lines_are_named_and_change_nothing(
    staff: Client, teams: Arena, text: str, problem: str
) -> None:
    file = paste(staff, teams, text)
    assert problem in press(staff, file, columns(file))
    assert not Roster.objects.exists()


@pytest.mark.parametrize("what", ["rosters", "teams"])
def test_errors_name_the_lines_that_were_pasted(staff: Client, teams: Arena, what: str) -> None:
    file = paste(staff, teams, "Reds: Ann\n\nBlues: Dan\n \nGreens:", what)
    press(staff, file, columns(file))
    file.refresh_from_db()
    assert file.report is not None
    assert file.report["errors"] == [[5, "Name the roster and its members."]]


def test_a_name_twice_is_one_member_and_long_lists_are_read(staff: Client, teams: Arena) -> None:
    lines = [f"Team {n}: Player {n}, Player {n}, Mate {n}" for n in range(5_000)]
    file = paste(staff, teams, "\n".join(lines[:40]))
    press(staff, file, columns(file))
    press(staff, file, {"import": "1"})
    assert Roster.objects.count() == 40
    assert Roster.objects.get(name="Team 7").members.count() == 2
    page = reverse("admin:league_arena_import", args=[teams.pk])
    too_long = words(staff.post(page, {"what": "rosters", "pasted": "\n".join(lines)}))
    assert "at most 200000 characters" in too_long


@pytest.mark.parametrize(
    ("what", "text"),
    [
        ("rosters", "Reds: Ann; Ben\n\nBlues:"),
        ("teams", "Reds: Ann, <b>\nBlues"),
        ("players", "name\n" + "x" * 200 + "\n"),
        ("results", "date,home,away,result\n2026-01-02,Ann,Ben,3-\n"),
    ],
)
def test_a_list_with_errors_can_be_changed(
    staff: Client, teams: Arena, what: str, text: str
) -> None:
    file = paste(staff, teams, text, what)
    page = staff.get(reverse("admin:league_fileimport_change", args=[file.pk])).content.decode()
    address = reverse("admin:league_arena_import", args=[teams.pk]) + f"?change={file.pk}"
    assert address in page
    again = staff.get(address)
    assert textarea(again, "pasted") == text.strip()
    assert f'<option value="{what}" selected>' in again.content.decode()
    other = reverse("admin:league_arena_import", args=[arena("other").pk]) + f"?change={file.pk}"
    assert staff.get(other).status_code == 404
