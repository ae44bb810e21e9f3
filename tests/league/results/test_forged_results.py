"""Attempts to move ratings, or to punish others, with results that nobody agreed to."""

from datetime import timedelta
from functools import partial
from uuid import uuid4

import pytest

from league.models import (
    Agreement,
    Arena,
    DishonorAward,
    Match,
    Participant,
    Player,
    Rating,
    RatingEvent,
    StaffAction,
    Status,
    User,
)
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.dishonor.abandons import leave
from league.services.dishonor.discipline import status_of
from league.services.results.reports.answers import confirm, confirm_expired, dispute
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.reports.reporting import report
from league.services.results.staff.decisions import decide
from tests.support.cast import NOW, account, beats, beats_as_agreed, roster, side
from tests.support.result_steps import placed, quitting, rules

LATER = NOW + timedelta(days=30)


# Players without an account


def test_a_new_account_cannot_report_wins_over_players_without_an_account(duel: Arena) -> None:
    cheat = account("Cheat")
    for number in range(12):
        victim = Player.objects.create(name=f"Imported {number}")
        with pytest.raises(Refused, match=f"{victim} has no account, so nobody can confirm this"):
            beats(cheat, victim, duel, now=NOW + timedelta(hours=number))
    assert confirm_expired(LATER) == 0
    assert not Match.objects.exists()
    assert not Rating.objects.exists()


