"""The live score: entered by those who are there, seen by everybody, never a result by itself."""

import re
from datetime import timedelta
from functools import partial
from typing import cast

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.models import Agreement, Arena, Arrangement, LiveScore, Match, Player, Status, User
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dates import live_scores
from league.services.dates.answers import accept
from league.services.dates.live_scores import enter, go_back, takes_scores
from league.services.dates.proposals import propose
from league.services.home import front
from league.services.results.reports.live import StartingSide, start
from league.web.results import watching
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words

HTMX = {"HX-Request": "true"}


@pytest.fixture
def live_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Alice and Charlie are playing."""
    sides = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    return start(duel, sides, now=timezone.now(), agreed_by=Agreement.READY_CHECK)


@pytest.fixture
def tonight(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    """Alice and Charlie agreed to play ten minutes ago."""
    now = timezone.now()
    begins = now - timedelta(minutes=10)
    one = propose(duel, charlie, begins, by=alice, now=now - timedelta(days=1))
    return accept(one.pk, by=charlie, seen=1, now=now - timedelta(hours=2))


def scores(
    one: Match | Arrangement, player: Player, first: float, second: float, seen: int = 0
) -> LiveScore:
    who = {"by": cast("User", player.user), "player": player, "now": timezone.now()}
    return enter(one, first, second, seen=seen, **who)  # type: ignore[arg-type] # as it takes them


def test_spectators_enter_it_until_a_player_of_the_match_does(
    live_match: Match, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    assert scores(live_match, eve, 0, 1).player == eve
    assert scores(live_match, olga, 0, 2, seen=1).number == 2
    assert scores(live_match, eve, 0, 3, seen=2).number == 3, (
        "an organiser who plays may be anywhere"
    )
    assert scores(live_match, charlie, 2, 0, seen=3).number == 4
    with pytest.raises(Forbidden):
        scores(live_match, eve, 0, 9, seen=4)
    with pytest.raises(Forbidden):
        go_back(live_match, seen=4, by=cast("User", eve.user), player=eve, now=timezone.now())
    guest = User.objects.create(username="guest")
    with pytest.raises(Forbidden):
        enter(live_match, 1, 1, seen=4, by=guest, player=None, now=timezone.now())
    assert live_scores.last_by_captain(live_match) == {alice.pk: 2, charlie.pk: 0}


def test_players_and_organisers_enter_it_and_nobody_else(
    live_match: Match,
    tonight: Arrangement,
    alice: Player,
    charlie: Player,
    eve: Player,
    olga: Player,
) -> None:
    for one in (live_match, tonight):
        assert scores(one, alice, 1, 0).number == 1
        assert scores(one, charlie, 1, 1, seen=1).number == 2
        assert scores(one, olga, 2, 1, seen=2).number == 3
        with pytest.raises(Forbidden):
            scores(one, eve, 9, 0, seen=3)
        assert live_scores.last_by_captain(one) == {alice.pk: 2, charlie.pk: 1}
    live_match.refresh_from_db()
    assert live_match.status == Status.LIVE
    assert not live_match.sides.exclude(score=None).exists()


def test_the_second_of_two_who_type_at_once_is_told(
    live_match: Match, alice: Player, charlie: Player
) -> None:
    scores(live_match, alice, 1, 0)
    with pytest.raises(Conflict, match="changed meanwhile: it is 1 : 0"):
        scores(live_match, charlie, 0, 1)
    assert live_scores.latest(live_match)[0].player == alice


@pytest.mark.django_db(transaction=True)
def test_of_scores_at_once_one_is_saved(live_match: Match, alice: Player, charlie: Player) -> None:
    outcomes = all_at_once(
        [
            partial(scores, live_match, player, 3, place)
            for place, player in enumerate([alice, charlie])
        ]
    )
    assert LiveScore.objects.filter(match=live_match).count() == 1
    assert sum(isinstance(one, Conflict) for one in outcomes) == 1


def test_a_mistake_is_taken_back_and_stays_in_the_history(
    live_match: Match, alice: Player, charlie: Player
) -> None:
    scores(live_match, alice, 1, 0)
    scores(live_match, charlie, 90, 0, seen=1)
    who = {"by": cast("User", alice.user), "player": alice, "now": timezone.now()}
    back = go_back(live_match, seen=2, **who)  # type: ignore[arg-type] # as it takes them
    assert (back.first, back.second, back.number) == (1, 0, 3)
    assert [one.number for one in live_scores.latest(live_match)] == [3, 2, 1]


def test_the_same_score_again_is_not_written(live_match: Match, alice: Player) -> None:
    scores(live_match, alice, 1, 0)
    assert scores(live_match, alice, 1, 0, seen=1).number == 1


@pytest.mark.parametrize("wrong", [-1, 1e300, float("nan"), float("inf"), 0.123])
def test_scores_that_no_report_could_have_are_refused(
    live_match: Match, alice: Player, wrong: float
) -> None:
    with pytest.raises(Refused, match="A score here"):
        scores(live_match, alice, wrong, 0)
    assert not LiveScore.objects.exists()


def test_scores_are_limited(
    live_match: Match, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_scores, "MOST_IN_AN_HOUR", 3)
    monkeypatch.setattr(live_scores, "MOST_OF_A_MATCH", 4)
    for number in range(3):
        scores(live_match, alice, number + 1, 0, seen=number)
    with pytest.raises(LimitReached, match="3 scores in an hour"):
        scores(live_match, alice, 9, 0, seen=3)
    scores(live_match, charlie, 9, 0, seen=3)
    with pytest.raises(LimitReached, match="too many"):
        scores(live_match, charlie, 10, 0, seen=4)


def test_a_score_is_only_entered_while_a_match_may_be_played(
    tonight: Arrangement, live_match: Match, alice: Player
) -> None:
    begins = tonight.play_at
    assert not takes_scores(tonight, begins - timedelta(minutes=16))
    assert takes_scores(tonight, begins - timedelta(minutes=14))
    assert not takes_scores(tonight, begins + timedelta(hours=12))
    Match.objects.filter(pk=live_match.pk).update(status=Status.VOID)
    with pytest.raises(Conflict, match="not being played"):
        scores(live_match, alice, 1, 0)


@pytest.mark.parametrize("kind", ["match", "date"])
def test_without_javascript_a_point_is_one_press_and_the_report_begins_with_the_score(
    kind: str, request: pytest.FixtureRequest, alice: Player, charlie: Player, eve: Player
) -> None:
    one: Match | Arrangement = request.getfixturevalue(
        "live_match" if kind == "match" else "tonight"
    )
    page, address = one.get_absolute_url(), f"{one.get_absolute_url()}score/"
    hers = browser_of(alice)
    assert "Nobody has entered a score yet." in words(Client().get(page))
    assert "Point for Alice" in words(hers.get(page))
    assert "Point for Alice" in words(browser_of(eve).get(page)), "she may have come to watch"
    assert "Point for Alice" not in words(Client().get(page))
    sent = hers.post(address, {"act": "first", "seen": "0"})
    assert sent.headers["Location"] == f"{page}#live-score"
    hers.post(address, {"act": "first", "seen": "1"})
    hers.post(address, {"act": "save", "first": "2", "second": "1", "seen": "2"})
    for reader in (Client(), browser_of(eve), browser_of(charlie)):
        shown = words(reader.get(page))
        assert "By Alice" in shown
        assert "Alice 2 to : 1 Charlie" in shown
    assert "Point for Alice" not in words(browser_of(eve).get(page))
    stale = browser_of(charlie).post(address, {"act": "second", "seen": "1"})
    assert stale.status_code == 409
    assert "it is 2 : 1" in words(stale)
    assert browser_of(eve).post(address, {"act": "first", "seen": "3"}).status_code == 403
    assert Client().post(address, {"act": "first", "seen": "3"}).status_code == 302
    report = "match_report" if kind == "match" else "date_report"
    where = [one.pk] if isinstance(one, Match) else [one.arena.slug, one.pk]
    form = browser_of(charlie).get(reverse(report, args=where)).context["form"]
    shown_first = {side.side.captain: side.score.value() for side in form.sides()}
    assert shown_first == {alice: "2", charlie: "1"}


def test_spectators_poll_it_and_get_only_what_is_new(live_match: Match, alice: Player) -> None:
    address = f"{live_match.get_absolute_url()}score/"
    visitor = Client()
    assert visitor.get(f"{address}?seen=0", headers=HTMX).status_code == 204
    scores(live_match, alice, 1, 0)
    news = visitor.get(f"{address}?seen=0", headers=HTMX)
    assert "By Alice" in words(news)
    assert visitor.get(f"{address}?seen=1", headers=HTMX).status_code == 204
    assert visitor.get(address).status_code == 302
    Match.objects.filter(pk=live_match.pk).update(status=Status.VOID)
    assert "Show the match" in words(visitor.get(f"{address}?seen=1", headers=HTMX))
    for odd in ({}, {"act": "save", "first": "x"}, {"act": "?"}, {"seen": "9" * 30}):
        answer = browser_of(alice).post(address, odd)
        assert answer.status_code in {400, 409}, odd


def test_rows_show_the_last_score_until_there_is_a_result(
    live_match: Match, tonight: Arrangement, alice: Player, charlie: Player, duel: Arena
) -> None:
    scores(live_match, alice, 1, 0)
    scores(live_match, charlie, 4, 7, seen=1)
    scores(tonight, charlie, 5, 8)
    scores(tonight, alice, 6, 8, seen=1)
    places = ["/", "/schedule/", "/schedule/?arena=duel", f"/players/{alice.pk}/"]
    for where in [*places, "/matches/waiting/"]:
        front.clear()
        page = browser_of(alice).get(where).content.decode()
        expected = {'data-score="4"', 'data-score="7"', "4–7"}
        if where in places[:3]:
            expected |= {'data-score="6"', 'data-score="8"', "6–8"}
        assert not {text for text in expected if text not in page}, where
    for where in (reverse("live"), reverse("arena_live", args=["duel"])):
        watching._boards.clear()
        board = words(Client().get(where))
        assert "Alice 6–8 Charlie" in board
        assert re.search(r"Score: 4 Alice 1200.* Score: 7 Charlie", board)


def test_a_score_is_on_the_side_that_has_it_whoever_reads(
    live_match: Match, alice: Player, charlie: Player
) -> None:
    """A reader's own side comes first in their lists."""
    scores(live_match, alice, 4, 7)
    for reader, shown in ((alice, "4–7"), (charlie, "7–4")):
        front.clear()
        assert shown in browser_of(reader).get("/").content.decode()


