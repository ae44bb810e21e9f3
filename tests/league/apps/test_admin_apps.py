"""Owners register apps and issue their secrets in the admin."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import App, ConnectedApp, Player, StaffAction, User
from tests.support.app_steps import App as Program
from tests.support.app_steps import code_for, let_in, the_app
from tests.support.web_steps import browser_of, words

ADD = "/admin/league/app/add/"
FORM = {
    "name": "Scoreboard",
    "type": "confidential",
    "sends_back_to": "https://app.example/back\r\n\r\n https://app.example/other ",
    "after_logout": "https://app.example/",
    "asks_for": ["profile", "read", "report"],
    "owner": "",
}


@pytest.fixture
def browser(olga: Player) -> Client:
    return browser_of(olga)


def secret_on(page: Any) -> str:
    said = words(page)
    return said.partition("no longer works.")[2].split()[0]


def page_of(app: App) -> str:
    return reverse("admin:league_app_change", args=[app.pk])


def test_an_owner_registers_an_app_and_sees_its_secret_once(browser: Client, alice: Player) -> None:
    made = browser.post(ADD, FORM)
    assert made.status_code == 201
    assert "no-store" in made["Cache-Control"]
    app = App.objects.get()
    assert app.pk in words(made)
    assert app.get_redirect_uris() == ["https://app.example/back", "https://app.example/other"]
    assert app.get_post_logout_redirect_uris() == ["https://app.example/"]
    assert app.get_scopes() == ["openid", "profile", "read", "report"]
    assert not app.skip_consent
    secret = secret_on(made)
    assert app.check_secret(secret)
    assert secret not in browser.get(page_of(app)).content.decode()
    tokens = let_in(alice, Program(app, secret), "openid", "read")
    assert tokens["scope"].split() == ["openid", "read"]
    [action] = StaffAction.objects.all()
    assert action.kind == StaffAction.Kind.CREATED
    assert action.details["object"] == "Scoreboard"
    assert secret not in str(action.after)


def test_a_double_click_leaves_one_app(browser: Client) -> None:
    for _click in range(2):
        made = browser.post(ADD, FORM)
    assert App.objects.get().check_secret(secret_on(made))


def test_a_public_app_has_no_secret(browser: Client) -> None:
    form = FORM | {"type": "public", "sends_back_to": "com.example.app:/back", "on_devices": "on"}
    made = browser.post(ADD, form | {"after_logout": ""})
    assert made.status_code == 201
    assert "A public app has no secret" in words(made)
    assert "urn:ietf:params:oauth:grant-type:device_code" in App.objects.get().get_grant_types()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": ""}, "This field is required."),
        ({"name": "x" * 61}, "1 to 60 characters"),
        ({"sends_back_to": ""}, "Enter at least one redirect URI"),
        ({"sends_back_to": "http://app.example/back"}, "use https://"),
        ({"sends_back_to": "//app.example/back"}, "use https://"),
        ({"sends_back_to": "https:///back"}, "use https://"),
        ({"sends_back_to": "http://[::1]/back"}, "use https://"),
        ({"sends_back_to": "https://app.example/#x"}, "without “*” or “#”"),
        ({"sends_back_to": "https://*.app.example/"}, "without “*” or “#”"),
        ({"sends_back_to": "https://app.example@evil.example/"}, "no user name before the host"),
        ({"sends_back_to": "HTTPS://app.example/"}, "a lower-case scheme"),
        ({"sends_back_to": "https://app.example:x/"}, "is not a valid address"),
        ({"sends_back_to": "https://app.example/a b"}, "visible ASCII characters"),
        ({"sends_back_to": "https://app.example\\@evil.example"}, "visible ASCII characters"),
        ({"sends_back_to": "https://äpp.example/"}, "visible ASCII characters"),
        ({"sends_back_to": f"https://app.example/{'x' * 500}"}, "at most 500 visible"),
        ({"sends_back_to": "\n".join(f"https://app.example/{n}" for n in range(21))}, "at most 20"),
        ({"sends_back_to": "javascript:alert(1)"}, "a reversed domain name"),
        ({"type": "public", "sends_back_to": "data:text/html,x"}, "a reversed domain name"),
        ({"type": "public", "sends_back_to": "myapp://back"}, "a reversed domain name"),
        ({"sends_back_to": "com.example.app:/back"}, "only public apps"),
        ({"after_logout": "http://app.example/"}, "use https://"),
        ({"on_devices": "on"}, "Only public apps can use device codes"),
        ({"asks_for": ["everything"]}, "is not one of the available choices"),
        ({"type": "secret"}, "is not one of the available choices"),
    ],
)
def test_an_app_that_cannot_be_is_explained(
    browser: Client, change: dict[str, Any], said: str
) -> None:
    answer = browser.post(ADD, FORM | change)
    assert answer.status_code == 200
    assert said in words(answer)
    assert not App.objects.exists()


def test_an_owner_changes_an_app_and_the_staff_log_says_how(browser: Client, alice: Player) -> None:
    program = the_app()
    app = App.objects.get()
    page = browser.get(page_of(app))
    loaded = re.findall(r'name="_loaded" value="([^"]*)"', page.content.decode())
    form = FORM | {"name": "Board", "sends_back_to": "https://board.example/"}
    answer = browser.post(page_of(app), form | ({"_loaded": loaded[0]} if loaded else {}))
    assert answer.status_code == 302, words(answer)
    app.refresh_from_db()
    assert app.name == "Board"
    assert app.get_redirect_uris() == ["https://board.example/"]
    assert app.check_secret(program.secret)
    action = StaffAction.objects.get(kind=StaffAction.Kind.CHANGED)
    assert action.before
    assert action.after
    assert action.before["Redirect URIs"] == "https://app.example/back"
    assert action.after["Redirect URIs"] == "https://board.example/"
    assert browser_of(alice).get(program.link("openid")).status_code == 400


def test_a_new_secret_ends_the_one_before(browser: Client, alice: Player) -> None:
    program = the_app()
    app = App.objects.get()
    address = reverse("admin:league_app_secret", args=[app.pk])
    assert browser.get(address).status_code == 302
    made = browser.post(address)
    assert made.status_code == 200
    secret = secret_on(made)
    code = code_for(alice, program)
    assert program.exchange(code).json()["error"] == "invalid_client"
    assert Program(program.client, secret).exchange(code).status_code == 200
    action = StaffAction.objects.get(kind=StaffAction.Kind.CHANGED)
    assert action.after == {"Secret": "(changed)"}


def test_deleting_an_app_ends_all_that_it_may_do(browser: Client, alice: Player) -> None:
    program = the_app()
    let_in(alice, program, "openid")
    app = App.objects.get()
    address = reverse("admin:league_app_delete", args=[app.pk])
    assert "connected apps: 1" in words(browser.get(address)).lower()
    assert browser.post(address, {"post": "yes", "_reason": "Closed."}).status_code == 302
    assert not App.objects.exists()
    assert not ConnectedApp.objects.exists()
    assert StaffAction.objects.get(kind=StaffAction.Kind.DELETED).reason == "Closed."


def test_staff_who_may_only_look_see_the_app_and_no_secret(eve: Player) -> None:
    the_app()
    app = App.objects.get()
    User.objects.filter(player=eve).update(is_staff=True)
    user = User.objects.get(player=eve)
    user.user_permissions.add(Permission.objects.get(codename="view_app"))
    browser = browser_of(eve)
    page = browser.get(page_of(app))
    assert page.status_code == 200
    assert "https://app.example/back" in words(page)
    assert app.secret not in page.content.decode()
    assert browser.post(reverse("admin:league_app_secret", args=[app.pk])).status_code == 403
    for address in ("/admin/allauth_idp_oidc/client/", "/admin/allauth_idp_oidc/token/"):
        assert browser.get(address).status_code == 404
