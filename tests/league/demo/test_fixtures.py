"""Results of fixtures in the demo."""

from datetime import timedelta

import numpy as np
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player
from league.services.competitions import progress
from league.services.competitions.running import entering
from league.services.demo.fixtures import Form, due_dates, match_of
from tests.support.cast import NOW, roster
from tests.support.competition_steps import START, opened


def test_the_players_of_all_dates_are_read_at_once(
    teams: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    eve: Player,
    olga: Player,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    one = opened(teams, olga)
    for name, captain, other in (("Owls", alice, bob), ("Foxes", charlie, eve)):
        side = roster(teams, name, captain, other)
        entering.register(one.pk, by=captain, roster=side, now=NOW)
    progress.sweep(START)
    form = Form({"Alice": 1, "Charlie": 0}, 0.5, np.random.default_rng(1))
    [date] = due_dates(teams, START + timedelta(days=30))
    with django_assert_num_queries(0):
        match = match_of(date, form)
    names = [[player.player for player in side.participants] for side in match.sides]
    assert sorted(names) == [["Alice", "Bob"], ["Charlie", "Eve"]]