def test_programs_read_the_score_of_each_side_as_the_page_shows_it(
    live_match: Match, alice: Player, charlie: Player
) -> None:
    def show_scores() -> dict[str, float | None]:
        caches["pages"].clear()
        [match] = Client().get("/api/v1/live-matches/").json()
        return {side["players"][0]["player"]["name"]: side["score"] for side in match["sides"]}

    assert show_scores() == {"Alice": None, "Charlie": None}
    scores(live_match, alice, 2, 1)
    assert show_scores() == {"Alice": 2, "Charlie": 1}
    watching._boards.clear()
    shown = words(Client().get(reverse("live")))
    assert shown.index("Score: 2 Alice") < shown.index("Score: 1 Charlie")
    scores(live_match, charlie, 0, 3, seen=1)
    assert show_scores() == {"Alice": 0, "Charlie": 3}


def test_a_date_that_nobody_reported_is_not_live_the_next_day(
    tonight: Arrangement, alice: Player
) -> None:
    scores(tonight, alice, 5, 8)
    Arrangement.objects.update(play_at=timezone.now() - timedelta(hours=13))
    for where in ("/", "/schedule/", reverse("live")):
        front.clear()
        watching._boards.clear()
        assert 'data-score="8"' not in browser_of(alice).get(where).content.decode(), where


def test_scores_cost_no_statement(
    live_match: Match, tonight: Arrangement, alice: Player, charlie: Player
) -> None:
    def statements() -> list[int]:
        browser, found = browser_of(charlie), []
        for where in ("/", "/schedule/", reverse("live")):
            browser.get(where)
            front.clear()
            watching._boards.clear()
            with CaptureQueriesContext(connection) as asked:
                browser.get(where)
            found.append(len(asked))
        return found

    before = statements()
    scores(live_match, alice, 4, 7)
    assert statements() == before
