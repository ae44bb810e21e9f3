"""A Swiss that goes on with a tournament report of another program."""

import random
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from py4swiss.engines import DutchEngine

from league.models import Arena, Competition, FileImport, Match, Player, User
from league.services.competitions import progress
from league.services.competitions.running import swiss_rounds
from league.services.competitions.standings.competition_tables import read_tables
from league.services.core.errors import Conflict, Refused
from league.services.transfer.files import tournaments
from ratings.files import trf_reading
from ratings.files.trf import ABSENT, Trf, TrfCell, TrfPlayer, write
from tests.support.cast import NOW, account, arena
from tests.support.competition_steps import competition, enter
from tests.support.import_steps import boss, imported
from tests.support.trf_files import TRF, by_py4swiss

__all__ = ["boss"]


@pytest.fixture
def chess(db: None) -> Arena:
    return arena("chess", rating_system="elo")


def go_on(one: Competition, boss: User, text: str) -> FileImport:
    """Bring a report and import its results."""
    file = tournaments.bring(one, name="open.trf", content=text.encode(), by=boss, now=NOW)
    assert file is not None
    one.refresh_from_db()
    return imported(file)


def standings(one: Competition) -> dict[str, tuple[float, int]]:
    [table] = read_tables(one)
    return {line.entrant.name: (float(line.row.points), line.row.place) for line in table.lines}


def test_the_table_is_that_of_the_report(chess: Arena, boss: User) -> None:
    one = competition(chess, "swiss")
    assert go_on(one, boss, TRF).state == FileImport.State.IMPORTED
    check_table(one, trf_reading.parse(TRF))
    assert Match.objects.filter(status="rated").count() == 3
    ends = one.fixtures.order_by("round__number", "number")
    assert [(each.result, each.decided_by) for each in ends] == [
        ("", ""),
        ("", ""),
        ("draw", "bye"),
        ("", ""),
        ("home", "forfeit"),
        ("home", "bye"),
        ("away", "forfeit"),
        ("neither", "bye"),
        ("draw", "bye"),
        ("draw", "bye"),
    ]
    assert not one.fixtures.filter(games__arrangement__match=None, result="").exists()
    assert [*one.entrants.order_by("seed").values_list("rating", flat=True)][:4] == [
        2500,
        2100,
        1800,
        1500,
    ]
    assert one.rounds.filter(opened_at=None).count() == 2


@pytest.mark.parametrize("seed", range(3))
def test_a_swiss_of_a_peer_goes_on_as_the_peer_pairs_it(
    chess: Arena, boss: User, seed: int, tmp_path: Path
) -> None:
    """py4swiss pairs each round, chance plays it. The table equals the points and ranks of the
    report, and the next round is that of py4swiss."""
    chance = random.Random(seed)  # noqa: S311 - results that can be repeated
    report = Trf("Open", rounds=6)
    for number in range(1, 12):
        player = TrfPlayer(number, f"Player {number}", 0.0, number, rating=2500 - 10 * number)
        report.players[number] = player
    for at in range(4):
        sleeper = chance.choice(list(report.players.values()))
        sleeper.cells.append(TrfCell(0, "", chance.choice("HZ")))
        report.absent = {sleeper.number}
        play_round(report, at, chance, tmp_path)
    report.absent = {4}
    one = competition(chess, "swiss", play={"alternate": True})
    go_on(one, boss, text_of(report))
    check_table(one, report)
    _round, standing, ours = swiss_rounds.preview(one)
    seeds = dict(one.entrants.values_list("pk", "seed"))
    assert {seeds[each] for each in standing.out} == {4}
    pairs = {(seeds[home], seeds[away]) for home, away in ours.pairs}
    free = {(seeds[ours.free], 0)} if ours.free else set()
    assert pairs | free == pair(report, tmp_path)


