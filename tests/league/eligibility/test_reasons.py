"""Why somebody may not play, and that it takes one query to find nothing against them."""

from collections.abc import Callable
from datetime import timedelta
from typing import NamedTuple

import pytest
from pytest_django import DjangoAssertNumQueries

from league.models import (
    Agreement,
    Arena,
    ArenaQueue,
    DishonorAward,
    FillIn,
    Match,
    Offence,
    Participant,
    Player,
)
from league.services.dishonor import bans
from league.services.eligibility.reasons import Code, reasons_against
from league.services.queue.queueing import join
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW


class World(NamedTuple):
    arena: Arena
    eve: Player
    bob: Player
    charlie: Player
    dora: Player
    olga: Player


@pytest.fixture
def world(
    teams: Arena, eve: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> World:
    return World(teams, eve, bob, charlie, dora, olga)


def lock(world: World) -> None:
    assert world.eve.user
    world.eve.user.is_active = False
    world.eve.user.save()


def ban(world: World) -> None:
    assert world.olga.user
    until = NOW + timedelta(days=1)
    bans.ban(
        world.eve, arena=world.arena, by=world.olga.user, reason="Insults", until=until, now=NOW
    )


def punish(world: World) -> None:
    DishonorAward.objects.create(
        player=world.eve, arena=world.arena, at=NOW, offence=Offence.ABANDON, stacks=20
    )


def queue_up(world: World) -> None:
    ArenaQueue.objects.create(arena=world.arena)
    join(world.arena, world.eve, [], now=NOW)


def match_of(world: World, one: Player) -> Match:
    sides = [
        StartingSide(one, [one, world.bob]),
        StartingSide(world.charlie, [world.charlie, world.dora]),
    ]
    return start(world.arena, sides, now=NOW, agreed_by=Agreement.READY_CHECK)


def play(world: World) -> None:
    match_of(world, world.eve)


def take_a_seat(world: World) -> None:
    match = match_of(world, world.olga)
    left = Participant.objects.get(match=match, player=world.bob)
    FillIn.objects.create(match=match, replaces=left, player=world.eve, joined_at=NOW)


@pytest.mark.parametrize(
    ("happens", "code"),
    [
        (lock, Code.LOCKED),
        (ban, Code.BANNED),
        (punish, Code.TIMEOUT),
        (queue_up, Code.QUEUED),
        (play, Code.IN_LIVE_MATCH),
        (take_a_seat, Code.IN_LIVE_MATCH),
    ],
)
def test_each_reason_is_found_and_no_other(
    happens: Callable[[World], None], code: Code, world: World
) -> None:
    happens(world)
    found = reasons_against([world.eve], NOW)
    assert [(reason.player, reason.code) for reason in found] == [(world.eve, code)]
    others = frozenset(Code) - {code}
    assert reasons_against([world.eve], NOW, codes=others) == []


def test_a_reason_that_has_passed_is_none(world: World) -> None:
    ban(world)
    punish(world)
    take_a_seat(world)
    FillIn.objects.update(left_at=NOW)
    assert reasons_against([world.eve], NOW + timedelta(days=3650)) == []


def test_one_query_finds_nothing_against_players(
    world: World, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        assert reasons_against([world.eve, world.bob], NOW) == []
