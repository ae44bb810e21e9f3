"""Ticks match waiting players. Each player is in one match at most, and nobody is lost."""

from __future__ import annotations

import threading
from collections import Counter
from contextlib import suppress
from datetime import timedelta
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.db import connection

from league import tasks
from league.models import (
    ArenaQueue,
    Player,
    Proposal,
    Rating,
    Tick,
    Ticket,
    TicketMember,
)
from league.services.queue import pairing
from league.services.queue.pairing import due_arenas, run_again, tick
from league.services.queue.queueing import join, leave
from league.services.queue.snapshots import waiting_tickets
from league.services.results.live import StartingSide, start
from matchmaking.presets import PRESETS
from tests.support.cast import NOW, arena
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import ANYBODY, crowd, everyone_is_there

if TYPE_CHECKING:
    from league.models import Arena, Roster


pytestmark = pytest.mark.django_db


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    made = ArenaQueue(arena=teams, matcher="new", rules={"queue": ANYBODY})
    made.full_clean()
    made.save()
    return made


def assert_laws(*, players: int) -> None:
    """Check that everyone is in one open ticket and each proposed match has two full teams."""
    places = Counter(TicketMember.objects.filter(open=True).values_list("player", flat=True))
    assert len(places) == players
    assert set(places.values()) == {1}
    open_proposals = Proposal.objects.filter(state="open")
    seats = Counter(open_proposals.values_list("pk", "tickets__team", "tickets__members"))
    teams = Counter((proposal, team) for proposal, team, _member in seats)
    for proposal in open_proposals:
        assert (teams[proposal.pk, 1], teams[proposal.pk, 2]) == (2, 2)
    assert len(teams) == 2 * open_proposals.count()
    assert not Ticket.objects.waiting().exclude(proposal=None).exists()


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


def uses_laurel(queue: ArenaQueue, **rules: object) -> None:
    """Make the queue use the Laurel matcher, at any cost unless ``rules`` say otherwise."""
    queue.matcher = ArenaQueue.Matcher.LAUREL
    queue.rules = {"queue": ANYBODY, "laurel": {"asking": -1e6, **rules}}
    queue.full_clean()
    queue.save()


def pair_of(proposal: Proposal) -> frozenset[str]:
    """Return the proposed pairings of teams of one."""
    return frozenset(ticket.captain.name for ticket in proposal.tickets.all())


def rated(player: Player, arena: Arena, rating: float) -> None:
    season = arena.current_season(NOW)
    assert season
    Rating.objects.create(
        season=season, player=player, rating=rating, deviation=0, volatility=0.06, games=20
    )


def test_laurel_refuses_a_match_with_a_certain_winner(queue: ArenaQueue, teams: Arena) -> None:
    uses_laurel(queue, fairness=0.1)
    strong, *others = crowd(4)
    rated(strong, teams, 2400)
    for player in others:
        rated(player, teams, 1500)
    for player in (strong, *others):
        join(teams, player, [], now=NOW)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=2), seed=1))
    assert made.matches == 0
    uses_laurel(queue, fairness=0.5)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=3), seed=1))
    assert made.matches == 1


def meet(arena: Arena, one: Player, other: Player) -> None:
    match = start(arena, [StartingSide(one, [one]), StartingSide(other, [other])], now=NOW)
    match.participants.update(live=False)


