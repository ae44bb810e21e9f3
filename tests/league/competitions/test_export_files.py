"""Crosstables and all games of a competition as files, against its page."""

import csv
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Player
from league.services.competitions import progress
from ratings.files.reading import read
from tests.support.competition_steps import START, begun, crowd, play, sides_of
from tests.support.result_steps import rules


def file_of(client: Client, one: Competition, what: str) -> list[list[str]]:
    slug = one.season.arena.slug
    answer = client.get(reverse("competition_file", args=[slug, one.pk, what, "csv"]))
    return list(csv.reader(b"".join(answer).decode("utf-8-sig").splitlines()))


def test_a_crosstable_has_a_column_for_each_opponent(
    duel: Arena, olga: Player, client: Client
) -> None:
    one = begun(duel, olga, crowd(4))
    for number in range(3):
        progress.sweep(START + number * timedelta(days=7))
        for fixture in one.fixtures.with_sides().filter(round__number=number + 1):
            home, away = sides_of(fixture)
            play(fixture, min(home, away, key=lambda one: one.name).player)
    header, *rows = file_of(client, one, "crosstable")
    assert header == ["group", "place", "name", "1", "2", "3", "4"]
    assert [row[3:] for row in rows] == [
        ["×", "1", "1", "1"],
        ["0", "×", "1", "1"],
        ["0", "0", "×", "1"],
        ["0", "0", "0", "×"],
    ]
    assert [row[2] for row in rows] == [row[2] for row in file_of(client, one, "table")[1:]]


@pytest.mark.parametrize("kind", ["csv", "json", "xlsx"])
@pytest.mark.parametrize("what", ["crosstable", "schedule"])
def test_files_of_a_competition_are_read_as_its_results(
    duel: Arena, olga: Player, client: Client, what: str, kind: str
) -> None:
    one = begun(duel, olga, crowd(4))
    played = set()
    for number in range(3):
        progress.sweep(START + number * timedelta(days=7))
        for fixture in one.fixtures.with_sides().filter(round__number=number + 1):
            home, away = sides_of(fixture)
            winner = min(home, away, key=lambda one: one.name)
            play(fixture, winner.player)
            played.add((winner.name, max(home.name, away.name)))
    address = reverse("competition_file", args=["duel", one.pk, what, kind])
    found = read(b"".join(client.get(address)))
    assert found.problems == []
    won = [sorted(result.sides, key=lambda side: side.place) for result in found.results]
    assert {(better.names[0], worse.names[0]) for better, worse in won} == played
    assert len(won) == len(played) == 6


def test_all_games_are_in_one_file_of_pgn(duel: Arena, olga: Player, client: Client) -> None:
    rules(duel, highest_score=1)
    one = begun(duel, olga, crowd(4), "swiss")
    for fixture in one.fixtures.with_sides().filter(round__opened_at__isnull=False):
        play(fixture, sides_of(fixture)[0].player)
    address = reverse("competition_pgn", args=["duel", one.pk])
    assert address in client.get(one.get_absolute_url()).content.decode()
    games = read(client.get(address).content)
    assert (len(games.results), games.problems) == (2, [])
    assert {game.sides[0].place for game in games.results} == {0}


def test_a_bracket_has_no_crosstable(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(4), "single")
    address = reverse("competition_file", args=["duel", one.pk, "crosstable", "csv"])
    assert client.get(address).status_code == 404
    assert address not in client.get(one.get_absolute_url()).content.decode()
