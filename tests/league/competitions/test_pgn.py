"""Rounds of chess as PGN: written, read again, imported and undone."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Job, Match, Player, Status
from league.services.competitions import progress
from league.services.competitions.standings.competition_tables import read_tables
from league.services.jobs import jobs
from league.services.transfer.files import file_imports
from league.work import WORK
from ratings.files.reading import read
from tests.support.cast import account
from tests.support.competition_steps import START, begun, crowd, date_of, fixture_of, play, sides_of
from tests.support.result_steps import rules, user_of


@pytest.fixture(autouse=True)
def chess(duel: Arena) -> None:
    """A game of the arena is worth a point, as in chess."""
    rules(duel, highest_score=1)


def test_a_round_is_exported_imported_and_undone(
    duel: Arena, alice: Player, bob: Player, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, [alice, bob])
    address = reverse("round_pgn", args=["duel", one.pk, 1])
    assert b'[Result "*"]' in client.get(address).content
    fixture = fixture_of(one, alice, bob)
    match = play(fixture, None)
    played_at = match.played_at + timedelta(minutes=20)
    Match.objects.filter(pk=match.pk).update(played_at=played_at)
    now = START + timedelta(days=9)
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "application/vnd.chess-pgn; charset=utf-8"
    [game] = read(answer.content).results
    assert game.played_at == played_at
    assert sorted(side.names[0] for side in game.sides) == ["Alice", "Bob"]
    assert [side.place for side in game.sides] == [0, 0]

    boss = user_of(olga)
    same = file_imports.upload(
        duel, "results", name="same.pgn", content=answer.content, season=None, by=boss, now=now
    )
    done(file_imports.ask_check(same, by=boss, now=now))
    same.refresh_from_db()
    assert same.report
    assert same.report["errors"] == []
    assert [same.report[kind] for kind in ("known", "new", "changed")] == [1, 0, 0]

    other = answer.content.decode().replace('"Alice"', '"Dora"')
    file = file_imports.upload(
        duel, "results", name="round.pgn", content=other.encode(), season=None, by=boss, now=now
    )
    assert done(file_imports.ask_check(file, by=boss, now=now)).state == Job.State.DONE
    file.refresh_from_db()
    assert file.report
    assert file.report["errors"] == []
    assert Match.objects.count() == 1
    done(file_imports.ask_import(file, by=boss, now=now))
    assert Match.objects.filter(status=Status.RATED).count() == 2
    file.refresh_from_db()
    done(file_imports.ask_undo(file, reason="A test.", by=boss, now=now))
    assert Match.objects.filter(status=Status.RATED).count() == 1


def test_imported_games_are_results_of_their_fixtures_until_the_import_is_undone(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, account("Dora")])
    address = reverse("round_pgn", args=["duel", one.pk, 1])
    now, boss = START + timedelta(days=9), user_of(olga)
    text = client.get(address).content.decode()
    first, second = one.fixtures.filter(round__number=1).order_by("number")
    played = text.replace('"*"', '"1-0"').replace("\n*\n", "\n1-0\n")
    played = re.sub(f'"1.{second.number}"', '"2"', played)  # another round
    file = file_imports.upload(
        duel, "results", name="a.pgn", content=played.encode(), season=None, by=boss, now=now
    )
    done(file_imports.ask_check(file, by=boss, now=now))
    file.refresh_from_db()
    assert file.report
    assert (file.report["errors"], file.report["new"], file.report["fixtures"]) == ([], 2, 1)
    done(file_imports.ask_import(file, by=boss, now=now))
    file.refresh_from_db()
    assert file.report["fixtures"] == 1
    date = date_of(first)
    assert (date.state, date.match_id in file.matches) == ("played", True)
    assert date_of(second).match is None
    [table] = read_tables(one)
    assert (table.lines[0].entrant, table.lines[0].row.won) == (first.home, 1)

    done(file_imports.ask_undo(file, reason="A test.", by=boss, now=now))
    date = date_of(first)
    assert (date.state, date.match) == ("accepted", None)
    assert {line.row.played for line in read_tables(one)[0].lines} == {0}


def test_games_that_may_be_another_fixture_are_not_linked(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    home, away = (side.name for side in sides_of(one.fixtures.get()))
    played = START + timedelta(days=5)

    def game(white: str, black: str, round_: str, hour: int = 1) -> str:
        return (
            f'[White "{white}"]\n[Black "{black}"]\n[Result "1-0"]\n[Round "{round_}"]\n'
            f'[UTCDate "{played:%Y.%m.%d}"]\n[UTCTime "{hour:02}:00:00"]\n\n1-0\n'
        )

    boss, now = user_of(olga), START + timedelta(days=9)
    for text in (
        game(away, home, "1"),
        game(home, away, ""),
        game(home, away, "x1"),
        game(home, away, "1") + game(home, away, "1.2", hour=5),
    ):
        file = file_imports.upload(
            duel, "results", name="b.pgn", content=text.encode(), season=None, by=boss, now=now
        )
        done(file_imports.ask_check(file, by=boss, now=now))
        file.refresh_from_db()
        assert file.report
        assert (file.report["errors"], file.report["fixtures"]) == ([], 0), text


def done(job: Job) -> Job:
    jobs.carry_out(job.pk, WORK, START + timedelta(days=9))
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("number", [0, 2, 9_999])
def test_there_is_no_other_round(
    duel: Arena, alice: Player, bob: Player, olga: Player, client: Client, number: int
) -> None:
    one = begun(duel, olga, [alice, bob])
    assert client.get(reverse("round_pgn", args=["duel", one.pk, number])).status_code == 404


@pytest.mark.parametrize(
    "settings",
    [
        {"result_rules": {"score_steps": "whole", "highest_score": 1}},
        {"result_rules": {}},
        {"rating_system": "elo", "rating_parameters": {"margin": "goals"}},
        {"draws_allowed": False},
    ],
)
@pytest.mark.parametrize("form", ["table", "single"])
def test_a_game_with_goals_is_never_offered_as_pgn_even_before_the_first(
    duel: Arena,
    alice: Player,
    bob: Player,
    olga: Player,
    client: Client,
    form: str,
    settings: dict[str, object],
) -> None:
    one = begun(duel, olga, [alice, bob], form)
    assert "PGN" in client.get(one.get_absolute_url()).content.decode()
    Arena.objects.filter(pk=duel.pk).update(**settings)
    assert "PGN" not in client.get(one.get_absolute_url()).content.decode()
    round_ = one.rounds.get()
    stage = [round_.stage] if form == "single" else []
    route = "bracket_pgn" if stage else "round_pgn"
    address = reverse(route, args=["duel", one.pk, *stage, round_.number])
    assert client.get(address).status_code == 404


def test_goals_end_the_pgn_of_a_round_on_its_address_too(
    duel: Arena, alice: Player, bob: Player, olga: Player, client: Client
) -> None:
    rules(duel)
    one = begun(duel, olga, [alice, bob], table={"win": 1, "draw": 0.5})
    address = reverse("round_pgn", args=["duel", one.pk, 1])
    assert client.get(address).status_code == 200
    play(fixture_of(one, alice, bob), alice, score=(3, 1))
    assert client.get(address).status_code == 404


def winners_of(text: str) -> list[int]:
    """Return the places of White in the games of a file."""
    return [game.sides[0].place for game in read(text.encode()).results]


def bracket_pgn(client: Client, one: Competition, stage: str, number: int) -> str:
    """Download a round of a bracket, from the link on its page."""
    address = reverse("bracket_pgn", args=["duel", one.pk, stage, number])
    assert address in client.get(one.get_absolute_url()).content.decode()
    return client.get(address).content.decode()


def test_rounds_of_a_bracket_are_exported_too(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(4), "double")
    upper = bracket_pgn(client, one, "winners", 1)
    assert [game.event for game in read(upper.replace("*", "1-0").encode()).results] == [
        "Spring Cup"
    ] * 2
    assert upper.count('[Stage "Winners’ bracket, round 1"]') == 2
    names = set()
    for fixture in one.fixtures.with_sides().filter(round__stage="winners", round__number=1):
        home, away = sides_of(fixture)
        play(fixture, home.player)
        names |= {home.name, away.name}
    progress.sweep(START + timedelta(days=8))
    played = bracket_pgn(client, one, "winners", 1)
    assert {side.names[0] for game in read(played.encode()).results for side in game.sides} == names
    assert winners_of(played) == [0, 0]
    lower = bracket_pgn(client, one, "losers", 1)
    assert '[Stage "Losers’ bracket, round 1"]' in lower
    assert lower.count("[White") == 1
    final = one.fixtures.get(round__stage="final", round__number=1)
    empty = client.get(reverse("bracket_pgn", args=["duel", one.pk, "final", 1]))
    assert (final.home, empty.content) == (None, b"")
    for stage, number in (("winners", 9), ("table", 1), ("swiss", 1)):
        wrong = reverse("bracket_pgn", args=["duel", one.pk, stage, number])
        assert client.get(wrong).status_code == 404


def test_games_of_a_series_have_numbers(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(2), "single", play={"best_of": 3})
    fixture = one.fixtures.with_sides().get()
    for _ in range(2):
        play(fixture, sides_of(fixture)[0].player)
        progress.sweep(date_of(fixture).play_at + timedelta(hours=2))
    text = bracket_pgn(client, one, "final", 1)
    assert [f'[Round "1.1.{number}"]' in text for number in (1, 2, 3)] == [True, True, False]
    assert winners_of(text) == [0, 0]
