"""An agreed date is moved and called off only as both captains can expect."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from typing import cast

import pytest
from django.db import IntegrityError, transaction

from league.models import Arena, Arrangement, Challenge, Match, Notice, NoticeKind, Player, User
from league.models.arrangement import LONGEST_REASON
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.dates.answers import accept, decline
from league.services.dates.changing import agree, ask_to_move, call_off, drop, refuse
from league.services.dates.deadlines import sweep
from league.services.dates.limits import (
    CALL_OFF_BEFORE,
    HORIZON,
    MOST_REQUESTS,
    NO_SHOW_AFTER,
    REPORT_WITHIN,
)
from league.services.dates.lists import challenge_of, past, upcoming, waiting_for
from league.services.dates.no_shows import claim
from league.services.dates.proposals import move, propose
from league.services.dishonor.bans import ban
from league.services.ladder import challenges
from league.services.ladder.deadlines import sweep as sweep_challenges
from league.services.notices.texts import tell as text_of
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, arena, beats, side
from tests.support.concurrency import all_at_once
from tests.support.date_steps import SATURDAY, SUNDAY, state, steps

CUT_OFF = SATURDAY - CALL_OFF_BEFORE
WAITED = SATURDAY + NO_SHOW_AFTER
SECOND = timedelta(seconds=1)


def asks(one: Arrangement, by: Player, now: datetime = NOW, at: datetime = SUNDAY) -> int:
    """Ask to move a date and return the request's id."""
    after = ask_to_move(one.pk, at, by=by, seen=one.revision, now=now)
    assert after.request_id
    return after.request_id


def told(kind: NoticeKind) -> set[str]:
    return set(Notice.objects.filter(kind=kind).values_list("player__name", flat=True))


def unread(player: Player) -> set[str]:
    """Return the unread notices about dates that wait for a player."""
    waiting = Notice.objects.unseen().filter(player=player, kind=NoticeKind.WAITING)
    return {text_of(notice).text for notice in waiting}


