"""Long merges run in a task: once, completely or not at all, and staff see how it ended."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import OperationalError, connection, connections, transaction
from django.test import Client
from django.urls import reverse

from league import tasks
from league.models import (
    Arena,
    FormerName,
    MergeRequest,
    Participant,
    Player,
    Rating,
    StaffAction,
    User,
)
from league.services.core.errors import Conflict, Refused
from league.services.merging import merging, requests
from league.services.merging.requests import ask, carry_out
from tests.support.cast import NOW, account
from tests.support.concurrency import all_at_once
from tests.support.merge_steps import all_differences
from tests.support.result_steps import user_of
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

FULL_DISK = """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device'
        USING ERRCODE = 'disk_full';
    END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON league_formername EXECUTE FUNCTION refuse()
"""


@pytest.fixture
def staff(boss: User) -> Client:
    browser = Client()
    browser.force_login(boss)
    return browser


@pytest.fixture
def old(duel: Arena, bob: Player) -> Player:
    """Eve's earlier player, who beat Bob."""
    found = account("Eve of old")
    win(duel, found, bob)
    return found


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every history counts as long."""
    monkeypatch.setattr(requests, "MOST_AT_ONCE", 0)


def asked(kept: Player, gone: Player, by: User, reason: str = "Same mail.") -> MergeRequest:
    return ask(kept, gone, account=None, by=by, reason=reason, now=NOW)


def page_of(kept: str, gone: str) -> str:
    return f"{reverse('admin:league_player_merge')}?{urlencode({'kept': kept, 'merged': gone})}"


def progress_of(request: int) -> str:
    return reverse("admin:league_player_merge_request", args=[request])


def is_merged(player: Player, into: Player) -> bool:
    return Player.ever.filter(pk=player.pk, merged_into=into).exists()


def test_a_request_is_carried_out_once(eve: Player, old: Player, boss: User) -> None:
    request = asked(eve, old, boss)
    assert asked(eve, old, boss) == request
    assert requests.waiting() == [request.pk]
    assert not is_merged(old, eve)
    done = carry_out(request.pk, NOW)
    assert done
    assert (done.state, done.finished_at, done.refusal) == ("done", NOW, "")
    assert is_merged(old, eve)
    assert Participant.objects.filter(player=eve).count() == 1
    again = carry_out(request.pk, NOW)
    assert again == done
    assert StaffAction.objects.get().reason == "Same mail."
    assert requests.waiting() == []
    assert all_differences() == []
    assert carry_out(0, NOW) is None


def test_asking_gives_the_errors_of_a_merge_and_stores_nothing(
    duel: Arena, eve: Player, old: Player, bob: Player, olga: Player, boss: User
) -> None:
    for pair, by, reason, code in [
        ((eve, old), user_of(eve), "So.", "not_staff"),
        ((eve, old), boss, " ", "no_reason"),
        ((eve, eve), boss, "So.", "same_player"),
        ((olga, old), boss, "So.", "own_player"),
        ((bob, old), boss, "So.", "played_together"),
    ]:
        with pytest.raises(Refused) as refusal:
            asked(*pair, by, reason)
        assert refusal.value.code == code
    assert not MergeRequest.objects.exists()


def test_a_player_is_merged_into_one_other(
    eve: Player, old: Player, dora: Player, boss: User
) -> None:
    first = asked(eve, old, boss)
    with pytest.raises(Conflict, match="Another merge of Eve of old is already waiting"):
        asked(dora, old, boss)
    chained = asked(dora, eve, boss)
    assert tasks.carry_out_merges() == 2
    for request in (first, chained):
        request.refresh_from_db()
        assert request.state == "done"
    assert is_merged(old, dora)
    with pytest.raises(Conflict, match="has been merged"):
        merging.merge(eve, old, account=None, by=boss, reason="So.", now=NOW)


def test_what_changed_since_the_request_refuses_it(
    duel: Arena, eve: Player, old: Player, boss: User
) -> None:
    request = asked(eve, old, boss)
    win(duel, eve, old)
    refused = carry_out(request.pk, NOW)
    assert refused
    assert (refused.state, refused.finished_at) == ("refused", NOW)
    assert "both played in" in refused.refusal
    assert not is_merged(old, eve)


def test_who_may_no_longer_merge_players_does_not(eve: Player, old: Player, boss: User) -> None:
    request = asked(eve, old, boss)
    User.objects.filter(pk=boss.pk).update(is_superuser=False)
    refused = carry_out(request.pk, NOW)
    assert refused
    assert (refused.state, is_merged(old, eve)) == ("refused", False)


def test_a_fault_changes_nothing(
    eve: Player, old: Player, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last step of the merge fails."""
    request = asked(eve, old, boss)
    before = list(Rating.objects.order_by("pk").values())
    monkeypatch.setattr(FormerName.objects, "create", lambda **_given: 1 / 0)
    failed = carry_out(request.pk, NOW)
    assert failed
    assert failed.state == "refused"
    assert "Something went wrong and nothing was changed" in failed.refusal
    assert list(Rating.objects.order_by("pk").values()) == before
    assert not is_merged(old, eve)
    assert all_differences() == []


