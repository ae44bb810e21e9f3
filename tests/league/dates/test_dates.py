"""Two captains agree on a time, play and report; nobody can be made to play or to lose."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import cast

import pytest
from django.db import IntegrityError, transaction

from league.models import Arena, Arrangement, Match, Offence, Player, Roster, Status, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.dates.answers import accept, decline, withdraw
from league.services.dates.deadlines import sweep
from league.services.dates.limits import (
    HORIZON,
    MOST_A_DAY,
    MOST_A_DAY_IN_ALL,
    MOST_BETWEEN,
    MOST_OPEN,
    MOST_TIMES,
    REPORT_WITHIN,
)
from league.services.dates.lists import past, upcoming, waiting_for, waiting_for_others
from league.services.dates.proposals import move, propose
from league.services.dishonor.discipline import penalise
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, arena, side
from tests.support.concurrency import all_at_once
from tests.support.date_steps import SATURDAY, SUNDAY, state, steps


def test_a_date_is_proposed_moved_accepted_and_played(
    proposed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    assert list(waiting_for(charlie, NOW)) == [proposed_date]
    assert list(waiting_for_others(alice, NOW)) == [proposed_date]
    moved = move(proposed_date.pk, SUNDAY, by=charlie, seen=1, now=NOW)
    assert (moved.revision, moved.asked, moved.play_at) == (2, alice, SUNDAY)
    assert list(waiting_for(alice, NOW)) == [proposed_date]
    agreed = accept(proposed_date.pk, by=alice, seen=2, now=NOW)
    assert agreed.state == Arrangement.State.ACCEPTED
    assert list(upcoming(duel)) == [proposed_date]
    at = SUNDAY + timedelta(hours=1)
    match = playing.report(
        proposed_date.pk,
        [side(alice, place=1), side(charlie, place=0)],
        reporter=alice,
        played_at=at,
        now=at,
    )
    assert (match.status, match.arrangement) == (Status.REPORTED, proposed_date)
    assert state(proposed_date) == Arrangement.State.PLAYED
    assert list(past(duel, None)) == [proposed_date]
    confirm(match.pk, by=charlie, now=at)
    assert steps(proposed_date) == [
        ("proposed", "Alice"),
        ("moved", "Charlie"),
        ("accepted", "Alice"),
        ("reported", "Alice"),
    ]


def test_only_the_captain_who_is_asked_answers_and_the_other_withdraws(
    proposed_date: Arrangement, alice: Player, charlie: Player, eve: Player
) -> None:
    answers: list[Callable[..., Arrangement]] = [accept, decline, partial(move, play_at=SUNDAY)]
    for answer in answers:
        for player in (alice, eve):
            with pytest.raises(Forbidden):
                answer(proposed_date.pk, by=player, seen=1, now=NOW)
    for player in (charlie, eve):
        with pytest.raises(Forbidden):
            withdraw(proposed_date.pk, by=player, now=NOW)
    withdraw(proposed_date.pk, by=alice, now=NOW)
    for answer in answers:
        with pytest.raises(Conflict, match="withdrawn"):
            answer(proposed_date.pk, by=charlie, seen=1, now=NOW)
    with pytest.raises(Conflict, match="withdrawn"):
        withdraw(proposed_date.pk, by=alice, now=NOW)
    with pytest.raises(Refused, match="no such date"):
        accept(proposed_date.pk + 1, by=charlie, seen=1, now=NOW)
    assert steps(proposed_date) == [("proposed", "Alice"), ("withdrawn", "Alice")]


def test_an_answer_counts_only_for_the_time_that_was_read(
    proposed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    move(proposed_date.pk, SUNDAY, by=charlie, seen=1, now=NOW)
    move(proposed_date.pk, SATURDAY, by=alice, seen=2, now=NOW)
    for answer in (accept, decline, partial(move, play_at=SUNDAY)):
        with pytest.raises(Conflict, match="has changed"):
            answer(proposed_date.pk, by=charlie, seen=1, now=NOW)
    with pytest.raises(Refused, match="Accept it instead"):
        move(proposed_date.pk, SATURDAY, by=charlie, seen=3, now=NOW)
    accept(proposed_date.pk, by=charlie, seen=3, now=NOW)
    with pytest.raises(Conflict, match="Its state: agreed"):
        accept(proposed_date.pk, by=charlie, seen=3, now=NOW)


@pytest.mark.parametrize(
    ("play_at", "code"),
    [
        (NOW, "past"),
        (NOW - timedelta(days=1), "past"),
        (NOW + HORIZON + timedelta(seconds=1), "too_far"),
    ],
)
def test_times_lie_in_the_near_future(
    proposed_date: Arrangement,
    duel: Arena,
    alice: Player,
    charlie: Player,
    play_at: datetime,
    code: str,
) -> None:
    with pytest.raises(Refused) as refusal:
        propose(duel, charlie, play_at, by=alice, now=NOW)
    assert (refusal.value.code, refusal.value.field) == (code, "play_at")
    with pytest.raises(Refused) as refusal:
        move(proposed_date.pk, play_at, by=charlie, seen=1, now=NOW)
    assert (refusal.value.code, refusal.value.field) == (code, "play_at")
    propose(duel, charlie, NOW + HORIZON, by=alice, now=NOW)


def test_a_date_needs_a_season_that_lasts(duel: Arena, alice: Player, charlie: Player) -> None:
    season = duel.seasons.get()
    season.ends_at = SATURDAY
    season.save()
    with pytest.raises(Refused, match="no season at that time"):
        propose(duel, charlie, SATURDAY, by=alice, now=NOW)
    propose(duel, charlie, SATURDAY - timedelta(hours=1), by=alice, now=NOW)


def test_who_cannot_be_asked_and_who_cannot_ask(
    duel: Arena, teams: Arena, melee: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    def refused(by: Player, whom: Player, where: Arena = duel) -> str:
        with pytest.raises(Refused) as refusal:
            propose(where, whom, SATURDAY, by=by, now=NOW)
        return refusal.value.code

    zoe = Player.objects.create(name="Zoe")
    assert refused(alice, alice) == "self"
    assert refused(alice, zoe) == "cannot_answer"
    assert refused(zoe, alice) == "no_account"
    User.objects.filter(player=charlie).update(is_active=False)
    locked = Player.objects.get(pk=charlie.pk)
    assert refused(alice, locked) == "cannot_answer"
    assert refused(locked, alice) == "locked"
    penalise([eve], Offence.ABANDON, duel, now=NOW)
    assert refused(alice, eve) == refused(eve, alice) == "timeout"
    crowd = arena("crowd", sides_min=3, sides_max=5)
    assert refused(alice, zoe, crowd) == "sides"
    duel.is_open = False
    duel.save()
    assert refused(alice, zoe) == "closed"
    dora = account("Dora")
    propose(melee, dora, SATURDAY, by=alice, now=NOW)
    propose(teams, dora, SATURDAY, by=alice, now=NOW)
    with pytest.raises(IntegrityError, match="arrangement_with_another"), transaction.atomic():
        Arrangement.objects.create(
            arena=duel, proposer=alice, opponent=alice, asked=alice, play_at=NOW, created_at=NOW
        )
    with pytest.raises(IntegrityError, match="arrangement_asks_a_captain"), transaction.atomic():
        Arrangement.objects.create(
            arena=duel, proposer=alice, opponent=eve, asked=charlie, play_at=NOW, created_at=NOW
        )


def test_rosters_need_their_captains(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player, bob: Player
) -> None:
    made = propose(teams, charlie, SATURDAY, by=alice, now=NOW, roster=owls, opponent_roster=foxes)
    assert str(made) == "Owls against Foxes"
    for by, whom, roster, other in (
        (bob, charlie, owls, foxes),
        (alice, bob, owls, foxes),
        (alice, charlie, foxes, owls),
    ):
        with pytest.raises(Refused, match="does not lead this roster"):
            propose(teams, whom, SUNDAY, by=by, now=NOW, roster=roster, opponent_roster=other)
    teams.team_size_min = 2
    teams.save()
    with pytest.raises(Refused, match="between rosters"):
        propose(teams, charlie, SUNDAY, by=alice, now=NOW)
    foxes.memberships.exclude(player=charlie).delete()
    with pytest.raises(Refused, match="too few players"):
        propose(teams, charlie, SUNDAY, by=alice, now=NOW, roster=owls, opponent_roster=foxes)
    foxes.memberships.create(player=bob)
    with pytest.raises(Refused, match="share too many players"):
        propose(teams, charlie, SUNDAY, by=alice, now=NOW, roster=owls, opponent_roster=foxes)


def test_open_proposals_are_limited(duel: Arena, alice: Player, charlie: Player) -> None:
    for number in range(MOST_BETWEEN):
        one, other = (alice, charlie) if number % 2 else (charlie, alice)
        propose(duel, other, SATURDAY + timedelta(hours=number), by=one, now=NOW)
        with pytest.raises(Conflict):
            propose(duel, other, SATURDAY + timedelta(hours=number), by=one, now=NOW)
    for one, other in ((alice, charlie), (charlie, alice)):
        with pytest.raises(Conflict, match="already have 3 proposals"):
            propose(duel, other, SUNDAY, by=one, now=NOW)
    sent = Arrangement.objects.filter(proposer=alice).count()
    for number in range(MOST_OPEN - sent):
        propose(duel, account(f"Player {number}"), SUNDAY, by=alice, now=NOW)
    with pytest.raises(Conflict, match="already have 20 proposals"):
        propose(duel, account("One too many"), SUNDAY, by=alice, now=NOW)
    propose(duel, alice, SUNDAY, by=account("Somebody else"), now=NOW)


def test_two_captains_do_not_haggle_forever(
    proposed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    for number in range(1, MOST_TIMES):
        by = charlie if number % 2 else alice
        at = SATURDAY + timedelta(hours=number)
        move(proposed_date.pk, at, by=by, seen=number, now=NOW)
    with pytest.raises(Conflict, match="proposed 20 times"):
        move(proposed_date.pk, SATURDAY, by=alice, seen=MOST_TIMES, now=NOW)
    accept(proposed_date.pk, by=alice, seen=MOST_TIMES, now=NOW)


def test_unanswered_proposals_and_unreported_dates_lapse(
    proposed_date: Arrangement,
    agreed_date: Arrangement,
    duel: Arena,
    alice: Player,
    charlie: Player,
) -> None:
    ignored = propose(duel, charlie, SATURDAY + timedelta(hours=1), by=alice, now=NOW)
    assert sweep(SATURDAY) == 0
    late = SATURDAY + timedelta(hours=1)
    with pytest.raises(Conflict, match="has passed"):
        accept(ignored.pk, by=charlie, seen=1, now=late)
    assert sweep(late) == 1
    assert state(ignored) == Arrangement.State.LAPSED
    assert steps(ignored)[-1] == ("lapsed", None)
    assert sweep(SATURDAY + REPORT_WITHIN - timedelta(seconds=1)) == 0
    assert sweep(SATURDAY + REPORT_WITHIN) == 1
    assert state(agreed_date) == Arrangement.State.LAPSED
    assert sweep(SATURDAY + REPORT_WITHIN) == 0
    assert not Match.objects.exists()


# Captains who act at the same moment: one of them is first, and nothing is half done.


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_once_leave_one(duel: Arena, alice: Player, charlie: Player) -> None:
    for hour in range(6):
        one = propose(duel, charlie, SATURDAY + timedelta(hours=hour), by=alice, now=NOW)
        given = all_at_once(
            [
                partial(accept, one.pk, by=charlie, seen=1, now=NOW),
                partial(decline, one.pk, by=charlie, seen=1, now=NOW),
                partial(move, one.pk, SUNDAY, by=charlie, seen=1, now=NOW),
                partial(withdraw, one.pk, by=alice, now=NOW),
                partial(accept, one.pk, by=charlie, seen=1, now=NOW),
                partial(sweep, one.play_at),
            ]
        )
        done = [answer for answer in given if isinstance(answer, Arrangement)]
        assert sum(isinstance(answer, Forbidden | Conflict) for answer in given) >= 3
        one.refresh_from_db()
        finished = [kind for kind, _by in steps(one) if kind not in {"proposed", "moved"}]
        assert len(finished) <= 1
        assert len(done) <= 2  # a moved one can then be withdrawn or lapse
        if one.state == Arrangement.State.PROPOSED:
            withdraw(one.pk, by=charlie, now=NOW)


@pytest.mark.django_db(transaction=True)
def test_proposals_at_once_stay_within_the_limit(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    asking = [
        partial(propose, duel, other, SATURDAY + timedelta(hours=hour), by=one, now=NOW)
        for hour in range(5)
        for one, other in ((alice, charlie), (charlie, alice))
    ]
    given = all_at_once(cast("list[Callable[[], object]]", asking))
    assert sum(isinstance(answer, Arrangement) for answer in given) == MOST_BETWEEN
    assert Arrangement.objects.count() == MOST_BETWEEN


@pytest.mark.django_db(transaction=True)
def test_both_captains_reporting_at_once_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for hour in range(4):
        one = propose(duel, charlie, SATURDAY + timedelta(hours=hour), by=alice, now=NOW)
        accept(one.pk, by=charlie, seen=1, now=NOW)
        calls: list[Callable[[], object]] = [
            partial(
                playing.report,
                one.pk,
                [side(alice, place=0), side(charlie, place=1)],
                reporter=reporter,
                played_at=one.play_at,
                now=one.play_at,
            )
            for reporter in (alice, charlie) * 2
        ]
        given = all_at_once(calls)
        assert sum(isinstance(answer, Match) for answer in given) == 1
    assert Match.objects.count() == 4


# How many matches a captain can propose.


def test_withdrawn_proposals_count_for_the_day(duel: Arena, alice: Player, charlie: Player) -> None:
    for _number in range(MOST_A_DAY):
        withdraw(propose(duel, charlie, SUNDAY, by=alice, now=NOW).pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="10 matches to Charlie in 24 hours"):
        propose(duel, charlie, SUNDAY, by=alice, now=NOW)
    propose(duel, account("Zoe"), SUNDAY, by=alice, now=NOW)
    propose(duel, charlie, SUNDAY, by=alice, now=NOW + timedelta(days=1))


def test_proposals_to_many_players_are_limited_too(duel: Arena, alice: Player) -> None:
    for number in range(MOST_A_DAY_IN_ALL):
        other = account(f"Player {number}")
        withdraw(propose(duel, other, SUNDAY, by=alice, now=NOW).pk, by=alice, now=NOW)
    with pytest.raises(Conflict, match="You have proposed 50 matches in 24 hours"):
        propose(duel, account("Zoe"), SUNDAY, by=alice, now=NOW)
