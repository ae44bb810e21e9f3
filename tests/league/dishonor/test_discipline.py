"""Penalties, stacks and timeouts."""

from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from league.models import (
    Arena,
    ArenaQueue,
    Discipline,
    DishonorAward,
    Offence,
    Player,
    StaffAction,
    Ticket,
)
from league.services.core.errors import Refused
from league.services.dishonor.amnesties import Incident, grant
from league.services.dishonor.discipline import costs_of, penalise, status_of
from league.services.queue.queueing import join
from league.services.results.staff.decisions import decide
from tests.support.cast import NOW, beats

SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


def test_a_dodged_match_earns_three_stacks_and_three_minutes(duel: Arena, bob: Player) -> None:
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW)
    standing = status_of(bob, NOW)
    # 30 s times 3 to the power of 1.5 are 156 s, and the nearest minute is 3.
    assert (standing.stacks, standing.until) == (3, NOW + 3 * MINUTE)
    assert standing.in_timeout
    assert not status_of(bob, NOW + 3 * MINUTE).in_timeout
    assert status_of(bob, NOW + 5 * HOUR).stacks == 2
    assert status_of(bob, NOW + 12 * HOUR).stacks == 0


def test_the_next_offence_costs_more(duel: Arena, bob: Player) -> None:
    first, _abandon = costs_of(bob, NOW)
    assert (first.stacks, first.until) == (3, NOW + 3 * MINUTE)
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW)
    second, _abandon = costs_of(bob, NOW)
    # 6 stacks: 441 s, 7 minutes, behind the 3 that he has.
    assert (second.stacks, second.until) == (6, NOW + 10 * MINUTE)


def test_a_match_is_penalised_once(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    for _times in range(2):
        penalise([charlie], Offence.ABANDON, duel, now=NOW, match=match)
    assert status_of(charlie, NOW).stacks == 10


def test_a_timeout_keeps_a_roster_out_of_a_queue_that_bars_it(
    teams: Arena, alice: Player, bob: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=teams)
    penalise([bob], Offence.QUEUE_DODGE, teams, now=NOW)
    with pytest.raises(Refused, match="Bob is in a timeout for"):
        join(teams, alice, [bob], now=NOW + 3 * MINUTE - SECOND)
    queue.bars_timeouts = False
    queue.save()
    assert join(teams, alice, [bob], now=NOW).state == Ticket.State.WAITING


def test_an_amnesty_is_not_a_verdict(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    match = beats(alice, charlie, duel)
    with pytest.raises(Refused, match="not a decision about a match"):
        decide(match.pk, verdict=StaffAction.Kind.AMNESTY, by=olga.user, reason="So", now=NOW)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE league_dishonoraward SET stacks = 0",
        "DELETE FROM league_dishonoraward",
        "UPDATE league_amnesty SET award_id = award_id",
        "DELETE FROM league_amnesty",
    ],
)
def test_the_ledger_of_dishonor_only_grows(
    duel: Arena, bob: Player, olga: Player, statement: str
) -> None:
    assert olga.user
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW)
    grant(Incident(NOW, NOW), by=olga.user, reason="So", now=NOW)
    with (
        pytest.raises(IntegrityError, match="written once and never changed"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


def test_the_leagues_own_rules_apply(duel: Arena, bob: Player) -> None:
    own = Discipline(rules={"timeout_duration": "2m", "timeout_exponent": 1})
    own.full_clean()
    own.save()
    penalise([bob], Offence.QUEUE_DODGE, duel, now=NOW)
    assert status_of(bob, NOW).until == NOW + 6 * MINUTE
    assert DishonorAward.objects.get().stacks == 3
