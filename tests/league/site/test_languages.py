"""The reader's language: of the address, of the account, of the browser, of the league."""

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import caches
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from league.models import Arena, LeagueSettings, Notice, Player, User
from league.services.notices.mailing import mail_due
from league.services.notices.texts import tell
from league.services.notices.writing import MAIL_AFTER
from league.services.site import frame, languages
from tests.support.cast import NOW, beats
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of

SEVERAL = [("en", "English"), ("de", "German"), ("pt-br", "Portuguese"), ("ar", "Arabic")]


@pytest.fixture(autouse=True)
def several_languages(settings: Settings) -> None:
    settings.LANGUAGES = SEVERAL


def language_on(browser: Client, path: str = "/players/", **headers: str) -> str:
    answer = browser.get(path, headers={name.replace("_", "-"): headers[name] for name in headers})
    start = answer.content.decode()[:200]
    language = start.partition('lang="')[2].partition('"')[0]
    assert answer["Content-Language"] == language
    assert "Accept-Language" in answer["Vary"]
    assert ('dir="rtl"' in start) == (language == "ar")
    return language


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("pt-PT,pt;q=0.9", "pt-br"),
        ("fi, ar;q=0.5, de;q=0.7", "de"),
        ("ar-EG", "ar"),
        ("fi,sv", "en"),
        ("*", "en"),
        ("de;q=zzz, \u00e4\u00f6, " + "x" * 3_000, "en"),
    ],
)
def test_browsers_ask_for_languages(header: str, language: str) -> None:
    assert language_on(Client(), accept_language=header) == language


def test_the_league_has_a_language_for_all_others(duel: Arena) -> None:
    LeagueSettings.objects.create(language="de")
    frame.forget()
    assert language_on(Client(), accept_language="fi") == "de"
    assert language_on(Client(), accept_language="ar") == "ar"
    assert languages.of_account(None) == "de"
    LeagueSettings.objects.update(language="tlh")  # once offered, and no longer
    frame.forget()
    assert language_on(Client()) == "en"


def test_a_visitor_keeps_a_language_in_a_cookie() -> None:
    browser = Client(enforce_csrf_checks=True)
    answer = browser.post("/language/", {"language": "de", "next": "/players/"})
    assert answer["Location"] == "/players/"
    assert language_on(browser, accept_language="ar") == "de"
    assert_strict(browser, "/players/")
    browser.post("/language/", {"language": ""})
    assert language_on(browser, accept_language="ar") == "ar"


def test_a_player_keeps_a_language_with_their_account(alice: Player) -> None:
    browser = browser_of(alice)
    browser.post("/language/", {"language": "ar"})
    assert User.objects.get(player=alice).language == "ar"
    another = browser_of(alice)
    another.cookies["django_language"] = "de"
    assert language_on(another, "/settings/", accept_language="de") == "ar"
    assert languages.of_account(User.objects.get(player=alice)) == "ar"


def test_an_account_without_a_choice_has_that_of_the_browser(alice: Player) -> None:
    browser = browser_of(alice)
    browser.cookies["django_language"] = "de"
    assert language_on(browser, accept_language="ar") == "de"
    assert language_on(browser_of(alice), accept_language="ar") == "ar"


def test_programs_ask_by_their_header_alone(alice: Player) -> None:
    browser = browser_of(alice)
    browser.post("/language/", {"language": "ar"})
    assert browser.get("/api/v1/players/0/")["Content-Language"] == "en"
    asked = {"Accept-Language": "de"}
    assert browser.get("/api/v1/players/0/", headers=asked)["Content-Language"] == "de"


def test_an_address_can_name_its_language() -> None:
    page = Client().get("/players/?lang=pt-br").content.decode()
    assert '<html lang="pt-br"' in page
    assert 'hreflang="pt-br" href="http://testserver/players/?lang=pt-br"' in page.replace(
        "http://localhost:8000", "http://testserver"
    )
    assert language_on(Client(), "/players/?lang=../../etc") == "en"


def test_unknown_languages_and_foreign_addresses_are_refused() -> None:
    browser = Client()
    answer = browser.post("/language/", {"language": 'de" onload="'})
    assert answer.status_code == 400
    assert "Choose one of the languages listed." in answer.content.decode()
    assert browser.post("/language/", {"language": "", "next": "//evil.example"})["Location"] == "/"
    for chosen in ('de" onload="', "../../etc", "x" * 5_000):
        browser.cookies["django_language"] = chosen
        assert language_on(browser) == "en"


def test_visitors_with_different_languages_share_no_cached_page(
    duel: Arena, settings: Settings
) -> None:
    settings.PAGES_KEPT_FOR = 60
    caches["pages"].clear()
    path = f"{duel.get_absolute_url()}leaderboard/"
    assert [
        language_on(Client(), path, accept_language=one) for one in ("de", "en", "ar", "de-CH")
    ] == ["de", "en", "ar", "de"]
    caches["pages"].clear()


def test_who_signs_up_keeps_the_language_of_the_form() -> None:
    secret = "correct horse battery staple"
    form = {"username": "Newcomer", "password1": secret, "password2": secret}
    answer = Client(headers={"Accept-Language": "de"}).post("/accounts/signup/", form)
    assert answer.status_code == 302
    assert User.objects.get(username="newcomer").language == "de"


def test_mails_are_in_the_language_of_the_account(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    assert charlie.user
    User.objects.filter(pk=charlie.user.pk).update(language="de")
    EmailAddress.objects.create(user=charlie.user, email="c@league.example", verified=True)
    beats(alice, charlie, duel)
    assert mail_due(NOW + MAIL_AFTER) == 1
    (sent,) = mail.outbox
    with translation.override("de"):
        assert tell(Notice.objects.get(player=charlie)).text in sent.subject
    assert "reported" not in sent.subject


@pytest.mark.parametrize("path", ["/?x=%00", "/players/?q=%00&lang=en"])
def test_what_is_refused_at_once_is_in_the_browsers_language(db: None, path: str) -> None:
    answer = Client().get(path, headers={"accept-language": "de"})
    assert answer.status_code == 400
    assert 'lang="de"' in answer.content.decode()
    assert "The request" not in answer.content.decode()
