"""Ticks match waiting players. Each player is in one match at most, and nobody is lost."""

from datetime import timedelta
from random import Random

import pytest
from django.db import connection

from league import tasks
from league.models import Arena, ArenaQueue, Player, Proposal, Roster, Tick, Ticket, TicketMember
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.queue.ticks import due_arenas, run_again, tick
from matchmaking.presets import PRESETS
from tests.support.cast import NOW, arena
from tests.support.queue_steps import ANYBODY, assert_laws, crowd, everyone_is_there, rated


def test_four_waiting_players_are_proposed_a_match(queue: ArenaQueue, teams: Arena) -> None:
    for player in crowd(4):
        join(teams, player, [], now=NOW)
    made = tick(teams.pk, now=NOW, seed=1)
    assert made
    assert (made.tickets, made.matches, made.proposed) == (4, 1, 1)
    proposal = Proposal.objects.get()
    assert proposal.deadline == NOW + queue.ready_window
    assert_laws(players=4)


def test_a_party_plays_together(queue: ArenaQueue, teams: Arena) -> None:
    one, two, three, four = crowd(4)
    party = join(teams, one, [two], now=NOW)
    join(teams, three, [], now=NOW)
    join(teams, four, [], now=NOW)
    everyone_is_there()
    tick(teams.pk, now=NOW, seed=1)
    party.refresh_from_db()
    assert Ticket.objects.get(proposal=party.proposal, team=party.team) == party
    assert_laws(players=4)


def test_a_tick_can_be_run_again_and_finds_the_same(queue: ArenaQueue, teams: Arena) -> None:
    for number, player in enumerate(crowd(13)):
        join(teams, player, [], now=NOW - timedelta(seconds=number))
    made = tick(teams.pk, now=NOW, seed=7)
    assert made
    assert made.matches == 3
    stored = Tick.objects.get()
    assert run_again(stored) == stored.found


def test_a_single_party_finds_no_match_and_keeps_waiting(queue: ArenaQueue, teams: Arena) -> None:
    one, two = crowd(2)
    ticket = join(teams, one, [two], now=NOW)
    everyone_is_there()
    made = tick(teams.pk, now=NOW, seed=1)
    assert made
    assert made.matches == 0
    ticket.refresh_from_db()
    assert ticket.state == Ticket.State.WAITING


def test_the_next_tick_is_due_after_its_interval(queue: ArenaQueue, teams: Arena) -> None:
    assert due_arenas(NOW) == []
    join(teams, crowd(1)[0], [], now=NOW)
    assert due_arenas(NOW) == [teams.pk]
    assert tick(teams.pk, now=NOW, seed=1)
    assert due_arenas(NOW + timedelta(seconds=29)) == []
    assert tick(teams.pk, now=NOW + timedelta(seconds=29), seed=1) is None
    assert due_arenas(NOW + timedelta(seconds=31)) == [teams.pk]


def test_ticks_keep_their_interval_although_the_dispatcher_is_never_on_time(
    queue: ArenaQueue, teams: Arena
) -> None:
    """It looks once a second, up to 50 ms early or late."""
    queue.rules = {"queue": {**ANYBODY, "iteration_interval": "2s"}}
    queue.save()
    join(teams, crowd(1)[0], [], now=NOW)
    generator = Random(1)  # noqa: S311 - a schedule keeps no secrets
    ticks = []
    for second in range(21):
        now = NOW + timedelta(seconds=second + generator.uniform(-0.05, 0.05))
        if due_arenas(now):
            assert tick(teams.pk, now=now, seed=1)
            ticks.append(second)
    assert ticks == list(range(0, 21, 2))


def test_a_worker_with_an_older_time_does_not_tick_again(queue: ArenaQueue, teams: Arena) -> None:
    join(teams, crowd(1)[0], [], now=NOW)
    assert tick(teams.pk, now=NOW, seed=1)
    assert tick(teams.pk, now=NOW - timedelta(milliseconds=5), seed=2) is None


