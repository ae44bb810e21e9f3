"""One game is one match, however many captains report it."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, CounterReport, Match, Player, Roster, Settlement, Status
from league.services.core.clock import database_now
from league.services.core.errors import Conflict, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, send, win
from tests.support.cast import NOW, roster, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, result_form, words

HOUR = timedelta(hours=1)


def duel_report(
    duel: Arena,
    winner: Player,
    loser: Player,
    reporter: Player,
    *,
    played_at: datetime = NOW - HOUR,
    now: datetime = NOW,
    scores: tuple[float | None, float | None] = (None, None),
) -> Match:
    sides = [side(winner, place=0, score=scores[0]), side(loser, place=1, score=scores[1])]
    return report(
        duel, sides, reporter=reporter, played_at=played_at, now=now, client_token=uuid4()
    )


@pytest.mark.django_db
def test_both_captains_report_the_same_result_and_it_is_rated_once(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice, scores=(3, 1))
    second = duel_report(duel, alice, charlie, charlie, played_at=NOW - 3 * HOUR)
    assert second == first
    assert Match.objects.count() == 1
    assert (second.status, second.settlement) == (Status.RATED, Settlement.CAPTAIN)
    assert (second.confirmed_by, second.confirmed_by_side) == (charlie, 1)
    assert first.events.count() == 2
    kept = CounterReport.objects.get()
    assert (kept.state, kept.reporter, kept.against) == ("agrees", charlie, alice)


@pytest.mark.django_db
@pytest.mark.parametrize("scores", [(None, None), (2, 1)])
def test_another_result_disputes_the_first_report_and_is_kept(
    duel: Arena, alice: Player, charlie: Player, scores: tuple[float | None, float | None]
) -> None:
    winner, loser = (alice, charlie) if scores[0] else (charlie, alice)
    first = duel_report(duel, alice, charlie, alice, scores=(3, 1))
    second = duel_report(duel, winner, loser, charlie, scores=scores)
    assert second == first
    assert Match.objects.count() == 1
    assert (second.status, second.disputed_by) == (Status.DISPUTED, charlie)
    assert not first.events.exists()
    kept = CounterReport.objects.get()
    assert kept.state == CounterReport.State.OPEN
    assert kept.placings == ([[0, 2.0], [1, 1.0]] if scores[0] else [[1, None], [0, None]])


@pytest.mark.django_db
def test_sides_and_members_may_come_in_any_order(
    teams: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
) -> None:
    ours = [side(alice, bob, place=0, score=2), side(charlie, dora, place=1, score=0)]
    first = report(teams, ours, reporter=alice, played_at=NOW, now=NOW)
    theirs = [
        ReportedSide(charlie, [PlayedBy(dora), PlayedBy(charlie)], 1, 0.0, foxes),
        ReportedSide(alice, [PlayedBy(bob), PlayedBy(alice)], 0, 2.0, owls),
    ]
    second = report(teams, theirs, reporter=charlie, played_at=NOW, now=NOW)
    assert second == first
    assert second.status == Status.RATED
    assert second.confirmed_by_side == 1


@pytest.mark.django_db
@pytest.mark.parametrize("named", [PlayedBy, partial(PlayedBy, quit=True)])
def test_the_same_result_with_another_quit_is_left_to_the_captain(
    duel: Arena, alice: Player, charlie: Player, named: partial[PlayedBy]
) -> None:
    sides = [side(alice, place=0), ReportedSide(charlie, [PlayedBy(charlie, quit=True)], 1)]
    first = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    again = [side(alice, place=0), ReportedSide(charlie, [named(charlie)], 1)]
    second = report(duel, again, reporter=charlie, played_at=NOW, now=NOW)
    assert second == first
    agreed = named is not PlayedBy
    assert second.status == (Status.RATED if agreed else Status.REPORTED)


@pytest.mark.django_db
def test_other_games_make_other_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    matches = [
        duel_report(duel, alice, charlie, alice),
        duel_report(duel, alice, charlie, alice),  # her second game of the day
        duel_report(duel, alice, eve, eve),
        duel_report(duel, alice, charlie, charlie, played_at=NOW - timedelta(days=2)),
    ]
    assert len({match.pk for match in matches}) == 4
    assert set(Match.objects.values_list("status", flat=True)) == {Status.REPORTED}


@pytest.mark.django_db
def test_of_several_open_reports_the_one_with_the_same_result_is_confirmed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    lost = duel_report(duel, charlie, alice, alice, played_at=NOW - HOUR)
    won = duel_report(duel, alice, charlie, alice, played_at=NOW - 5 * HOUR)
    assert duel_report(duel, alice, charlie, charlie, played_at=NOW - HOUR) == won
    lost.refresh_from_db()
    assert lost.status == Status.REPORTED


@pytest.mark.django_db
def test_a_rated_game_is_over_and_the_next_report_is_about_another(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice)
    confirm(first.pk, by=charlie, now=NOW)
    assert duel_report(duel, alice, charlie, charlie) != first


@pytest.mark.django_db
def test_a_report_that_answered_another_can_be_sent_again(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice)
    sides = [side(alice, place=0), side(charlie, place=1)]
    for token in (uuid4(), None):
        for _attempt in range(3):
            sent = report(duel, sides, reporter=charlie, played_at=NOW, now=NOW, client_token=token)
            assert sent == first
        CounterReport.objects.update(client_token=None)
    assert Match.objects.count() == 1


@pytest.mark.django_db
def test_a_token_stands_for_one_report(duel: Arena, alice: Player, charlie: Player) -> None:
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    send = partial(report, duel, now=NOW, client_token=token)
    first = send(sides, reporter=alice, played_at=NOW)
    assert send(list(reversed(sides)), reporter=alice, played_at=NOW) == first
    with pytest.raises(Conflict, match="different report"):
        send([side(alice, place=1), side(charlie, place=0)], reporter=alice, played_at=NOW)
    with pytest.raises(Conflict, match="different report"):
        send(sides, reporter=alice, played_at=NOW - HOUR)
    with pytest.raises(Conflict, match="different report"):
        send(sides, reporter=charlie, played_at=NOW)
    with pytest.raises(Conflict, match="different report"):
        send([side(alice, alice, place=0)], reporter=alice, played_at=NOW)
    assert Match.objects.count() == 1


@pytest.mark.django_db
def test_without_a_token_the_same_report_soon_after_is_the_first_one(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]

    def send(minutes: int, played_at: datetime | None = None) -> Match:
        now = NOW + timedelta(minutes=minutes)
        return report(duel, sides, reporter=alice, played_at=played_at or now, now=now)

    first = send(0)
    assert send(1) == first
    assert send(9) == first
    assert send(9, NOW) == first
    assert send(9, NOW - HOUR) != first
    assert send(11) != first


@pytest.mark.django_db(transaction=True)
def test_captains_who_report_at_the_same_instant_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for day in range(1, 6):
        played_at = NOW + timedelta(days=3 * day)
        winners = (alice, charlie) if day % 2 else (alice, alice)
        reports = [
            partial(
                duel_report,
                *(duel, winner, charlie if winner == alice else alice, reporter),
                played_at=played_at,
                now=played_at,
            )
            for winner, reporter in zip(winners, (alice, charlie), strict=True)
        ]
        answers = all_at_once(list(reports))
        assert len({match.pk for match in answers if isinstance(match, Match)}) == 1
        assert Match.objects.count() == day
        latest = Match.objects.latest("id")
        assert latest.status == (Status.DISPUTED if day % 2 else Status.RATED)


@pytest.mark.django_db(transaction=True)
def test_eight_equal_reports_at_once_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]
    for token in (None, uuid4()):
        Match.objects.update(played_at=NOW - timedelta(days=3), reported_at=NOW - HOUR)
        before = Match.objects.count()
        send = partial(
            report, duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token
        )
        answers = all_at_once([send] * 8)
        assert len({match.pk for match in answers if isinstance(match, Match)}) == 1
        assert Match.objects.count() == before + 1


@pytest.mark.django_db
def test_who_leads_both_sides_does_not_confirm_their_own_report(
    teams: Arena, owls: Roster, alice: Player, charlie: Player, dora: Player
) -> None:
    hawks = roster(teams, "Hawks", alice, charlie, dora)
    sides = [
        ReportedSide(alice, [PlayedBy(alice)], 0, None, owls),
        ReportedSide(alice, [PlayedBy(charlie)], 1, None, hawks),
    ]
    with pytest.raises(Refused, match="needs a captain of its own"):
        report(teams, sides, reporter=alice, played_at=NOW, now=NOW)
    assert not Match.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [("1", "reported the same result, so it is now rated"), ("0", "reported another result")],
)
def test_the_page_says_that_the_other_side_had_reported_the_game(
    duel: Arena, alice: Player, charlie: Player, outcome: str, sentence: str
) -> None:
    now = database_now()
    first = duel_report(duel, alice, charlie, alice, played_at=now - HOUR, now=now)
    page = browser_of(charlie).post(
        reverse("report", args=["duel"]), result_form("Alice", outcome=outcome), follow=True
    )
    assert sentence in words(page)
    assert page.redirect_chain[0][0] == first.get_absolute_url()
    assert Match.objects.count() == 1


@pytest.mark.django_db
def test_the_api_answers_the_first_report_too(duel: Arena, alice: Player, charlie: Player) -> None:
    address = reverse("api:reports", args=["duel"])
    token = str(uuid4())
    first = send(by_token(alice), address, win(alice, charlie, client_token=token))
    assert first.status_code == 201
    other = send(by_token(alice), address, win(charlie, alice, client_token=token))
    assert (other.status_code, other.json()["code"]) == (409, "token_used")
    second = send(by_token(charlie), address, win(alice, charlie))
    assert (second.status_code, second.json()["id"]) == (200, first.json()["id"])
    assert second.json()["status"] == "rated"
    assert second.json()["counter_reports"][0]["state"] == "agrees"
