"""Ready checks: players accept or not, and only those who let others down are penalised."""

from datetime import timedelta
from functools import partial

import pytest

from league.models import (
    Arena,
    ArenaQueue,
    DishonorAward,
    Match,
    Participant,
    Player,
    Proposal,
    Roster,
    Status,
    Ticket,
    TicketMember,
)
from league.services.core.errors import Conflict, Forbidden
from league.services.dishonor.discipline import status_of
from league.services.queue.queueing import join, leave, mark_seen
from league.services.queue.ready_checks import accept, cancel_expired, decline
from league.services.queue.ticks import tick
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.queue_steps import ANYBODY

SOON = NOW + timedelta(seconds=5)
LATE = NOW + timedelta(seconds=30)


@pytest.fixture
def queue(teams: Arena) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=teams, matcher="new", rules={"queue": ANYBODY})


@pytest.fixture
def open_proposal(
    queue: ArenaQueue, owls: Roster, alice: Player, bob: Player, charlie: Player, dora: Player
) -> Proposal:
    """The Owls against Charlie and Dora, who queued alone; Bob has seen the queue."""
    ticket = join(owls.arena, alice, [bob], now=NOW, roster=owls)
    mark_seen(ticket, bob, NOW)
    join(owls.arena, charlie, [], now=NOW)
    join(owls.arena, dora, [], now=NOW)
    tick(owls.arena.pk, now=NOW, seed=1)
    return Proposal.objects.get()


def punished() -> set[str]:
    return set(DishonorAward.objects.values_list("player__name", flat=True))


def waiting() -> list[str]:
    return [ticket.captain.name for ticket in Ticket.objects.waiting()]


