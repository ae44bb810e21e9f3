"""The first run: who may create the first admin, how often, and what the page offers."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Arena, DemoRequest, Email, Player, SetupCode, User
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.demo import requests as demo
from league.services.demo import seeding
from league.services.people import first_admin
from tests.support.cast import account, arena
from tests.support.celery_steps import STARTS_WITHIN, Crew, happens_within, kill
from tests.support.concurrency import all_at_once
from tests.support.web_steps import words

creates_the_demo = pytest.mark.django_db(transaction=True)
"""What the demo's ``ANALYZE`` notes is not rolled back, and would mislead plans of later tests."""

STRONG = "a quiet harbour in June"
STRANGER = "198.51.100.7"
MOST_OF_THE_DEMO = ["football", "practice", "chess", "team-league"]


@pytest.fixture(autouse=True)
def this_machine(settings: Settings) -> None:
    cache.clear()
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
    settings.SITE_URL = "http://localhost:8000"


def here() -> Client:
    """A browser on the machine of the server."""
    return Client(headers={"Host": "localhost:8000"})


def stranger() -> Client:
    return Client(REMOTE_ADDR=STRANGER, headers={"Host": "localhost:8000"})


def form(**changes: str) -> dict[str, str]:
    return {"name": "Olga", "password1": STRONG, "password2": STRONG, "begin": "empty"} | changes


def sets_up(browser: Client, **changes: str) -> Any:
    return browser.post(reverse("setup"), form(**changes))


def test_the_front_page_and_the_admin_lead_to_the_setup_of_a_new_league() -> None:
    assert here().get("/")["Location"] == reverse("setup")
    assert here().get("/admin/", follow=True).redirect_chain[-1][0] == reverse("setup")
    page = here().get(reverse("setup"))
    assert "This league has no admin yet." in words(page)
    assert "no-store" in page["Cache-Control"]


def test_a_league_with_people_or_arenas_says_that_it_has_no_admin(alice: Player) -> None:
    page = here().get("/")
    assert "This league has no admin yet. Set it up" in words(page)
    account("Olga", superuser=True)
    assert "Set it up" not in words(here().get("/"))


def test_the_admin_is_created_and_logged_in_and_can_log_in_again() -> None:
    browser = here()
    answer = sets_up(browser, name="Ölga", email="Olga@example.org")
    assert answer["Location"] == reverse("admin:index")
    assert browser.get("/admin/").status_code == 200
    admin = User.objects.get()
    assert (admin.username, admin.is_staff, admin.is_superuser) == ("ölga", True, True)
    assert not Player.objects.exists()
    address = admin.emailaddress_set.get()
    assert (address.email, address.verified, address.primary) == ("olga@example.org", False, True)
    assert Email.objects.get().recipient == "olga@example.org"
    again = Client().post(reverse("account_login"), {"login": "Ölga", "password": STRONG})
    assert again.status_code == 302


def test_the_admin_may_be_named_admin() -> None:
    assert sets_up(here(), name="Admin").status_code == 302
    assert User.objects.get().username == "admin"
    with pytest.raises(ValidationError, match="is reserved"):
        Player(name="Admin").refuse_imitation()


def test_the_setup_is_closed_once_there_is_a_staff_account() -> None:
    sets_up(here())
    for browser in (here(), stranger()):
        for answer in (browser.get(reverse("setup")), sets_up(browser, name="Mallory")):
            assert answer.status_code == 409
            assert "This league already has an admin" in words(answer)
    assert User.objects.count() == 1
    User.objects.update(is_active=False)
    assert sets_up(here(), name="Mallory").status_code == 409
    assert here().get("/").status_code == 200
    assert here().get("/admin/", follow=True).redirect_chain[-1][0].startswith("/accounts/login/")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "Al\u200bice"}, "invisible"),
        ({"name": "A" * 61}, "at most 60 characters"),
        ({"name": "Zoe"}, "is taken or too similar to a taken name"),
        ({"password1": "12345678", "password2": "12345678"}, "This password is too common."),
        ({"name": "Harbourmaster", "password1": "harbourmaster", "password2": "harbourmaster"},
         "too similar to the name"),
        ({"password2": "another"}, "The passwords differ."),
        ({"password1": ""}, "This field is required."),
        ({"email": "olga"}, "Enter a valid email address."),
        ({"begin": "both"}, "is not one of the available choices"),
        ({"begin": ""}, "This field is required."),
    ],
)  # fmt: skip
def test_wrong_input_is_refused_beside_its_field(changes: dict[str, str], sentence: str) -> None:
    account("Zoe")
    answer = sets_up(here(), **changes)
    assert answer.status_code == 400
    assert sentence.replace("name", "username") in words(answer) or sentence in words(answer)
    assert not User.objects.filter(is_staff=True).exists()


