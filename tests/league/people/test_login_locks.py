"""Guessing passwords: what stops it, and that nobody can lock out somebody else."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from axes.models import AccessAttempt
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Email, Player, User
from league.web.people.known_browsers import COOKIE
from tests.support.cast import PASSWORD, account
from tests.support.web_steps import words

MINUTE = timedelta(minutes=1)
HOME, ELSEWHERE, HALL = "192.0.2.1", "198.51.100.1", "203.0.113.5"


@pytest.fixture(autouse=True)
def few_attempts(settings: Settings) -> None:
    """Three wrong passwords from a place, six from anywhere. Nothing is counted yet."""
    cache.clear()
    settings.EMAIL_BACKEND = "league.services.notices.outbox.OutboxBackend"
    settings.AXES_FAILURE_LIMIT, settings.LOGIN_FAILURES_EVERYWHERE = 3, 6


@pytest.fixture
def ann(alice: Player) -> User:
    """Alice's account, with her email address."""
    user = User.objects.get(player=alice)
    user.email = "ann@example.org"
    user.save()
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def at(address: str) -> Client:
    """A new browser at an address."""
    return Client(REMOTE_ADDR=address)


def logs_in(browser: Client, password: str = PASSWORD, name: str = "Alice") -> Any:
    return browser.post(reverse("account_login"), {"login": name, "password": password})


def guesses(browser: Client, times: int, name: str = "Alice") -> list[int]:
    return [logs_in(browser, f"guess {number}", name).status_code for number in range(times)]


def guesses_from_many_places(times: int = 6, name: str = "Alice") -> None:
    for number in range(times):
        guesses(at(f"198.51.100.{number}"), 1, name)


def gets_in(browser: Client) -> bool:
    return bool(logs_in(browser).status_code == 302)


def test_guessing_at_one_address_is_stopped_there_and_not_elsewhere(alice: Player) -> None:
    attacker = at(ELSEWHERE)
    assert guesses(attacker, 3) == [200, 200, 429]
    assert not gets_in(attacker)
    assert not gets_in(at(ELSEWHERE)), "another browser there"
    assert gets_in(at(HOME))


def test_a_lock_ends_after_an_hour_however_often_somebody_tries(alice: Player) -> None:
    browser = at(HOME)
    guesses(browser, 3)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - 40 * MINUTE)
    assert "for 20 minutes" in words(logs_in(browser))
    guesses(browser, 5)
    AccessAttempt.objects.update(attempt_time=F("attempt_time") - 20 * MINUTE)
    assert gets_in(browser)


def test_guessing_from_many_places_is_stopped_too(alice: Player) -> None:
    guesses_from_many_places()
    page = logs_in(at(HOME))
    assert page.status_code == 429
    assert "was wrong 6 times, from several places" in words(page)
    assert "except in browsers and networks where the account has logged in before" in words(page)


def test_guesses_from_everywhere_do_not_lock_the_owner_out_of_their_own_browser(
    alice: Player,
) -> None:
    phone = at(HOME)
    assert gets_in(phone)
    phone.post(reverse("account_logout"))
    guesses_from_many_places(8)
    phone.defaults["REMOTE_ADDR"] = HALL
    assert guesses(phone, 2) == [200, 200], "a slip of the owner"
    assert gets_in(phone)


def test_nor_out_of_their_own_network(alice: Player) -> None:
    assert gets_in(at(HOME))
    guesses_from_many_places()
    assert gets_in(at(HOME)), "a new browser at home"
    assert not gets_in(at(HALL)), "a new browser in a new place"


def test_a_rival_in_the_same_hall_does_not_lock_out_a_browser_that_is_known(
    alice: Player, bob: Player
) -> None:
    laptop = at(HOME)
    assert gets_in(laptop)
    laptop.post(reverse("account_logout"))
    rival = at(HALL)
    logs_in(rival, name="Bob")
    rival.post(reverse("account_logout"))
    assert guesses(rival, 3) == [200, 200, 429], "a browser that is known for another account"
    laptop.defaults["REMOTE_ADDR"] = HALL
    assert gets_in(laptop)


