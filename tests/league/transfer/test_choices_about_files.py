"""Olga chooses how a file is read, on the page that shows what was understood."""

import pytest
from django.test import Client

from league.models import Arena, FileImport, Match, Player
from tests.league.transfer.test_admin_imports import page_of, press, upload
from tests.support.admin_steps import staff
from tests.support.spreadsheets import xlsx
from tests.support.web_steps import words

__all__ = ["staff"]

UNDATED = "round,white,black,result\n1,Ann,Bob,1-0\n2,Ann,Bob,1-0\n3,Bob,Ann,½-½\n"


def test_results_without_a_date_get_a_day_and_keep_their_order(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, UNDATED.encode())
    page = staff.get(page_of(file)).content.decode()
    start = duel.seasons.get().starts_at.astimezone(duel.zone)
    assert f'name="day" value="{start:%Y-%m-%d}"' in page
    columns = {"side_1": "1", "side_2": "2", "result": "3", "round": "0"}
    assert "give one day for all results" in words(staff.post(page_of(file), columns))
    checked = press(staff, file, {**columns, "day": f"{start:%Y-%m-%d}"})
    assert "3 new of 3 lines" in checked
    assert "Repeated lines" not in checked
    press(staff, file, {"import": "1"})
    times = [match.played_at for match in Match.objects.rated().order_by("rated_order")]
    assert [(time - times[0]).total_seconds() for time in times] == [0, 1, 2]
    again = upload(staff, duel, (UNDATED + "\n").encode())
    checked = press(staff, again, {**columns, "day": f"{start:%Y-%m-%d}"})
    assert "3 are already here" in checked


def test_columns_that_a_file_does_not_need_are_folded_away(staff: Client, duel: Arena) -> None:
    def folded(content: bytes) -> bool:
        page = staff.get(page_of(upload(staff, duel, content))).content.decode()
        return "<details" in page and 'name="weight"' in page.split("<details")[1]

    assert folded(b"date,home,away,score\n2026-01-02,Ann,Bob,1-0\n")
    assert not folded(b"when,this,that,what\n2026-01-02,Ann,Bob,1-0\n")


def test_errors_of_one_kind_are_one_line_with_a_remedy(staff: Client, duel: Arena) -> None:
    rows = "".join(f"{day}/01/2026,Ann,Bob,{day}-1\n" for day in range(2, 32))
    text = f"date,home,away,score\n{rows}01/02/2026,Ann,Bob,what\n"
    file = upload(staff, duel, text.encode())
    assert "the day: 2/01/2026 is" in words(staff.get(page_of(file)))
    columns = {"played_at": "0", "side_1": "1", "side_2": "2", "result": "3"}
    wrong = press(staff, file, {**columns, "date_order": "month"})
    assert "19 lines such as line 13: “13/01/2026” is not a date" in wrong
    assert "All dates can be read with the day first" in wrong
    one = press(staff, file, {"order": "day"})
    assert "1 line: “what” is not a result" in one
    assert "All dates" not in one
    file.refresh_from_db()
    [group] = (file.report or {})["groups"]
    assert (group["count"], group["lines"]) == (1, [32])
    done = press(staff, file, {"leave_out": "0"})
    assert "1 line with an error is left out, as chosen" in done
    assert "30 new of 31 lines" in done
    as_before = press(staff, file, {**columns, "date_order": "day"})
    assert "1 line with an error is left out" in as_before
    other = press(staff, file, {**columns, "date_order": "month"})
    assert "left out" not in other
    press(staff, file, {"leave_out": "0"})
    assert "left out" not in press(staff, file, {"leave_out": ""})


@pytest.mark.parametrize("sent", ["7", "x", "-1", "٣", "99999999"])
def test_no_other_lines_are_left_out(staff: Client, duel: Arena, sent: str) -> None:
    file = upload(staff, duel, b"date,home,away,score\n2026-01-02,Ann,Bob,what\n")
    columns = {"played_at": "0", "side_1": "1", "side_2": "2", "result": "3"}
    press(staff, file, columns)
    assert "1 error" in press(staff, file, {"leave_out": sent})


