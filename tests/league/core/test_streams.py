"""Streams of leaderboards, live matches and queues, from the real web server on the real site."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from rest_framework.test import APIClient

from league.models import Arena, ArenaQueue, Scope, TicketMember
from league.services.core.clock import database_now
from league.services.people import tokens
from league.services.queue.queueing import join, leave
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from league.services.standings.updating import update_pending
from tests.support.api_steps import a_token
from tests.support.cast import RANKED_AT_ONCE, arena, beats
from tests.support.stream_steps import Reader, Site
from tests.support.web_steps import browser_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Player

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("streams"))
    yield site
    site.stop()


@pytest.fixture
def site(running: Site, transactional_db: None) -> Site:
    running.renew()
    return running


def event(reader: Reader, name: str) -> Any:
    """Return the data of the next event with this name."""
    while True:
        _mark, found, data = reader.next()
        if found == name:
            return data


def test_a_leaderboard_is_told_when_the_standings_change(
    site: Site, alice: Player, bob: Player
) -> None:
    made = arena("one", season_rules=RANKED_AT_ONCE)
    with site.stream("arenas/one/leaderboard") as reader:
        assert event(reader, "leaderboard")["results"] == []
        confirm(beats(alice, bob, made, now=database_now()).pk, by=bob, now=database_now())
        update_pending(database_now())
        told = event(reader, "leaderboard")
        shown = APIClient().get("/api/v1/arenas/one/leaderboard/").json()
        assert [row["player"]["name"] for row in told["results"]] == ["Alice", "Bob"]
        assert [row["rank"] for row in told["results"]] == [r["rank"] for r in shown["results"]]
        Arena.objects.update(is_draft=True)  # as if it had never been published
        assert reader.ends()
    for missing in ("arenas/one/leaderboard", "arenas/none/live-matches", "arenas/none/queue"):
        with site.stream(missing) as reader:
            assert "404" in reader.head


def test_boards_of_live_matches_are_told_when_one_begins(
    site: Site, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    one, two = arena("one"), arena("two")
    with site.stream("live-matches") as everywhere, site.stream("arenas/two/live-matches") as here:
        assert event(everywhere, "live-matches") == event(here, "live-matches") == []
        start(one, [StartingSide(alice, [alice]), StartingSide(bob, [bob])], now=database_now())
        assert [match["arena"] for match in event(everywhere, "live-matches")] == ["one"]
        start(two, [StartingSide(p, [p]) for p in (charlie, eve)], now=database_now())
        assert len(event(everywhere, "live-matches")) == 2
        [match] = event(here, "live-matches")
        names = [side["players"][0]["player"]["name"] for side in match["sides"]]
        assert names == ["Charlie", "Eve"]


def test_a_queue_tells_each_player_of_their_own_ticket_alone(
    site: Site, alice: Player, bob: Player
) -> None:
    made = arena("one")
    ArenaQueue.objects.create(arena=made)
    _token, hers = a_token(alice.user, Scope.READ)
    _token, his = a_token(bob.user, Scope.READ)
    path = "arenas/one/queue"
    with (
        site.stream(path, hers) as alices,
        site.stream(path, his) as bobs,
        site.stream(path) as anybody,
    ):
        assert event(alices, "queue")["is_open"]
        assert event(alices, "ticket") is None
        assert event(bobs, "ticket") is None
        assert "ticket" not in event(anybody, "queue")
        join(made, alice, [], now=database_now())
        ticket = event(alices, "ticket")
        assert (ticket["state"], ticket["captain"]["name"]) == ("waiting", "Alice")
        assert TicketMember.objects.get().seen_at  # the stream counts as her page
        leave(ticket["id"], by=alice, now=database_now())
        assert event(alices, "ticket") is None
        join(made, bob, [], now=database_now())
        assert event(bobs, "ticket")["captain"]["name"] == "Bob"
        for reader in (alices, anybody):
            reader.until(b"\n:\n\n")  # an idle while later
            assert b"ticket" not in reader.read


def test_a_stream_of_a_session_ends_with_it(site: Site, alice: Player) -> None:
    made = arena("one")
    ArenaQueue.objects.create(arena=made)
    browser = browser_of(alice)
    cookie = "; ".join(f"{name}={one.value}" for name, one in browser.cookies.items())
    with site.stream("arenas/one/queue", Cookie=cookie) as reader:
        assert event(reader, "ticket") is None
        browser.logout()
        assert reader.ends()


def test_a_token_that_ends_soon_ends_its_stream(site: Site, alice: Player) -> None:
    made, now = arena("one"), database_now()
    ArenaQueue.objects.create(arena=made)
    assert alice.user
    _token, text = tokens.make_token(
        alice.user, "Short", [Scope.READ], now=now, expires_at=now + timedelta(seconds=10)
    )
    with site.stream("arenas/one/queue", text) as reader:
        assert event(reader, "ticket") is None
        assert reader.ends()
