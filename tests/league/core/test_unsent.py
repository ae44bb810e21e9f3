"""Forms sent after the session or their page has expired are kept, and only for their author."""

import html
import re
from typing import Any, cast

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.clients import AUTHOR
from league.models import Arena, Match, Player, User
from league.web.core import unsent
from tests.support.cast import PASSWORD, beats
from tests.support.logins import log_in
from tests.support.web_steps import result_form, words

pytestmark = pytest.mark.django_db

FROM_HERE = {"Sec-Fetch-Site": "same-origin"}
ELSEWHERE = [
    {},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://testserver"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


def browser() -> Client:
    """Return a browser that the site asks for the token of each form."""
    return Client(enforce_csrf_checks=True)


def hidden_fields(page: Any) -> dict[str, list[str]]:
    """Return the hidden fields of the first form of a page by name."""
    form = re.search(r"<main.*?<form[^>]*>(.*?)</form>", page.content.decode(), re.DOTALL)
    assert form
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', form[1]):
        fields.setdefault(html.unescape(name), []).append(html.unescape(value))
    return fields


def action_of(page: Any) -> str:
    found = re.search(r'<main.*?<form[^>]* action="([^"]*)"', page.content.decode(), re.DOTALL)
    assert found
    return html.unescape(found[1])


def filled_in(client: Client, address: str, **fields: object) -> dict[str, object]:
    """Return the form of a page as its reader has filled it in."""
    sent: dict[str, object] = {**hidden_fields(client.get(address))}
    return sent | fields


def report_of(client: Client) -> dict[str, object]:
    address = reverse("report", args=["duel"]) + "?opponent=Charlie"
    return filled_in(client, address, **{"score-0": "3", "score-1": "2", **result_form("Charlie")})


def log_in_by_page(client: Client, player: Player, address: str) -> Any:
    """Log in on the page to which a browser was led."""
    page = client.get(address)
    assert "What you filled in is kept." in words(page)
    form: dict[str, object] = {**hidden_fields(page), "login": player.name, "password": PASSWORD}
    return client.post(action_of(page), form, headers=FROM_HERE, follow=True)


@pytest.mark.parametrize("cookies", ["all gone", "session gone"])
@pytest.mark.usefixtures("charlie")
def test_a_report_sent_after_the_session_ended_waits_for_the_login(
    duel: Arena, alice: Player, cookies: str
) -> None:
    client = browser()
    log_in(client, cast("User", alice.user))
    form = report_of(client)
    if cookies == "all gone":
        client.cookies.clear()
    else:
        del client.cookies["sessionid"]
    answer = client.post(reverse("report", args=["duel"]), form, headers=FROM_HERE)
    assert answer.status_code == 302
    page = log_in_by_page(client, alice, answer["Location"])
    assert "Your form is still here" in words(page)
    assert "Score 3 Score 2" in words(page)
    assert not Match.objects.exists()
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "no-store" in page.headers["Cache-Control"]
    again = hidden_fields(page)
    assert again["score-0"] == ["3"]
    sent = client.post(action_of(page), again, headers=FROM_HERE)
    match = Match.objects.get()
    assert sent["Location"] == match.get_absolute_url()
    assert match.reported_by == alice
    # It is gone once it was sent.
    assert client.get(reverse("unsent"))["Location"] == reverse("home")


@pytest.mark.usefixtures("charlie")
def test_a_form_whose_token_has_changed_is_sent_with_one_press(duel: Arena, alice: Player) -> None:
    client = browser()
    log_in(client, cast("User", alice.user))
    form = report_of(client)
    client.cookies["csrftoken"] = "n" * 32  # as after logging in again in another window
    page = client.post(reverse("report", args=["duel"]), form, headers=FROM_HERE)
    assert page.status_code == 403
    assert not Match.objects.exists()
    assert "Your form is still here" in words(page)
    assert client.post(action_of(page), hidden_fields(page)).status_code == 302
    assert Match.objects.get().reported_by == alice


@pytest.mark.parametrize("headers", ELSEWHERE)
@pytest.mark.usefixtures("charlie")
def test_a_forged_form_is_neither_kept_nor_shown(
    duel: Arena, alice: Player, headers: dict[str, str]
) -> None:
    forged = {**result_form("Charlie"), "score-0": "0", AUTHOR: str(alice.user_id)}
    for logged_in in (True, False):
        client = browser()
        if logged_in:
            log_in(client, cast("User", alice.user))
        answer = client.post(reverse("report", args=["duel"]), forged, headers=headers)
        assert answer.status_code == 403
        assert "This form has expired" in words(answer)
        assert "Charlie" not in words(answer)
        assert unsent.COOKIE not in client.cookies
    assert not Match.objects.exists()


def test_nobody_else_sees_a_form(duel: Arena, alice: Player, charlie: Player) -> None:
    client = browser()
    log_in(client, cast("User", alice.user))
    form = report_of(client)
    client.cookies.clear()
    answer = client.post(reverse("report", args=["duel"]), form, headers=FROM_HERE)
    page = log_in_by_page(client, charlie, answer["Location"])
    assert "Your form is still here" not in words(page)
    # Nor does somebody who logged in before it was sent.
    another = browser()
    log_in(another, cast("User", charlie.user))
    refused = another.post(reverse("report", args=["duel"]), form, headers=FROM_HERE)
    assert refused.status_code == 403
    assert "Another account filled it in" in words(refused)
    # Nor another browser of the author, which has not the cookie.
    third = browser()
    log_in(third, cast("User", alice.user))
    assert third.get(reverse("unsent"))["Location"] == reverse("home")
    assert not Match.objects.exists()


@pytest.mark.django_db
def test_passwords_and_files_are_not_kept(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    client = browser()
    log_in(client, cast("User", alice.user))
    image = SimpleUploadedFile("proof.png", b"not shown", "image/png")
    form = {"text": "<b>See</b> the replay.", "password": "hunter2", "image": image}
    form |= {AUTHOR: str(alice.user_id)}
    page = client.post(reverse("match_write", args=[match.pk]), form, headers=FROM_HERE)
    text = page.content.decode()
    assert "hunter2" not in text
    assert "not shown" not in text
    assert "<b>See</b>" not in text
    assert hidden_fields(page)["text"] == ["<b>See</b> the replay."]
    assert "Files and passwords are not kept." in words(page)
    client.cookies.clear()
    login = client.post(reverse("account_login"), {"login": "alice", "password": "hunter2"})
    assert "hunter2" not in login.content.decode()
    assert unsent.COOKIE not in client.cookies


def test_forms_and_their_pages_lead_nowhere_else(alice: Player) -> None:
    client = browser()
    log_in(client, cast("User", alice.user))
    form = {"text": "x", AUTHOR: str(alice.user_id)}
    for came_from in ("https://evil.example/", "http://testserver//evil.example/", "javascript:x"):
        headers = {**FROM_HERE, "Referer": came_from}
        page = client.post("//evil.example/", form, headers=headers).content.decode()
        for address in re.findall(r'(?:href|action)="([^"]*)"', page):
            assert not re.match(r"//|javascript|https?://(?!testserver)", address), address


def test_a_form_that_is_too_long_is_not_kept_while_logging_in(alice: Player) -> None:
    client = browser()
    form = {"names": "x" * (unsent.LONGEST + 1), AUTHOR: str(alice.user_id)}
    assert client.post("/settings/", form, headers=FROM_HERE).status_code == 403
    assert unsent.COOKIE not in client.cookies


def test_a_visitor_s_form_waits_for_whoever_logs_in(alice: Player, charlie: Player) -> None:
    client = Client()
    follow = reverse("player_follow", args=[charlie.pk])
    answer = client.post(follow, {"follow": "1"}, headers=FROM_HERE)
    page = log_in_by_page(client, alice, answer["Location"])
    assert action_of(page) == follow
    assert client.get(reverse("unsent")).status_code == 200
    log_in(client, cast("User", charlie.user))
    assert client.get(reverse("unsent"))["Location"] == reverse("home")


def test_every_form_of_a_page_names_its_author(duel: Arena, alice: Player) -> None:
    client = Client()
    assert AUTHOR not in client.get(reverse("home")).content.decode()
    log_in(client, cast("User", alice.user))
    page = client.get(reverse("settings")).content.decode()
    assert page.count(f'name="{AUTHOR}" value="{alice.user_id}"') == page.count(
        'name="csrfmiddlewaretoken"'
    )
