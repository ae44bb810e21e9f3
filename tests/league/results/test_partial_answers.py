"""Answers that do not settle a report yet, and what may happen to it in between."""

from datetime import timedelta

import pytest

from league.models import Agreement, Arena, DishonorAward, Match, Player, Settlement, Status
from league.services.core.errors import Conflict
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.agreed import report_new
from league.services.results.reports.answers import confirm, confirm_expired
from league.services.results.reports.changing import change, withdraw
from league.services.results.reports.countering import accept, counter
from league.services.results.reports.live import Finish
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, side

LATER = NOW + timedelta(days=3)


@pytest.fixture
def half_confirmed_match(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> Match:
    """Alice's report of a free-for-all, which Charlie has confirmed and the others have not."""
    order = [side(player, place=at) for at, player in enumerate((alice, bob, charlie, dora))]
    match = report(melee, order, reporter=alice, played_at=NOW, now=NOW)
    return confirm(match.pk, by=charlie, now=NOW)


def test_a_report_that_a_side_has_confirmed_is_not_changed_or_withdrawn(
    half_confirmed_match: Match, alice: Player
) -> None:
    """Its confirmation would count for another result."""
    assert half_confirmed_match.status == Status.REPORTED
    with pytest.raises(Conflict, match="already confirmed"):
        change(
            half_confirmed_match.pk, [Finish(place) for place in (0, 3, 1, 2)], by=alice, now=NOW
        )
    with pytest.raises(Conflict, match="already confirmed"):
        withdraw(half_confirmed_match.pk, by=alice, now=NOW)


def test_a_confirmation_does_not_count_for_another_sides_result(
    half_confirmed_match: Match, alice: Player, bob: Player, charlie: Player
) -> None:
    other = [(1, None), (0, None), (3, None), (2, None)]
    counter(half_confirmed_match.pk, other, by=bob, now=NOW)
    accepted = accept(half_confirmed_match.pk, by=alice, now=NOW)
    assert accepted.status == Status.REPORTED
    held = confirm(half_confirmed_match.pk, by=charlie, now=NOW, revision=2)
    assert held.status == Status.REPORTED
    assert confirm_expired(held.confirm_deadline or NOW) == 1
    held.refresh_from_db()
    assert held.status == Status.RATED


def test_accepting_another_result_confirms_no_claim_that_somebody_quit(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [
        ReportedSide(alice, [PlayedBy(alice)], 0, 5),
        ReportedSide(charlie, [PlayedBy(charlie, quit=True)], 1, 1),
    ]
    match = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    counter(match.pk, [(0, 3), (1, 2)], by=charlie, now=NOW)
    assert accept(match.pk, by=alice, now=NOW).status == Status.RATED
    assert not DishonorAward.objects.exists()
    assert not match.participants.filter(quit=True).exists()


@pytest.mark.parametrize("agreed_by", [Agreement.DATE, Agreement.CHALLENGE])
def test_silence_confirms_a_result_that_both_agreed_to_play_for(
    duel: Arena, alice: Player, charlie: Player, agreed_by: Agreement
) -> None:
    match = report_new(
        duel,
        [side(alice, place=0), side(charlie, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
        agreed_by=agreed_by,
        agreed_at=NOW - timedelta(days=1),
    )
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, Settlement.WINDOW)


def test_a_changed_report_is_told_again(duel: Arena, alice: Player, charlie: Player) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]
    match = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    changed_at = NOW + timedelta(hours=5)
    assert charlie.notices.update(seen_at=NOW) == 1
    change(match.pk, [Finish(1), Finish(0)], by=alice, now=changed_at)
    assert match.sides.get(captain=charlie).notified_at == changed_at
    assert charlie.notices.filter(seen_at=None, match=match).exists()