def test_laurel_avoids_rematches(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    meet(duel, bob, dora)
    for player, rating in ((alice, 1500), (charlie, 1501), (bob, 1510), (dora, 1511)):
        rated(player, duel, rating)
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 2
    again = {frozenset(("Alice", "Charlie")), frozenset(("Bob", "Dora"))}
    assert not again & {pair_of(proposal) for proposal in Proposal.objects.all()}
    assert run_again(made) == made.found


def test_laurel_allows_a_rematch_when_nobody_else_waits(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    for player in (alice, charlie):
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 1


def test_a_named_roster_that_fills_its_team_is_a_guilds_team(
    queue: ArenaQueue, teams: Arena, owls: Roster, alice: Player, bob: Player, eve: Player
) -> None:
    join(teams, alice, [bob], now=NOW, roster=owls)
    join(teams, eve, [], now=NOW)
    everyone_is_there()
    season = teams.current_season(NOW)
    assert season
    assert [ticket.guild_team for ticket in waiting_tickets(season, NOW)] == [True, False]


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


@pytest.mark.django_db(transaction=True)
def test_two_dispatchers_at_once_tick_once(queue: ArenaQueue, teams: Arena) -> None:
    for player in crowd(8):
        join(teams, player, [], now=NOW)
    answers = all_at_once([partial(tick, teams.pk, now=NOW, seed=seed) for seed in range(8)])
    assert sum(isinstance(answer, Tick) for answer in answers) == 1
    assert Proposal.objects.count() == 2
    assert_laws(players=8)


class Killed(BaseException):
    """A worker is killed at some point."""


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("where", ["propose", "reorder"])
def test_a_worker_killed_between_engine_and_write_loses_nobody(
    queue: ArenaQueue, teams: Arena, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for player in crowd(4):
        join(teams, player, [], now=NOW)

    def die(*arguments: object) -> None:
        with connection.cursor() as cursor, suppress(Exception):
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(pairing, where, die)
        all_at_once([partial(survived, partial(tick, teams.pk, now=NOW, seed=1))])
    assert Ticket.objects.waiting().count() == 4
    assert tick(teams.pk, now=NOW + timedelta(seconds=1), seed=1)
    assert Proposal.objects.count() == 1
    assert_laws(players=4)


def survived(call: object) -> None:
    with suppress(BaseException):
        call()  # type: ignore[operator] # a call without arguments


def leave_while_the_engine_runs(
    teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> tuple[Ticket, list[object]]:
    """A player leaves after the matcher read the queue and before it writes the match."""
    first, *others = crowd(4)
    ticket = join(teams, first, [], now=NOW)
    for player in others:
        join(teams, player, [], now=NOW)
    has_read, has_left = threading.Event(), threading.Event()
    engine = pairing.run_matcher

    def slow(*arguments: object, **options: object) -> object:
        outcome = engine(*arguments, **options)  # type: ignore[arg-type] # passed on as they came
        has_read.set()
        has_left.wait(5)
        return outcome

    def leaves() -> None:
        has_read.wait(5)
        leave(ticket.pk, by=first, now=NOW)
        has_left.set()

    monkeypatch.setattr(pairing, "run_matcher", slow)
    answers = all_at_once([partial(tick, teams.pk, now=NOW, seed=1), leaves])
    ticket.refresh_from_db()
    return ticket, answers


@pytest.mark.django_db(transaction=True)
def test_a_player_who_leaves_while_the_engine_runs_is_in_no_match(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticket, _answers = leave_while_the_engine_runs(teams, monkeypatch)
    assert ticket.state == Ticket.State.LEFT
    assert Tick.objects.get().matches == 1
    assert not Proposal.objects.exists()
    assert_laws(players=3)


@pytest.mark.django_db(transaction=True)
def test_without_the_claim_a_player_who_left_is_proposed_a_match(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: claiming the tickets is what prevents this."""
    monkeypatch.setattr(pairing, "claim", set)
    ticket, _answers = leave_while_the_engine_runs(teams, monkeypatch)
    assert ticket.state == Ticket.State.PROPOSED


def test_the_dispatcher_starts_due_ticks(
    queue: ArenaQueue, teams: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[tuple[int]] = []
    monkeypatch.setattr(tasks.tick_queue, "apply_async", lambda args, **how: started.append(args))
    arena("idle")
    join(teams, crowd(1)[0], [], now=NOW)
    assert tasks.start_due_ticks() == 1
    assert started == [(teams.pk,)]
