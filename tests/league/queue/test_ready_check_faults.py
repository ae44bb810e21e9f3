"""The rules hold when rosters are edited, players banned or clocks set back in between."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial

import pytest
from django.db.models import ProtectedError

from league import tasks
from league.models import (
    Arena,
    ArenaQueue,
    DishonorAward,
    Match,
    Participant,
    Player,
    Proposal,
    Roster,
    Ticket,
    User,
)
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.integrity.queue import breaches
from league.services.people.players import save_roster
from league.services.queue.queueing import join, leave, mark_seen
from league.services.queue.ready_checks import accept, cancel_expired, decline, remove_banned
from league.services.queue.ticks import due_arenas, tick
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import ANYBODY

SOON = NOW + timedelta(seconds=5)
LATE = NOW + timedelta(seconds=30)


@pytest.fixture
def four(alice: Player, bob: Player, charlie: Player, dora: Player) -> list[Player]:
    return [alice, bob, charlie, dora]


@pytest.fixture
def waiting_ticket(teams: Arena, owls: Roster, four: list[Player]) -> Ticket:
    """Alice queues her Owls; Bob has seen the queue. Charlie and Dora queue alone."""
    alice, bob, charlie, dora = four
    queue = ArenaQueue(arena=teams, matcher="new", rules={"queue": ANYBODY})
    queue.full_clean()
    queue.save()
    ticket = join(teams, alice, [bob], now=NOW, roster=owls)
    mark_seen(ticket, bob, NOW)
    for player in (charlie, dora):
        join(teams, player, [], now=NOW)
    return ticket


@pytest.fixture
def open_proposal(waiting_ticket: Ticket) -> Proposal:
    tick(waiting_ticket.arena_id, now=NOW, seed=1)
    return Proposal.objects.get()


@pytest.fixture(autouse=True)
def laws(db: None) -> Iterator[None]:
    """Check at the end of each test that the queues obey all their rules."""
    yield
    assert [str(breach) for breach in breaches(NOW)] == []


def ban(player: Player) -> None:
    User.objects.filter(player=player).update(is_active=False)


def paid() -> set[str]:
    return set(DishonorAward.objects.values_list("player__name", flat=True))


def in_line() -> list[str]:
    return [ticket.captain.name for ticket in Ticket.objects.waiting()]


def test_a_roster_edited_while_queued_is_matched_and_plays_as_it_queued(
    waiting_ticket: Ticket, teams: Arena, owls: Roster, four: list[Player], eve: Player
) -> None:
    alice, bob, *_others = four
    save_roster(teams, alice, "Barn Owls", [eve], now=NOW, roster=owls)
    tick(teams.pk, now=NOW, seed=1)
    proposal = Proposal.objects.get()
    for player in four:
        proposal = accept(proposal.pk, by=player, now=SOON)
    assert proposal.match
    side = proposal.match.sides.get(captain=alice)
    assert {part.player for part in side.participants.all()} == {alice, bob}
    assert join(teams, eve, [], now=SOON).is_open


def test_a_roster_edited_or_deleted_in_a_ready_check_plays_as_it_was_asked(
    open_proposal: Proposal, teams: Arena, owls: Roster, four: list[Player], eve: Player
) -> None:
    alice, bob, charlie, dora = four
    accept(open_proposal.pk, by=bob, now=SOON)
    save_roster(teams, alice, "Owls", [eve], now=NOW, roster=owls)
    accept(open_proposal.pk, by=alice, now=SOON)
    owls.delete()
    for player in (charlie, dora):
        accept(open_proposal.pk, by=player, now=SOON)
    match = Match.objects.get()
    assert set(match.participants.values_list("player", flat=True)) == {one.pk for one in four}
    assert match.sides.get(captain=alice).roster is None


def test_a_player_who_waits_cannot_be_deleted(waiting_ticket: Ticket, bob: Player) -> None:
    with pytest.raises(ProtectedError):
        bob.delete()


def test_a_player_banned_in_the_queue_is_removed_before_a_ready_check(
    waiting_ticket: Ticket, teams: Arena, dora: Player
) -> None:
    ban(dora)
    assert remove_banned(SOON) == 1
    assert remove_banned(SOON) == 0
    tick(teams.pk, now=SOON, seed=1)
    assert not Proposal.objects.exists()
    assert in_line() == ["Alice", "Charlie"]
    assert paid() == set()


def test_a_ban_in_a_ready_check_cancels_it_at_once_without_penalty(
    open_proposal: Proposal, bob: Player, charlie: Player
) -> None:
    accept(open_proposal.pk, by=charlie, now=SOON)
    ban(bob)
    assert remove_banned(SOON) == 1
    with pytest.raises(Conflict, match="This match is off"):
        accept(open_proposal.pk, by=charlie, now=SOON)
    assert in_line() == ["Charlie", "Dora"]
    assert cancel_expired(LATE) == 0
    assert paid() == set()


def test_a_player_banned_after_accepting_plays_no_match(
    open_proposal: Proposal, four: list[Player]
) -> None:
    *first, dora = four
    accept(open_proposal.pk, by=dora, now=SOON)
    ban(dora)
    for player in first:
        accept(open_proposal.pk, by=player, now=SOON)
    assert not Match.objects.exists()
    assert in_line() == ["Alice", "Charlie"]
    assert paid() == set()


def test_a_captain_does_not_answer_for_a_member_who_was_banned(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player
) -> None:
    for player in (alice, charlie):
        accept(open_proposal.pk, by=player, now=SOON)
    ban(bob)
    cancel_expired(LATE)
    assert paid() == {"Dora"}
    assert in_line() == ["Charlie"]


def test_the_sweeper_of_the_site_removes_the_banned(open_proposal: Proposal, dora: Player) -> None:
    Proposal.objects.update(deadline=database_now() + timedelta(minutes=10))
    ban(dora)
    assert tasks.cancel_expired_ready_checks() == 1
    assert in_line() == ["Alice", "Charlie"]
    open_proposal.refresh_from_db()
    assert open_proposal.state == Proposal.State.CANCELLED


@pytest.mark.django_db(transaction=True)
def test_a_ban_and_answers_at_one_instant_start_no_match_with_the_banned(
    open_proposal: Proposal, four: list[Player], bob: Player
) -> None:
    ban(bob)
    calls: list[Callable[[], object]] = [
        partial(accept, open_proposal.pk, by=player, now=SOON) for player in four
    ]
    all_at_once([*calls, partial(remove_banned, SOON), *calls, partial(remove_banned, SOON)])
    assert not Match.objects.exists()
    assert in_line() == ["Charlie", "Dora"]
    assert paid() == set()


@pytest.mark.django_db(transaction=True)
def test_of_concurrent_declines_only_the_first_counts(
    open_proposal: Proposal, four: list[Player]
) -> None:
    calls: list[Callable[[], object]] = [
        partial(decline, open_proposal.pk, by=player, now=SOON) for player in four
    ]
    answers = all_at_once([*calls, partial(cancel_expired, LATE), *calls])
    open_proposal.refresh_from_db()
    if len(open_proposal.missed) == 1:  # somebody declined before the sweeper came
        assert len(paid()) == 1
        assert len(in_line()) == 2
    else:
        assert paid() == {"Alice", "Bob", "Charlie", "Dora"}  # all had been silent to the end
    declined = [answer for answer in answers if isinstance(answer, Proposal)]
    assert len(declined) <= 1


def test_nobody_is_penalised_for_a_match_cancelled_before_they_could_answer(
    open_proposal: Proposal, four: list[Player]
) -> None:
    *others, dora = four
    decline(open_proposal.pk, by=dora, now=SOON)
    for player in others:
        for answer in (accept, decline):
            with pytest.raises(Conflict, match="This match is off"):
                answer(open_proposal.pk, by=player, now=SOON)
    assert cancel_expired(LATE) == 0
    assert paid() == {"Dora"}
    assert in_line() == ["Alice", "Charlie"]


def test_a_clock_set_back_an_hour_ends_a_ready_check_without_penalty(
    open_proposal: Proposal, alice: Player
) -> None:
    accept(open_proposal.pk, by=alice, now=SOON)
    assert cancel_expired(NOW - timedelta(seconds=9)) == 0  # a little is only a little more time
    assert cancel_expired(NOW - timedelta(hours=1)) == 1
    assert paid() == set()
    assert in_line() == ["Alice", "Charlie", "Dora"]


def test_the_queue_continues_after_a_clock_was_set_back(
    waiting_ticket: Ticket, teams: Arena, four: list[Player]
) -> None:
    alice, *_others = four
    past = NOW - timedelta(hours=1)
    tick(teams.pk, now=NOW, seed=1)
    cancel_expired(past)
    assert due_arenas(past) == [teams.pk]
    made = tick(teams.pk, now=past, seed=2)
    assert made
    assert made.proposed == 1
    proposal = Proposal.objects.get(state=Proposal.State.OPEN)
    for player in four:
        proposal = accept(proposal.pk, by=player, now=past + timedelta(seconds=1))
    assert proposal.state == Proposal.State.ACCEPTED
    assert Participant.objects.filter(live=True).count() == 4
    leave(waiting_ticket.pk, by=alice, now=past)  # it is closed: leaving it does nothing
    waiting_ticket.refresh_from_db()
    assert waiting_ticket.state == Ticket.State.PLAYED
