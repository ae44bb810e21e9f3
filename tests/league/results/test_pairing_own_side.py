"""Two captains of one side report one game."""

from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, CounterReport, Match, Player, Roster, Status
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.changing import withdraw
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, send
from tests.support.cast import NOW, roster
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, result_form, words

HOUR = timedelta(hours=1)


@pytest.fixture
def hawks(teams: Arena, alice: Player, bob: Player) -> Roster:
    """The players of the Owls, led by Bob."""
    return roster(teams, "Hawks", bob, alice)


def reports(
    ours: Roster,
    theirs: Roster,
    *,
    reporter: Player,
    wins: bool = True,
    played_at: datetime = NOW,
    now: datetime = NOW,
) -> Match:
    """Report a game of two rosters as a captain of one of them."""
    sides = [
        ReportedSide(
            one.captain,
            [PlayedBy(member) for member in one.members.all()],
            0 if (one == ours) == wins else 1,
            None,
            one,
        )
        for one in (ours, theirs)
    ]
    return report(
        ours.arena,
        sides,
        reporter=reporter,
        played_at=played_at,
        now=now,
        client_token=uuid4(),
    )


def test_the_same_result_by_a_team_mate_is_the_first_report(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    first = reports(owls, foxes, reporter=alice)
    for hours in (0, 3, -20):
        again = reports(
            hawks, foxes, reporter=bob, played_at=NOW - hours * HOUR, now=NOW + 20 * HOUR
        )
        assert again == first
    assert Match.objects.get().status == Status.REPORTED
    assert Match.objects.get().reported_by == alice
    assert not CounterReport.objects.exists()
    assert confirm(first.pk, by=charlie, now=NOW).status == Status.RATED
    assert Match.objects.count() == 1


def test_another_result_by_a_team_mate_is_refused(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player
) -> None:
    first = reports(owls, foxes, reporter=alice)
    with pytest.raises(Conflict, match="Alice has already reported another result") as refusal:
        reports(hawks, foxes, reporter=bob, wins=False)
    assert refusal.value.code == "reported_by_own_side"
    assert Match.objects.get().status == Status.REPORTED
    # A second game of the evening comes from the same captain, or after an answer.
    second = reports(owls, foxes, reporter=alice, wins=False)
    assert second != first
    assert reports(hawks, foxes, reporter=bob, wins=False) == second
    assert reports(hawks, foxes, reporter=bob) == first


def test_a_team_mate_reports_other_games(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    first = reports(owls, foxes, reporter=alice)
    later = reports(hawks, foxes, reporter=bob, played_at=NOW + 24 * HOUR, now=NOW + 24 * HOUR)
    assert later != first
    withdraw(later.pk, by=bob, now=NOW + 24 * HOUR, revision=1)
    confirm(first.pk, by=charlie, now=NOW)
    assert reports(hawks, foxes, reporter=bob) not in {first, later}


def test_the_other_side_answers_the_one_report(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    first = reports(owls, foxes, reporter=alice)
    reports(hawks, foxes, reporter=bob)
    answered = reports(foxes, hawks, reporter=charlie, wins=False)
    assert (answered, answered.status) == (first, Status.RATED)
    assert first.events.count() == 4


@pytest.mark.parametrize("minutes", [1, 45, 180, 600])
def test_one_game_that_captains_report_at_different_times_is_rated_once(
    owls: Roster,
    hawks: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    minutes: int,
) -> None:
    """All four report the one game when they come home, at the time that the form proposes."""
    wolves = roster(owls.arena, "Wolves", dora, charlie)
    at = [NOW + timedelta(minutes=minutes * number) for number in range(4)]
    first = reports(owls, foxes, reporter=alice, played_at=at[0], now=at[0])
    assert reports(hawks, foxes, reporter=bob, played_at=at[1], now=at[1]) == first
    answer = reports(foxes, owls, reporter=charlie, wins=False, played_at=at[2], now=at[2])
    assert (answer, answer.status) == (first, Status.RATED)
    reports(wolves, owls, reporter=dora, wins=False, played_at=at[3], now=at[3])
    assert Match.objects.filter(status=Status.RATED).get() == first


def test_an_open_dispute_is_not_the_same_game(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    first = reports(owls, foxes, reporter=alice)
    dispute(first.pk, by=charlie, reason="No.", now=NOW)
    assert reports(hawks, foxes, reporter=bob) != first


@pytest.mark.django_db(transaction=True)
def test_captains_of_one_side_at_the_same_instant_make_one_match(
    owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player
) -> None:
    for day in range(1, 6):
        at = NOW + timedelta(days=3 * day)
        both: list[Callable[[], object]] = [
            partial(reports, owls, foxes, reporter=alice, played_at=at, now=at),
            partial(reports, hawks, foxes, reporter=bob, played_at=at, now=at, wins=bool(day % 2)),
        ]
        answers = all_at_once(both)
        assert Match.objects.count() == day
        made = [one for one in answers if isinstance(one, Match)]
        assert len(made) == (2 if day % 2 else 1), answers
        assert len({match.pk for match in made}) == 1


def test_the_page_and_the_api_name_the_team_mate(
    teams: Arena, owls: Roster, hawks: Roster, foxes: Roster, alice: Player, bob: Player
) -> None:
    now = database_now()
    first = reports(owls, foxes, reporter=alice, played_at=now, now=now)
    address = reverse("report", args=["teams"])
    form = result_form(
        "Foxes",
        roster=hawks.pk,
        **{
            f"plays-{index}": [member.pk for member in one.members.all()]
            for index, one in enumerate((hawks, foxes))
        },
    )
    page = browser_of(bob).post(address, form, follow=True)
    assert page.redirect_chain[0][0] == first.get_absolute_url()
    assert "Alice has already reported this match for your side." in words(page)
    page = browser_of(bob).post(address, {**form, "outcome": "1", "client_token": str(uuid4())})
    assert page.status_code == 409
    assert "Alice has already reported another result for your side." in words(page)
    body = {
        "sides": [
            {
                "captain": one.captain_id,
                "participants": [{"player": member.pk} for member in one.members.all()],
                "place": place,
            }
            for place, one in enumerate((hawks, foxes))
        ],
        "played_at": now.isoformat(),
    }
    again = send(by_token(bob), reverse("api:reports", args=["teams"]), body)
    assert (again.status_code, again.json().get("id")) == (200, first.pk), again.json()
    assert Match.objects.count() == 1
