"""Blocks in queues: whom they keep apart, for how long, and why they are no way to choose."""

from datetime import datetime, timedelta

import pytest

from league.models import Arena, ArenaQueue, Block, Player, Tick, Ticket
from league.services.following.blocks import block, unblock
from league.services.queue import kept_ticks
from league.services.queue.blocks import COUNTS_AFTER, MOST_COUNTED, counted_blocks
from league.services.queue.queueing import join
from league.services.queue.ticks import run_again, tick
from tests.support.cast import NOW, account
from tests.support.queue_steps import ANYBODY, crowd, everyone_is_there, rated

LONG_AGO = NOW - COUNTS_AFTER


@pytest.fixture
def duels(duel: Arena) -> Arena:
    ArenaQueue.objects.create(arena=duel, matcher="new", rules={"queue": ANYBODY})
    return duel


def met(arena: Arena, *players: Player, now: datetime = NOW) -> bool:
    """Let players queue, run a tick after a second, and return whether it made a match."""
    for player in players:
        join(arena, player, [], now=NOW)
    everyone_is_there()
    made = tick(arena.pk, now=now, seed=1)
    assert made
    assert run_again(Tick.objects.latest("pk")) == made.found, "exact"
    return made.matches > 0


def test_a_block_keeps_two_apart_for_two_minutes(
    duels: Arena, alice: Player, charlie: Player
) -> None:
    block(alice, charlie, now=LONG_AGO)
    assert not met(duels, alice, charlie)
    later = NOW + timedelta(seconds=119)
    assert not tick(duels.pk, now=later, seed=1).matches  # type: ignore[union-attr] # due
    later += timedelta(seconds=31)
    assert tick(duels.pk, now=later, seed=1).matches == 1  # type: ignore[union-attr] # due


def test_it_does_not_matter_who_blocks(duels: Arena, alice: Player, charlie: Player) -> None:
    block(charlie, alice, now=LONG_AGO)
    assert not met(duels, alice, charlie)


def test_without_a_block_they_meet(duels: Arena, alice: Player, charlie: Player) -> None:
    block(alice, charlie, now=LONG_AGO)
    unblock(alice, charlie)
    assert met(duels, alice, charlie)


def test_nobody_avoids_a_stronger_opponent(duels: Arena, alice: Player, charlie: Player) -> None:
    rated(alice, duels, 1400)
    rated(charlie, duels, 1450)
    block(alice, charlie, now=LONG_AGO)
    assert met(duels, alice, charlie)


def test_a_stronger_player_can_avoid_a_weaker_one(
    duels: Arena, alice: Player, charlie: Player
) -> None:
    rated(alice, duels, 1450)
    rated(charlie, duels, 1400)
    block(alice, charlie, now=LONG_AGO)
    assert not met(duels, alice, charlie)


def test_a_new_block_counts_from_the_next_day(duels: Arena, alice: Player, charlie: Player) -> None:
    block(alice, charlie, now=LONG_AGO + timedelta(seconds=1))
    assert met(duels, alice, charlie)


def test_only_the_oldest_blocks_count(alice: Player) -> None:
    others = [account(f"Other {number}") for number in range(MOST_COUNTED + 3)]
    for number, other in enumerate(reversed(others)):
        block(alice, other, now=LONG_AGO - timedelta(hours=number))
    everybody = [alice.pk, *(other.pk for other in others)]
    kept = {blocked for _blocker, blocked in counted_blocks(everybody, NOW)}
    assert kept == {other.pk for other in others[:MOST_COUNTED]}
    unblock(alice, others[0])
    block(alice, others[0], now=NOW)
    again = {blocked for _blocker, blocked in counted_blocks(everybody, NOW + COUNTS_AFTER)}
    assert again == {other.pk for other in others[1 : MOST_COUNTED + 1]}, "no turns"


def test_team_mates_are_kept_apart_whatever_their_ratings(queue: ArenaQueue, teams: Arena) -> None:
    one, two, three, four = crowd(4)
    rated(one, teams, 1400)
    rated(two, teams, 1600)
    Block.objects.create(player=one, blocked=two, since=LONG_AGO)
    assert not met(teams, one, two, three, four)
    five = crowd(1)
    assert Ticket.objects.waiting().count() == 4
    join(teams, five[0], [], now=NOW)
    later = NOW + timedelta(seconds=60)
    made = tick(teams.pk, now=later, seed=1)
    assert made
    [found] = made.found
    seated = Ticket.objects.filter(pk__in=[pk for team in found for pk in team])
    assert set(seated.values_list("captain", flat=True)) >= {three.pk, four.pk, five[0].pk}


def test_full_parties_do_not_avoid_a_stronger_one(queue: ArenaQueue, teams: Arena) -> None:
    one, two, three, four = crowd(4)
    for player, rating in ((one, 1400), (two, 1400), (three, 1600), (four, 1300)):
        rated(player, teams, rating)
    Block.objects.create(player=one, blocked=three, since=LONG_AGO)
    join(teams, one, [two], now=NOW)
    join(teams, three, [four], now=NOW)
    everyone_is_there()
    assert tick(teams.pk, now=NOW, seed=1).matches == 1  # type: ignore[union-attr] # due


def test_each_tick_keeps_its_own_blocks(duels: Arena, alice: Player, charlie: Player) -> None:
    block(alice, charlie, now=LONG_AGO)
    assert not met(duels, alice, charlie)
    first = Tick.objects.get()
    unblock(alice, charlie)
    assert met_again(duels, NOW + timedelta(seconds=31))
    second = Tick.objects.latest("pk")
    for stored, blocked in ((first, 1), (second, 0)):
        assert len(kept_ticks.snapshot_of(stored).blocked) == blocked
        assert run_again(stored) == stored.found


def met_again(arena: Arena, now: datetime) -> bool:
    made = tick(arena.pk, now=now, seed=1)
    return bool(made and made.matches)
