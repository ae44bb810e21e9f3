"""Reports and answers from one address: what is remembered, flagged and forgotten."""

from datetime import datetime, timedelta
from uuid import UUID, uuid4

import numpy as np
import pytest
from allauth.account.models import EmailAddress
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import Settings
from rest_framework.test import APIClient

from league.clients import sent_from
from league.models import Arena, Confirmation, CounterReport, Flag, Match, Player
from league.services.integrity.addresses import KEPT, forget_old
from league.services.integrity.detectors import QUICK_ANSWERS, Answers, quick_answers
from league.services.integrity.flags import describe_evidence, raise_flags
from league.services.notices.links import answer_token
from league.services.results.reports.answers import confirm
from league.services.results.reports.countering import accept, counter
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, side
from tests.support.logins import BACKEND
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, result_form

CHEAT, SECOND = 1, 2
HOME, ELSEWHERE = uuid4(), uuid4()
SOON = timedelta(seconds=10)


def answers(*said: tuple[int, int, int, bool]) -> Answers:
    """Answers as (reporter, confirmer, seconds, from one address)."""
    reporter, confirmer, seconds, one_address = zip(*said, strict=True)
    return Answers(
        np.array(reporter), np.array(confirmer), np.array(seconds, float), np.array(one_address)
    )


def at_once(one: int, other: int, times: int) -> list[tuple[int, int, int, bool]]:
    """Return quick answers of a pair who report in turn."""
    return [(one, other, 9, True) if n % 2 else (other, one, 9, True) for n in range(times)]


def slowly(one: int, other: int, times: int) -> list[tuple[int, int, int, bool]]:
    return [(one, other, 4_000, False)] * times


def test_a_second_account_that_confirms_at_once_is_found() -> None:
    known = [*at_once(CHEAT, SECOND, 8), *slowly(CHEAT, 10, 32), *slowly(SECOND, 11, 2)]
    (found,) = quick_answers(answers(*known))
    assert (found.kind, found.player, found.other) == (Flag.Kind.ONE_ADDRESS, CHEAT, SECOND)
    assert found.figures == {"quick": 8, "answered": 8, "share": 20, "other_share": 80}


def test_each_pair_of_a_ring_of_accounts_is_found() -> None:
    ring = [answer for one in range(4) for other in range(one) for answer in at_once(one, other, 8)]
    assert len(quick_answers(answers(*ring))) == 6


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param(at_once(CHEAT, SECOND, 7), id="seven times"),
        pytest.param([(CHEAT, SECOND, 31, True)] * 40, id="after half a minute"),
        pytest.param([(CHEAT, SECOND, 5, False)] * 40, id="from two addresses"),
        pytest.param(
            [*at_once(1, 2, 12), *slowly(1, 10, 13), *slowly(2, 11, 13)],
            id="a household that mostly plays others",
        ),
        pytest.param(
            [a for one in range(20) for other in range(one) for a in at_once(one, other, 3)],
            id="an event of twenty, each three times against each other",
        ),
    ],
)
def test_these_are_not(seen: list[tuple[int, int, int, bool]]) -> None:
    assert quick_answers(answers(*seen)) == []


def test_no_answers_give_no_findings() -> None:
    none = (np.zeros(0, kind) for kind in (np.int64, np.int64, float, bool))
    assert quick_answers(Answers(*none)) == []


# In the league


def plays(
    arena: Arena,
    winner: Player,
    loser: Player,
    now: datetime,
    *,
    address: UUID | None = HOME,
    gap: timedelta = SOON,
) -> Match:
    made = report(
        arena,
        [side(winner, place=0), side(loser, place=1)],
        reporter=winner,
        played_at=now,
        now=now,
        client_token=uuid4(),
        sent_from=HOME,
    )
    return confirm(made.pk, by=loser, now=now + gap, sent_from=address)


def test_a_pair_that_confirms_at_once_from_one_address_is_flagged_once(
    duel: Arena, alice: Player, bob: Player
) -> None:
    for day in range(QUICK_ANSWERS):
        plays(duel, *((alice, bob) if day % 2 else (bob, alice)), NOW + timedelta(days=day))
    season, now = duel.seasons.get(), NOW + timedelta(days=QUICK_ANSWERS)
    raise_flags(season, now)
    raise_flags(season, now)
    flag = Flag.objects.get(kind=Flag.Kind.ONE_ADDRESS)
    assert describe_evidence(flag) == (
        "In 28 days, Alice and Bob confirmed 8 of 8 matches of each other within 30 seconds and "
        "from one address. That is how 100\u00a0% of all matches of Alice and 100\u00a0% of Bob "
        "were confirmed."
    )


@pytest.mark.parametrize(
    ("address", "gap"), [(ELSEWHERE, SOON), (None, SOON), (HOME, timedelta(minutes=5))]
)
def test_answers_from_elsewhere_or_after_a_while_raise_no_flag(
    duel: Arena, alice: Player, bob: Player, address: UUID | None, gap: timedelta
) -> None:
    for day in range(QUICK_ANSWERS):
        when = NOW + timedelta(days=day)
        plays(duel, *((alice, bob) if day % 2 else (bob, alice)), when, address=address, gap=gap)
    raise_flags(duel.seasons.get(), NOW + timedelta(days=QUICK_ANSWERS))
    assert not Flag.objects.filter(kind=Flag.Kind.ONE_ADDRESS).exists()


