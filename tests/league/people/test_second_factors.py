"""Codes of a second factor: each works once and wrong ones are limited, also without a cache."""

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Player, User
from tests.support.cast import PASSWORD
from tests.support.concurrency import all_at_once
from tests.support.frozen import Freezer
from tests.support.web_steps import words

pytestmark = pytest.mark.django_db(transaction=True)

SECRET = "JBSWY3DPEHPK3PXP"
PERIOD = 30


@pytest.fixture(params=["present", "absent", "stopped"])
def any_cache(request: pytest.FixtureRequest, settings: Settings) -> Iterator[None]:
    """A cache that works, one that is not there, and one that does not answer."""
    cache.clear()
    own = dict(settings.CACHES["default"])
    if request.param == "present":
        yield
        return
    if request.param == "absent":
        settings.CACHES = {"default": own | {"LOCATION": "redis://127.0.0.1:1/0"}}
        yield
        return
    address = urlsplit(own["LOCATION"])
    valkey = Freezer(Path(address.path))
    valkey.freeze()
    place = address._replace(path=str(valkey.socket)).geturl()
    options = {**own["OPTIONS"], "socket_timeout": 0.2}
    settings.CACHES = {"default": own | {"LOCATION": place, "OPTIONS": options}}
    yield
    valkey.end()


@pytest.fixture
def ann(alice: Player) -> User:
    """Alice's account, with an app that shows codes."""
    user = User.objects.get(player=alice)
    TOTP.activate(user, SECRET)
    return user


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that a test sets, for what checks codes: no period ends unexpectedly."""
    now = [time.time() // PERIOD * PERIOD + 1]
    for module in ("allauth.mfa.totp.internal.auth", "league.web.people.second_factors"):
        monkeypatch.setattr(f"{module}.time", Clock(now))
    return now


class Clock:
    """A module ``time`` with this time."""

    def __init__(self, now: list[float]) -> None:
        self.time = lambda: now[0]


def code_at(clock: list[float]) -> str:
    return format_hotp_value(hotp_value(SECRET, int(clock[0]) // PERIOD))


def asked_for_a_code() -> Client:
    """A browser with Alice's password, which is asked for a code."""
    browser = Client()
    asked = browser.post(reverse("account_login"), {"login": "Alice", "password": PASSWORD})
    assert asked["Location"].startswith(reverse("mfa_authenticate"))
    return browser


def enters(browser: Client, code: str) -> Any:
    return browser.post(reverse("mfa_authenticate"), {"code": code})


@pytest.mark.usefixtures("ann", "any_cache")
def test_a_code_works_once_and_the_next_one_again(clock: list[float]) -> None:
    overheard = code_at(clock)
    owner, thief = asked_for_a_code(), asked_for_a_code()
    assert enters(owner, overheard).status_code == 302
    again = enters(thief, overheard)
    assert again.status_code == 200
    assert "Incorrect code" in words(again)
    clock[0] += PERIOD
    assert "Incorrect code" in words(enters(thief, overheard))
    assert enters(asked_for_a_code(), code_at(clock)).status_code == 302


@pytest.mark.usefixtures("ann", "any_cache")
def test_of_many_who_enter_one_code_at_once_one_gets_in(clock: list[float]) -> None:
    browsers = [asked_for_a_code() for _ in range(4)]
    entered: list[Any] = all_at_once(
        [partial(enters, browser, code_at(clock)) for browser in browsers]
    )
    assert sorted(each.status_code for each in entered) == [200, 200, 200, 302]


@pytest.mark.usefixtures("ann", "any_cache")
def test_guesses_are_limited_for_five_minutes_in_all_browsers_together(clock: list[float]) -> None:
    right = code_at(clock)
    wrong = [code for code in (f"{number:06d}" for number in range(7)) if code != right][:5]
    for code in wrong:
        assert "Incorrect code" in words(enters(asked_for_a_code(), code))
    locked = enters(asked_for_a_code(), right)
    assert locked.status_code == 200
    assert "Too many failed login attempts" in words(locked)
    clock[0] += 290
    assert "Too many" in words(enters(asked_for_a_code(), code_at(clock)))
    clock[0] += 20
    assert enters(asked_for_a_code(), code_at(clock)).status_code == 302


@pytest.mark.usefixtures("any_cache")
def test_a_recovery_code_works_once_and_forgives_wrong_codes(ann: User) -> None:
    code, *_rest = RecoveryCodes.activate(ann).get_unused_codes()
    for _ in range(4):
        enters(asked_for_a_code(), "no code")
    assert enters(asked_for_a_code(), code).status_code == 302
    assert "Incorrect code" in words(enters(asked_for_a_code(), code))
    app = Authenticator.objects.get(user=ann, type=Authenticator.Type.TOTP)
    assert len(app.data["wrong_at"]) == 1
    assert app.data["secret"] == SECRET


@pytest.mark.usefixtures("ann", "any_cache")
def test_a_code_that_let_somebody_in_confirms_nothing_later(clock: list[float]) -> None:
    browser = asked_for_a_code()
    used = code_at(clock)
    assert enters(browser, used).status_code == 302
    again = browser.post(reverse("mfa_reauthenticate"), {"code": used})
    assert "Incorrect code" in words(again)
    clock[0] += PERIOD
    fresh = browser.post(reverse("mfa_reauthenticate"), {"code": code_at(clock)})
    assert fresh.status_code == 302
