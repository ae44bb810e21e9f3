"""Reporting, answering and deciding results."""

from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest

from league.models import Arena, Match, Player, Rating, RatingEvent, Roster, StaffAction, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from league.services.results.staff.decisions import decide
from tests.support.cast import NOW, beats, beats_as_agreed, side


def rating_of(player: Player) -> float:
    return Rating.objects.get(player=player).rating


def test_charlie_confirms_what_alice_reported_and_both_ratings_move(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    assert match.status == Status.REPORTED
    assert not Rating.objects.exists()

    match = confirm(match.pk, by=charlie, now=NOW)

    assert match.status == Status.RATED
    assert (match.confirmed_by, match.confirmed_by_side) == (charlie, 1)
    assert rating_of(alice) > 1200 > rating_of(charlie)
    events = {event.player: event for event in RatingEvent.objects.filter(match=match)}
    assert set(events) == {alice, charlie}
    assert events[alice].rating_before == 1200
    assert events[alice].rating_after == rating_of(alice)
    assert events[alice].why["expected"] == 0.5


def test_alice_cannot_confirm_her_own_report(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    with pytest.raises(Forbidden, match="The other side has to confirm"):
        confirm(match.pk, by=alice, now=NOW)
    assert not RatingEvent.objects.exists()


@pytest.mark.usefixtures("owls", "foxes")
def test_bob_is_not_a_captain_and_can_neither_report_nor_confirm(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [side(alice, bob, place=0), side(charlie, dora, place=1)]
    with pytest.raises(Forbidden, match="Only the captains"):
        report(teams, sides, reporter=bob, played_at=NOW, now=NOW)
    match = report(teams, sides, reporter=charlie, played_at=NOW, now=NOW)
    with pytest.raises(Forbidden, match="Only captains"):
        confirm(match.pk, by=bob, now=NOW)


def test_a_result_is_confirmed_once(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    with pytest.raises(Conflict, match="already confirmed"):
        confirm(match.pk, by=charlie, now=NOW)
    assert RatingEvent.objects.count() == 2


def test_a_form_sent_twice_creates_one_match(duel: Arena, alice: Player, charlie: Player) -> None:
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    first = report(duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
    second = report(duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
    assert first == second
    assert Match.objects.count() == 1


def test_charlie_disputes_and_olga_corrects_the_report(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="I won that.", now=NOW)
    with pytest.raises(Conflict, match="Staff will decide"):
        confirm(match.pk, by=charlie, now=NOW)

    assert olga.user
    match = decide(
        match.pk,
        verdict=StaffAction.Kind.CORRECTED,
        by=olga.user,
        reason="The screenshot shows it.",
        placings=[(1, 2.0), (0, 3.0)],
        now=NOW,
    )

    assert match.status == Status.RATED
    assert rating_of(charlie) > rating_of(alice)
    action = StaffAction.objects.get()
    assert (action.actor, action.match, action.reason) == (
        olga.user,
        match,
        "The screenshot shows it.",
    )
    assert action.details["was"][0] == {"place": 0, "score": None}


def test_a_void_match_is_never_rated(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    assert olga.user
    decide(match.pk, verdict=StaffAction.Kind.VOIDED, by=olga.user, reason="A test", now=NOW)
    with pytest.raises(Conflict, match="void"):
        confirm(match.pk, by=charlie, now=NOW)
    assert confirm_expired(NOW + timedelta(days=99)) == 0
    assert not RatingEvent.objects.exists()


def test_only_staff_decide(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        decide(match.pk, verdict=StaffAction.Kind.UPHELD, by=alice.user, reason="Me", now=NOW)


def test_an_unanswered_report_of_an_agreed_match_counts_after_the_window(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats_as_agreed(alice, charlie, duel)
    assert confirm_expired(NOW + duel.confirmation_window - timedelta(seconds=1)) == 0
    assert confirm_expired(NOW + duel.confirmation_window) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, "window")
    assert confirm_expired(NOW + duel.confirmation_window) == 0


def test_a_report_that_cannot_be_settled_does_not_block_others(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    broken = beats_as_agreed(alice, charlie, duel)
    Match.objects.filter(pk=broken.pk).update(weight=1e300)
    beats_as_agreed(alice, eve, duel, now=NOW + timedelta(minutes=1))
    assert confirm_expired(NOW + timedelta(days=3)) == 1
    broken.refresh_from_db()
    assert broken.status == Status.REPORTED


def test_a_free_for_all_takes_places_and_both_losers_confirm(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [side(bob, place=1), side(alice, place=0), side(charlie, place=1)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.REPORTED
    match = confirm(match.pk, by=bob, now=NOW)
    assert (match.status, match.settlement) == (Status.RATED, "quorum")
    assert rating_of(alice) > rating_of(bob) == rating_of(charlie)


def test_quits_and_seconds_are_stored(duel: Arena, alice: Player, charlie: Player) -> None:
    sides = [
        ReportedSide(alice, [PlayedBy(alice, seconds=801.5)], place=0, score=3),
        ReportedSide(charlie, [PlayedBy(charlie, seconds=609, quit=True)], place=1, score=1),
    ]
    match = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    kept = match.participants.get(player=charlie)
    assert (kept.seconds, kept.quit) == (609, True)
    assert match.sides.get(index=0).score == 3


@pytest.mark.parametrize(
    ("sides", "sentence"),
    [
        (lambda a, b, c: [side(a, place=0)], "has 2 sides. This one has 1"),
        (lambda a, b, c: [side(a, b, place=0), side(c, place=1)], "has 1 players. Side 1 has 2"),
        (lambda a, b, c: [side(a, place=0), side(a, place=1)], "in this match twice"),
        (lambda a, b, c: [side(a, place=0), side(c, place=2)], "Places must be from 1 to 2"),
        (lambda a, b, c: [side(a, place=1), side(c, place=1)], "At least one side must be first"),
        (
            lambda a, b, c: [side(a, place=0, score=float("nan")), side(c, place=1)],
            "A score here is from 0 to 10000",
        ),
        (
            lambda a, b, c: [ReportedSide(a, [PlayedBy(a, seconds=-1)], 0), side(c, place=1)],
            "from 0 seconds to 7 days",
        ),
    ],
)
def test_a_result_that_does_not_fit_is_refused_with_the_reason(
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    sides: Callable[[Player, Player, Player], list[ReportedSide]],
    sentence: str,
) -> None:
    with pytest.raises(Refused, match=sentence):
        report(duel, sides(alice, bob, charlie), reporter=alice, played_at=NOW, now=NOW)
    assert not Match.objects.exists()


def test_an_arena_without_draws_refuses_shared_places(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    duel.draws_allowed = False
    with pytest.raises(Refused, match="no draws"):
        report(
            duel,
            [side(alice, place=0), side(charlie, place=0)],
            reporter=alice,
            played_at=NOW,
            now=NOW,
        )


def test_a_match_is_played_within_its_season(duel: Arena, alice: Player, charlie: Player) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]
    with pytest.raises(Refused, match="in the future"):
        report(duel, sides, reporter=alice, played_at=NOW + timedelta(hours=1), now=NOW)
    with pytest.raises(Refused, match="before the season started") as refused:
        report(duel, sides, reporter=alice, played_at=NOW - timedelta(days=365), now=NOW)
    assert (refused.value.code, refused.value.field) == ("before_season", "played_at")


def test_a_live_match_ends_with_a_report(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player
) -> None:
    match = start(
        teams,
        [
            StartingSide(roster.captain, list(roster.members.all()), roster)
            for roster in (owls, foxes)
        ],
        now=NOW,
    )
    with pytest.raises(Conflict, match="no report yet"):
        confirm(match.pk, by=charlie, now=NOW)
    later = NOW + timedelta(minutes=20)
    finish(match.pk, [Finish(1, 3.0), Finish(0, 5.0)], reporter=alice, now=later)
    match = confirm(match.pk, by=charlie, now=later)
    assert match.status == Status.RATED
    assert rating_of(charlie) > rating_of(alice)


def test_nobody_is_in_two_live_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    match = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    again = [StartingSide(eve, [eve]), StartingSide(alice, [alice])]
    with pytest.raises(Conflict, match=r"Alice is in a live match in Duel: report match \d+ first"):
        start(duel, again, now=NOW)
    assert Match.objects.count() == 1
    assert olga.user
    decide(match.pk, verdict=StaffAction.Kind.VOIDED, by=olga.user, reason="Abandoned", now=NOW)
    start(duel, again, now=NOW)


def test_results_are_rated_in_the_order_of_settling(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    early = beats(alice, charlie, duel, now=NOW)
    late = beats(charlie, alice, duel, now=NOW + timedelta(days=1))
    confirm(late.pk, by=alice, now=NOW + timedelta(days=1))
    confirm(early.pk, by=charlie, now=NOW + timedelta(days=2))
    early.refresh_from_db()
    late.refresh_from_db()
    assert early.rated_order
    assert late.rated_order
    assert late.rated_order < early.rated_order
    assert Rating.objects.get(player=alice).last_played_at == late.played_at
