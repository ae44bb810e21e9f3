"""Streams of matches, from the real web server on the real site."""

from __future__ import annotations

import json
import re
import socket
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from league.event_streams import MEDIA_TYPE
from league.models import Match, Player, Scope, StaffAction
from league.services.core.clock import database_now
from league.services.operations import figures
from league.services.people.tokens import tokens_of
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.threads import write
from tests.support.api_steps import a_token, by_token, fields_at_fault
from tests.support.cast import beats
from tests.support.celery_steps import happens_within
from tests.support.result_steps import user_of
from tests.support.stream_steps import PATIENCE, Site
from tests.support.web_steps import browser_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Arena

pytestmark = pytest.mark.django_db(transaction=True)


def at(match: Match) -> str:
    return f"matches/{match.pk}"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Site]:
    site = Site(tmp_path_factory.mktemp("streams"))
    yield site
    site.stop()


@pytest.fixture(scope="module")
def bounded(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Site]:
    """A site without a broker, where a reader may have two streams."""
    given = {"LAUREL_API_STREAMS": "2", "REDIS_URL": "redis://127.0.0.1:1/0"}
    site = Site(tmp_path_factory.mktemp("bounded"), **given)
    yield site
    site.stop()


@pytest.fixture
def site(running: Site, transactional_db: None) -> Site:
    running.renew()
    return running


@pytest.fixture
def match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return beats(alice, charlie, duel, now=database_now())


def test_a_stream_tells_of_each_change_and_nothing_private(
    match: Match, site: Site, alice: Player, charlie: Player, olga: Player
) -> None:
    with site.stream(at(match)) as anybody, site.stream(at(match), Accept=MEDIA_TYPE) as other:
        assert "200 OK" in anybody.head
        assert f"Content-Type: {MEDIA_TYPE}" in anybody.head
        assert "Transfer-Encoding" not in anybody.head
        assert re.search(r"retry: \d+", anybody.until(b"\n\n"))
        first = anybody.event()
        assert first["status"] == "reported"
        shown = APIClient().get(f"/api/v1/matches/{match.pk}/").json()
        assert {**first, "event": 0} == {**shown, "event": 0}
        dispute(match.pk, by=charlie, reason="It was a draw.", now=database_now())
        told = [reader.event() for reader in (anybody, other) if reader is anybody]
        assert told[0]["status"] == "disputed"
        assert other.event()["status"] in {"reported", "disputed"}
        assert alice.user
        write(match.pk, by=alice.user, player=alice, text="SECRET", now=database_now())
        Match.objects.filter(pk=match.pk).update(mode="x")
        later = anybody.event()
        assert later["mode"] == "x"
        assert "SECRET" not in json.dumps(later)
        assert later["event"] != told[0]["event"] != first["event"]


def test_a_reader_who_has_the_last_event_does_not_get_it_again(match: Match, site: Site) -> None:
    with site.stream(at(match)) as reader:
        last = reader.event()["event"]
    with site.stream(at(match), Last_Event_ID=last) as reader:
        reader.until(b"\n\n")
        assert reader.until(b"\n\n") == ": nothing new"
        assert reader.until(b"\n\n") == ":"  # the stream lives
        Match.objects.filter(pk=match.pk).update(mode="x")
        assert reader.event()["mode"] == "x"
    for wrong in ("x" * 5000, "1.2.3", "é"):
        with site.stream(at(match), Last_Event_ID=wrong) as reader:
            assert reader.event()["mode"] == "x"


def test_a_revoked_or_ended_token_ends_its_streams(match: Match, site: Site, bob: Player) -> None:
    token, text = a_token(bob.user, Scope.READ)
    other, other_text = a_token(bob.user, Scope.READ)
    with site.stream(at(match), text) as one, site.stream(at(match), other_text) as two:
        assert one.event() == two.event()
        with site.stream(at(match), "laurel_wrong") as refused:
            assert "401" in refused.head
        token.delete()
        assert one.ends()
        tokens_of(other.user).update(expires_at=database_now())
        assert two.ends()
    third, third_text = a_token(bob.user, Scope.READ)
    with site.stream(at(match), third_text) as reader:
        reader.event()
        third.user.is_active = False
        third.user.save()
        assert reader.ends()


