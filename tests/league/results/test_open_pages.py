"""The page of a match that people wait on says when it has changed."""

import re
from collections.abc import Callable
from typing import Any

from django.test import Client

from league.models import Arena, Match, Player
from league.services.core.clock import database_now
from league.services.results.reports import answers, changing, countering, live
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.reports.reporting import report
from tests.support.cast import beats, side
from tests.support.web_steps import browser_of, words

POLL = re.compile(r'hx-get="(/matches/\d+/\?seen=[^"]+)" hx-trigger="every')


def poll_of(page: Any) -> str:
    """Return the address that a page of a match polls, empty if it does not."""
    found = POLL.search(page.content.decode())
    return found[1] if found else ""


def polls(browser: Client, address: str) -> Any:
    return browser.get(address, headers={"hx-request": "true"})


def test_an_open_page_follows_its_match_until_it_is_settled(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    now = database_now()
    sides = [StartingSide(player, [player]) for player in (alice, charlie)]
    match = live.start(duel, sides, now=now)
    browser = browser_of(charlie)
    page = browser.get(match.get_absolute_url())
    assert "<noscript>" in page.content.decode()
    address = poll_of(page)
    steps: list[tuple[Callable[[], object], str]] = [
        (
            lambda: live.finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=now),
            "Reported by Alice",
        ),
        (
            lambda: changing.change(
                match.pk, [Finish(0, 2), Finish(1, 1)], by=alice, now=now, revision=1
            ),
            "Reported by Alice",
        ),
        (
            lambda: countering.counter(
                match.pk, [(1, None), (0, None)], by=charlie, now=now, revision=2
            ),
            "Charlie reported another result.",
        ),
        (lambda: countering.reject(match.pk, by=alice, now=now), "Staff will decide."),
    ]
    for step, sentence in steps:
        quiet = polls(browser, address)
        assert (quiet.status_code, quiet.content) == (204, b"")
        step()
        news = polls(browser, address)
        assert "Show it as it is now" in words(news)
        assert sentence in words(news)
        assert "<main" not in news.content.decode()
        address = poll_of(news)
        assert address


def test_a_settled_page_does_not_poll(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel, now=database_now())
    visitor = Client()
    address = poll_of(visitor.get(match.get_absolute_url()))
    answers.confirm(match.pk, by=charlie, now=database_now())
    news = polls(visitor, address)
    assert "Confirmed by Charlie" in words(news)
    assert poll_of(news) == ""
    assert poll_of(visitor.get(match.get_absolute_url())) == ""
    assert polls(visitor, f"/matches/{match.pk + 1}/?seen=x").status_code == 404


def test_each_confirmation_of_many_is_news(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    now = database_now()
    placed = [side(one, place=at) for at, one in enumerate((alice, bob, charlie, dora))]
    match = report(melee, placed, reporter=alice, played_at=now, now=now)
    browser = browser_of(dora)
    address = poll_of(browser.get(match.get_absolute_url()))
    answers.confirm(match.pk, by=bob, now=now)
    assert polls(browser, address).status_code == 200
    assert Match.objects.get(pk=match.pk).status == "reported"