def test_a_row_can_be_one_of_those_in_a_match(staff: Client, melee: Arena) -> None:
    text = "race,date,driver,position\n1,2026-01-02,Ann,2\n1,2026-01-02,Bob,1\n1,2026-01-02,Cid,3\n"
    file = upload(staff, melee, text.encode())
    page = words(staff.get(page_of(file)))
    assert "Each row is read as one of those in a match" in page
    assert "1. Bob, 2. Ann, 3. Cid" in page
    staff.post(page_of(file), {"layout": "matches"})
    assert "Each row is read as a match" in words(staff.get(page_of(file)))
    staff.post(page_of(file), {"layout": "participants"})
    columns = {"group": "0", "played_at": "1", "player": "2", "place": "3"}
    assert "1 new of 1 line" in press(staff, file, columns)
    assert FileImport.objects.get().mapping["columns"] == {
        name: int(at) for name, at in columns.items()
    }


def test_each_player_of_a_team_can_have_a_column(staff: Client, teams: Arena) -> None:
    text = "date,A1,A2,B1,B2,score\n2026-01-02,Ann,Bob,Cid,Dan,2-1\n"
    file = upload(staff, teams, text.encode())
    page = words(staff.get(page_of(file)))
    assert "First side, player 2" in page
    assert "Ann, Bob 2–1 Cid, Dan" in page


def test_winners_and_losers_are_imported_at_first_sight(
    staff: Client, duel: Arena, alice: Player
) -> None:
    file = upload(staff, duel, b"date,winner,loser\n2026-01-02,Alice,Bob\n2026-01-03,Cid,Alice\n")
    assert "Alice beat Bob" in words(staff.get(page_of(file)))
    assert "2 new of 2 lines" in press(staff, file, {"played_at": "0", "winner": "1", "loser": "2"})
    press(staff, file, {"import": "1"})
    [one, other] = Match.objects.rated().order_by("rated_order")
    assert one.sides.get(place=0).participants.get().player == alice
    assert other.sides.get(place=1).participants.get().player == alice


def test_a_sheet_can_be_chosen(staff: Client, duel: Arena) -> None:
    header = ["date", "winner", "loser"]
    content = xlsx(
        {
            "Old": [header, ["2026-01-02", "Ann", "Bob"]],
            "New": [header, ["2026-02-02", "Cid", "Bob"]],
        }
    )
    file = upload(staff, duel, content, name="club.xlsx")
    columns = {"played_at": "0", "winner": "1", "loser": "2"}
    press(staff, file, {"read": "1"})
    page = words(staff.get(page_of(file)))
    assert "Ann beat Bob" in page
    assert "This is the sheet “Old”. Others: New" in page
    assert "Upload the file again" in words(staff.post(page_of(file), {"sheet": "x"}, follow=True))
    assert "Cid beat Bob" in words(staff.post(page_of(file), {"sheet": "New"}, follow=True))
    assert "1 new of 1 line" in press(staff, file, columns)


def test_a_crosstable_is_read_and_can_have_two_legs(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, b"Name,Ann,Bob,Cid\nAnn,X,1,1\nBob,0,X,1\nCid,0,0,X\n")
    page = words(staff.get(page_of(file)))
    assert "This is read as a crosstable. Both cells of a pair are the same game" in page
    assert "Ann 1–0 Bob" in page
    assert "This field is required" in words(staff.post(page_of(file), {"day": ""}))
    assert "3 new of 3 lines" in press(staff, file, {"day": "2026-01-02"})
    staff.post(page_of(file), {"layout": "legs"})
    assert "6 new of 6 lines" in press(staff, file, {"day": "2026-01-02"})
    refused = words(staff.post(page_of(file), {"layout": "matches"}, follow=True))
    assert "Each row is read as a match" in refused


def test_a_swiss_crosstable_is_read_with_the_numbers_of_opponents(
    staff: Client, duel: Arena
) -> None:
    text = (
        "No.,Name,Rtg,1.Rd,2.Rd,Pts\n1,Ann,1900,2w1,3b1,2\n2,Bob,1800,1b0,-1,1\n3,Cid,,-1,1w0,1\n"
    )
    file = upload(staff, duel, text.encode())
    page = words(staff.get(page_of(file)))
    assert "This is read as a Swiss crosstable. Its cells name the opponents by number" in page
    assert "Ann 1–0 Bob" in page
    assert "2 new of 2 lines" in press(staff, file, {"day": "2026-01-02"})


def test_a_list_of_ratings_is_said_to_have_no_results(staff: Client, duel: Arena) -> None:
    file = upload(staff, duel, b"Name,Rating\nAnn,1650\nBob,1500\n")
    assert "a list of ratings, and has no results. Ratings: 2" in words(staff.get(page_of(file)))