def test_an_account_that_cannot_log_in_cannot_confirm(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    User.objects.filter(player=charlie).update(is_active=False)
    with pytest.raises(Refused, match="Charlie cannot log in"):
        beats(alice, charlie, duel)


def test_a_manager_with_an_account_is_no_way_around_it(
    teams: Arena, alice: Player, charlie: Player
) -> None:
    ghost = Player.objects.create(name="Ghost")
    managed = roster(teams, "Ghosts", charlie, ghost)
    sides = [side(alice, place=0), ReportedSide(charlie, [PlayedBy(ghost)], 1, None, managed)]
    with pytest.raises(Refused, match="Ghost has no account"):
        report(teams, sides, reporter=alice, played_at=NOW, now=NOW)


def test_a_repeated_form_gets_its_match_even_if_the_account_was_closed_meanwhile(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    sends = partial(report, duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
    first = sends()
    User.objects.filter(player=charlie).update(is_active=False)
    assert sends() == first


# Captains of more than one side


def test_a_captain_of_two_rosters_cannot_play_against_themselves(
    teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    own = roster(teams, "Owls", alice, bob)
    puppets = roster(teams, "Puppets", alice, charlie)
    sides = [
        ReportedSide(alice, [PlayedBy(alice), PlayedBy(bob)], 0, None, own),
        ReportedSide(alice, [PlayedBy(charlie)], 1, None, puppets),
    ]
    with pytest.raises(Refused, match="a captain of its own"):
        report(teams, sides, reporter=alice, played_at=NOW, now=NOW)


def test_a_captain_cannot_confirm_a_match_in_which_they_play_for_the_reporter(
    teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    own = roster(teams, "Owls", alice, bob)
    puppets = roster(teams, "Puppets", bob, charlie)
    sides = [
        ReportedSide(alice, [PlayedBy(alice), PlayedBy(bob)], 0, None, own),
        ReportedSide(bob, [PlayedBy(charlie)], 1, None, puppets),
    ]
    with pytest.raises(Refused, match="Bob leads one side and plays for another"):
        report(teams, sides, reporter=alice, played_at=NOW, now=NOW)


def test_an_older_report_of_two_own_sides_is_not_confirmed_by_its_reporter(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    match.sides.filter(index=1).update(captain=alice)
    with pytest.raises(Forbidden, match="You reported this result"):
        confirm(match.pk, by=alice, now=NOW)


# Silence


def test_a_report_without_an_agreed_match_lapses(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    assert match.sides.get(captain=charlie).notified_at == NOW
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement, match.settled_at) == (Status.VOID, "lapsed", LATER)
    assert not RatingEvent.objects.exists()
    with pytest.raises(Conflict, match="void"):
        confirm(match.pk, by=charlie, now=LATER)
    assert confirm_expired(LATER) == 0


def test_silence_binds_nobody_who_was_not_notified(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = start(
        duel,
        [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])],
        now=NOW,
        agreed_by=Agreement.READY_CHECK,
    )
    User.objects.filter(player=charlie).update(is_active=False)
    finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert match.settlement == "lapsed"


def test_an_arena_can_say_that_silence_never_confirms(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    rules(duel, silence="never")
    match = beats_as_agreed(alice, charlie, duel)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert match.settlement == "lapsed"


# Claims that somebody quit


def test_eight_invented_games_with_a_quitter_cost_a_silent_opponent_nothing(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for hour in range(8):
        now = NOW + timedelta(hours=hour)
        report(
            duel,
            [side(alice, place=0), quitting(charlie, 1)],
            reporter=alice,
            played_at=now,
            now=now,
        )
    after_two_days = NOW + timedelta(days=3)
    assert confirm_expired(after_two_days) == 8
    assert not Rating.objects.exists()
    assert not DishonorAward.objects.exists()
    status = status_of(charlie, after_two_days)
    assert (status.stacks, status.until) == (0, None)


def test_silence_about_an_agreed_match_rates_it_but_penalises_nobody(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = start(
        duel,
        [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])],
        now=NOW,
        agreed_by=Agreement.CHALLENGE,
    )
    claim = [PlayedBy(charlie, quit=True)]
    finish(match.pk, [Finish(0), Finish(1, None, claim)], reporter=alice, now=NOW)
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, "window")
    assert not DishonorAward.objects.exists()
    assert not match.participants.get(player=charlie).quit


def test_a_player_who_left_by_themselves_stays_a_leaver_under_silence(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = start(
        duel,
        [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])],
        now=NOW,
        agreed_by=Agreement.READY_CHECK,
    )
    leave(match.pk, by=charlie, now=NOW)
    finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    confirm_expired(LATER)
    assert match.participants.get(player=charlie).quit
    assert DishonorAward.objects.get().player == charlie


def test_a_quorum_penalises_no_side_that_did_not_confirm(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [side(alice, place=0), side(bob, place=1), quitting(charlie, 2), quitting(dora, 3)]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=bob, now=NOW)
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.REPORTED
    assert confirm_expired(LATER) == 1
    match.refresh_from_db()
    assert (match.status, match.settlement) == (Status.RATED, "quorum")
    assert [award.player for award in DishonorAward.objects.all()] == [charlie]
    assert not match.participants.get(player=dora).quit


def test_staff_who_uphold_a_report_uphold_its_quitters(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    sides = [side(alice, place=0), quitting(charlie, 1)]
    match = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    decide(match.pk, verdict=StaffAction.Kind.UPHELD, by=olga.user, reason="Seen.", now=NOW)
    assert DishonorAward.objects.get().player == charlie


# Objections


def test_anybody_who_played_stops_a_report(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = report(melee, placed(alice, bob, charlie, dora), reporter=alice, played_at=NOW, now=NOW)
    confirm(match.pk, by=bob, now=NOW)
    dispute(match.pk, by=dora, reason="I was not there.", now=NOW)
    with pytest.raises(Conflict, match="Staff will decide"):
        confirm(match.pk, by=charlie, now=NOW)
    assert confirm_expired(LATER) == 0


@pytest.mark.usefixtures("owls", "foxes")
def test_a_team_mate_objects_without_being_captain(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    sides = [side(alice, bob, place=0), side(charlie, dora, place=1)]
    match = report(teams, sides, reporter=alice, played_at=NOW, now=NOW)
    with pytest.raises(Forbidden, match="Only players of this match"):
        dispute(match.pk, by=eve, reason="No.", now=NOW)
    with pytest.raises(Forbidden, match="You reported this result"):
        dispute(match.pk, by=alice, reason="No.", now=NOW)
    assert dispute(match.pk, by=dora, reason="We won.", now=NOW).disputed_by == dora


# Scores


@pytest.mark.parametrize(
    ("order", "scores", "field"),
    [
        ("higher", (1, 5), "sides.0.score"),
        ("higher", (5, 1), None),
        ("higher", (2, 2), None),
        ("higher", (1, None), None),
        ("lower", (1, 5), None),
        ("lower", (5, 1), "sides.0.score"),
        ("free", (1, 5), None),
    ],
)
def test_scores_that_contradict_the_places_are_refused(
    duel: Arena,
    alice: Player,
    charlie: Player,
    order: str,
    scores: tuple[float, float | None],
    field: str | None,
) -> None:
    rules(duel, scores=order)
    sides = [side(alice, place=0, score=scores[0]), side(charlie, place=1, score=scores[1])]
    sends = partial(report, duel, sides, reporter=alice, played_at=NOW, now=NOW)
    if field is None:
        assert sends().status == Status.REPORTED
        return
    with pytest.raises(Refused, match="contradicts the places") as refusal:
        sends()
    assert refusal.value.field == field
    assert not Match.objects.exists()


def test_a_draw_has_one_score(duel: Arena, alice: Player, charlie: Player) -> None:
    sides = [side(alice, place=0, score=1), side(charlie, place=0, score=5)]
    with pytest.raises(Refused, match="must have the same score"):
        report(duel, sides, reporter=alice, played_at=NOW, now=NOW)


def test_a_live_match_takes_no_contradicting_scores_either(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    with pytest.raises(Refused, match="contradicts the places"):
        finish(match.pk, [Finish(0, 1.0), Finish(1, 5.0)], reporter=alice, now=NOW)
    assert Participant.objects.filter(match=match, live=True).count() == 2


# Organisers


def test_captains_cannot_report_where_only_organisers_do(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    rules(duel, reporters="organisers")
    with pytest.raises(Forbidden, match="Only organisers enter results"):
        beats(alice, charlie, duel)
    with pytest.raises(Forbidden, match="Only organisers enter results"):
        finish(live.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