def pair(report: Trf, folder: Path) -> set[tuple[int, int]]:
    theirs = by_py4swiss(text_of(report), folder)
    return {(each.white, each.black) for each in DutchEngine.generate_pairings(theirs)}


def text_of(report: Trf) -> str:
    for player in report.players.values():
        player.points = report.points_of(player)
    absent = " ".join(map(str, sorted(report.absent)))
    return write(report, [("XXZ", absent)] if absent else [])


def check_table(one: Competition, report: Trf) -> None:
    """Expect the points of a report, and its ranks, within which tie-breaks may decide."""
    table, points = standings(one), {each.name: each.points for each in report.players.values()}
    assert {name: own for name, (own, _place) in table.items()} == points
    for name, (own, place) in table.items():
        better = sum(other > own for other in points.values())
        assert better < place <= better + list(points.values()).count(own), name


def play_round(report: Trf, at: int, chance: random.Random, folder: Path) -> None:
    cells = {
        number: one.cells.pop() for number, one in report.players.items() if len(one.cells) > at
    }
    for white, black in pair(report, folder):
        if not black:
            cells[white] = TrfCell(0, "", "U")
            continue
        first, second = chance.choice(("10", "01", "==", "10", "+-", "-+"))
        cells[white] = TrfCell(black, "w", first)
        cells[black] = TrfCell(white, "b", second)
    for number, player in report.players.items():
        player.cells.append(cells.get(number, ABSENT))


def test_players_are_found_whose_first_name_comes_first_here(chess: Arena, boss: User) -> None:
    ann, other = account("Ann Ames"), account("Dora Dorn")
    account("Dorn, Dora")
    one = competition(chess, "swiss")
    go_on(one, boss, TRF)
    names = set(one.entrants.values_list("player__name", flat=True))
    assert {"Ann Ames", "Dorn, Dora", "Berg, Bob"} < names
    assert not Player.objects.filter(name="Ames, Ann").exists()
    assert ann.entries.get().seed == 1
    assert not other.entries.exists()
    assert standings(one)["Ann Ames"] == (2.0, 1)


def test_the_next_round_waits_for_staff(chess: Arena, boss: User) -> None:
    one = competition(chess, "swiss")
    go_on(one, boss, TRF)
    for days in (0, 30):
        progress.sweep(one.starts_at + days * (one.starts_at - NOW))
    assert one.rounds.filter(opened_at=None).count() == 2
    round_ = swiss_rounds.pair_next(one.pk, None, by=boss, now=NOW)
    assert round_.number == 4
    assert one.fixtures.filter(round=round_).count() == 3


def test_games_to_come_and_byes_to_come_are_kept(chess: Arena, boss: User) -> None:
    later = TRF.replace("2 w -", "2 w  ").replace("3 b +", "3 b  ") + "240 H 004  0002\r\nXXZ 5\r\n"
    one = competition(chess, "swiss")
    go_on(one, boss, later)
    fixture = one.fixtures.with_sides().get(round__number=3, away__isnull=False)
    assert fixture.result == ""
    assert str(fixture) == "Cole, Cem – Berg, Bob"
    progress.sweep(NOW)
    assert fixture.games.get().arrangement.state == "accepted"
    waiting = one.fixtures.filter(round__number=4).order_by("home__seed")
    assert [*waiting.values_list("home__name", "result")] == [
        ("Berg, Bob", "draw"),
        ("Ende, Eve", "neither"),
    ]


def test_points_for_a_win_are_those_of_the_report(chess: Arena, boss: User) -> None:
    one = competition(chess, "swiss")
    go_on(one, boss, "162  W 3.0    D 1.0    L 0.0    P 2.0\r\n" + TRF)
    assert {name: points for name, (points, _place) in standings(one).items()} == {
        "Ames, Ann": 6,
        "Berg, Bob": 4,
        "Cole, Cem": 2,
        "Dorn, Dora": 5,
        "Ende, Eve": 2,
    }


