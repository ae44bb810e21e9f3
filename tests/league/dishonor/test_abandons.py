"""Leaving a match is penalised once, whether the player left or was reported."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from django.urls import reverse

from league.models import (
    Agreement,
    Amnesty,
    Arena,
    ArenaQueue,
    DishonorAward,
    Match,
    Offence,
    Participant,
    Player,
    Roster,
    StaffAction,
    Status,
    Ticket,
)
from league.services import corrections
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.types import PlayedBy
from league.services.dishonor.abandons import leave
from league.services.dishonor.discipline import status_of
from league.services.queue.queueing import join
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.staff.decisions import decide
from tests.support.api_steps import by_token
from tests.support.cast import NOW
from tests.support.concurrency import all_at_once
from tests.support.waiting import wait_until_blocked
from tests.support.web_steps import browser_of, words

LATER = NOW + timedelta(minutes=10)
AFTER = NOW + timedelta(minutes=20)
VOIDED, UPHELD, CORRECTED = (
    StaffAction.Kind.VOIDED,
    StaffAction.Kind.UPHELD,
    StaffAction.Kind.CORRECTED,
)


@pytest.fixture
def match(owls: Roster, foxes: Roster) -> Match:
    """The Owls play the Foxes."""
    sides = [
        StartingSide(one.captain, list(one.members.order_by("pk")), roster=one)
        for one in (owls, foxes)
    ]
    return start(owls.arena, sides, now=NOW, agreed_by=Agreement.READY_CHECK)


def reported(match: Match, *quitters: Player, by: Player) -> Match:
    """The Owls won, and ``quitters`` left before the end."""
    parts = [PlayedBy(player, seconds=60.0, quit=True) for player in quitters]
    return finish(
        match.pk, [Finish(0, None, parts), Finish(1, None, parts)], reporter=by, now=AFTER
    )


def paid() -> list[str]:
    """The players with penalties that count, once for each."""
    standing = DishonorAward.objects.standing().order_by("player__name")
    return list(standing.values_list("player__name", flat=True))


def part_of(player: Player, match: Match) -> Participant:
    return match.participants.get(player=player)


def test_bob_leaves_is_penalised_at_once_and_is_free(
    match: Match, duel: Arena, bob: Player, eve: Player
) -> None:
    leave(match.pk, by=bob, now=LATER)
    part = part_of(bob, match)
    assert (part.quit, part.seconds, part.live) == (True, 600.0, False)
    assert status_of(bob, LATER).stacks == 10
    award = DishonorAward.objects.get()
    assert (award.match, award.offence, award.at) == (match, Offence.ABANDON, LATER)
    assert start(duel, [StartingSide(bob, [bob]), StartingSide(eve, [eve])], now=LATER)
    match.refresh_from_db()
    assert match.status == Status.LIVE


def test_a_timeout_bars_bob_from_competitive_but_not_casual_queues(
    match: Match, duel: Arena, teams: Arena, bob: Player
) -> None:
    ArenaQueue.objects.create(arena=teams)
    ArenaQueue.objects.create(arena=duel, bars_timeouts=False)
    leave(match.pk, by=bob, now=LATER)
    with pytest.raises(Refused, match="Bob is in a timeout"):
        join(teams, bob, [], now=LATER)
    assert join(duel, bob, [], now=LATER).state == Ticket.State.WAITING


def test_leaving_twice_gives_one_penalty(match: Match, bob: Player) -> None:
    leave(match.pk, by=bob, now=LATER)
    leave(match.pk, by=bob, now=AFTER)
    assert paid() == ["Bob"]
    assert part_of(bob, match).seconds == 600.0


def test_only_participants_of_a_live_match_can_leave_it(
    match: Match, alice: Player, eve: Player
) -> None:
    with pytest.raises(Forbidden, match="You do not play"):
        leave(match.pk, by=eve, now=LATER)
    with pytest.raises(Refused, match="no such match"):
        leave(0, by=eve, now=LATER)
    reported(match, by=alice)
    with pytest.raises(Conflict, match="This match is over"):
        leave(match.pk, by=alice, now=AFTER)
    assert paid() == []


def test_a_clock_that_was_stepped_back_gives_no_negative_time(match: Match, bob: Player) -> None:
    leave(match.pk, by=bob, now=NOW - timedelta(hours=1))
    assert part_of(bob, match).seconds == 0.0


def test_reported_leavers_are_penalised_when_the_result_counts(
    match: Match, alice: Player, charlie: Player
) -> None:
    reported(match, charlie, by=alice)
    assert paid() == []
    confirm(match.pk, by=charlie, now=AFTER)
    assert paid() == ["Charlie"]
    assert part_of(charlie, match).seconds == 60.0
    assert status_of(charlie, AFTER).stacks == 10


def test_reported_leavers_are_not_penalised_by_silence(
    match: Match, alice: Player, dora: Player
) -> None:
    reported(match, dora, by=alice)
    assert confirm_expired(AFTER + timedelta(days=30)) == 1
    match.refresh_from_db()
    assert match.settlement == "window"
    assert paid() == []


def test_leaving_and_being_reported_give_one_penalty(
    match: Match, alice: Player, bob: Player, charlie: Player
) -> None:
    leave(match.pk, by=bob, now=LATER)
    reported(match, bob, charlie, by=alice)
    assert part_of(bob, match).quit
    confirm(match.pk, by=charlie, now=AFTER)
    assert paid() == ["Bob", "Charlie"]
    assert status_of(bob, LATER).stacks == 10


def test_a_void_match_voids_its_penalties_and_the_record_says_why(
    match: Match, alice: Player, bob: Player, dora: Player, olga: Player
) -> None:
    assert olga.user
    leave(match.pk, by=bob, now=LATER)
    reported(match, dora, by=alice)
    decide(match.pk, verdict=VOIDED, by=olga.user, reason="The server fell.", now=AFTER)
    assert paid() == []
    assert status_of(bob, AFTER).stacks == 0
    amnesty = Amnesty.objects.get()
    assert (amnesty.award.player, amnesty.action.kind) == (bob, VOIDED)


def test_voiding_a_live_match_voids_the_penalty_of_its_leaver(
    match: Match, bob: Player, olga: Player
) -> None:
    assert olga.user
    leave(match.pk, by=bob, now=LATER)
    decide(match.pk, verdict=VOIDED, by=olga.user, reason="The server fell.", now=AFTER)
    assert paid() == []


@pytest.mark.parametrize("upheld", [True, False])
def test_staff_decide_which_players_left(
    match: Match,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    olga: Player,
    upheld: bool,
) -> None:
    assert olga.user
    leave(match.pk, by=bob, now=LATER)
    reported(match, dora, by=alice)
    dispute(match.pk, by=charlie, reason="Dora was here.", now=AFTER)
    assert paid() == ["Bob"]
    verdict = UPHELD if upheld else CORRECTED
    decide(
        match.pk,
        verdict=verdict,
        by=olga.user,
        reason="The replay shows it.",
        now=AFTER,
        placings=None if upheld else [(0, None), (1, None)],
        leavers=None if upheld else {charlie.pk},
    )
    assert paid() == (["Bob", "Dora"] if upheld else ["Charlie"])
    if not upheld:
        details = StaffAction.objects.get().details
        assert details["left_was"] == sorted([bob.pk, dora.pk])
        assert details["left_is"] == [charlie.pk]


def test_staff_cannot_name_leavers_who_did_not_play(
    match: Match, alice: Player, eve: Player, olga: Player
) -> None:
    assert olga.user
    reported(match, by=alice)
    with pytest.raises(Refused, match="Only participants") as refusal:
        decide(
            match.pk,
            verdict=CORRECTED,
            by=olga.user,
            reason="So",
            now=AFTER,
            placings=[(0, None), (1, None)],
            leavers=[eve.pk],
        )
    assert refusal.value.field == "leavers"
    match.refresh_from_db()
    assert match.status == Status.REPORTED


@pytest.mark.django_db(transaction=True)
def test_a_confirmation_waiting_for_the_report_sees_all_of_it(
    match: Match, alice: Player, charlie: Player
) -> None:
    def confirms() -> Match:
        try:
            return confirm(match.pk, by=charlie, now=AFTER)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            reported(match, charlie, by=alice)
            confirmed = other.submit(confirms)
            wait_until_blocked()
        assert confirmed.result(timeout=30).status == Status.RATED
    assert paid() == ["Charlie"]


@pytest.mark.django_db(transaction=True)
def test_leaving_reporting_and_sweeping_at_once_gives_at_most_one_penalty(
    match: Match, alice: Player, bob: Player, charlie: Player
) -> None:
    calls: list[Callable[[], object]] = [
        partial(leave, match.pk, by=bob, now=LATER),
        partial(reported, match, bob, by=alice),
        partial(leave, match.pk, by=bob, now=LATER),
        partial(confirm, match.pk, by=charlie, now=AFTER),
        partial(confirm_expired, AFTER + timedelta(days=30)),
    ]
    all_at_once(calls * 3)
    confirm_expired(AFTER + timedelta(days=30))
    match.refresh_from_db()
    assert match.status == Status.RATED
    # Bob is no leaver by the captains' word, if he was too late to leave.
    left = ["Bob"] if part_of(bob, match).quit else []
    assert list(DishonorAward.objects.values_list("player__name", flat=True)) == left
    assert not Participant.objects.filter(live=True).exists()


def test_voiding_a_rated_result_later_voids_the_penalty_of_its_leaver(
    match: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    reported(match, charlie, by=alice)
    confirm(match.pk, by=charlie, now=AFTER)
    assert paid() == ["Charlie"]
    match.refresh_from_db()
    seen = corrections.preview(match, by=olga.user)
    asked = corrections.ask(
        match,
        by=olga.user,
        reason="The server fell.",
        digest=seen.digest,
        horizon=seen.horizon,
        now=AFTER,
    )
    corrections.carry_out(asked.pk, AFTER)
    assert paid() == []
    assert Amnesty.objects.get().action.reason == "The server fell."


def test_the_page_shows_bob_the_cost_before_he_leaves(match: Match, bob: Player) -> None:
    browser = browser_of(bob)
    page = words(browser.get(match.get_absolute_url()))
    assert "Leave this match" in page
    assert "You would have 10 stacks of dishonor and a timeout until" in page
    said = words(browser.post(reverse("match_leave", args=[match.pk]), follow=True))
    assert "You have left the match. This gives you dishonor." in said
    assert "Leaving a match before its end 10 stacks" in said
    assert "Leave this match" not in words(browser.get(match.get_absolute_url()))
    assert paid() == ["Bob"]


def test_the_report_form_already_knows_who_left(match: Match, alice: Player, bob: Player) -> None:
    leave(match.pk, by=bob, now=LATER)
    form = browser_of(alice).get(reverse("match_report", args=[match.pk])).context["form"]
    assert form[f"quit-{bob.pk}"].value() is True
    assert form[f"seconds-{bob.pk}"].value() == 600
    assert form[f"quit-{alice.pk}"].value() is not True


def test_olga_clears_dora_on_the_page(
    match: Match, alice: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    reported(match, dora, by=alice)
    dispute(match.pk, by=charlie, reason="Dora was here.", now=AFTER)
    where = reverse("match_decide", args=[match.pk])
    form = browser_of(olga).get(where).context["form"]
    assert form["leavers"].value() == [dora.pk]
    answer = {"verdict": "corrected", "outcome": "0", "reason": "She was."}
    assert browser_of(olga).post(where, answer).status_code == 302
    assert not part_of(dora, match).quit
    assert paid() == []


def test_a_program_leaves_and_staff_correct_through_the_api(
    match: Match, bob: Player, alice: Player, eve: Player, olga: Player
) -> None:
    address = f"/api/v1/matches/{match.pk}"
    assert by_token(eve).post(f"{address}/leave/").status_code == 403
    answer = by_token(bob).post(f"{address}/leave/")
    assert answer.status_code == 200
    quits = {
        part["player"]["name"]: part["quit"]
        for side in answer.json()["sides"]
        for part in side["participants"]
    }
    assert quits == {"Alice": False, "Bob": True, "Charlie": False, "Dora": False}
    reported(match, by=alice)
    assert by_token(bob).post(f"{address}/leave/").status_code == 409
    decision = {
        "verdict": "corrected",
        "reason": "He was pushed.",
        "placings": [{"place": 0}, {"place": 1}],
        "leavers": [],
    }
    answer = by_token(olga).post(f"{address}/decision/", decision, format="json")
    assert answer.status_code == 200, answer.json()
    assert paid() == []
