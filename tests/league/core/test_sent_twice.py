"""A form that is sent twice takes effect once: after a double click, after Back, and at once."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.contrib import messages
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponseRedirect
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from league.models import (
    Announcement,
    Arena,
    Case,
    DishonorAward,
    FileImport,
    PenaltyReason,
    Player,
)
from league.web.core import once
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, words

TOKEN, ANOTHER = "a" * once.MASKED, "b" * once.MASKED
FIELD = "csrfmiddlewaretoken"
FROM_A_PAGE = {FIELD: TOKEN}


@pytest.fixture
def staff(olga: Player) -> Client:
    return browser_of(olga)


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


NEW = "/admin/league/announcement/add/"


def announcement(text: str = "Finals tonight", token: str = TOKEN) -> dict[str, str]:
    now = timezone.now()
    return {
        "text": text,
        "starts_at": f"{now:%Y-%m-%dT%H:%M}",
        "ends_at": f"{now + timedelta(days=1):%Y-%m-%dT%H:%M}",
        FIELD: token,
    }


def test_two_equal_announcements_from_two_pages_are_two(staff: Client) -> None:
    sent = announcement()
    first = staff.post(NEW, sent)
    second = staff.post(NEW, sent, follow=True)
    assert second.redirect_chain[0][0] == first["Location"]
    assert "You sent this form more than once. It took effect once." in words(second)
    assert Announcement.objects.count() == 1
    staff.post(NEW, sent | {FIELD: ANOTHER})
    assert Announcement.objects.count() == 2
    staff.post(NEW, sent | {"text": "Finals tomorrow"})
    assert Announcement.objects.count() == 3


def test_a_form_that_was_refused_can_be_sent_again(staff: Client) -> None:
    wrong = announcement("")
    assert staff.post(NEW, wrong).status_code == 200
    assert staff.post(NEW, wrong).status_code == 200
    assert "more than once" not in words(staff.get("/admin/"))


def test_a_form_that_led_on_with_an_error_took_no_effect(rf: RequestFactory) -> None:
    request = rf.post("/")
    request._messages = CookieStorage(request)  # type: ignore[attr-defined] # as the middleware does
    assert once.took_effect(request, HttpResponseRedirect("/"))
    messages.error(request, "Refused.")
    assert not once.took_effect(request, HttpResponseRedirect("/"))


def test_the_form_of_somebody_else_is_another(staff: Client, bob: Player) -> None:
    assert bob.user
    type(bob.user).objects.filter(pk=bob.user.pk).update(is_superuser=True, is_staff=True)
    sent = announcement()
    for client in (staff, browser_of(bob)):
        assert client.post(NEW, sent).status_code == 302
    assert Announcement.objects.count() == 2


def test_programs_that_send_the_bare_secret_are_no_pages(staff: Client) -> None:
    sent = announcement(token="a" * 32)
    for _time in range(2):
        assert staff.post(NEW, sent).status_code == 302
    assert Announcement.objects.count() == 2


def test_while_the_cache_is_down_forms_take_effect(staff: Client, settings: Settings) -> None:
    settings.CACHES = {
        "default": {"BACKEND": "league.cache.Cache", "LOCATION": "redis://localhost:1"}
    }
    assert staff.post(NEW, announcement()).status_code == 302
    assert Announcement.objects.count() == 1


def test_a_file_is_imported_once_and_another_of_its_name_as_well(
    staff: Client, duel: Arena
) -> None:
    page = reverse("admin:league_arena_import", args=[duel.pk])

    def upload(content: bytes) -> Any:
        file = SimpleUploadedFile("results.csv", content)
        return staff.post(page, {"what": "results", "file": file, **FROM_A_PAGE})

    first, second = upload(b"date;a\n1;x\n"), upload(b"date;a\n1;x\n")
    assert (first.status_code, first["Location"]) == (302, second["Location"])
    assert FileImport.objects.count() == 1
    assert upload(b"date;a\n1;y\n").status_code == 302
    assert FileImport.objects.count() == 2
    assert len(set(FileImport.objects.values_list("digest", flat=True))) == 2


def test_a_form_whose_first_request_takes_long_waits_and_then_says_so(
    staff: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(once, "PATIENCE", 0.1)
    monkeypatch.setattr(once, "fingerprint", lambda request: "form:running")
    cache.set("form:running", once.RUNNING, 60)
    answer = staff.post(NEW, announcement())
    assert answer.status_code == 409
    assert "still being processed" in words(answer)
    cache.delete("form:running")  # its process was killed, and some time has passed
    assert staff.post(NEW, announcement()).status_code == 302


def test_a_double_click_leaves_the_token_that_is_on_the_page(alice: Player) -> None:
    assert alice.user
    browser = browser_of(alice)
    form = FROM_A_PAGE | {"name": "Bot", "days": "30"}
    pages = [browser.post(reverse("tokens"), form) for _click in range(2)]
    token = alice.user.access_tokens.get()
    assert token.start in words(pages[1])
    cache.clear()
    browser.post(reverse("tokens"), form | {FIELD: ANOTHER})
    assert alice.user.access_tokens.count() == 2


@pytest.mark.django_db(transaction=True)
def test_what_two_requests_send_at_the_same_moment_happens_once(
    olga: Player, bob: Player, duel: Arena
) -> None:
    reason = PenaltyReason.objects.create(arena=duel, name="Insults", stacks=3)
    forms: dict[str, dict[str, Any]] = {
        NEW: announcement(),
        f"/admin/league/player/{bob.pk}/penalise/": {"reason": reason.pk, "note": "In chat."},
        "/admin/league/case/add/": {"title": "So.", "players": [bob.pk]},
        "/admin/league/arena/start/": {"start": "ladder", "name": "New"},
    }
    clients = [browser_of(olga)] * 2
    for address, fields in forms.items():
        sent = [partial(one.post, address, FROM_A_PAGE | fields) for one in clients]
        answers: list[Any] = all_at_once(list(sent))
        assert {answer.status_code for answer in answers} == {302}, address
        assert len({answer["Location"] for answer in answers}) == 1, address
    assert Announcement.objects.count() == 1
    assert DishonorAward.objects.count() == 1
    assert Case.objects.count() == 1
    assert Arena.objects.filter(name="New").count() == 1