def test_a_stranger_needs_the_setup_code() -> None:
    browser = stranger()
    assert "Setup code" in words(browser.get(reverse("setup")))
    assert sets_up(browser, code="").status_code == 400
    assert "This is not the setup code." in words(sets_up(browser, code="-")), "before there is one"
    code = first_admin.setup_code()
    assert first_admin.setup_code() == code, "for every process the same"
    for wrong in ("BCDF-GHJK-LMNP", code[:-1], f"{code}X", "\N{FULLWIDTH DIGIT ONE}", "é"):
        answer = sets_up(browser, code=wrong)
        assert answer.status_code == 400
        assert "This is not the setup code." in words(answer)
    assert not User.objects.exists()
    assert sets_up(browser, code=f" {code.lower().replace('-', ' ')} ").status_code == 302
    assert not SetupCode.objects.exists(), "it works once"


def test_a_used_code_is_worth_nothing_if_the_setup_opens_again() -> None:
    code = first_admin.setup_code()
    sets_up(stranger(), code=code)
    User.objects.all().delete()
    assert sets_up(stranger(), code=code).status_code == 400
    assert first_admin.setup_code() != code


@pytest.mark.parametrize(
    "changes",
    [
        {"REMOTE_ADDR": STRANGER},
        {"REMOTE_ADDR": ""},
        {"REMOTE_ADDR": "10.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": "127.0.0.1"},
        {"HTTP_X_FORWARDED_FOR": ""},
        {"HTTP_X_REAL_IP": "127.0.0.1"},
        {"HTTP_FORWARDED": "for=127.0.0.1"},
        {"HTTP_VIA": "1.1 proxy"},
        {"HTTP_X_FORWARDED_PROTO": "http"},
        {"HTTP_HOST": "league.example"},
    ],
)
def test_only_the_machine_itself_needs_no_code(changes: dict[str, str], settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    meta: dict[str, Any] = {"HTTP_HOST": "localhost:8000", **changes}
    browser = Client(**meta)
    assert sets_up(browser).status_code == 400
    assert not User.objects.exists()


@pytest.mark.parametrize("changes", [{"SITE_URL": "https://league.example"}, {"PROXY_HOPS": 1}])
def test_a_public_site_asks_even_the_machine_itself_for_the_code(
    changes: dict[str, Any], settings: Settings
) -> None:
    """A proxy on the machine may send no headers at all."""
    for name, value in changes.items():
        setattr(settings, name, value)
    assert sets_up(here()).status_code == 400


@pytest.mark.parametrize("address", ["127.0.0.1", "127.3.2.1", "::1", "::ffff:127.0.0.1"])
def test_every_address_of_the_machine_itself_counts(address: str) -> None:
    page = here().get(reverse("setup"), REMOTE_ADDR=address)
    assert "Setup code" not in words(page)


def test_another_site_cannot_have_a_browser_on_the_machine_send_the_form() -> None:
    strict = Client(enforce_csrf_checks=True, headers={"Host": "localhost:8000"})
    assert sets_up(strict).status_code == 403
    assert not User.objects.exists()


def test_the_command_prints_address_and_code_until_there_is_an_admin(
    capsys: pytest.CaptureFixture[str],
) -> None:
    call_command("setup_code")
    printed = capsys.readouterr().out
    assert "http://localhost:8000/setup/" in printed
    assert SetupCode.objects.get().code in printed
    account("Olga", superuser=True)
    with pytest.raises(CommandError, match="already has an admin"):
        call_command("setup_code")


@pytest.mark.django_db(transaction=True)
def test_of_two_people_at_once_one_wins_and_the_other_is_told() -> None:
    names = ["Olga", "Mallory", "Oscar", "Peggy"]
    code = first_admin.setup_code()
    made = all_at_once([partial(first_admin.create, name, STRONG, code=code) for name in names])
    assert User.objects.count() == 1
    assert sum(isinstance(each, User) for each in made) == 1
    told = [each for each in made if isinstance(each, Conflict)]
    assert len(told) == 3
    assert {each.code for each in told} == {"set_up"}


def test_prepare_creates_the_demo_unless_it_is_unwanted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], settings: Settings,
    tmp_path: Path,
) -> None:  # fmt: skip
    settings.STATIC_ROOT = settings.DATA_DIR = tmp_path
    called: list[str] = []

    def seed(*_: object) -> seeding.Seeded:
        called.append("seed")
        return seeding.Seeded([], None)

    monkeypatch.setattr(seeding, "seed", seed)
    monkeypatch.setenv("DEMO", "0")
    call_command("prepare")
    assert called == []
    assert SetupCode.objects.get().code in capsys.readouterr().out
    monkeypatch.delenv("DEMO")
    call_command("prepare")
    assert called == ["seed"]
    account("Olga", superuser=True)
    call_command("prepare")
    assert called == ["seed"], "the league was set up without the demo"
    assert not (tmp_path / "simulated-players").exists()
    arena("practice")
    call_command("prepare")
    assert called == ["seed"], "an older demo gets no invented players unasked"
    monkeypatch.setenv("DEMO", "1")
    call_command("prepare")
    assert called == ["seed", "seed"], "what it lacks is added at a request"