def test_the_match_is_live_when_everyone_accepts(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for player in (alice, bob, charlie):
        assert accept(open_proposal.pk, by=player, now=SOON).state == Proposal.State.OPEN
    proposal = accept(open_proposal.pk, by=dora, now=SOON)
    match = Match.objects.get()
    assert (proposal.state, proposal.match) == (Proposal.State.ACCEPTED, match)
    assert match.status == Status.LIVE
    assert Participant.objects.filter(live=True).count() == 4
    owls = match.sides.get(captain=alice)
    assert owls.roster
    assert {part.player for part in owls.participants.all()} == {alice, bob}
    assert not TicketMember.objects.filter(open=True).exists()
    assert punished() == set()


def test_accepting_twice_changes_nothing(open_proposal: Proposal, alice: Player) -> None:
    accept(open_proposal.pk, by=alice, now=SOON)
    assert accept(open_proposal.pk, by=alice, now=SOON).state == Proposal.State.OPEN


def test_only_the_declining_player_dodges(
    open_proposal: Proposal, alice: Player, charlie: Player, dora: Player
) -> None:
    accept(open_proposal.pk, by=alice, now=SOON)
    decline(open_proposal.pk, by=charlie, now=SOON)
    assert punished() == {"Charlie"}
    assert waiting() == ["Alice", "Dora"]
    assert status_of(charlie, SOON).stacks == 3
    assert cancel_expired(LATE) == 0
    assert punished() == {"Charlie"}


def test_ready_players_return_to_the_front_and_keep_their_waiting_time(
    open_proposal: Proposal, teams: Arena, dora: Player, eve: Player
) -> None:
    join(teams, eve, [], now=SOON)
    decline(open_proposal.pk, by=dora, now=SOON)
    assert waiting() == ["Alice", "Charlie", "Eve"]
    assert set(Ticket.objects.waiting().values_list("queued_at", flat=True)[:2]) == {NOW}
    assert not TicketMember.objects.exclude(accepted_at=None).exists()


def test_silence_until_the_end_is_a_dodge(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player
) -> None:
    for player in (alice, bob, charlie):
        accept(open_proposal.pk, by=player, now=SOON)
    assert cancel_expired(LATE - timedelta(seconds=1)) == 0
    assert cancel_expired(LATE) == 1
    assert cancel_expired(LATE) == 0
    assert punished() == {"Dora"}
    assert waiting() == ["Alice", "Charlie"]
    open_proposal.refresh_from_db()
    assert (open_proposal.state, len(open_proposal.missed)) == (Proposal.State.CANCELLED, 1)


def test_a_ready_check_that_expired_while_the_site_was_down_is_not_penalised(
    open_proposal: Proposal, alice: Player
) -> None:
    accept(open_proposal.pk, by=alice, now=SOON)
    assert cancel_expired(LATE + timedelta(seconds=11)) == 1
    assert punished() == set()
    assert waiting() == ["Alice", "Charlie", "Dora"]


def test_a_member_answers_for_themselves_and_their_captain_pays_nothing(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for player in (alice, charlie, dora):
        accept(open_proposal.pk, by=player, now=SOON)
    cancel_expired(LATE)
    assert punished() == {"Bob"}
    assert waiting() == ["Charlie", "Dora"]


def test_no_match_is_found_for_a_roster_before_each_member_is_there(
    queue: ArenaQueue, owls: Roster, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    ticket = join(owls.arena, alice, [bob], now=NOW, roster=owls)
    for player in (charlie, dora):
        join(owls.arena, player, [], now=NOW)
    tick(owls.arena.pk, now=NOW, seed=1)
    assert not Proposal.objects.exists()
    assert punished() == set()
    mark_seen(ticket, bob, NOW + timedelta(seconds=40))
    tick(owls.arena.pk, now=NOW + timedelta(minutes=1), seed=1)
    assert Proposal.objects.exists()


def test_an_answer_that_comes_too_late_is_refused(
    open_proposal: Proposal, alice: Player, charlie: Player, eve: Player
) -> None:
    with pytest.raises(Forbidden):
        accept(open_proposal.pk, by=eve, now=SOON)
    with pytest.raises(Conflict, match="Time is up"):
        accept(open_proposal.pk, by=alice, now=LATE)
    decline(open_proposal.pk, by=alice, now=SOON)
    with pytest.raises(Conflict, match="a player was not ready"):
        accept(open_proposal.pk, by=charlie, now=SOON)
    assert punished() == {"Alice"}


def test_leaving_during_a_ready_check_is_refused(open_proposal: Proposal, bob: Player) -> None:
    ticket = Ticket.objects.of(bob).get()
    with pytest.raises(Conflict, match="accept or decline"):
        leave(ticket.pk, by=bob, now=SOON)


def test_a_season_that_ends_meanwhile_cancels_the_match_without_penalty(
    open_proposal: Proposal, teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    teams.seasons.update(ends_at=NOW)
    for player in (alice, bob, charlie, dora):
        proposal = accept(open_proposal.pk, by=player, now=SOON)
    assert proposal.state == Proposal.State.CANCELLED
    assert punished() == set()
    assert waiting() == ["Alice", "Charlie", "Dora"]
    assert not Match.objects.exists()


def test_a_player_banned_meanwhile_leaves_the_queue_and_the_others_keep_waiting(
    open_proposal: Proposal, charlie: Player, dora: Player
) -> None:
    assert dora.user
    dora.user.is_active = False
    dora.user.save()
    decline(open_proposal.pk, by=charlie, now=SOON)
    assert waiting() == ["Alice"]
    assert punished() == {"Charlie"}


def test_the_match_is_reported_like_any_other_and_its_players_can_queue_again(
    open_proposal: Proposal, teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for player in (alice, bob, charlie, dora):
        accept(open_proposal.pk, by=player, now=SOON)
    with pytest.raises(Conflict, match="live match"):
        join(teams, dora, [], now=SOON)
    Participant.objects.update(live=False)
    assert join(teams, dora, [], now=SOON)


def test_a_waiting_player_cannot_start_a_match_elsewhere(
    open_proposal: Proposal, duel: Arena, charlie: Player, eve: Player
) -> None:
    with pytest.raises(Conflict, match="is already in the queue of"):
        start(duel, [StartingSide(charlie, [charlie]), StartingSide(eve, [eve])], now=SOON)


@pytest.mark.django_db(transaction=True)
def test_concurrent_answers_start_one_match(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    players = [alice, bob, charlie, dora] * 3
    all_at_once([partial(accept, open_proposal.pk, by=player, now=SOON) for player in players])
    assert Match.objects.count() == 1
    assert Participant.objects.filter(live=True).count() == 4


@pytest.mark.django_db(transaction=True)
def test_an_answer_and_two_sweepers_at_the_last_instant_leave_one_outcome(
    open_proposal: Proposal, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    for player in (alice, bob, charlie):
        accept(open_proposal.pk, by=player, now=SOON)
    sweep, answer = (
        partial(cancel_expired, LATE),
        partial(accept, open_proposal.pk, by=dora, now=SOON),
    )
    all_at_once([sweep, answer, sweep])
    open_proposal.refresh_from_db()
    if open_proposal.state == Proposal.State.ACCEPTED:
        assert (punished(), waiting()) == (set(), [])
        assert Participant.objects.filter(live=True).count() == 4
    else:
        assert (punished(), waiting()) == ({"Dora"}, ["Alice", "Charlie"])
        assert not Match.objects.exists()