def carry_out_on_a_full_disk(request: MergeRequest) -> None:
    with connection.cursor() as cursor:
        cursor.execute(FULL_DISK)
    carry_out(request.pk, NOW)


def test_a_request_waits_while_the_disk_is_full(eve: Player, old: Player, boss: User) -> None:
    request = asked(eve, old, boss)
    with pytest.raises(OperationalError), transaction.atomic():
        carry_out_on_a_full_disk(request)
    request.refresh_from_db()
    assert request.state == "waiting"
    carry_out(request.pk, NOW)
    assert is_merged(old, eve)


@pytest.mark.django_db(transaction=True)
def test_requests_and_workers_at_once_merge_once(eve: Player, old: Player, boss: User) -> None:
    found = all_at_once([partial(asked, eve, old, boss)] * 4)
    assert len({request.pk for request in found if isinstance(request, MergeRequest)}) == 1
    (request,) = MergeRequest.objects.all()
    all_at_once([partial(carry_out, request.pk, NOW)] * 4)
    carry_out(request.pk, NOW)
    request.refresh_from_db()
    assert request.state == "done"
    assert StaffAction.objects.count() == 1
    assert all_differences() == []


@pytest.mark.django_db(transaction=True)
def test_a_request_waits_while_its_players_are_in_use(
    eve: Player, old: Player, boss: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merging, "ATTEMPTS", 2)
    request = asked(eve, old, boss)

    def carried_out_elsewhere() -> Any:
        try:
            return carry_out(request.pk, NOW)
        finally:
            connections.close_all()

    with transaction.atomic():
        Player.objects.select_for_update().get(pk=old.pk)
        (held,) = all_at_once([carried_out_elsewhere])
    assert isinstance(held, MergeRequest)
    assert (held.state, held.finished_at) == ("waiting", None)
    assert tasks.carry_out_merges() == 1
    assert is_merged(old, eve)


# Pages


def test_staff_follow_a_long_merge(
    eve: Player, old: Player, bob: Player, staff: Client, long: None
) -> None:
    answer = staff.post(page_of("Eve", "Eve of old"), {"reason": "Same mail."}, follow=True)
    (request,) = MergeRequest.objects.all()
    address = progress_of(request.pk)
    assert answer.redirect_chain == [(address, 302)]
    assert "Eve of old is becoming Eve." in words(answer)
    assert b'hx-trigger="every 1s"' in answer.content
    again = staff.post(page_of("Eve", "Eve of old"), {"reason": "Same mail."})
    assert again.headers["Location"] == address
    tasks.carry_out_merges()
    part = staff.get(address, headers={"HX-Request": "true"})
    assert "Eve of old is now Eve." in words(part)
    assert b"<html" not in part.content
    assert b"hx-trigger" not in part.content
    assert staff.get(progress_of(0)).status_code == 404
    User.objects.filter(player=bob).update(is_staff=True)
    assert browser_of(Player.objects.get(pk=bob.pk)).get(address).status_code == 403


def test_staff_read_why_a_long_merge_was_refused(
    duel: Arena, eve: Player, old: Player, staff: Client, long: None
) -> None:
    staff.post(page_of("Eve", "Eve of old"), {"reason": "Same mail."})
    win(duel, eve, old)
    tasks.carry_out_merges()
    page = staff.get(progress_of(MergeRequest.objects.get().pk))
    assert "Nothing was changed. Eve and Eve of old both played in match" in words(page)
    assert page_of("Eve", "Eve of old").replace("&", "&amp;") in page.content.decode()


def test_a_short_merge_is_made_or_refused_at_once(
    duel: Arena, eve: Player, old: Player, staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(FormerName.objects, "create", lambda **_given: 1 / 0)
    answer = staff.post(page_of("Eve", "Eve of old"), {"reason": "Same mail."})
    assert (answer.status_code, "nothing was changed" in words(answer)) == (200, True)
    monkeypatch.undo()
    answer = staff.post(page_of("Eve", "Eve of old"), {"reason": "Same mail."}, follow=True)
    assert "Eve of old is now Eve." in words(answer)