@pytest.mark.usefixtures("countless_reports")
def test_each_confirmation_of_a_match_of_several_sides_is_read(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for day in range(QUICK_ANSWERS):
        now = NOW + timedelta(days=day)
        sides = [side(player, place=at) for at, player in enumerate((alice, bob, charlie))]
        made = report(melee, sides, reporter=alice, played_at=now, now=now, sent_from=HOME)
        confirm(made.pk, by=bob, now=now + SOON, sent_from=HOME)
        confirm(made.pk, by=charlie, now=now + SOON, sent_from=ELSEWHERE)
    raise_flags(melee.seasons.get(), now)
    flag = Flag.objects.get(kind=Flag.Kind.ONE_ADDRESS)
    assert {flag.player, flag.other} == {alice, bob}


def test_an_accepted_counter_report_has_the_addresses_of_those_who_sent_them(
    duel: Arena, alice: Player, bob: Player
) -> None:
    made = report(
        duel,
        [side(alice, place=0), side(bob, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
        sent_from=HOME,
    )
    counter(made.pk, [(1, None), (0, None)], by=bob, now=NOW + SOON, sent_from=ELSEWHERE)
    match = accept(made.pk, by=alice, now=NOW + SOON, sent_from=HOME)
    assert (match.reported_from, match.confirmed_from) == (ELSEWHERE, HOME)


def test_a_second_report_of_a_game_answers_with_its_address(
    duel: Arena, alice: Player, bob: Player
) -> None:
    for player, address in ((alice, HOME), (bob, ELSEWHERE)):
        match = report(
            duel,
            [side(alice, place=0), side(bob, place=1)],
            reporter=player,
            played_at=NOW,
            now=NOW,
            sent_from=address,
        )
    assert (match.reported_from, match.confirmed_from) == (HOME, ELSEWHERE)
    assert CounterReport.objects.get().sent_from == ELSEWHERE


def test_addresses_are_forgotten_after_thirty_days(
    duel: Arena, melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    old = plays(duel, alice, bob, NOW)
    young = plays(duel, alice, bob, NOW + timedelta(days=2))
    sides = [side(player, place=at) for at, player in enumerate((alice, bob, charlie))]
    brawl = report(melee, sides, reporter=alice, played_at=NOW, now=NOW, sent_from=HOME)
    confirm(brawl.pk, by=bob, now=NOW, sent_from=HOME)
    disputed = report(
        duel,
        [side(alice, place=0), side(charlie, place=1)],
        reporter=alice,
        played_at=NOW,
        now=NOW,
        sent_from=HOME,
    )
    counter(disputed.pk, [(1, None), (0, None)], by=charlie, now=NOW, sent_from=ELSEWHERE)
    assert forget_old(NOW + KEPT) == 0
    assert forget_old(NOW + KEPT + timedelta(days=1)) == 5
    for match in (old, brawl, disputed):
        match.refresh_from_db()
        assert (match.reported_from, match.confirmed_from) == (None, None)
    assert not Confirmation.objects.exclude(sent_from=None).exists()
    assert not CounterReport.objects.exclude(sent_from=None).exists()
    young.refresh_from_db()
    assert young.reported_from == young.confirmed_from == HOME
    confirm(brawl.pk, by=charlie, now=NOW + KEPT, sent_from=HOME)
    brawl.refresh_from_db()
    assert brawl.confirmed_from is None, "the report's is gone, so nothing would clear it"


# On the way in


def test_pages_the_api_and_links_in_mails_store_where_an_answer_came_from(
    duel: Arena, alice: Player, bob: Player
) -> None:
    browser = browser_of(alice)
    for answered in range(3):
        form = result_form("Bob", played_at=f"2026-03-0{answered + 1}T10:00")
        browser.post(reverse("report", args=["duel"]), form)
    page, api, mail = Match.objects.order_by("pk")
    assert page.reported_from == api.reported_from
    there = "192.0.2.2"
    account = user_of(bob)
    other = Client(REMOTE_ADDR=there)
    other.force_login(account, backend=BACKEND)
    other.post(reverse("match_confirm", args=[page.pk]), {"revision": 1})
    program = APIClient(REMOTE_ADDR=there)
    program.force_authenticate(account)
    program.post(f"/api/v1/matches/{api.pk}/confirm/", {"revision": 1}, format="json")
    EmailAddress.objects.create(user=account, email="bob@example.org", verified=True, primary=True)
    link = reverse("notice_answer", args=[answer_token(mail, bob, "bob@example.org")])
    Client(REMOTE_ADDR=there).post(link, {"answer": "confirm"})
    for match in (page, api, mail):
        match.refresh_from_db()
        assert match.status == "rated"
        assert match.confirmed_from not in {None, match.reported_from}
    assert page.confirmed_from == api.confirmed_from == mail.confirmed_from


def test_the_address_itself_is_stored_nowhere_and_its_hash_lasts_a_day(
    monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    request = RequestFactory().get("/", REMOTE_ADDR="192.0.2.1")
    monkeypatch.setattr("league.clients.time.time", lambda: 86_400 * 20_000)
    today = sent_from(request)
    assert today == sent_from(request)
    monkeypatch.setattr("league.clients.time.time", lambda: 86_400 * 20_001)
    assert sent_from(request) != today
    monkeypatch.setattr("league.clients.time.time", lambda: 86_400 * 20_000)
    settings.SECRET_KEY = "another key"
    assert sent_from(request) != today


def test_the_admin_shows_the_flag(duel: Arena, olga: Player, alice: Player, bob: Player) -> None:
    for day in range(QUICK_ANSWERS):
        plays(duel, alice, bob, NOW + timedelta(days=day))
    raise_flags(duel.seasons.get(), NOW + timedelta(days=QUICK_ANSWERS))
    flag = Flag.objects.get(kind=Flag.Kind.ONE_ADDRESS)
    page = browser_of(olga).get(reverse("admin:league_flag_change", args=[flag.pk]))
    assert "8 of 8 matches of each other within 30 seconds" in page.content.decode()
