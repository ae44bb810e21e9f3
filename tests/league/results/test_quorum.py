"""Reports of more than two sides count with those they can harm, or a quorum."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest

from league.models import (
    Agreement,
    Confirmation,
    Player,
    Rating,
    RatingEvent,
    Side,
    Status,
)
from league.services.core.errors import Conflict
from league.services.results.reports.answers import confirm, confirm_expired
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once
from tests.support.result_steps import placed, rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Arena

pytestmark = pytest.mark.django_db

LATER = NOW + timedelta(days=30)


def test_one_accomplice_does_not_make_a_free_for_all_count(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=bob, now=NOW).status == Status.REPORTED
    with pytest.raises(Conflict, match="already confirmed"):
        confirm(match.pk, by=bob, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.VOID, "lapsed")
    assert not Rating.objects.exists()


def test_a_quorum_of_the_other_sides_makes_a_free_for_all_count(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=dora, now=NOW)
    match = confirm(match.pk, by=bob, now=NOW)
    assert (match.status, match.settlement, match.confirmed_by) == (Status.RATED, "quorum", bob)
    assert set(Confirmation.objects.values_list("player__name", flat=True)) == {"Bob", "Dora"}


def test_a_quorum_needs_a_side_below_the_reporter(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(bob, charlie, alice, dora), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=dora, now=NOW).status == Status.RATED


def test_all_harmed_sides_are_enough_without_the_winner(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match = report(melee, placed(bob, alice, charlie), reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.RATED


def test_sharing_the_first_place_harms_too(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [side(one, place=0) for one in (alice, bob, charlie)] + [side(dora, place=3)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=dora, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.RATED


def test_an_arena_can_ask_everybody(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    rules(melee, quorum_share=1)
    sides = [side(alice, place=0), *(side(one, place=0) for one in (bob, charlie, dora))]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    for other in (bob, charlie):
        assert confirm(match.pk, by=other, now=NOW).status == Status.REPORTED
    assert confirm(match.pk, by=dora, now=NOW).status == Status.RATED


def test_silence_in_a_free_for_all_counts_only_for_sides_that_agreed(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    agreed = Side.objects.filter(match=match, captain=charlie)
    agreed.update(agreed_at=NOW, agreed_by=Agreement.READY_CHECK)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, "window")


@pytest.mark.django_db(transaction=True)
def test_confirmations_at_once_settle_the_match_once(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    calls: list[Callable[[], object]] = [
        partial(confirm, match.pk, by=player, now=NOW) for player in (bob, charlie, dora)
    ]
    all_at_once(calls * 3)
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert RatingEvent.objects.count() == 4
    assert 2 <= Confirmation.objects.count() <= 3
