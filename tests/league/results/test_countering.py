"""The other side answers a report with its own result."""

from datetime import timedelta
from functools import partial

import pytest
from django.urls import reverse

from league.models import Arena, CounterReport, Match, Player, Settlement, StaffAction, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, confirm_expired
from league.services.results.reports.changing import change
from league.services.results.reports.countering import accept, counter, reject
from league.services.results.reports.live import Finish
from league.services.results.reports.reporting import report
from league.services.results.staff.decisions import decide
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, beats, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words

OTHER: list[tuple[int, float | None]] = [(1, 2), (0, 3)]


@pytest.fixture
def countered_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Alice reported that she won, and Charlie that he did."""
    return counter(
        beats(alice, charlie, duel).pk, OTHER, by=charlie, now=NOW, comment="See the replay."
    )


def test_alice_accepts_charlie_s_result_and_it_is_rated(
    countered_match: Match, alice: Player, charlie: Player
) -> None:
    assert countered_match.status == Status.DISPUTED
    match = accept(countered_match.pk, by=alice, now=NOW)
    assert (match.status, match.settlement) == (Status.RATED, Settlement.CAPTAIN)
    assert (match.reported_by, match.confirmed_by) == (charlie, alice)
    assert [(s.place, s.score) for s in match.sides.order_by("index")] == OTHER
    event = match.events.get(player=charlie)
    assert event.rating_after > event.rating_before
    assert CounterReport.objects.get().state == CounterReport.State.ACCEPTED
    assert verify(match.season) == []


def test_alice_rejects_and_staff_decide(
    countered_match: Match, alice: Player, olga: Player
) -> None:
    match = reject(countered_match.pk, by=alice, now=NOW)
    assert match.status == Status.DISPUTED
    with pytest.raises(Conflict, match="No other result waits"):
        accept(match.pk, by=alice, now=NOW)
    assert olga.user
    upheld = StaffAction.Kind.UPHELD
    decided = decide(match.pk, verdict=upheld, by=olga.user, reason="So it was.", now=NOW)
    assert decided.status == Status.RATED
    assert CounterReport.objects.get().state == CounterReport.State.REJECTED


def test_silence_about_another_result_never_counts(countered_match: Match, olga: Player) -> None:
    assert confirm_expired(NOW + timedelta(days=99)) == 0
    countered_match.refresh_from_db()
    assert countered_match.status == Status.DISPUTED
    assert olga.user
    upheld = StaffAction.Kind.UPHELD
    decide(countered_match.pk, verdict=upheld, by=olga.user, reason="So it was.", now=NOW)
    assert CounterReport.objects.get().state == CounterReport.State.DECIDED


def test_nobody_counters_or_accepts_for_the_wrong_side(
    duel: Arena, countered_match: Match, alice: Player, charlie: Player, eve: Player
) -> None:
    for answer in (accept, reject):
        for other in (charlie, eve):
            with pytest.raises(Forbidden, match="Only the captain of the side that reported"):
                answer(countered_match.pk, by=other, now=NOW)
    with pytest.raises(Conflict, match="Staff will decide"):
        counter(countered_match.pk, OTHER, by=charlie, now=NOW)
    match = beats(alice, charlie, duel)
    with pytest.raises(Forbidden, match="You reported this result"):
        counter(match.pk, OTHER, by=alice, now=NOW)
    with pytest.raises(Forbidden, match="Only captains of the other sides"):
        counter(match.pk, OTHER, by=eve, now=NOW)
    with pytest.raises(Conflict, match="waiting for confirmation"):
        accept(match.pk, by=alice, now=NOW)


def test_another_result_has_to_be_possible_and_different(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    cases: list[tuple[list[tuple[int, float | None]], str]] = [
        ([(0, None), (1, None)], "This is the reported result"),
        ([(0, None)], "Give a place for each of the 2 sides"),
        ([(1, None), (1, None)], "At least one side must be first"),
        ([(0, float("nan")), (1, None)], "A score here is from 0 to 10000"),
    ]
    for placings, sentence in cases:
        with pytest.raises(Refused, match=sentence):
            counter(match.pk, placings, by=charlie, now=NOW)
    change(match.pk, [Finish(0, 5.0), Finish(1, 1.0)], by=alice, now=NOW)
    with pytest.raises(Conflict, match="has been changed"):
        counter(match.pk, OTHER, by=charlie, now=NOW)
    assert not CounterReport.objects.exists()
    match.refresh_from_db()
    assert match.status == Status.REPORTED


def test_in_a_free_for_all_another_captain_counters(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(bob, place=1), side(charlie, place=2)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    counter(match.pk, [(0, None), (2, None), (1, None)], by=charlie, now=NOW)
    with pytest.raises(Forbidden):
        accept(match.pk, by=bob, now=NOW)
    settled = accept(match.pk, by=alice, now=NOW)
    assert [s.place for s in settled.sides.order_by("index")] == [0, 2, 1]


def test_both_captains_settle_it_on_the_page(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    address = reverse("match_counter", args=[match.pk])
    assert "How did it really end?" in words(browser_of(charlie).get(address))
    form = {"outcome": "1", "score-0": "2", "score-1": "3", "comment": "Ask Eve.", "revision": "1"}
    empty = browser_of(charlie).post(address, form | {"outcome": "", "score-0": ""})
    assert empty.status_code == 400
    assert "Enter this score, too, or choose who won." in words(empty)
    page = words(browser_of(charlie).post(address, form, follow=True))
    assert "Charlie reported another result" in page
    assert "Alice has until" in page
    assert "Accept this result" not in page
    theirs = words(browser_of(alice).get(match.get_absolute_url()))
    assert "Charlie reports another result 1. Charlie 3 2. Alice 2" in theirs
    accepting = reverse("match_counter_answer", args=[match.pk])
    settled = browser_of(alice).post(accepting, {"answer": "accept"}, follow=True)
    assert "Alice reported the result" in words(settled)
    assert "Alice accepted the other result" in words(settled)
    again = browser_of(alice).post(accepting, {"answer": "accept"})
    assert again.status_code in {403, 409}


def test_both_captains_settle_it_through_the_api(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    body = {"sides": [{"place": 1, "score": 2}, {"place": 0, "score": 3}], "comment": "No."}
    countering = reverse("api:match-counter", args=[match.pk])
    answer = send(by_token(charlie), countering, body)
    assert answer.status_code == 200
    (kept,) = answer.json()["counter_reports"]
    assert kept["sides"] == [{"place": 1, "score": 2.0}, {"place": 0, "score": 3.0}]
    assert (kept["state"], kept["reporter"]["name"]) == ("open", "Charlie")
    accepting = reverse("api:match-counter-answer", args=[match.pk])
    assert send(by_token(charlie), accepting, {"accept": True}).status_code == 403
    assert send(by_token(alice), accepting, {"accept": True}).json()["status"] == "rated"


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("countless_reports")
def test_answers_at_the_same_instant_settle_a_match_once(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    for turn in range(6):
        match = beats(alice, charlie, duel, now=NOW + timedelta(days=turn))
        first = all_at_once(
            [
                partial(counter, match.pk, OTHER, by=charlie, now=NOW),
                partial(confirm, match.pk, by=charlie, now=NOW),
            ]
        )
        assert sum(isinstance(answer, Match) for answer in first) == 1
        match.refresh_from_db()
        if match.status == Status.DISPUTED:
            void = StaffAction.Kind.VOIDED
            second = all_at_once(
                [
                    partial(accept, match.pk, by=alice, now=NOW),
                    partial(reject, match.pk, by=alice, now=NOW),
                    partial(decide, match.pk, verdict=void, by=olga.user, reason="Never.", now=NOW),
                ]
            )
            assert sum(isinstance(answer, Match) for answer in second) in {1, 2}
        match.refresh_from_db()
        assert match.events.count() == (2 if match.status == Status.RATED else 0)
    assert verify(duel.seasons.get()) == []


def test_staff_see_the_other_result_and_can_fill_it_in(
    countered_match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    address = reverse("match_decide", args=[countered_match.pk])
    page = browser_of(olga).get(address)
    assert "Charlie reported another result" in words(page)
    assert "Fill in the result of Charlie" in words(page)
    assert page.context["form"]["outcome"].value() == "0"
    filled = browser_of(olga).get(address, {"other": "1"})
    assert filled.context["form"]["outcome"].value() is None  # the scores say it
    assert filled.context["form"]["score-1"].value() == 3
    decision = {"verdict": "corrected", "reason": "Yes.", "outcome": "1", "score-1": "3"}
    assert browser_of(olga).post(address, decision).status_code == 302
    countered_match.refresh_from_db()
    assert countered_match.status == Status.RATED
    assert countered_match.sides.get(place=0).captain == charlie
    assert "Olga: corrected a reported result" in words(
        browser_of(alice).get(countered_match.get_absolute_url())
    )
