"""No-shows: only the other captain, or staff, can turn a claim into a result."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import cast

import pytest

from league.models import Arena, Arrangement, Match, Player, Rating, StaffAction, Status, User
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.dates.answers import accept
from league.services.dates.deadlines import sweep
from league.services.dates.limits import NO_SHOW_AFTER, REPORT_WITHIN
from league.services.dates.no_shows import claim, concede, deny
from league.services.dates.proposals import propose
from league.services.integrity.ratings import verify
from league.services.results.staff.decisions import decide
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once

EVENING = NOW + timedelta(hours=8)
WAITED = EVENING + NO_SHOW_AFTER


@pytest.fixture
def agreed_date(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    one = propose(duel, charlie, EVENING, by=alice, now=NOW)
    return accept(one.pk, by=charlie, seen=1, now=NOW)


def places(match: Match) -> dict[str, int | None]:
    return {one.captain.name: one.place for one in match.sides.select_related("captain")}


def test_a_conceded_no_show_is_a_confirmed_result(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player
) -> None:
    claim(agreed_date.pk, by=charlie, now=WAITED)
    match = concede(agreed_date.pk, by=alice, now=WAITED)
    assert match
    assert (match.status, match.reported_by, match.confirmed_by) == (Status.RATED, charlie, alice)
    assert places(match) == {"Alice": 1, "Charlie": 0}
    assert match.played_at == EVENING
    agreed_date.refresh_from_db()
    assert (agreed_date.state, agreed_date.match) == (Arrangement.State.PLAYED, match)
    assert verify(duel.seasons.get()) == []
    for again in (claim, concede, partial(deny, reason="No.")):
        with pytest.raises(Conflict, match="already been reported"):
            again(agreed_date.pk, by=alice, now=WAITED)


def test_staff_decide_a_denied_no_show(
    agreed_date: Arrangement, alice: Player, charlie: Player, olga: Player
) -> None:
    claim(agreed_date.pk, by=alice, now=WAITED)
    with pytest.raises(Refused):
        deny(agreed_date.pk, by=charlie, reason=" ", now=WAITED)
    assert not Match.objects.exists()
    match = deny(agreed_date.pk, by=charlie, reason="I was there.", now=WAITED)
    assert (match.status, match.dispute_reason) == (Status.DISPUTED, "I was there.")
    assert not Rating.objects.filter(player=charlie).exists()
    decide(
        match.pk,
        by=cast("User", olga.user),
        verdict=StaffAction.Kind.VOIDED,
        reason="Both were there.",
        now=WAITED,
    )
    match.refresh_from_db()
    assert match.status == Status.VOID


def test_silence_about_a_claim_costs_nobody_anything(
    agreed_date: Arrangement, alice: Player
) -> None:
    claim(agreed_date.pk, by=alice, now=WAITED)
    assert sweep(EVENING + REPORT_WITHIN) == 1
    agreed_date.refresh_from_db()
    assert agreed_date.state == Arrangement.State.LAPSED
    assert not Match.objects.exists()
    with pytest.raises(Conflict, match="over"):
        concede(agreed_date.pk, by=agreed_date.opponent, now=EVENING + REPORT_WITHIN)


def test_who_can_claim_when_and_who_answers(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    with pytest.raises(Conflict, match="Wait a little longer"):
        claim(agreed_date.pk, by=alice, now=WAITED - timedelta(seconds=1))
    with pytest.raises(Forbidden):
        claim(agreed_date.pk, by=eve, now=WAITED)
    with pytest.raises(Conflict, match="Nobody has claimed"):
        concede(agreed_date.pk, by=alice, now=WAITED)
    with pytest.raises(Conflict, match="run out"):
        claim(agreed_date.pk, by=alice, now=EVENING + REPORT_WITHIN)
    Arena.objects.filter(pk=duel.pk).update(team_size_min=2, team_size_max=2)
    with pytest.raises(Refused, match="has 2 players"):
        claim(agreed_date.pk, by=alice, now=WAITED)
    Arena.objects.filter(pk=duel.pk).update(team_size_min=1, team_size_max=1)
    claim(agreed_date.pk, by=alice, now=WAITED)
    with pytest.raises(Conflict, match="already claimed"):
        claim(agreed_date.pk, by=charlie, now=WAITED)
    for answer in (concede, partial(deny, reason="No.")):
        for player in (alice, eve):
            with pytest.raises(Forbidden):
                answer(agreed_date.pk, by=player, now=WAITED)
    # Somebody who came late can still play and report.
    result = [side(alice, place=1), side(charlie, place=0)]
    playing.report(agreed_date.pk, result, reporter=charlie, played_at=WAITED, now=WAITED)
    with pytest.raises(Conflict):
        concede(agreed_date.pk, by=charlie, now=WAITED)


@pytest.mark.django_db(transaction=True)
def test_answers_and_reports_at_once_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for hour in range(3):
        at = EVENING + timedelta(hours=hour)
        one = propose(duel, charlie, at, by=alice, now=NOW)
        accept(one.pk, by=charlie, seen=1, now=NOW)
        later = at + NO_SHOW_AFTER
        claim(one.pk, by=alice, now=later)
        calls: list[Callable[[], object]] = [
            partial(concede, one.pk, by=charlie, now=later),
            partial(deny, one.pk, by=charlie, reason="No.", now=later),
            partial(
                playing.report,
                one.pk,
                [side(alice, place=0), side(charlie, place=1)],
                reporter=charlie,
                played_at=at,
                now=later,
            ),
            partial(sweep, at + REPORT_WITHIN),
            partial(concede, one.pk, by=charlie, now=later),
        ]
        given = all_at_once(calls)
        assert sum(isinstance(answer, Match) for answer in given) <= 1
        assert Match.objects.filter(arrangement=one).count() == Match.objects.count() - sum(
            other.match_id is not None for other in Arrangement.objects.exclude(pk=one.pk)
        )
    assert verify(duel.seasons.get()) == []