def test_what_was_brought_is_written_again_as_it_was(
    chess: Arena, boss: User, client: Client
) -> None:
    one = competition(chess, "swiss")
    go_on(one, boss, TRF)
    again = client.get(reverse("competition_trf", args=["chess", one.pk])).content.decode()
    before, after = trf_reading.parse(TRF), trf_reading.parse(again)
    for number, player in before.players.items():
        other = after.players[number]
        assert (player.cells, player.points) == (other.cells, other.points)
        assert player.name == other.name
    assert after.dates[:3] == before.dates


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("date,home,away\n", "no tournament report"),
        (TRF.replace("3 w 1", "3 w 0"), "do not fit together"),
        (TRF.replace("2026/01", "2025/01").replace("26/01", "25/01"), "began on 2025-01-09"),
        (TRF.replace("XXR 5", "XXR 31"), "at most 30 rounds"),
        (TRF.replace("3 w 1", "3 x 1"), "not in the columns"),
        ("162  W 1.0    D 5.0\r\n" + TRF, "points for a win, a draw and a loss"),
    ],
)
def test_reports_that_do_not_fit_are_refused(
    chess: Arena, boss: User, text: str, message: str
) -> None:
    one = competition(chess, "swiss")
    with pytest.raises(Refused, match=message):
        tournaments.bring(one, name="a.trf", content=text.encode(), by=boss, now=NOW)
    assert not one.entrants.exists()
    assert not Player.objects.filter(name="Ames, Ann").exists()


def test_only_an_empty_swiss_goes_on_with_a_report(duel: Arena, boss: User) -> None:
    one = competition(duel, "table")
    with pytest.raises(Conflict, match="Only a Swiss"):
        tournaments.bring(one, name="a.trf", content=TRF.encode(), by=boss, now=NOW)
    Competition.objects.filter(pk=one.pk).update(
        format="swiss", state="registration", opened_at=NOW
    )
    enter(one, account("Ann"))
    with pytest.raises(Conflict, match="has entrants"):
        tournaments.bring(one, name="a.trf", content=TRF.encode(), by=boss, now=NOW)


def test_an_organiser_brings_a_report_in_the_browser(
    chess: Arena, boss: User, client: Client
) -> None:
    one = competition(chess, "swiss")
    client.force_login(boss)
    page = reverse("competition_entrants", args=["chess", one.pk])
    assert 'name="report"' in client.get(page).content.decode()
    assert client.post(page, {"answer": "report"}).status_code == 400
    file = SimpleUploadedFile("open.trf", TRF.encode())
    answer = client.post(page, {"answer": "report", "report": file}, follow=True)
    upload = FileImport.objects.get()
    assert answer.redirect_chain[0][0] == reverse(
        "admin:league_fileimport_change", args=[upload.pk]
    )
    assert answer.status_code == 200
    assert imported(upload).state == FileImport.State.IMPORTED
    one.refresh_from_db()
    assert standings(one)["Ames, Ann"] == (2.0, 1)
    assert 'name="report"' not in client.get(page).content.decode()


def test_damaged_reports_are_brought_or_refused(chess: Arena, boss: User) -> None:
    whole = TRF + "240 H 004  0002\r\nXXZ 5\r\n162  W 1.0    D 0.5\r\n"
    chance = random.Random(9)  # noqa: S311 - damage that can be repeated
    brought = 0
    for number in range(60):
        content = bytearray(whole.encode())
        at = chance.randrange(len(content)) if number % 2 else len(content) - chance.randint(1, 20)
        content[at : at + 1] = chance.choice((b"9", b"0", b"5", b"H", b"-", b"+", b"U", b"\r\n"))
        one = competition(chess, "swiss")
        try:
            tournaments.bring(one, name="a.trf", content=bytes(content), by=boss, now=NOW)
            brought += 1
        except Refused:
            assert not one.entrants.exists()
        Competition.objects.filter(pk=one.pk).update(name=f"Cup {number}")
    assert 10 < brought < 60
