"""One player can only report so much."""

from datetime import datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, Match, Player, Status
from league.models.limits import Limits
from league.services.core.clock import database_now
from league.services.core.errors import AboutMatch, LimitReached
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.results.rules.limits import RECENT
from tests.support.api_steps import by_token, send, win
from tests.support.cast import NOW, beats, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import reports, result_form, words

MOST_OPEN, MOST_RECENT = Limits().open_reports, Limits().recent_reports


def fill(duel: Arena, alice: Player, charlie: Player, number: int, now: datetime = NOW) -> None:
    """Report as Alice, seldom enough, the last time long ago."""
    for turn in range(number, 0, -1):
        beats(alice, charlie, duel, now=now - 2 * RECENT * turn)


def test_reports_that_nobody_answers_fill_up_until_one_is_answered(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    fill(duel, alice, charlie, MOST_OPEN)
    with pytest.raises(LimitReached, match="20 reports that nobody has answered") as refusal:
        beats(alice, charlie, duel)
    assert refusal.value.wait is None
    oldest = Match.objects.earliest("id")
    confirm(oldest.pk, by=charlie, now=NOW)
    beats(alice, charlie, duel)
    assert Match.objects.filter(status=Status.REPORTED).count() == MOST_OPEN


def test_an_arena_sets_its_own_limits(duel: Arena, alice: Player, charlie: Player) -> None:
    duel.limits = {"open_reports": 1}
    duel.save()
    beats(alice, charlie, duel, now=NOW - 2 * RECENT)
    with pytest.raises(LimitReached, match="1 report that nobody has answered"):
        beats(alice, charlie, duel)
    duel.limits = {"recent_reports": 1}
    duel.save()
    beats(alice, charlie, duel)
    with pytest.raises(LimitReached, match="Try again in 10 minutes"):
        beats(alice, charlie, duel)


def test_nobody_reports_faster_than_games_end(duel: Arena, alice: Player, charlie: Player) -> None:
    for minute in range(MOST_RECENT):
        now = NOW + timedelta(seconds=30 * minute)
        confirm(beats(alice, charlie, duel, now=now).pk, by=charlie, now=now)
    now = NOW + timedelta(minutes=5)
    with pytest.raises(LimitReached, match="Try again in 5 minutes") as refusal:
        beats(alice, charlie, duel, now=now)
    assert refusal.value.wait == 300
    beats(alice, charlie, duel, now=NOW + RECENT)


def test_who_is_at_the_limit_still_gets_the_first_match_and_can_answer_others(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    first = report(duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
    for _turn in range(MOST_RECENT - 1):
        beats(alice, charlie, duel)
    again = report(duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token)
    assert again == first
    long_ago = NOW - timedelta(days=9)
    theirs = report(duel, sides, reporter=charlie, played_at=long_ago, now=NOW)
    assert report(duel, sides, reporter=alice, played_at=long_ago, now=NOW) == theirs


@pytest.mark.django_db(transaction=True)
def test_reports_at_the_same_instant_do_not_pass_the_limit(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    fill(duel, alice, charlie, MOST_OPEN - 2)
    calls = [partial(beats, alice, opponent, duel) for opponent in (charlie, eve)] * 4
    answers = all_at_once(list(calls))
    assert sum(isinstance(answer, Match) for answer in answers) == 2
    assert sum(isinstance(answer, LimitReached) for answer in answers) == 6


@pytest.mark.django_db(transaction=True)
def test_a_token_that_several_players_use_at_the_same_instant_makes_one_match(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, eve: Player
) -> None:
    token, people = uuid4(), (alice, bob, charlie, dora)
    calls = [
        partial(
            report,
            duel,
            [side(one, place=0), side(eve, place=1)],
            reporter=one,
            played_at=NOW,
            now=NOW,
            client_token=token,
        )
        for one in people
    ]
    answers = all_at_once([*calls, *calls])
    made = Match.objects.get()
    assert all(answer == made or isinstance(answer, AboutMatch) for answer in answers)
    assert (made.sides.count(), made.participants.count()) == (2, 2)


def test_the_page_and_the_api_say_that_it_is_too_much(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    now = database_now()
    for _turn in range(MOST_RECENT):
        beats(alice, charlie, duel, now=now)
    page = reports(alice, duel, result_form("Charlie"))
    assert page.status_code == 429
    assert "too many results in a short time" in words(page)
    answer = send(by_token(alice), reverse("api:reports", args=["duel"]), win(alice, charlie))
    assert answer.status_code == 429
    assert answer.json()["code"] == "reports_per_time"
    assert 0 < int(answer.headers["Retry-After"]) <= 600
    assert Match.objects.count() == MOST_RECENT
