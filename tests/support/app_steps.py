"""Steps of third-party apps, over HTTP, as their developers would write them."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from allauth.idp.oidc.models import Client
from django.test import Client as Browser
from oauthlib.oauth2 import WebApplicationClient

from league.models import Player
from league.services.apps import registering
from tests.support.web_steps import browser_of

BACK = "https://app.example/back"
AUTHORIZE, TOKEN, REVOKE = "/oauth/authorize", "/oauth/token", "/oauth/revoke"
USERINFO, DEVICE, DEVICE_CODE = "/oauth/userinfo", "/oauth/device", "/oauth/device/code"
SCOPES = ("openid", "profile", "email", "read", "report", "queue")
VERIFIER = "a-verifier-of-at-least-forty-three-letters-for-tests"
FORM = "application/x-www-form-urlencoded"


def an_app(
    *, name: str = "Scoreboard", scopes: Sequence[str] = SCOPES, **given: Any
) -> tuple[Client, str]:
    """Register an app and return it with its secret."""
    uris = given.pop("redirect_uris", [BACK])
    return registering.register(name, uris, scopes, **given)


@dataclass
class App:
    """The program of an app, with its own way to the site, without cookies."""

    client: Client
    secret: str
    back: str = BACK
    http: Browser = field(default_factory=Browser)

    def __post_init__(self) -> None:
        self.oauth = WebApplicationClient(self.client.pk)

    def link(self, *scopes: str, **more: Any) -> str:
        """Return the address to which the app sends a user to sign in."""
        challenge = self.oauth.create_code_challenge(VERIFIER, "S256")
        given = {
            "redirect_uri": self.back,
            "scope": list(scopes or ("openid",)),
            "state": "xyz",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
            **more,
        }
        link = str(self.oauth.prepare_request_uri(f"https://league.example{AUTHORIZE}", **given))
        return link.removeprefix("https://league.example")

    def post(self, address: str, **given: str) -> Any:
        """Send a form as the app, with its secret if it has one."""
        own = {"client_id": self.client.pk}
        if self.secret:
            own["client_secret"] = self.secret
        return self.http.post(address, own | given)

    def exchange(self, code: str, **more: str) -> Any:
        given = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": self.back,
            "code_verifier": VERIFIER,
        }
        return self.post(TOKEN, **(given | more))

    def refresh(self, token: str, **more: str) -> Any:
        return self.post(TOKEN, grant_type="refresh_token", refresh_token=token, **more)


def the_app(**given: Any) -> App:
    """Register an app and return its program."""
    back = next(iter(given.get("redirect_uris", [BACK])), "")
    return App(*an_app(**given), back=back)


def consents(browser: Browser, link: str, *, action: str = "grant", **more: Any) -> Any:
    """Open the consent page and press one of its buttons. Return the answer."""
    page = browser.get(link)
    assert page.status_code == 200, page
    return browser.post(AUTHORIZE, {**hidden(page), "action": action, **more})


def hidden(page: Any) -> dict[str, str]:
    """Return the hidden fields of a page's form."""
    found = re.findall(
        r'<input type="hidden" name="(\w+)"(?: value="([^"]*)")?', page.content.decode()
    )
    return {name: html.unescape(value) for name, value in found}


def told(answer: Any) -> dict[str, str]:
    """Return the parameters of the redirect to the app."""
    assert answer.status_code == 302, answer
    return dict(parse_qsl(urlsplit(answer.headers["Location"]).query))


def code_for(player: Player, app: App, *scopes: str) -> str:
    """Return an authorization code, to which the player has consented."""
    return told(consents(browser_of(player), app.link(*scopes)))["code"]


def let_in(player: Player, app: App, *scopes: str) -> dict[str, Any]:
    """Return the app's tokens, to which the player has consented."""
    answer = app.exchange(code_for(player, app, *scopes))
    assert answer.status_code == 200, answer.content
    tokens: dict[str, Any] = answer.json()
    return tokens


def with_token(token: str) -> dict[str, Any]:
    return {"headers": {"Authorization": f"Bearer {token}"}}


def reads(token: str) -> int:
    """Return the status with which the API answers an app that reads."""
    return Browser().get("/api/v1/notices/", **with_token(token)).status_code