def test_a_known_browser_has_a_count_of_its_own_wherever_it_is(alice: Player) -> None:
    laptop = at(HOME)
    gets_in(laptop)
    laptop.post(reverse("account_logout"))
    statuses = []
    for number in range(4):
        laptop.defaults["REMOTE_ADDR"] = f"198.51.100.{number}"
        statuses += guesses(laptop, 1)
    assert statuses == [200, 200, 429, 429]
    assert "blocked in this browser for 1 hour" in words(logs_in(laptop))


def test_a_forged_or_stolen_mark_of_a_browser_helps_nobody(alice: Player, bob: Player) -> None:
    laptop = at(HOME)
    gets_in(laptop)
    mark = laptop.cookies[COOKIE].value
    user = User.objects.get(player=alice)
    assert mark.startswith(f"{user.pk}-")
    assert laptop.cookies[COOKIE]["httponly"]
    guesses_from_many_places()
    forged = (mark[:-1] + ("A" if mark[-1] != "A" else "B"), mark.partition(":")[0], "9" * 30, "²-")
    for number, value in enumerate((*forged, "0-x:y:z", "")):
        thief = at(f"203.0.113.{number}")
        thief.cookies[COOKIE] = value
        assert not gets_in(thief), value
    user.set_password(PASSWORD)  # the same one, with a new salt
    user.save()
    thief = at("203.0.113.99")
    thief.cookies[COOKIE] = mark
    assert not gets_in(thief), "a mark from before the password was changed"


def test_a_log_in_forgives_slips_in_that_place_and_nothing_else(alice: Player) -> None:
    browser = at(HOME)
    guesses(browser, 2)
    guesses(at(ELSEWHERE), 2)
    assert gets_in(browser)
    assert list(AccessAttempt.objects.values_list("ip_address", flat=True)) == [ELSEWHERE]
    browser.post(reverse("account_logout"))
    assert guesses(browser, 2) == [200, 200]


def test_slips_with_the_email_address_are_forgiven_too(ann: User) -> None:
    browser = at(HOME)
    guesses(browser, 2, name="Ann@example.org")
    assert logs_in(browser, name="ann@example.org").status_code == 302
    assert not AccessAttempt.objects.exists()


def test_names_without_an_account_are_counted_and_locked_alike(ann: User) -> None:
    for name in ("Alice", "Nobody", "ann@example.org", "nobody@example.org"):
        place = at(f"192.0.2.{len(name)}")
        assert guesses(place, 4, name) == [200, 200, 429, 429], name
    pages = set()
    for name in ("Alice", "Nobody", "ann@example.org", "nobody@example.org"):
        guesses_from_many_places(8, name)
        pages.add(re.sub(r"\s+", " ", words(logs_in(at(HALL), name=name))))
    assert len(pages) == 1


def test_a_lock_of_an_email_address_does_not_tell_whose_it_is(ann: User) -> None:
    attacker = at(ELSEWHERE)
    guesses(attacker, 3, "ann@example.org")
    assert guesses(attacker, 1, "Alice") == [200]


@pytest.mark.parametrize("name", ["A" * 5000, "\N{CJK UNIFIED IDEOGRAPH-4E2D}" * 300, "a (b)", "'"])
def test_odd_names_are_refused_politely(name: str) -> None:
    assert guesses(at(HOME), 4, name) == [200, 200, 429, 429]


def code_in(mail: Email) -> str:
    return re.search(r"^[A-Z0-9-]{6,}$", mail.text, re.MULTILINE)[0]  # type: ignore[index]


def test_the_owner_gets_in_with_a_code_by_mail_in_spite_of_every_lock(ann: User) -> None:
    guesses_from_many_places()
    browser = at(HALL)
    guesses(browser, 1)
    asked = browser.post(
        reverse("account_request_login_code"), {"email": "ann@example.org"}, follow=True
    )
    assert "a code is on its way" in words(asked)
    mail = Email.objects.get()
    assert mail.subject.endswith("Your log-in code")
    entered = browser.post(reverse("account_confirm_login_code"), {"code": code_in(mail)})
    assert entered["Location"] == "/"
    browser.post(reverse("account_logout"))
    assert gets_in(browser), "the browser is known now"
    assert not gets_in(at(ELSEWHERE)), "the others are still locked"


