"""The match of a date is reported in its time and once."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from league.models import Arena, Arrangement, Match, Player
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.dates.limits import REPORT_BEFORE, REPORT_WITHIN
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, side
from tests.support.date_steps import SATURDAY, state


def test_a_date_is_reported_in_its_time_and_once(
    agreed_date: Arrangement, duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    result = [side(alice, place=0), side(charlie, place=1)]

    def reports(
        by: Player = alice, at: datetime = SATURDAY, now: datetime = SATURDAY, **more: object
    ) -> Match:
        sent: dict[str, object] = {"reporter": by, "played_at": at, "now": now, **more}
        return playing.report(agreed_date.pk, result, **sent)  # type: ignore[arg-type] # of several types

    early = SATURDAY - REPORT_BEFORE
    with pytest.raises(Conflict, match="still to be played"):
        reports(now=early - timedelta(seconds=1))
    with pytest.raises(Conflict, match="run out"):
        reports(now=SATURDAY + REPORT_WITHIN)
    with pytest.raises(Forbidden):
        reports(by=eve)
    with pytest.raises(Refused, match="later time"):
        reports(at=early - timedelta(seconds=1))
    with pytest.raises(Refused, match="in the future"):
        reports(at=SATURDAY + timedelta(hours=1))
    token = uuid4()
    match = reports(client_token=token, at=early, now=early)
    assert reports(client_token=token) == match
    with pytest.raises(Conflict, match="already been reported"):
        reports(client_token=uuid4())
    with pytest.raises(Conflict, match="already been reported"):
        reports(by=charlie)
    assert Match.objects.count() == 1


def test_a_date_takes_no_result_of_other_players_or_matches(
    agreed_date: Arrangement, proposed_date: Arrangement, duel: Arena, alice: Player, eve: Player
) -> None:
    with pytest.raises(Refused, match="each the captain of a side"):
        playing.report(
            agreed_date.pk,
            [side(alice, place=0), side(eve, place=1)],
            reporter=alice,
            played_at=SATURDAY,
            now=SATURDAY,
        )
    token = uuid4()
    other = report(
        duel,
        [side(alice, place=0), side(eve, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
        client_token=token,
    )
    with pytest.raises(Conflict, match="another match"):
        playing.report(
            agreed_date.pk,
            [side(alice, place=0), side(agreed_date.opponent, place=1)],
            reporter=alice,
            played_at=SATURDAY,
            now=SATURDAY,
            client_token=token,
        )
    assert state(agreed_date) == Arrangement.State.ACCEPTED
    assert list(Match.objects.all()) == [other]


def test_an_open_proposal_is_no_date(
    proposed_date: Arrangement, alice: Player, charlie: Player
) -> None:
    with pytest.raises(Conflict, match="not agreed"):
        playing.report(
            proposed_date.pk,
            [side(alice, place=0), side(charlie, place=1)],
            reporter=alice,
            played_at=SATURDAY,
            now=SATURDAY,
        )