@pytest.fixture
def most_of_the_demo(settings: Settings) -> None:
    """The arenas that take long exist already."""
    for slug in MOST_OF_THE_DEMO:
        arena(slug)
    for name in seeding.CAPTAINS:
        Player.objects.create(name=name)


@creates_the_demo
def test_the_demo_is_requested_and_its_page_is_for_admins(
    most_of_the_demo: None, alice: Player
) -> None:
    browser = here()
    assert sets_up(browser, begin="demo")["Location"] == reverse("setup_demo")
    page = browser.get(reverse("setup_demo"))
    assert "Creating the demo league." in words(page)
    assert 'hx-trigger="every 2s"' in page.content.decode()
    assert "Reload this page to see the progress." in words(page)
    request = DemoRequest.objects.get()
    demo.carry_out(request.pk, database_now())
    done = browser.get(reverse("setup_demo"), headers={"HX-Request": "true"})
    assert "The demo league is ready." in words(done)
    assert demo.captains_password(request) in words(done)
    assert "hx-get" not in done.content.decode()
    assert seeding.missing() == []
    demo.carry_out(request.pk, database_now())
    assert not User.objects.filter(username=seeding.ADMIN).exists(), "one admin is enough"


@creates_the_demo
def test_captains_log_in_with_the_password_of_the_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in seeding.CAPTAINS:
        Player.objects.create(name=name)
    account("Robin")
    User.objects.filter(username="robin").update(username="brazil")
    monkeypatch.setattr(seeding, "seed_football", lambda *_: None)
    for slug in set(seeding.ARENAS) - {"football"}:
        arena(slug)
    admin = User.objects.get(player=account("Olga", superuser=True))
    request = demo.ask(admin, database_now())
    demo.carry_out(request.pk, database_now())
    request.refresh_from_db()
    assert request.state == "done"
    login = {"login": "scotland", "password": demo.captains_password(request)}
    assert Client().post(reverse("account_login"), login).status_code == 302
    assert Player.objects.get(name="Brazil").user is None, "somebody else has that name"


def test_a_demo_that_fails_leaves_nothing_behind_and_says_so(
    most_of_the_demo: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeding, "RUNNERS", 10)
    browser = here()
    sets_up(browser, begin="demo")
    demo.carry_out(DemoRequest.objects.get().pk, database_now())
    assert "The demo league could not be created." in words(browser.get(reverse("setup_demo")))
    assert Arena.objects.count() == len(MOST_OF_THE_DEMO)


@pytest.mark.django_db(transaction=True)
def test_a_worker_creates_the_demo_though_another_was_killed_at_it(
    crew: Crew, most_of_the_demo: None
) -> None:
    sets_up(here(), begin="demo")
    first = crew.worker()
    assert happens_within(demo.percent_done, STARTS_WITHIN)
    kill(first)
    assert DemoRequest.objects.get().state == "waiting"
    crew.worker()
    crew.clock()
    assert happens_within(lambda: DemoRequest.objects.get().state == "done", STARTS_WITHIN)
    assert seeding.missing() == []