def test_a_clock_set_back_delays_nothing(queue: ArenaQueue, teams: Arena) -> None:
    for player in crowd(4):
        join(teams, player, [], now=NOW)
    earlier = NOW - timedelta(hours=1)
    Tick.objects.create(
        arena=teams,
        at=NOW,
        seed=0,
        matcher="new",
        rules={},
        queue=b"",
        tickets=0,
        matches=0,
        proposed=0,
        seconds=0,
    )
    assert due_arenas(earlier) == [teams.pk]
    made = tick(teams.pk, now=earlier, seed=1)
    assert made
    assert made.proposed == 1


def test_a_closed_queue_makes_no_matches(queue: ArenaQueue, teams: Arena) -> None:
    join(teams, crowd(1)[0], [], now=NOW)
    ArenaQueue.objects.update(is_open=False)
    assert due_arenas(NOW) == []
    assert tick(teams.pk, now=NOW, seed=1) is None


def test_unmatched_tickets_move_behind_those_not_tried(queue: ArenaQueue, teams: Arena) -> None:
    queue.rules = {"queue": {**ANYBODY, "iteration_rosters": 1}}
    queue.save()
    first, second = (join(teams, player, [], now=NOW) for player in crowd(2))
    tick(teams.pk, now=NOW, seed=1)
    assert list(Ticket.objects.waiting()) == [second, first]
    first.refresh_from_db()
    assert first.queued_at == NOW


def test_a_tick_that_overruns_stops_at_its_limit(queue: ArenaQueue, teams: Arena) -> None:
    for player in crowd(8):
        join(teams, player, [], now=NOW)
    seconds = iter(range(100))
    made = tick(teams.pk, now=NOW, seed=1, clock=lambda: float(next(seconds)))
    assert made
    assert made.matches < 2
    assert_laws(players=8)


def test_ten_thousand_equal_tickets_are_paired_within_the_limit(
    queue: ArenaQueue, teams: Arena
) -> None:
    players = Player.objects.bulk_create(
        Player(name=f"P{number}", folded_name=f"p{number}") for number in range(10_000)
    )
    waiting = [
        Ticket(arena=teams, captain=player, queued_at=NOW, place=place)
        for place, player in enumerate(players)
    ]
    tickets = Ticket.objects.bulk_create(waiting, batch_size=2000)
    TicketMember.objects.bulk_create(
        [TicketMember(ticket=ticket, player=ticket.captain, seen_at=NOW) for ticket in tickets],
        batch_size=2000,
    )
    with connection.cursor() as cursor:  # as autovacuum does soon after
        cursor.execute("ANALYZE league_player, league_ticket, league_ticketmember")
    made = tick(teams.pk, now=NOW, seed=1)
    assert made
    assert made.matches > 0
    assert_laws(players=10_000)


def test_a_named_roster_that_fills_its_team_is_a_guilds_team(
    queue: ArenaQueue, teams: Arena, owls: Roster, alice: Player, bob: Player, eve: Player
) -> None:
    join(teams, alice, [bob], now=NOW, roster=owls)
    join(teams, eve, [], now=NOW)
    everyone_is_there()
    season = teams.current_season(NOW)
    assert season
    tickets = take_snapshot(season, queue.matching(), NOW).tickets
    assert [ticket.guild_team for ticket in tickets] == [True, False]


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_makes_matches_for_its_audience(teams: Arena, preset: str) -> None:
    queue = ArenaQueue(arena=teams)
    queue.start_from(preset)
    queue.full_clean()
    queue.save()
    published = preset.startswith("gw2")
    for player in crowd(44 if published else 12):
        join_ranked(teams, player)
    assert (made := tick(teams.pk, now=NOW + timedelta(minutes=2), seed=1))
    assert made.matches > 0
    assert made.matcher == ("new" if published else "laurel")


def join_ranked(arena: Arena, player: Player) -> None:
    """Queue a player with the rank that the strictest preset requires."""
    rated(player, arena, 1500)
    join(arena, player, [], now=NOW)


def test_the_dispatcher_starts_due_ticks(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[int]] = []
    monkeypatch.setattr(tasks.tick_queue, "apply_async", lambda args, **how: started.append(args))
    arena("idle")
    join(teams, crowd(1)[0], [], now=NOW)
    assert tasks.start_due_ticks() == 1
    assert started == [(teams.pk,)]
