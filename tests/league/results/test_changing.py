"""Reporters change and withdraw their reports until somebody answers."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, Player, RatingEvent, ReportChange, Settlement, StaffAction, Status
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.changing import change, withdraw
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from league.services.results.rules.limits import MOST_CHANGES
from league.services.results.staff.decisions import decide
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, beats, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words

OTHER = [Finish(1, 2.0), Finish(0, 3.0)]
LATER = NOW + timedelta(hours=1)


def test_alice_withdraws_her_report_and_nobody_can_confirm_it(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = withdraw(beats(alice, charlie, duel).pk, by=alice, now=LATER)
    assert (match.status, match.settlement) == (Status.VOID, Settlement.WITHDRAWN)
    assert match.settled_at == LATER
    with pytest.raises(Conflict, match="void"):
        confirm(match.pk, by=charlie, now=LATER)
    assert confirm_expired(NOW + timedelta(days=9)) == 0
    assert not RatingEvent.objects.exists()


def test_a_withdrawn_result_can_be_reported_again(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]
    send_ = partial(report, duel, sides, played_at=NOW, now=NOW)
    first = send_(reporter=alice)
    withdraw(first.pk, by=alice, now=NOW)
    again = send_(reporter=alice)
    assert again != first
    assert again.status == Status.REPORTED
    withdraw(again.pk, by=alice, now=NOW)
    assert send_(reporter=charlie).status == Status.REPORTED


def test_a_changed_report_counts_as_changed_and_gives_the_full_time_again(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = change(beats(alice, charlie, duel).pk, OTHER, by=alice, now=LATER)
    assert (match.revision, match.confirm_deadline) == (2, LATER + duel.confirmation_window)
    kept = ReportChange.objects.get()
    assert (kept.revision, kept.by, kept.was) == (2, alice, [[0, None], [1, None]])
    with pytest.raises(Conflict, match="has been changed"):
        confirm(match.pk, by=charlie, now=LATER)
    with pytest.raises(Conflict, match="has been changed"):
        dispute(match.pk, by=charlie, reason="No", now=LATER)
    confirm(match.pk, by=charlie, now=LATER, revision=2)
    assert [s.place for s in match.sides.order_by("index")] == [1, 0]
    gains = {e.player: e.rating_after - e.rating_before for e in match.events.all()}
    assert gains[charlie] > 0 > gains[alice]
    assert verify(duel.seasons.get()) == []


def test_only_the_reporter_changes_and_only_until_an_answer(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, duel)
    for other in (charlie, eve):
        with pytest.raises(Forbidden, match="Only the player who reported"):
            change(match.pk, OTHER, by=other, now=NOW)
        with pytest.raises(Forbidden, match="Only the player who reported"):
            withdraw(match.pk, by=other, now=NOW)
    confirm(match.pk, by=charlie, now=NOW)
    with pytest.raises(Conflict, match="already confirmed"):
        change(match.pk, OTHER, by=alice, now=NOW)
    with pytest.raises(Conflict, match="already confirmed"):
        withdraw(match.pk, by=alice, now=NOW)
    disputed = beats(alice, charlie, duel)
    dispute(disputed.pk, by=charlie, reason="No", now=NOW)
    with pytest.raises(Conflict, match="Staff will decide"):
        withdraw(disputed.pk, by=alice, now=NOW)


def test_a_change_that_does_not_fit_changes_nothing(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, duel)
    for finishes in (
        [Finish(0)],
        [Finish(1), Finish(1)],
        [Finish(0, float("inf")), Finish(1)],
        [Finish(0, 1.0, [PlayedBy(eve)]), Finish(1)],
        [Finish(0, 1.0, [PlayedBy(alice, seconds=-1)]), Finish(1)],
    ):
        with pytest.raises(Refused):
            change(match.pk, finishes, by=alice, now=NOW)
    match.refresh_from_db()
    assert match.revision == 1
    assert not ReportChange.objects.exists()
    assert [s.place for s in match.sides.order_by("index")] == [0, 1]
    assert [s.score for s in match.sides.order_by("index")] == [None, None]


def test_changes_of_one_report_end(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    for turn in range(MOST_CHANGES):
        change(match.pk, OTHER, by=alice, now=NOW, revision=turn + 1)
    with pytest.raises(LimitReached, match="10 times"):
        change(match.pk, OTHER, by=alice, now=NOW, revision=MOST_CHANGES + 1)


def test_a_changed_report_pairs_up_with_the_same_result_of_the_other_side(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    change(match.pk, OTHER, by=alice, now=NOW)
    sides = [side(alice, place=1, score=2), side(charlie, place=0, score=3)]
    answered = report(duel, sides, reporter=charlie, played_at=NOW, now=NOW, client_token=uuid4())
    assert answered == match
    assert answered.status == Status.RATED


def test_a_quit_can_be_taken_back_but_not_by_who_left_themselves(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), ReportedSide(charlie, [PlayedBy(charlie, quit=True)], 1)]
    match = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    stayed = [Finish(0, None, [PlayedBy(alice)]), Finish(1, None, [PlayedBy(charlie)])]
    change(match.pk, stayed, by=alice, now=NOW)
    assert not match.participants.filter(quit=True).exists()


def test_a_started_match_keeps_its_leavers_and_needs_a_result(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    from league.services.dishonor import abandons  # noqa: PLC0415 - for this test only

    match = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    abandons.leave(match.pk, by=charlie, now=LATER)
    finish(match.pk, [Finish(0), Finish(1)], reporter=charlie, now=LATER)
    with pytest.raises(Conflict, match="needs a result"):
        withdraw(match.pk, by=charlie, now=LATER)
    stayed = [Finish(1), Finish(0, None, [PlayedBy(charlie)])]
    change(match.pk, stayed, by=charlie, now=LATER)
    assert match.participants.get(player=charlie).quit


def test_charlie_reads_a_page_that_alice_changes_meanwhile(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    page = browser_of(charlie).get(match.get_absolute_url())
    assert 'name="revision" value="1"' in page.content.decode()
    form = {"outcome": "1", "score-0": "2", "score-1": "3", "revision": "1"}
    address = reverse("match_change", args=[match.pk])
    assert browser_of(alice).get(address).status_code == 200
    assert browser_of(alice).post(address, form).status_code == 302
    late = browser_of(charlie).post(reverse("match_confirm", args=[match.pk]), {"revision": "1"})
    assert late.status_code == 409
    assert "This report has been changed" in words(late)
    assert 'name="revision" value="2"' in late.content.decode()
    assert "Alice changed the report" in words(late)
    stale = browser_of(alice).post(address, form)
    assert stale.status_code == 409
    confirmed = browser_of(charlie).post(
        reverse("match_confirm", args=[match.pk]), {"revision": "2"}
    )
    assert confirmed.status_code == 302
    match.refresh_from_db()
    assert match.status == Status.RATED


@pytest.mark.parametrize("meanwhile", ["changed", "withdrawn"])
def test_a_reason_typed_into_a_stale_page_is_not_lost(
    duel: Arena, alice: Player, charlie: Player, meanwhile: str
) -> None:
    match = beats(alice, charlie, duel)
    if meanwhile == "changed":
        change(match.pk, OTHER, by=alice, now=NOW)
    else:
        withdraw(match.pk, by=alice, now=NOW)
    form = {"reason": "We never played the last <map>.", "revision": "1"}
    late = browser_of(charlie).post(reverse("match_dispute", args=[match.pk]), form)
    assert late.status_code == 409
    assert "We never played the last &lt;map&gt;.</textarea>" in late.content.decode()


def test_alice_withdraws_on_the_page(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    assert "Withdraw it" in words(browser_of(alice).get(match.get_absolute_url()))
    assert "Withdraw it" not in words(browser_of(charlie).get(match.get_absolute_url()))
    page = browser_of(alice).post(reverse("match_withdraw", args=[match.pk]), follow=True)
    assert "Withdrawn by Alice" in words(page)
    assert "Alice withdrew the report" in words(page)


def test_the_api_follows_the_same_rules(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    body = {"sides": [{"place": 1, "score": 2}, {"place": 0, "score": 3}]}
    changing = reverse("api:match-change", args=[match.pk])
    answer = send(by_token(alice), changing, body)
    assert answer.status_code == 200
    assert answer.json()["revision"] == 2
    assert send(by_token(alice), changing, body).json()["code"] == "changed"
    confirming = reverse("api:match-confirm", args=[match.pk])
    assert send(by_token(charlie), confirming, {}).status_code == 409
    assert send(by_token(charlie), confirming, {"revision": 2}).status_code == 200
    withdrawing = reverse("api:match-withdraw", args=[match.pk])
    assert send(by_token(alice), withdrawing, {"revision": 2}).json()["code"] == "rated"
    other = beats(alice, charlie, duel)
    withdrawing = reverse("api:match-withdraw", args=[other.pk])
    assert send(by_token(alice), withdrawing, {}).json()["settlement"] == "withdrawn"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("countless_reports")
def test_answers_changes_and_withdrawals_at_the_same_instant_exclude_each_other(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    upheld = partial(
        decide, verdict=StaffAction.Kind.UPHELD, by=olga.user, reason="The replay.", now=NOW
    )
    for turn in range(12):
        match = beats(alice, charlie, duel, now=NOW + timedelta(days=turn))
        rating = (
            partial(upheld, match.pk)
            if turn % 2
            else partial(confirm, match.pk, by=charlie, now=NOW)
        )
        mine = (
            partial(withdraw, match.pk, by=alice, now=NOW)
            if turn % 3 == 0
            else partial(change, match.pk, OTHER, by=alice, now=NOW)
        )
        all_at_once([rating, mine] if turn % 4 < 2 else [mine, rating])
        match.refresh_from_db()
        if match.status == Status.RATED:
            winner = match.sides.get(place=0).captain
            event = match.events.get(player=winner)
            assert event.rating_after > event.rating_before
            assert match.revision == 1 or turn % 2
        else:
            assert not match.events.exists()
    assert verify(duel.seasons.get()) == []