def test_nobody_who_leaves_or_reads_nothing_is_kept(match: Match, site: Site) -> None:
    with site.stream(at(match)) as reader:
        reader.event()
        with ExitStack() as stack:
            many = [stack.enter_context(site.stream(at(match))) for _number in range(30)]
            for one in many[:15]:
                one.event()
                one.connection.close()
            for one in many[15:]:
                one.connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            assert happens_within(lambda: site.connections() == 16, PATIENCE)
            # The others do not read, until the kernel takes no more for them.
            deadline = time.monotonic() + 90
            while site.connections() > 1 and time.monotonic() < deadline:
                Match.objects.filter(pk=match.pk).update(mode=str(time.monotonic()))
                reader.event()
            assert site.connections() == 1


def streams(what: str) -> float:
    """Return how many streams of matches were opened or have ended, as the metrics say."""
    line = rf'^laurel_streams_{what}_total{{event="match"}} ([\d.]+)'
    found = re.search(line, figures.exposition().decode(), re.MULTILINE)
    return float(found[1]) if found else 0


def test_metrics_count_streams_that_begin_and_end(match: Match, site: Site) -> None:
    """At least: the sites of other tests may send theirs late."""
    opened = streams("opened")
    with ExitStack() as stack:
        many = [stack.enter_context(site.stream(at(match))) for _number in range(20)]
        for one in many:
            one.event()
        assert happens_within(lambda: streams("opened") >= opened + 20, PATIENCE)
        ended = streams("ended")
    assert happens_within(lambda: streams("ended") >= ended + 20, PATIENCE)


def test_streams_need_no_broker_and_end_with_their_life(
    match: Match, bounded: Site, charlie: Player
) -> None:
    bounded.renew(life=8)
    with bounded.stream(at(match)) as reader:
        assert reader.event()["status"] == "reported"
        confirm(match.pk, by=charlie, now=database_now())
        assert reader.event()["status"] in {"confirmed", "rated"}
        assert reader.ends()


def test_streams_outlive_the_connections_to_the_database(match: Match, site: Site) -> None:
    with site.stream(at(match)) as reader:
        reader.event()
        for number in range(3):
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            Match.objects.filter(pk=match.pk).update(mode=str(number))
            assert reader.event()["mode"] == str(number)


def test_a_large_match_reaches_those_who_read_slowly(
    match: Match, site: Site, olga: Player
) -> None:
    with site.stream(at(match)) as slow, site.stream(at(match)) as quick:
        slow.event()
        quick.event()
        large = "x" * 300_000
        kind, now = StaffAction.Kind.UPHELD, database_now()
        StaffAction.objects.create(
            actor=user_of(olga), kind=kind, match=match, reason=large, at=now
        )
        assert large in json.dumps(quick.event())
        Match.objects.filter(pk=match.pk).update(mode="x")
        assert quick.event()["mode"] == "x"
        assert large in json.dumps(slow.event())
        assert slow.event()["mode"] == "x"


def test_without_our_server_the_answer_has_the_present_state_and_ends(
    match: Match, bob: Player
) -> None:
    answer = APIClient().get(f"/api/v1/matches/{match.pk}/stream/")
    assert answer.headers["Content-Type"] == MEDIA_TYPE
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.content.count(b"data: ") == 1
    assert by_token(bob, Scope.REPORT).get("/api/v1/matches/999999/stream/").status_code == 404
    unknown = APIClient().get(f"/api/v1/matches/{match.pk}/stream/?fields=id")
    assert fields_at_fault(unknown) == {"fields"}
    head = Client().head(f"/api/v1/matches/{match.pk}/stream/")
    assert (head.status_code, head.content) == (200, b"")
    assert browser_of(bob).post(f"/api/v1/matches/{match.pk}/stream/").status_code in {403, 405}


def test_a_reader_has_a_limit_of_streams(match: Match, bounded: Site) -> None:
    bounded.renew()
    with bounded.stream(at(match)) as one, bounded.stream(at(match)) as two:
        one.event()
        two.event()
        with bounded.stream(at(match)) as third:
            assert "429" in third.head
            assert "Retry-After: 60" in third.head
        assert two.until(b"\n\n") == ":"
    assert happens_within(lambda: is_let_in(bounded, match), PATIENCE)


def is_let_in(site: Site, match: Match) -> bool:
    with site.stream(at(match)) as reader:
        return "200 OK" in reader.head
