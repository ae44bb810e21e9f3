"""Arranging a match on the pages, in two time zones, up to its result."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, Match, Player, Roster
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from league.services.results.reports.answers import confirm
from tests.support.web_steps import browser_of, words

ZONES = {"New York": "America/New_York", "Berlin": "Europe/Berlin"}


def in_zone(player: Player, zone: str) -> Client:
    client = browser_of(player)
    client.cookies["timezone"] = zone
    return client


def local(moment: datetime, zone: str = "UTC") -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}"


def send(client: Client, arena: Arena, play_at: str, zone: str = "UTC", **more: str) -> Any:
    fields = {"opponent": "Charlie", "zone": zone, "play_at": play_at, **more}
    return client.post(reverse("date_new", args=[arena.slug]), fields, follow=True)


def soon() -> datetime:
    return (timezone.now() + timedelta(days=3)).replace(second=0, microsecond=0)


def page_of(one: Arrangement, route: str = "date") -> str:
    return reverse(route, args=[one.arena.slug, one.pk])


def test_captains_in_two_zones_agree_play_and_see_the_result(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    hers = in_zone(alice, ZONES["New York"])
    his = in_zone(charlie, ZONES["Berlin"])
    at = soon()
    form = hers.get(reverse("date_new", args=["duel"]) + "?opponent=Charlie")
    assert b'value="Charlie"' in form.content
    assert b'value="America/New_York"' in form.content
    answer = send(hers, duel, local(at, ZONES["New York"]), ZONES["New York"])
    assert "Proposed. The other side can now answer." in words(answer)
    assert "Withdraw this proposal" in words(answer)
    one = Arrangement.objects.get()
    assert one.play_at == at
    assert "1 date waits for your answer. Review" in words(his.get("/"))
    assert "Alice against Charlie" in words(his.get(reverse("waiting")))
    seen = words(his.get(page_of(one)))
    assert f"{at.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}" in seen
    assert "Does this time suit you?" in seen
    assert "Expected result: Alice 50 % , Charlie 50 %" in seen
    later = at + timedelta(hours=2)
    moved = his.post(
        page_of(one, "date_move"),
        {"zone": ZONES["Berlin"], "play_at": local(later, ZONES["Berlin"]), "revision": "1"},
        follow=True,
    )
    assert "You proposed another time" in words(moved)
    stale = his.post(page_of(one, "date_answer"), {"answer": "accept", "revision": "1"})
    assert stale.status_code == 403
    accepted = hers.post(
        page_of(one, "date_answer"), {"answer": "accept", "revision": "2"}, follow=True
    )
    assert re.search(r"Agreed\. You play on \d+ \w+ \d{4}, \d\d:\d\d \w+\.", words(accepted))
    one.refresh_from_db()
    assert one.play_at == later
    assert "Alice against Charlie" in words(Client().get(reverse("dates", args=["duel"])))
    too_soon = hers.get(page_of(one, "date_report"))
    assert too_soon.status_code == 409
    Arrangement.objects.update(play_at=timezone.now() - timedelta(hours=1))
    assert "Report the result" in words(his.get(page_of(one)))
    fields = {
        "outcome": "0",
        "zone": "UTC",
        "played_at": local(timezone.now()),
        "client_token": str(uuid4()),
    }
    assert his.get(page_of(one, "date_report")).status_code == 200
    wrong = his.post(page_of(one, "date_report"), fields | {"outcome": ""})
    assert "Enter the score. Without one, choose who won." in words(wrong)
    for _twice in range(2):
        reported = his.post(page_of(one, "date_report"), fields, follow=True)
        assert reported.status_code == 200
    assert "Charlie you beat Alice" in words(reported)
    match = Match.objects.get()
    confirm(match.pk, by=alice, now=timezone.now())
    shown = words(Client().get(page_of(one), follow=True))
    for text in (
        "Agreed for",
        "Alice proposed ",
        "Charlie proposed another time: ",
        "Alice accepted.",
        "Charlie reported the result.",
    ):
        assert text in shown


def test_proposals_are_seen_by_their_captains_only(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    one = propose(duel, charlie, soon(), by=alice, now=timezone.now())
    for reader in (Client(), browser_of(eve)):
        assert reader.get(page_of(one)).status_code == 404
        assert "Alice against" not in words(reader.get(reverse("dates", args=["duel"])))
    assert browser_of(alice).get(reverse("date", args=["teams", one.pk])).status_code == 404
    assert "Waiting for the other side" in words(
        browser_of(alice).get(reverse("dates", args=["duel"]))
    )
    assert "Waiting for your answer" in words(
        browser_of(charlie).get(reverse("dates", args=["duel"]))
    )
    accept(one.pk, by=charlie, seen=1, now=timezone.now())
    assert browser_of(eve).get(page_of(one)).status_code == 200


def test_clock_changes(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A skipped hour is refused, and a repeated one means its first time."""
    from league.web.dates import views  # noqa: PLC0415 - to set its clock

    now = datetime(2026, 3, 20, 12, tzinfo=UTC)
    monkeypatch.setattr(views, "database_now", lambda: now)
    client = in_zone(alice, ZONES["Berlin"])
    skipped = send(client, duel, "2026-03-29T02:30", ZONES["Berlin"])
    assert "The clocks in Europe/Berlin skip this time" in words(skipped)
    send(client, duel, "2026-03-29T03:30", ZONES["Berlin"])
    assert Arrangement.objects.get().play_at == datetime(2026, 3, 29, 1, 30, tzinfo=UTC)
    now = datetime(2026, 10, 20, 12, tzinfo=UTC)
    send(client, duel, "2026-10-25T02:30", ZONES["Berlin"])
    assert Arrangement.objects.latest("pk").play_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    page = words(client.get(page_of(Arrangement.objects.latest("pk"))))
    assert "02:30 CEST" in page
    utc = words(browser_of(charlie).get(page_of(Arrangement.objects.latest("pk"))))
    assert "00:30 UTC" in utc


def test_rosters_arrange_and_report_with_their_players(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, charlie: Player, bob: Player
) -> None:
    hers = browser_of(alice)
    unled = browser_of(bob).get(reverse("date_new", args=["teams"]))
    assert "You do not lead a roster in Teams yet" in words(unled)
    nobody = send(hers, teams, local(soon()), opponent="Foxes")
    assert "Choose one of the rosters that you lead" in words(nobody)
    foreign = send(hers, teams, local(soon()), opponent="Foxes", roster=str(foxes.pk))
    assert foreign.status_code == 400
    unknown = send(hers, teams, local(soon()), opponent="Wolves", roster=str(owls.pk))
    assert "There is no roster “Wolves”" in words(unknown)
    made = send(hers, teams, local(soon()), opponent="foxes", roster=str(owls.pk))
    assert "Owls against Foxes" in words(made)
    one = Arrangement.objects.get()
    accept(one.pk, by=charlie, seen=1, now=timezone.now())
    Arrangement.objects.update(play_at=timezone.now() - timedelta(hours=1))
    his = browser_of(charlie)
    form = words(his.get(page_of(one, "date_report")))
    assert "Foxes won" in form
    assert "Bob" in form
    fields = {
        "outcome": "0",
        "zone": "UTC",
        "played_at": local(timezone.now()),
        "client_token": str(uuid4()),
        "plays-0": [str(pk) for pk in foxes.members.values_list("pk", flat=True)],
        "plays-1": [str(alice.pk)],
    }
    his.post(page_of(one, "date_report"), fields)
    match = Match.objects.get()
    assert match.arrangement == one
    assert [side.roster for side in match.sides.order_by("index")] == [foxes, owls]
    assert match.participants.count() == 3
