"""Promotion and relegation between the levels of a season."""

import pytest

from league.models import Arena, Competition, Player
from league.services.competitions import decisions, progress
from league.services.competitions.running import starting
from league.services.competitions.standings import promotions
from league.services.core.errors import Refused
from tests.support.cast import NOW
from tests.support.competition_steps import START, competition, crowd, enter, sides_of
from tests.support.result_steps import user_of


def finished(arena: Arena, olga: Player, level: int, players: list[Player]) -> Competition:
    """Return a table that its best seeds have won."""
    one = competition(arena, play={"promoted": 1, "relegated": 1}, dates={"unplayed": "draw"})
    Competition.objects.filter(pk=one.pk).update(name=f"Level {level}", level=level)
    starting.open_for_entries(one.pk, by=user_of(olga), now=NOW)
    enter(one, *players)
    progress.sweep(START)
    for fixture in one.fixtures.with_sides():
        order = [players.index(side.player) for side in sides_of(fixture)]
        better = "home" if order[0] < order[1] else "away"
        decisions.decide(fixture.pk, better, by=user_of(olga), reason="Test.", now=START)
    for round_ in one.rounds.order_by("number"):
        progress.sweep(round_.opens_at)
    one.refresh_from_db()
    assert one.state == one.State.OVER
    return one


def test_the_best_and_the_last_change_places(duel: Arena, olga: Player) -> None:
    players = crowd(6)
    finished(duel, olga, 1, players[:3])
    finished(duel, olga, 2, players[3:])
    season = duel.seasons.get()
    one = Competition.objects.create(season=season, name="Next", level=1, starts_at=START)
    made = promotions.take_over(one.pk, season, by=user_of(olga), now=NOW)
    assert {entrant.name for entrant in made} == {"Player 001", "Player 002", "Player 004"}
    with pytest.raises(Refused, match="There is nobody to enter"):
        promotions.take_over(one.pk, season, by=user_of(olga), now=NOW)
    below = promotions.field_of(season, 2)
    assert [entrant.name for entrant in below] == ["Player 003", "Player 005", "Player 006"]