def test_a_new_password_by_mail_ends_every_lock(ann: User) -> None:
    guesses_from_many_places()
    browser = at(HALL)
    browser.post(reverse("account_reset_password"), {"email": "ann@example.org"})
    link = re.search(r"https?://\S+", Email.objects.get().text)[0]  # type: ignore[index]
    form = browser.get(link, follow=True)
    new = {"password1": "a new battery", "password2": "a new battery"}
    browser.post(form.request["PATH_INFO"], new)
    assert logs_in(at(HOME), "a new battery").status_code == 302
    guesses_from_many_places(8)
    assert logs_in(browser, "a new battery").status_code == 302, "and its browser is known"


def test_codes_cannot_be_guessed_and_tell_nothing(ann: User) -> None:
    answers = []
    for address in ("ann@example.org", "nobody@example.org"):
        browser = at(HOME)
        ask = browser.post(reverse("account_request_login_code"), {"email": address}, follow=True)
        tries = [
            browser.post(reverse("account_confirm_login_code"), {"code": f"ABCD-EFG{number}"})
            for number in range(3)
        ]
        answers.append(
            [words(ask).replace(address, "…"), *(each.status_code for each in tries)],
        )
        again = browser.post(reverse("account_confirm_login_code"), {"code": "ABCD-EFGH"})
        assert again["Location"] == reverse("account_request_login_code"), "asks for a new one"
    assert answers[0] == answers[1]
    assert answers[0][1:] == [200, 200, 302]


@pytest.mark.parametrize("route", ["account_request_login_code", "account_reset_password"])
def test_nobody_is_flooded_with_mails_nor_told_whether_an_address_is_known(
    ann: User, route: str
) -> None:
    outcomes = []
    for address in ("ann@example.org", "nobody@example.org"):
        Email.objects.all().delete()
        posted = [
            at(f"198.51.100.{number}").post(reverse(route), {"email": address}).status_code
            for number in range(6)
        ]
        outcomes.append((posted, Email.objects.count()))
    assert outcomes[0] == outcomes[1]
    assert outcomes[0][1] == 3


def test_codes_of_a_second_factor_are_limited_and_new_ones_wait(ann: User) -> None:
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    browser = at(HOME)
    assert logs_in(browser)["Location"].startswith(reverse("mfa_authenticate"))
    tried = [
        words(browser.post(reverse("mfa_authenticate"), {"code": f"{number:06d}"}))
        for number in range(7)
    ]
    assert "Incorrect code" in tried[0]
    assert "Too many failed login attempts" in tried[-1]
    assert Authenticator.objects.filter(user=ann).exists()


def test_a_code_by_mail_does_not_replace_the_second_factor(ann: User) -> None:
    TOTP.activate(ann, "JBSWY3DPEHPK3PXP")
    browser = at(HOME)
    browser.post(reverse("account_request_login_code"), {"email": "ann@example.org"})
    code = code_in(Email.objects.get())
    entered = browser.post(reverse("account_confirm_login_code"), {"code": code})
    assert entered["Location"].startswith(reverse("mfa_authenticate"))
    assert browser.get(reverse("settings")).status_code == 302


def test_staff_who_ask_for_the_password_again_count_by_browser(alice: Player) -> None:
    browser = at(HOME)
    gets_in(browser)
    guesses(at(HOME), 3)
    again = browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert again.status_code == 302


def test_accounts_with_names_like_the_marks_do_not_share_counts(alice: Player) -> None:
    account("Alice (abc")
    browser = at(HOME)
    gets_in(browser)
    assert guesses(at(ELSEWHERE), 1, "alice (abc)") == [200]
    assert gets_in(at(HOME))