def test_a_date_stands_until_the_other_captain_agrees_to_move_it(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    request = asks(agreed_date, alice)
    agreed_date.refresh_from_db()
    assert (agreed_date.state, agreed_date.play_at, agreed_date.revision) == (
        "accepted",
        SATURDAY,
        1,
    )
    assert list(waiting_for(charlie, NOW)) == [agreed_date]
    assert unread(charlie) == {"Alice asks to change your date in Duel."}
    after = agree(agreed_date.pk, by=charlie, request=request, now=NOW)
    assert (after.state, after.play_at, after.revision) == ("accepted", SUNDAY, 2)
    assert (after.request, after.changed_at) == (None, NOW)
    assert not waiting_for(charlie, NOW)
    assert unread(charlie) == set()
    assert steps(agreed_date)[-2:] == [("moving", "Alice"), ("agreed", "Charlie")]
    with pytest.raises(Conflict, match="still to be played"):
        claim(agreed_date.pk, by=alice, now=WAITED)


def test_a_request_can_be_refused_or_withdrawn(
    agreed_date: Arrangement, alice: Player, charlie: Player, eve: Player
) -> None:
    for end, by, step in ((refuse, charlie, "kept"), (drop, alice, "dropped")):
        request = asks(agreed_date, alice)
        for other in {alice, charlie, eve} - {by}:
            with pytest.raises(Forbidden):
                end(agreed_date.pk, by=other, request=request, now=NOW)
        with pytest.raises(Forbidden):
            agree(agreed_date.pk, by=alice, request=request, now=NOW)
        after = end(agreed_date.pk, by=by, request=request, now=NOW)
        assert (after.play_at, after.request) == (SATURDAY, None)
        assert steps(agreed_date)[-1] == (step, by.name)
        with pytest.raises(Conflict, match="No request"):
            end(agreed_date.pk, by=by, request=request, now=NOW)


def test_an_answer_counts_only_for_the_request_that_was_read(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    first = asks(agreed_date, alice)
    drop(agreed_date.pk, by=alice, request=first, now=NOW)
    second = asks(agreed_date, alice, at=SUNDAY + timedelta(hours=5))
    with pytest.raises(Conflict, match="has changed"):
        agree(agreed_date.pk, by=charlie, request=first, now=NOW)
    agree(agreed_date.pk, by=charlie, request=second, now=NOW)
    stale = [
        partial(ask_to_move, agreed_date.pk, SATURDAY, by=charlie, seen=1, now=NOW),
        partial(call_off, agreed_date.pk, by=charlie, seen=1, reason="Ill.", now=NOW),
    ]
    for late in stale:
        with pytest.raises(Conflict, match="has changed"):
            late()
    assert state(agreed_date) == "accepted"


def test_only_one_request_is_open(agreed_date: Arrangement, alice: Player, charlie: Player) -> None:
    asks(agreed_date, alice)
    for by in (alice, charlie):
        with pytest.raises(Conflict, match="Answer or withdraw it first"):
            asks(agreed_date, by)


def test_nobody_asks_again_and_again(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    for _number in range(MOST_REQUESTS):
        drop(agreed_date.pk, by=alice, request=asks(agreed_date, alice), now=NOW)
    with pytest.raises(Conflict, match="10 times"):
        asks(agreed_date, alice)
    asks(agreed_date, charlie)
    call_off(agreed_date.pk, by=alice, seen=1, reason="We find no time.", now=NOW)


def test_a_captain_alone_calls_a_date_off_in_good_time(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    in_time = CUT_OFF - SECOND
    asks(agreed_date, charlie)
    after = call_off(agreed_date.pk, by=alice, seen=1, reason=" I am ill. ", now=in_time)
    assert (after.state, after.revision, after.changed_at) == ("called_off", 2, in_time)
    assert after.request is None
    assert agreed_date.steps.latest("id").reason == "I am ill."
    assert told(NoticeKind.CALLED_OFF) == {"Charlie"}
    assert not upcoming(duel)
    assert list(past(duel, None)) == [agreed_date]
    result = [side(alice, place=1), side(charlie, place=0)]
    late: list[Callable[[], object]] = [
        partial(claim, agreed_date.pk, by=charlie, now=WAITED),
        partial(
            playing.report,
            agreed_date.pk,
            result,
            reporter=charlie,
            played_at=SATURDAY,
            now=SATURDAY,
        ),
    ]
    for act in late:
        with pytest.raises(Conflict, match="was called off"):
            act()
    with pytest.raises(Conflict, match="Only an agreed date"):
        call_off(agreed_date.pk, by=charlie, seen=2, reason="Me too.", now=in_time)
    assert sweep(SATURDAY + REPORT_WITHIN) == 0
    assert not Match.objects.exists()


def test_whole_rosters_are_told(team_date: Arrangement, charlie: Player) -> None:
    call_off(team_date.pk, by=charlie, seen=1, reason="Two are ill.", now=NOW)
    assert told(NoticeKind.CALLED_OFF) == {"Alice", "Bob", "Dora"}


@pytest.mark.parametrize("now", [CUT_OFF, SATURDAY - SECOND, SATURDAY, WAITED])
def test_after_the_cut_off_the_other_captain_has_to_agree(
    agreed_date: Arrangement, alice: Player, charlie: Player, now: datetime
) -> None:
    after = call_off(agreed_date.pk, by=charlie, seen=1, reason="I am late.", now=now)
    assert (after.state, after.asked) == ("accepted", alice)
    assert after.request_id
    ended = agree(agreed_date.pk, by=alice, request=after.request_id, now=now)
    assert ended.state == "called_off"
    assert steps(agreed_date)[-2:] == [("ending", "Charlie"), ("ended", "Alice")]


def test_an_absent_captain_cannot_dodge_a_no_show(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    """Neither with a late request of their own, nor by accepting an early one of the other."""
    early = asks(agreed_date, alice)
    with pytest.raises(Conflict, match="No request"):
        agree(agreed_date.pk, by=charlie, request=early, now=SATURDAY)
    call_off(agreed_date.pk, by=charlie, seen=1, reason="I forgot.", now=SATURDAY)
    claim(agreed_date.pk, by=alice, now=WAITED)
    agreed_date.refresh_from_db()
    assert (agreed_date.claimed_by, agreed_date.request, agreed_date.state) == (
        alice,
        None,
        "accepted",
    )
    for act in (
        partial(ask_to_move, play_at=SUNDAY),
        partial(call_off, reason="I forgot."),
    ):
        with pytest.raises(Conflict, match="no-show is claimed"):
            act(agreed_date.pk, by=charlie, seen=1, now=WAITED)


def test_a_claim_ends_the_claimants_own_request(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    request = asks(agreed_date, alice, now=SATURDAY + SECOND)
    claim(agreed_date.pk, by=alice, now=WAITED)
    with pytest.raises(Conflict, match="No request"):
        agree(agreed_date.pk, by=charlie, request=request, now=WAITED)


def test_both_can_still_agree_after_the_start(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    request = asks(agreed_date, charlie, now=SATURDAY + SECOND)
    after = agree(agreed_date.pk, by=alice, request=request, now=WAITED)
    assert after.play_at == SUNDAY
    claim(agreed_date.pk, by=alice, now=SUNDAY + NO_SHOW_AFTER)


def test_unanswered_requests_leave_the_date_as_it_is(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    asks(agreed_date, alice)
    assert sweep(SATURDAY - SECOND) == 0
    assert sweep(SATURDAY) == 1
    agreed_date.refresh_from_db()
    assert (agreed_date.state, agreed_date.play_at, agreed_date.request) == (
        "accepted",
        SATURDAY,
        None,
    )
    assert steps(agreed_date)[-1] == ("kept", None)
    asks(agreed_date, alice, now=SATURDAY)
    assert sweep(SATURDAY + REPORT_WITHIN) == 2  # the request, then the date
    assert state(agreed_date) == "lapsed"


def test_a_request_ends_at_the_time_it_asks_for(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    soon = NOW + timedelta(hours=1)
    request = asks(agreed_date, alice, at=soon)
    with pytest.raises(Conflict, match="No request"):
        agree(agreed_date.pk, by=charlie, request=request, now=soon)


def test_a_report_ends_the_request(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    request = asks(agreed_date, alice, now=SATURDAY)
    playing.report(
        agreed_date.pk,
        [side(alice, place=0), side(charlie, place=1)],
        reporter=charlie,
        played_at=SATURDAY,
        now=SATURDAY,
    )
    for answer in (agree, refuse):
        with pytest.raises(Conflict, match="No request"):
            answer(agreed_date.pk, by=charlie, request=request, now=SATURDAY)


def test_times_and_reasons_that_do_not_fit(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    other = propose(duel, charlie, SUNDAY, by=alice, now=NOW)
    for at, code in (
        (NOW, "past"),
        (NOW + HORIZON + SECOND, "too_far"),
        (SATURDAY, "same_time"),
        (SUNDAY, "twice"),
    ):
        with pytest.raises(Refused) as refusal:
            asks(agreed_date, alice, at=at)
        assert (refusal.value.code, refusal.value.field) == (code, "play_at")
    for reason in (" ", "\x00", "x" * (LONGEST_REASON + 1)):
        with pytest.raises(Refused) as refusal:
            call_off(agreed_date.pk, by=alice, seen=1, reason=reason, now=NOW)
        assert refusal.value.field == "reason"
    assert steps(agreed_date)[-1] == ("accepted", "Charlie")
    with pytest.raises(Conflict, match="Only an agreed date"):
        asks(other, alice, at=SATURDAY + timedelta(hours=3))
    request = asks(agreed_date, alice, at=SUNDAY + timedelta(hours=3))
    season = duel.seasons.get()
    season.ends_at = SUNDAY
    season.save()
    with pytest.raises(Refused, match="no season at that time"):
        agree(agreed_date.pk, by=charlie, request=request, now=NOW)
    refuse(agreed_date.pk, by=charlie, request=request, now=NOW)


def test_banned_players_can_call_off_and_make_no_new_plans(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    other = propose(duel, charlie, SUNDAY, by=alice, now=NOW)
    third = propose(duel, alice, SUNDAY + timedelta(hours=1), by=charlie, now=NOW)
    request = asks(agreed_date, alice, at=SUNDAY + timedelta(hours=2))
    ban(charlie, arena=duel, by=cast("User", olga.user), reason="Insults", now=NOW)
    friday = SATURDAY - timedelta(days=1)
    banned: list[Callable[[], object]] = [
        partial(propose, duel, alice, friday, by=charlie, now=NOW),
        partial(accept, other.pk, by=charlie, seen=1, now=NOW),
        partial(move, other.pk, friday, by=charlie, seen=1, now=NOW),
        partial(agree, agreed_date.pk, by=charlie, request=request, now=NOW),
        partial(claim, agreed_date.pk, by=charlie, now=WAITED),
    ]
    for act in banned:
        with pytest.raises(Forbidden, match="Charlie is banned"):
            act()
    with_banned: list[Callable[[], object]] = [
        partial(propose, duel, charlie, friday, by=alice, now=NOW),
        partial(accept, third.pk, by=alice, seen=1, now=NOW),
    ]
    for act in with_banned:
        with pytest.raises(Conflict, match="Charlie is banned"):
            act()
    decline(other.pk, by=charlie, seen=1, now=NOW)
    call_off(agreed_date.pk, by=charlie, seen=1, reason="I am banned.", now=NOW)


def test_a_date_without_one_of_the_accounts(
    agreed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    request = asks(agreed_date, charlie)
    cast("User", charlie.user).delete()
    with pytest.raises(Refused, match="has no account"):
        agree(agreed_date.pk, by=alice, request=request, now=NOW)
    call_off(agreed_date.pk, by=alice, seen=1, reason="They are gone.", now=NOW)
    assert told(NoticeKind.CALLED_OFF) == set()


def test_calling_a_date_off_leaves_the_challenge_as_it_is(alice: Player, charlie: Player) -> None:
    ladder = arena("steps", rating_system="ladder")
    confirm(beats(charlie, alice, ladder).pk, by=alice, now=NOW)
    sent = challenges.challenge(ladder, charlie, by=alice, now=NOW)
    one = challenges.accept(sent.pk, by=charlie, now=NOW)
    assert one.play_by
    at = NOW + timedelta(days=1)
    made = propose(ladder, charlie, at, by=alice, now=NOW)
    accept(made.pk, by=charlie, seen=1, now=NOW)
    assert challenge_of(made) == one
    request = asks(made, charlie, at=one.play_by + timedelta(days=1))
    agree(made.pk, by=alice, request=request, now=NOW)
    call_off(made.pk, by=charlie, seen=2, reason="I would rather not.", now=NOW)
    one.refresh_from_db()
    assert (one.state, one.match) == (Challenge.State.ACCEPTED, None)
    assert sweep_challenges(one.play_by - SECOND) == 0
    assert sweep_challenges(one.play_by) == 1


def test_the_database_refuses_a_request_about_anything_but_a_date(
    proposed_date: Arrangement, alice: Player
) -> None:
    step = proposed_date.steps.get()
    for values in (
        {"request": step, "request_until": SATURDAY},
        {"request_until": SATURDAY},
        {"state": "called_off", "answered_at": NOW},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            Arrangement.objects.filter(pk=proposed_date.pk).update(**values)


@pytest.mark.django_db(transaction=True)
def test_changes_at_once_leave_one_outcome(duel: Arena, alice: Player, charlie: Player) -> None:
    for hour in range(5):
        at = SATURDAY + timedelta(hours=hour)
        one = propose(duel, charlie, at, by=alice, now=NOW)
        accept(one.pk, by=charlie, seen=1, now=NOW)
        request = asks(one, alice, now=at, at=SUNDAY + timedelta(hours=hour))
        late = at + NO_SHOW_AFTER
        given = all_at_once(
            [
                partial(agree, one.pk, by=charlie, request=request, now=late),
                partial(refuse, one.pk, by=charlie, request=request, now=late),
                partial(drop, one.pk, by=alice, request=request, now=late),
                partial(claim, one.pk, by=alice, now=late),
                partial(
                    playing.report,
                    one.pk,
                    [side(alice, place=0), side(charlie, place=1)],
                    reporter=alice,
                    played_at=late,
                    now=late,
                ),
            ]
        )
        assert all(
            isinstance(answer, Arrangement | Match | Conflict | Refused) for answer in given
        ), given
        one.refresh_from_db()
        kinds = [kind for kind, _by in steps(one)]
        assert sum(kind in {"agreed", "kept", "dropped"} for kind in kinds) <= 1
        assert (one.request, one.request_until) == (None, None)
        moved = "agreed" in kinds
        assert moved == (one.play_at != at)
        assert not (moved and {"claimed", "reported"} & set(kinds))
