"""Crosstables of league tables and of a Swiss, checked against the results themselves."""

from typing import Any

import pytest
from django.test import Client

from league.models import Arena, Competition, Entrant, Player
from league.services.competitions import pages, progress
from league.services.competitions.running import entering_by_staff, starting, withdrawing
from league.services.people.entry_lists import read_list
from tests.support.cast import NOW
from tests.support.competition_steps import START, begun, crowd, opened, play, sides_of
from tests.support.result_steps import user_of


def cells_of(one: Competition) -> dict[str, list[str]]:
    [cross] = pages.load(one).crosstables
    return {line.entrant.name: list(cells) for line, cells in cross.rows}


def places_of(one: Competition) -> dict[str, int]:
    [cross] = pages.load(one).crosstables
    return {line.entrant.name: at for at, (line, _cells) in enumerate(cross.rows)}


def test_each_result_stands_in_the_row_of_both_sides(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    for fixture in list(one.fixtures.with_sides()):
        if fixture.round.opened_at is not None and fixture.home is not None:
            play(fixture, fixture.home.player, score=(3, 1))
    cells, place = cells_of(one), places_of(one)
    for fixture in one.fixtures.with_sides():
        assert fixture.home
        assert fixture.away
        home, away = fixture.home.name, fixture.away.name
        played = fixture.round.opened_at is not None
        assert cells[home][place[away]] == ("3:1" if played else "")
        assert cells[away][place[home]] == ("1:3" if played else "")
    assert all(cells[name][place[name]] == "×" for name in cells)


@pytest.mark.parametrize(("winner", "wanted"), [("home", ("1", "0")), (None, ("½", "½"))])
def test_a_swiss_shows_opponent_colour_and_result(
    duel: Arena, olga: Player, winner: str | None, wanted: tuple[str, str]
) -> None:
    chess = {"win": 1, "draw": 0.5, "bye": 1}
    one = begun(duel, olga, crowd(3), "swiss", play={"rounds": 2}, table=chess)
    fixture = one.fixtures.with_sides().exclude(away=None).get()
    assert fixture.home
    assert fixture.away
    play(fixture, fixture.home.player if winner else None)
    cells, place = cells_of(one), places_of(one)
    home, away = fixture.home.name, fixture.away.name
    assert cells[home][0] == f"{place[away] + 1}w {wanted[0]}"
    assert cells[away][0] == f"{place[home] + 1}b {wanted[1]}"
    [free] = set(cells) - {home, away}
    assert cells[free][0] == "+"


def test_a_win_without_a_game_is_a_plus(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga, "table", play={"withdrawal": "forfeit"})
    by = user_of(olga)
    entering_by_staff.enter(one.pk, read_list("Ann\nBob\nCy").entries, {}, by=by, now=NOW)
    starting.start(one.pk, by=by, now=NOW)
    ann = Entrant.objects.get(competition=one, name="Ann")
    withdrawing.withdraw_entrant(ann.pk, by=by, reason="Ill.", now=START)
    cells, place = cells_of(one), places_of(one)
    assert cells["Bob"][place["Ann"]] == "+"
    assert cells["Ann"][place["Bob"]] == "−"


def test_the_page_has_the_crosstable_and_no_further_statement(
    client: Client, duel: Arena, olga: Player, django_assert_max_num_queries: Any
) -> None:
    one = begun(duel, olga, crowd(4), "table")
    for fixture in one.fixtures.with_sides().filter(round__number=1):
        assert fixture.home
        play(fixture, fixture.home.player, score=(2, 0))
    with django_assert_max_num_queries(9):
        page = client.get(one.get_absolute_url()).content.decode()
    assert "Crosstable" in page
    assert "PGN" not in page  # nobody scores two in a game of chess


def test_a_league_with_home_and_away_shows_games_at_home(duel: Arena, olga: Player) -> None:
    """1:1 is a score where others score goals, and half a point only in chess."""
    one = begun(duel, olga, crowd(3), "table", play={"legs": 2})
    scores = iter([(1, 1), (3, 0), (0, 0), (1, 0), (0, 2), (1, 1)])
    wanted = {}
    while fixture := (
        one.fixtures.with_sides()
        .filter(games__arrangement__state="accepted")
        .order_by("number")
        .first()
    ):
        home, away = sides_of(fixture)
        score = next(scores)
        winner = None if score[0] == score[1] else (home if score[0] > score[1] else away).player
        play(fixture, winner, score=score)
        wanted[home.name, away.name] = f"{score[0]}:{score[1]}"
        progress.sweep(fixture.round.closes_at)
    cells, place = cells_of(one), places_of(one)
    assert len(wanted) == 6
    assert all(cells[home][place[away]] == text for (home, away), text in wanted.items())
    assert "a column those away" in pages.load(one).crosstables[0].explanation
