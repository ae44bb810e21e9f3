"""Captains who act at the same moment: one of them is first, and nothing is half done."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import cast

import pytest

from league.models import Arena, Arrangement, Match, Player
from league.services.core.errors import Conflict, Forbidden
from league.services.dates import playing
from league.services.dates.answers import accept, decline, withdraw
from league.services.dates.deadlines import sweep
from league.services.dates.limits import MOST_BETWEEN
from league.services.dates.proposals import move, propose
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once
from tests.support.date_steps import SATURDAY, SUNDAY, steps


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
