"""Moving an agreed date and calling it off, on the pages and in the API."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, ArrangementStep, Player
from league.services.dates.answers import accept
from league.services.dates.proposals import propose
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.web_steps import browser_of, words


@pytest.fixture
def date(duel: Arena, alice: Player, charlie: Player) -> Arrangement:
    """Alice and Charlie play in three days, by the real clock."""
    now = timezone.now()
    one = propose(duel, charlie, now + timedelta(days=3), by=alice, now=now)
    return accept(one.pk, by=charlie, seen=1, now=now)


def address(one: Arrangement, route: str) -> str:
    return reverse(route, args=[one.arena.slug, one.pk])


def local(moment: datetime, zone: str = "UTC") -> str:
    return f"{moment.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}"


def open_request(one: Arrangement) -> ArrangementStep:
    one.refresh_from_db()
    assert one.request
    return one.request


def test_a_date_is_moved_in_two_time_zones(
    date: Arrangement, alice: Player, charlie: Player
) -> None:
    hers, his = browser_of(alice), browser_of(charlie)
    hers.cookies["timezone"] = "America/New_York"
    his.cookies["timezone"] = "Europe/Berlin"
    assert "Move or call off this date" in words(hers.get(date.get_absolute_url()))
    later = (date.play_at + timedelta(days=1)).replace(second=0)
    fields = {
        "zone": "America/New_York",
        "play_at": local(later, "America/New_York"),
        "revision": "1",
    }
    asked = hers.post(address(date, "date_reschedule"), fields, follow=True)
    assert "Asked. The date stands until the other side agrees." in words(asked)
    assert "Withdraw this request" in words(asked)
    assert "1 date waits for your answer." in words(his.get("/"))
    seen = words(his.get(date.get_absolute_url()))
    assert f"{later.astimezone(ZoneInfo('Europe/Berlin')):%H:%M}" in seen
    assert "Agree to this time" in seen
    assert "Agree to this time" not in words(Client().get(date.get_absolute_url()))
    request = str(open_request(date).pk)
    unclear = his.post(address(date, "date_request"), {"answer": "perhaps", "request": request})
    assert (unclear.status_code, "Choose to agree" in words(unclear)) == (400, True)
    stale = his.post(address(date, "date_request"), {"answer": "agree", "request": "1" * 30})
    assert stale.status_code == 409
    agreed = his.post(
        address(date, "date_request"), {"answer": "agree", "request": request}, follow=True
    )
    assert "You agreed. The date is moved." in words(agreed)
    assert "Update it in your calendar" in words(agreed)
    date.refresh_from_db()
    assert (date.play_at, date.revision) == (later, 2)
    assert "waits for your answer" not in words(his.get("/"))


def test_a_date_is_called_off_on_the_page(
    date: Arrangement, alice: Player, charlie: Player, eve: Player
) -> None:
    hers, his = browser_of(alice), browser_of(charlie)
    assert "You can call it off on your own until" in words(hers.get(date.get_absolute_url()))
    silent = hers.post(address(date, "date_call_off"), {"reason": " ", "revision": "1"})
    assert (silent.status_code, "Give a reason." in words(silent)) == (400, True)
    forged = hers.post(address(date, "date_call_off"), {"reason": "Ill.", "revision": ""})
    assert (forged.status_code, "Parts of the form are missing" in words(forged)) == (400, True)
    stale = hers.post(address(date, "date_call_off"), {"reason": "Ill.", "revision": "2"})
    assert (stale.status_code, "has changed in the meantime" in words(stale)) == (409, True)
    sent = {"reason": "I have a <fever>.", "revision": "1"}
    off = hers.post(address(date, "date_call_off"), sent, follow=True)
    assert "Called off. The other side has been told." in words(off)
    seen = his.get(date.get_absolute_url())
    assert "I have a &lt;fever&gt;." in seen.content.decode()
    assert "Cancel it in your calendar" in words(seen)
    assert "Alice called off a date in Duel." in words(his.get(reverse("inbox")))
    public = words(browser_of(eve).get(date.get_absolute_url()))
    assert "Alice called the date off." in public
    assert "fever" not in public
    again = his.post(address(date, "date_call_off"), {"reason": "Me too.", "revision": "2"})
    assert again.status_code == 409


def test_changes_in_the_api(date: Arrangement, alice: Player, charlie: Player, eve: Player) -> None:
    def post(player: Player, route: str, body: object) -> tuple[int, dict[str, object]]:
        answer = send(by_token(player), reverse(f"api:{route}", args=[date.pk]), body)
        if answer.status_code == 400:
            return 400, dict.fromkeys(fields_at_fault(answer))
        return answer.status_code, answer.json()

    later = (date.play_at + timedelta(days=1)).isoformat()
    for body, field in (
        ({"revision": 1}, "play_at"),
        ({"play_at": later}, "revision"),
        ({"play_at": "2020-01-01T00:00:00Z", "revision": 1}, "play_at"),
    ):
        assert post(alice, "date-move", body) == (400, {field: None})
    code, asked = post(alice, "date-move", {"play_at": later, "revision": 1})
    request = asked["request"]
    assert isinstance(request, dict)
    assert (code, asked["asked"], request["by"]) == (200, charlie.pk, alice.pk)
    listed = Client().get(reverse("api:dates", args=["duel"])).json()["results"]
    assert listed[0]["request"]["id"] == request["id"]
    answer = {"answer": "agree", "request": request["id"]}
    assert post(eve, "date-request", answer)[0] == 403
    assert post(alice, "date-request", answer)[0] == 403
    assert post(charlie, "date-request", {"answer": "agree"}) == (400, {"request": None})
    code, moved = post(charlie, "date-request", answer)
    assert (code, moved["revision"], moved["request"]) == (200, 2, None)
    assert post(charlie, "date-request", answer)[0] == 409
    assert post(alice, "date-call-off", {"revision": 2}) == (400, {"reason": None})
    assert post(alice, "date-call-off", {"revision": 1, "reason": "Ill."})[0] == 409
    code, off = post(alice, "date-call-off", {"revision": 2, "reason": "Ill."})
    assert (code, off["state"], off["revision"]) == (200, "called_off", 3)
