"""Olga pastes or uploads the ratings that her club has on paper."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Rating, Season, StaffAction
from league.services.people.entry_lists import read_ratings
from tests.support.admin_steps import staff
from tests.support.cast import account, arena
from tests.support.merge_steps import all_differences
from tests.support.season_steps import ratings, win
from tests.support.spreadsheets import ods, xlsx
from tests.support.trf_files import TRF
from tests.support.web_steps import words

__all__ = ["staff"]

PAGE = "/arenas/club/leaderboard/start/"


@pytest.fixture
def club(db: None) -> Arena:
    return arena("club", rating_system="glicko-2")


def starts(where: Arena) -> dict[str, tuple[float, float | None]]:
    rows = Rating.objects.filter(season__arena=where)
    return {row.player.name: (row.rating, row.deviation) for row in rows.select_related("player")}


def logged(name: str) -> tuple[str, str] | None:
    """Return a player's starting rating before and after the last entry of the staff log."""
    log = StaffAction.objects.latest("pk")
    before, after = log.before or {}, log.after or {}
    found = next((each for each in before if name in each), None)
    return (before[found], after[found]) if found else None


def hidden_list(page: str) -> str:
    """Return the list that a preview sends on."""
    return page.split('name="names" hidden>')[1].split("</textarea>", maxsplit=1)[0]


def test_a_list_is_previewed_saved_changed_and_removed(staff: Client, club: Arena) -> None:
    for leads_there in (
        reverse("leaderboard", args=["club"]),
        reverse("admin:index"),
        reverse("admin:league_arena_change", args=[club.pk]),
    ):
        shown = staff.get(leads_there)
        assert PAGE in shown.content.decode()
        assert "Starting ratings" in words(shown)
    sent = {"names": "Ann 1450.5\nBea; 1600; 80\n3. Cem\t1700"}
    preview = words(staff.post(PAGE, sent))
    assert "3 players" in preview
    assert "1600 ± 80" in preview
    assert not Player.objects.filter(name="Ann").exists()
    back = staff.post(PAGE, {**sent, "answer": "edit"}).content.decode()
    assert "Bea; 1600; 80" in back
    saved = words(staff.post(PAGE, {**sent, "answer": "save"}, follow=True))
    assert "3 players have a starting rating." in saved
    assert starts(club) == {"Ann": (1450.5, 350), "Bea": (1600, 80), "3. Cem": (1700, 350)}
    form = staff.get(PAGE).content.decode()
    assert "3. Cem; 1700\nBea; 1600; 80\nAnn; 1450.5</textarea>" in form
    assert "was 1450" in words(staff.post(PAGE, {"names": "Ann 1500"}))
    staff.post(PAGE, {"names": "Ann 1500\nBea; 1600; 80", "answer": "save"})
    assert [logged("Ann"), logged("Cem"), logged("Bea")] == [
        ("1450.5", "1500"),
        ("1700", "–"),
        None,
    ]
    staff.post(PAGE, {"answer": "remove"})
    assert starts(club) == {}
    assert "Remove all starting ratings" not in staff.get(PAGE).content.decode()
    assert all_differences() == []


def test_a_wrong_list_comes_back_as_it_was_sent(staff: Client, club: Arena) -> None:
    for answer in ("preview", "save"):
        shown = staff.post(PAGE, {"names": "Ann 1450\nBea 9000\nCem", "answer": answer})
        assert "Rating: must be from 100 to 5000" in words(shown)
        assert "Ann 1450\nBea 9000\nCem</textarea>" in shown.content.decode()
        assert 'value="save"' not in shown.content.decode()
    assert not Player.objects.filter(name="Ann").exists()
    assert "The list has no names." in words(staff.post(PAGE, {"answer": "save"}))


def test_a_likely_double_can_be_chosen(staff: Client, club: Arena) -> None:
    known = account("Inès Solé")
    sent = {"names": "Ines Sole 1812"}
    assert "Is Ines Sole somebody who is here already?" in words(staff.post(PAGE, sent))
    staff.post(PAGE, {**sent, "means-Ines Sole": known.pk, "answer": "save"})
    assert starts(club) == {"Inès Solé": (1812, 350)}


