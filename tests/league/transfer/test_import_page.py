"""The page of an import: its bar, files without a header, and a season that is missing."""

from __future__ import annotations

import pytest
from django.test import Client

from league.models import Arena, FileImport, Match, Player, Season
from tests.league.transfer.test_admin_imports import page_of, press, upload
from tests.support.admin_steps import staff
from tests.support.web_steps import words

__all__ = ["staff"]

BARE = b"2026-01-02,Alice,Bob,3:1\n2026-01-03 20:00,Charlie,Alice,11:7 9:11 11:5\n"
OLD = b"date,home,away,result\n2025-09-01,Alice,Bob,3:1\n2025-11-30,Bob,Alice,1:0\n"
SEASON = {"season": "1", "season_name": "Autumn", "starts": "2025-09-01", "ends": "2025-11-30"}


def columns(file: FileImport) -> dict[str, str]:
    file.refresh_from_db()
    return {name: str(at) for name, at in file.mapping["columns"].items()}


def test_the_first_line_can_be_data(staff: Client, duel: Arena, alice: Player) -> None:
    file = upload(staff, duel, BARE)
    assert columns(file) == {"played_at": "0", "side_1": "1", "side_2": "2", "result": "3"}
    page = words(staff.get(page_of(file)))
    assert "The first line of the file is read as data." in page
    assert "2 new of 2 lines" in press(staff, file, columns(file))
    press(staff, file, {"import": "1"})
    assert Match.objects.rated().count() == 2
    first = Match.objects.earliest("played_at")
    assert [side.score for side in first.sides.order_by("index")] == [3, 1]


def test_scores_in_columns_of_their_own_need_no_header(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, b"Alice;Bob;3;1;02.01.2026\nBob;Alice;2;2;03.01.2026\n")
    assert columns(file) == {
        "side_1": "0", "side_2": "1", "score_1": "2", "score_2": "3", "played_at": "4",
    }  # fmt: skip
    assert "2 new of 2 lines" in press(staff, file, columns(file))


def test_a_line_of_data_counts_alone(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, b"2026-01-02,Alice,Bob,3:1\n")
    assert "1 new of 1 line" in press(staff, file, columns(file))


def test_the_organiser_says_what_the_first_line_is(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, b"Alice\nBob\n", what="players")
    assert "read as the names of its columns" in words(staff.get(page_of(file)))
    page = words(staff.post(page_of(file), {"first_line": "data"}, follow=True))
    assert "The first line of the file is read as data. It names the columns" in page
    file.refresh_from_db()
    assert file.header == ["Column 1"]
    assert "2 new player" in press(staff, file, {"name": "0"})
    staff.post(page_of(file), {"first_line": "names"})
    file.refresh_from_db()
    assert (file.header, file.state, file.report) == (["Alice"], "uploaded", None)
    assert staff.post(page_of(file), {"first_line": "x"}).status_code == 302


@pytest.mark.parametrize("text", ["2026,home,away,result", "May,home,away,result", "1,2,3,4"])
def test_years_and_months_in_names_of_columns_are_no_dates(
    staff: Client, duel: Arena, text: str
) -> None:
    file = upload(staff, duel, f"{text}\n2026-01-02,Alice,Bob,3:1\n".encode())
    file.refresh_from_db()
    assert file.header == text.split(",")


def test_a_missing_season_is_created_without_a_new_upload(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    Season.objects.update(starts_at="2026-01-01T00:00Z")
    file = upload(staff, duel, OLD)
    page = press(staff, file, columns(file))
    assert "0 new 2 errors See the errors" in page
    assert "No season ran at the time of some results" in page
    form = staff.get(page_of(file)).context["season_form"]
    assert form.initial["season_name"] == "Season 2025"
    assert [str(form.initial[name]) for name in ("starts", "ends")] == ["2025-09-01", "2025-11-30"]
    page = press(staff, file, SEASON)
    assert "2 new 0 errors Import" in page
    assert "A new season: Duel · Autumn" in page
    assert "No season ran" not in page
    press(staff, file, {"import": "1"})
    autumn = duel.seasons.get(name="Autumn")
    assert autumn.matches.rated().count() == 2


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"season_name": ""}, "This field is required"),
        ({"starts": "soon"}, "Enter a day such as"),
        ({"ends": "2025-08-01"}, "The last day is before the first"),
        ({"ends": "2999-01-01"}, "It must have ended"),
        ({"ends": "2026-02-01"}, "overlap"),
        ({"season_name": "Season 1"}, "has that name"),
        ({"season_name": "x" * 61}, "at most 60 characters"),
    ],
)
def test_a_wrong_season_is_refused_and_can_be_corrected(
    staff: Client, duel: Arena, change: dict[str, str], sentence: str
) -> None:
    Season.objects.update(starts_at="2026-01-01T00:00Z")
    file = upload(staff, duel, OLD)
    press(staff, file, columns(file))
    answer = staff.post(page_of(file), SEASON | change, follow=True)
    assert sentence in words(answer)
    file.refresh_from_db()
    assert file.season is None
    assert "2 new 2 new players 0 errors Import" in press(staff, file, SEASON)


def test_a_season_may_end_on_the_day_on_which_the_next_begins(staff: Client, duel: Arena) -> None:
    Season.objects.update(starts_at="2025-11-30T18:00Z")
    file = upload(staff, duel, OLD.replace(b"2025-11-30", b"2025-11-30 10:00"))
    press(staff, file, columns(file))
    assert "2 new 2 new players 0 errors Import" in press(staff, file, SEASON)


def test_results_before_and_after_a_season_need_one_each(staff: Client, duel: Arena) -> None:
    Season.objects.update(starts_at="2025-10-01T00:00Z", ends_at="2025-11-01T00:00Z")
    file = upload(staff, duel, OLD)
    press(staff, file, columns(file))
    form = staff.get(page_of(file)).context["season_form"]
    assert [str(form.initial[name]) for name in ("starts", "ends")] == ["2025-09-01", "2025-09-01"]
