"""Competitions as tournament reports of FIDE: written, and read by us and by a peer."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from py4swiss.engines import DutchEngine
from py4swiss.trf import ParsedTrf

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import progress
from league.services.competitions.running import sitting_out, swiss_rounds
from league.services.competitions.standings.competition_tables import read_tables
from ratings.files import trf_reading
from tests.support.competition_steps import START, begun, crowd, opened, play, sides_of
from tests.support.result_steps import rules, user_of
from tests.support.trf_files import by_py4swiss

WEEK = timedelta(days=7)
CHESS = {"win": 1, "draw": 0.5, "bye": 1}


@pytest.fixture(autouse=True)
def chess(duel: Arena) -> None:
    """A game of the arena is worth a point, as in chess."""
    rules(duel, highest_score=1)


def report(client: Client, one: Competition) -> str:
    answer = client.get(reverse("competition_trf", args=["duel", one.pk]))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    return answer.content.decode()


def test_a_swiss_that_runs_can_be_paired_by_another_program(
    duel: Arena, olga: Player, client: Client, tmp_path: Path
) -> None:
    """A game, a draw, a forfeit, a decision of staff, a bye, and one that somebody asked for."""
    one = begun(duel, olga, crowd(9), "swiss", play={"rounds": 4}, table=CHESS)
    games = list(one.fixtures.with_sides().exclude(away=None).order_by("number"))
    play(games[0], sides_of(games[0])[0].captain)
    play(games[1], None)
    settle(games[2], "away", "forfeit")
    settle(games[3], "home", "staff")
    sleeper = sides_of(games[1])[0]
    sitting_out.decide(sleeper.pk, 2, "draw", by=user_of(olga), reason="Away.", now=START)
    text = report(client, one)
    tournament = trf_reading.parse(text)
    rows = {line.entrant.name: line.row for line in read_tables(one)[0].lines}
    assert {each.name: (each.points, each.rank) for each in tournament.players.values()} == {
        name: (float(row.points), row.place) for name, row in rows.items()
    }
    assert all(tournament.points_of(each) == each.points for each in tournament.players.values())
    codes = sorted(each.cells[0].code for each in tournament.players.values())
    assert codes == sorted(["1", "0", "=", "=", "+", "-", "W", "L", "U"])
    assert tournament.rounds == 4
    assert f"\r\n240 H 002  {sleeper.seed:04}\r\n" in text
    theirs = by_py4swiss(text, tmp_path)
    _round, _standing, ours = swiss_rounds.preview(one)
    seeds = dict(one.entrants.values_list("pk", "seed"))
    pairs = {(seeds[home], seeds[away]) for home, away in ours.pairs}
    assert paired(theirs) == pairs | ({(seeds[ours.free], 0)} if ours.free else set())


def paired(theirs: ParsedTrf) -> set[tuple[int, int]]:
    return {(pair.white, pair.black) for pair in DutchEngine.generate_pairings(theirs)}


def settle(fixture: Fixture, result: str, by: str) -> None:
    Fixture.objects.filter(pk=fixture.pk).update(result=result, decided_by=by, decided_at=START)


def test_a_whole_swiss_is_written_round_by_round(
    duel: Arena, olga: Player, client: Client, tmp_path: Path
) -> None:
    one = begun(duel, olga, crowd(7), "swiss", play={"rounds": 3}, table=CHESS)
    for number in range(3):
        one.fixtures.undecided().update(result="home", decided_by="staff", decided_at=START)
        progress.sweep(START + (number + 1) * WEEK)
    text = report(client, one)
    assert all(len(line) <= 91 + 3 * 10 for line in text.splitlines() if line.startswith("001"))
    tournament = trf_reading.parse(text)
    assert [str(day) for day in tournament.dates] == ["2026-03-07", "2026-03-14", "2026-03-21"]
    assert {len(each.cells) for each in tournament.players.values()} == {3}
    assert by_py4swiss(text, tmp_path).x_section.number_of_rounds == 3
    points = [each.points for each in tournament.players.values()]
    assert sum(points) == 4 * 3  # three games and a bye in each round
    one.entrants.filter(seed=3).update(state="withdrawn", withdrawn_at=START)
    assert "\r\nXXZ 3\r\n" in report(client, one)


def test_a_league_table_has_its_own_points(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(4), "table")
    one.fixtures.filter(round__number=1).update(result="draw", decided_by="staff", decided_at=START)
    text = report(client, one)
    assert "\r\n162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n" in text
    tournament = trf_reading.parse(text)
    assert [tournament.points_of(each) for each in tournament.players.values()] == [1, 1, 1, 1]


def test_annulled_entrants_are_left_out(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(4), "table")
    one.fixtures.filter(round__number=1).update(result="home", decided_by="staff", decided_at=START)
    one.entrants.filter(seed=2).update(annulled=True, state="withdrawn", withdrawn_at=START)
    tournament = trf_reading.parse(report(client, one))
    assert list(tournament.players) == [1, 2, 3]
    assert all(tournament.points_of(each) == each.points for each in tournament.players.values())


def test_long_names_stay_apart(duel: Arena, olga: Player, client: Client) -> None:
    people = crowd(2)
    one = begun(duel, olga, people, "table")
    for number, entrant in enumerate(one.entrants.all()):
        entrant.name = f"{'Ä' * 60} {number}"
        entrant.save()
    names = [each.name for each in trf_reading.parse(report(client, one)).players.values()]
    assert names == ["Ä" * 33, f"{'Ä' * 28} 2"]


def test_there_is_none_before_the_draw_or_of_a_bracket(
    duel: Arena, olga: Player, client: Client
) -> None:
    bracket = begun(duel, olga, crowd(4), "single")
    address = reverse("competition_trf", args=["duel", bracket.pk])
    assert client.get(address).status_code == 404
    page = client.get(reverse("competition", args=["duel", bracket.pk])).content.decode()
    assert address not in page
    Competition.objects.filter(pk=bracket.pk).update(name="Old cup")
    registering = opened(duel, olga, "swiss")
    address = reverse("competition_trf", args=["duel", registering.pk])
    assert client.get(address).status_code == 404
    assert address not in client.get(registering.get_absolute_url()).content.decode()