ROWS: list[list[str | float]] = [
    ["Name", "Club", "Elo", "RD"],
    ["Ames, Ann", "SC", 1450.5, 80],
    ["Berg, Bob", "", 1600, ""],
]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("list.xlsx", xlsx({"List": ROWS})),
        ("list.ods", ods({"List": ROWS})),
        ("list.csv", b'Name,Club,Elo,RD\n"Ames, Ann",SC,1450.5,80\n"Berg, Bob",,1600,\n'),
        (
            "list.csv",
            "Name;Club;Elo;RD\nAmes, Ann;SC;1450,5;80\nBerg, Bob;;1600;\n".encode("utf-16"),
        ),
        ("list.csv", b"Spieler;DWZ;RD\nAmes, Ann;1450,5;80\nBerg, Bob;1600;\n"),
        ("list.txt", b"Ames, Ann;1450.5;80\nBerg, Bob;1600\n"),
    ],
)
def test_a_file_becomes_the_list(staff: Client, club: Arena, name: str, content: bytes) -> None:
    preview = staff.post(PAGE, {"names": "", "file": SimpleUploadedFile(name, content)})
    text = hidden_list(preview.content.decode())
    staff.post(PAGE, {"names": text, "answer": "save"})
    assert starts(club) == {"Ames, Ann": (1450.5, 80), "Berg, Bob": (1600, 350)}


def test_a_tournament_file_gives_its_ratings(staff: Client, club: Arena) -> None:
    file = SimpleUploadedFile("open.trf", TRF.encode())
    preview = staff.post(PAGE, {"names": "", "file": file})
    staff.post(PAGE, {"names": hidden_list(preview.content.decode()), "answer": "save"})
    assert ratings(Season.objects.get()) == {
        "Ames, Ann": 2500,
        "Berg, Bob": 2100,
        "Cole, Cem": 1800,
        "Dorn, Dora": 1500,
    }


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"\x00\x01\x02", ""),
        (b'{"a": 1}', "This JSON is in none of the supported formats"),
        (b"Name,Elo\nAnn,best\n", "“best” is not a number."),
        (b'[Event "x"]\n[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 1-0\n', "no ratings"),
    ],
)
def test_other_files_are_refused(staff: Client, club: Arena, content: bytes, problem: str) -> None:
    shown = staff.post(PAGE, {"names": "", "file": SimpleUploadedFile("x", content)})
    assert shown.status_code in {200, 400}
    assert problem in words(shown)
    assert 'value="save"' not in shown.content.decode()


def test_a_season_with_results_says_why_its_ratings_are_fixed(staff: Client, club: Arena) -> None:
    win(club, account("Eva"), account("Fay"))
    shown = staff.get(PAGE)
    assert shown.status_code == 200
    assert "before the first result of the next season" in words(shown)
    assert "textarea" not in shown.content.decode()
    assert PAGE not in staff.get(reverse("leaderboard", args=["club"])).content.decode()
    assert staff.post(PAGE, {"names": "Ann 1500", "answer": "save"}).status_code == 409


@pytest.mark.parametrize(
    ("line", "entry"),
    [
        ("Ann 1450", ("Ann", 1450, None)),
        ("Ann (1450)", ("Ann", 1450, None)),
        ("Ines  van Sole\t1450", ("Ines van Sole", 1450, None)),
        ("Ann; 1450; 80", ("Ann", 1450, 80)),
        ("Ann, 1450, 80.5", ("Ann", 1450, 80.5)),
        ("Ann; 1450,5; ±80,5", ("Ann", 1450.5, 80.5)),
        ("Player 2; 1450", ("Player 2", 1450, None)),
        ("Ann -12.5", ("Ann", -12.5, None)),
        ("Ann 25", ("Ann", 25, None)),
        ("Ann 1450 80", ("Ann 1450 80", None, None)),  # refused later: it has no rating
        ("Ann 1450,5", ("Ann 1450,5", None, None)),
        ("Player 2 1450", ("Player 2 1450", None, None)),
    ],
)
def test_a_line_of_ratings(line: str, entry: tuple[str, float | None, float | None]) -> None:
    [read] = read_ratings(line).complete()
    assert (read.name, read.rating, read.deviation) == entry
