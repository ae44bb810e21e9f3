"""Captains queue their rosters, and no player is ever in two places."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction

from league.models import Arena, ArenaQueue, Participant, Player, Roster, Ticket, TicketMember
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.queue import queueing
from league.services.queue.queueing import join, leave
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, arena
from tests.support.concurrency import all_at_once


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams)


def sets(queue: ArenaQueue, **rules: object) -> None:
    queue.rules = {"queue": rules}
    queue.full_clean()
    queue.save()


def test_alice_queues_her_owls(queue: ArenaQueue, owls: Roster, alice: Player, bob: Player) -> None:
    ticket = join(owls.arena, alice, [bob], now=NOW, roster=owls)
    assert ticket.state == Ticket.State.WAITING
    assert {member.player for member in ticket.members.all()} == {alice, bob}
    assert Ticket.objects.of(bob).get() == ticket


def test_later_tickets_queue_behind(
    queue: ArenaQueue, teams: Arena, alice: Player, charlie: Player
) -> None:
    first = join(teams, charlie, [], now=NOW)
    second = join(teams, alice, [], now=NOW)
    assert list(Ticket.objects.waiting()) == [first, second]


def test_nobody_waits_in_two_queues(
    queue: ArenaQueue, duel: Arena, teams: Arena, alice: Player, bob: Player
) -> None:
    ArenaQueue.objects.create(arena=duel)
    join(duel, bob, [], now=NOW)
    with pytest.raises(Conflict, match="Bob is already in the queue of Duel"):
        join(teams, alice, [bob], now=NOW)
    assert not Ticket.objects.of(alice).exists()


def test_a_player_in_a_match_cannot_queue(
    queue: ArenaQueue, duel: Arena, teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    start(duel, [StartingSide(bob, [bob]), StartingSide(charlie, [charlie])], now=NOW)
    with pytest.raises(Conflict, match=r"Bob is in a live match in Duel: report match \d+ first"):
        join(teams, alice, [bob], now=NOW)


def test_too_large_a_roster_is_refused(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    with pytest.raises(Refused, match=r"need 1 to 2 players .* yours has 3"):
        join(teams, alice, [bob, charlie], now=NOW)
    sets(queue, roster_min=2)
    with pytest.raises(Refused, match="yours has 1"):
        join(teams, alice, [], now=NOW)


def test_a_roster_that_none_may_queue_is_refused_at_every_size(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player
) -> None:
    sets(queue, roster_min=5, roster_max=5)
    with pytest.raises(Refused, match="yours has 2"):
        join(teams, alice, [bob], now=NOW)


def test_every_member_needs_the_rank(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player
) -> None:
    sets(queue, rank_min=3)
    with pytest.raises(Refused, match=r"Alice has rank 0 and needs 3.* Bob has rank 0"):
        join(teams, alice, [bob], now=NOW)


def test_the_banned_cannot_queue(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player
) -> None:
    assert bob.user
    bob.user.is_active = False
    bob.user.save()
    with pytest.raises(Refused, match="Bob is banned"):
        join(teams, alice, [bob], now=NOW)


def test_a_closed_queue_takes_no_tickets(
    queue: ArenaQueue, duel: Arena, teams: Arena, alice: Player
) -> None:
    ArenaQueue.objects.update(is_open=False)
    for closed in (teams, duel):
        with pytest.raises(Refused, match="is closed"):
            join(closed, alice, [], now=NOW)


def test_only_its_captain_queues_a_roster(
    queue: ArenaQueue, owls: Roster, alice: Player, bob: Player
) -> None:
    with pytest.raises(Forbidden, match="Only the roster’s captain"):
        join(owls.arena, bob, [alice], now=NOW, roster=owls)


def test_any_member_takes_the_roster_out(
    queue: ArenaQueue, owls: Roster, alice: Player, bob: Player, eve: Player
) -> None:
    ticket = join(owls.arena, alice, [bob], now=NOW, roster=owls)
    with pytest.raises(Forbidden):
        leave(ticket.pk, by=eve, now=NOW)
    leave(ticket.pk, by=bob, now=NOW)
    leave(ticket.pk, by=bob, now=NOW)
    ticket.refresh_from_db()
    assert (ticket.state, ticket.closed_at) == (Ticket.State.LEFT, NOW)
    assert join(owls.arena, alice, [bob], now=NOW, roster=owls) != ticket


def test_a_roster_edited_while_queued_plays_as_it_was(
    queue: ArenaQueue, owls: Roster, alice: Player, bob: Player
) -> None:
    ticket = join(owls.arena, alice, [bob], now=NOW, roster=owls)
    owls.memberships.filter(player=bob).delete()
    assert {member.player for member in ticket.members.all()} == {alice, bob}
    owls.delete()
    ticket.refresh_from_db()
    assert ticket.roster is None


@pytest.mark.django_db(transaction=True)
def test_of_many_captains_who_queue_bob_at_once_one_succeeds(
    queue: ArenaQueue, teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    captains = [alice, charlie, dora] * 4
    answers = all_at_once([partial(join, teams, captain, [bob], now=NOW) for captain in captains])
    assert sum(isinstance(answer, Ticket) for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == 11
    assert Ticket.objects.count() == 1
    assert TicketMember.objects.filter(player=bob, open=True).count() == 1


def queue_and_play_at_once(teams: Arena, duel: Arena, bob: Player, charlie: Player) -> None:
    sides = [StartingSide(charlie, [charlie]), StartingSide(bob, [bob])]
    calls: list[Callable[[], object]] = [
        partial(join, teams, bob, [], now=NOW),
        partial(start, duel, sides, now=NOW),
    ] * 4

    def swallowed(call: Callable[[], object]) -> object:
        try:
            return call()
        except IntegrityError as error:
            return error

    all_at_once([partial(swallowed, call) for call in calls])


@pytest.mark.django_db(transaction=True)
def test_bob_is_never_in_a_queue_and_a_match_at_once(
    queue: ArenaQueue, teams: Arena, bob: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queueing, "check_free", lambda party, now: None)  # the law holds without it
    for number in range(5):
        duel = arena(f"duel-{number}")
        queue_and_play_at_once(teams, duel, bob, charlie)
        waits = TicketMember.objects.filter(player=bob, open=True)
        plays = Participant.objects.filter(player=bob, live=True)
        assert waits.count() + plays.count() == 1
        waits.update(open=False)
        plays.update(live=False)
        Participant.objects.update(live=False)


def test_the_database_refuses_a_player_in_a_queue_and_a_match(
    queue: ArenaQueue, duel: Arena, teams: Arena, bob: Player, charlie: Player
) -> None:
    start(duel, [StartingSide(charlie, [charlie]), StartingSide(bob, [bob])], now=NOW)
    ticket = Ticket.objects.create(arena=teams, captain=bob, queued_at=NOW, place=1)
    with pytest.raises(IntegrityError, match="at the same time"), transaction.atomic():
        TicketMember.objects.create(ticket=ticket, player=bob)


def test_without_the_trigger_bob_is_in_a_queue_and_a_match(
    queue: ArenaQueue, duel: Arena, teams: Arena, bob: Player, charlie: Player
) -> None:
    """The negative control: the trigger is what refuses this."""
    with connection.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE league_ticketmember DISABLE TRIGGER league_ticketmember_waits_or_plays"
        )
    start(duel, [StartingSide(charlie, [charlie]), StartingSide(bob, [bob])], now=NOW)
    ticket = Ticket.objects.create(arena=teams, captain=bob, queued_at=NOW, place=1)
    assert TicketMember.objects.create(ticket=ticket, player=bob).open
