"""Logins through Discord and Steam, against what these sites answer as their documentation says.

https://docs.discord.com/developers/topics/oauth2, .../resources/user and
https://partner.steamgames.com/doc/features/auth#website.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers import registry
from django.db import connection
from django.test import Client
from django.urls import clear_url_caches, reverse
from pytest_django import Settings

from league.models import Player, User
from league.services.core.clock import database_now
from league.services.people.invitation_checks import Wanted
from league.services.people.invitation_mails import token_of
from league.services.people.inviting import invite
from tests.support.recorded_sites import Answer, Sites, recorded_sites
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

pytestmark = [
    # Of allauth's OpenID and of the library that it uses.
    pytest.mark.filterwarnings("ignore:defusedxml.cElementTree is deprecated"),
    pytest.mark.filterwarnings("ignore:The default scheme will be changed"),
]
PROJECT = Path(__file__).resolve().parents[3]

DISCORD = "https://discord.com/api"
TOKEN = Answer(
    json.dumps(
        {
            "access_token": "6qrZcUqja7812RVdnEKjpzOL4CvHBFG",
            "token_type": "Bearer",
            "expires_in": 604800,
            "refresh_token": "D43f5y0ahjqew82jZ4NViEr2YafMKhue",
            "scope": "identify",
        }
    )
)
NELLY = {
    "id": "80351110224678912",
    "username": "nelly",
    "discriminator": "0",
    "global_name": "Nelly",
    "avatar": "8342729096ea3675442027381ff50dfe",
    "verified": True,
    "email": "nelly@discord.example",
    "flags": 64,
    "banner": None,
    "accent_color": None,
    "premium_type": 0,
    "public_flags": 64,
}

STEAM = "https://steamcommunity.com/openid"
GABE = "76561197960287930"
XRDS = """<?xml version="1.0" encoding="UTF-8"?>
<xrds:XRDS xmlns:xrds="xri://$xrds" xmlns="xri://$xrd*($v*2.0)">
  <XRD>
    <Service priority="0">
      <Type>http://specs.openid.net/auth/2.0/{type}</Type>
      <URI>https://steamcommunity.com/openid/login</URI>
    </Service>
  </XRD>
</xrds:XRDS>
"""
SIGNED = [
    "signed",
    "op_endpoint",
    "claimed_id",
    "identity",
    "return_to",
    "response_nonce",
    "assoc_handle",
]
SUMMARIES = "https://api.steampowered.com/ISteamUser/GetPlayerSummaries/v0002/"
SUMMARY = {
    "response": {
        "players": [
            {
                "steamid": GABE,
                "communityvisibilitystate": 3,
                "profilestate": 1,
                "personaname": "Rabscuttle",
                "profileurl": "https://steamcommunity.com/id/gabelogannewell/",
                "avatar": "https://avatars.example/c5d56249ee5d28a07db4ac9f7f60af961fab5426.jpg",
                "personastate": 0,
                "realname": "Gabe",
                "primaryclanid": "103582791429521412",
                "timecreated": 1063407589,
                "loccountrycode": "US",
            }
        ]
    }
}


@pytest.fixture
def sites(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sites]:
    hosts = ["discord.com", "steamcommunity.com", "api.steampowered.com"]
    with recorded_sites(hosts, tmp_path, monkeypatch) as made:
        made.answers = {
            ("POST", f"{DISCORD}/oauth2/token"): TOKEN,
            ("GET", f"{DISCORD}/users/@me"): Answer(json.dumps(NELLY)),
            ("GET", STEAM): Answer(XRDS.format(type="server"), "application/xrds+xml"),
            ("GET", f"{STEAM}/id/{GABE}"): Answer(
                XRDS.format(type="signon"), "application/xrds+xml"
            ),
            ("GET", SUMMARIES): Answer(json.dumps(SUMMARY)),
        }
        steam_says(made, "is_valid:true")
        yield made


def steam_says(sites: Sites, verdict: str) -> None:
    """Let Steam answer whether it has signed what a browser brought."""
    text = f"ns:http://specs.openid.net/auth/2.0\n{verdict}\n"
    sites.answers["POST", f"{STEAM}/login"] = Answer(text, "text/plain")


def query_of(response: Any) -> dict[str, str]:
    query = parse_qs(urlsplit(response["Location"]).query)
    return {name: values[0] for name, values in query.items()}


def comes_back(client: Client, code: str = "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee", **more: str) -> Any:
    """Go to Discord to log in, and come back as Discord redirects."""
    sent = query_of(client.post(reverse("discord_login") + more.pop("query", "")))
    back = {"code": code, "state": sent["state"], **more}
    return client.get(reverse("discord_callback"), back)


def test_discord_is_asked_for_no_more_than_who_somebody_is(sites: Sites) -> None:
    sent = query_of(Client().post(reverse("discord_login")))
    assert sent["client_id"] == "an id"
    assert sent["response_type"] == "code"
    assert set(sent["scope"].split()) <= {"identify", "email"}
    assert sent["redirect_uri"].endswith(reverse("discord_callback"))
    assert sent["state"]


def test_a_newcomer_chooses_a_name_and_logs_in_again_later(sites: Sites) -> None:
    client = Client()
    answer = comes_back(client)
    assert answer["Location"] == reverse("socialaccount_signup")
    token, person = sites.asked
    assert token.form["code"] == "NhhvTDYsFcdgNLnnLijcl7Ku7bEEeee"
    assert token.form["grant_type"] == "authorization_code"
    assert token.form["client_secret"] == "a secret"
    assert person.headers["authorization"] == "Bearer 6qrZcUqja7812RVdnEKjpzOL4CvHBFG"
    assert not User.objects.exists()
    client.post(reverse("socialaccount_signup"), {"username": "Nelly"}, follow=True)
    player = Player.objects.get()
    assert player.name == "Nelly"
    linked = SocialAccount.objects.get()
    assert (linked.provider, linked.uid, linked.user) == ("discord", NELLY["id"], player.user)
    again = Client()
    assert comes_back(again)["Location"] == "/"
    assert again.session["_auth_user_id"] == str(linked.user_id)
    assert Player.objects.count() == 1


def test_an_invited_person_signs_up_through_discord_as_their_player(
    sites: Sites, olga: Player
) -> None:
    ines = Player.objects.create(name="Ines Sole")
    wanted, now = [Wanted(1, ines.pk, "ines@club.example")], database_now()
    [made] = invite(wanted, competition=None, by=user_of(olga), now=now)
    client = Client()
    client.get(reverse("invited", args=[token_of(made)]))
    comes_back(client)
    form = client.get(reverse("socialaccount_signup")).content.decode()
    assert 'value="Ines Sole"' in form
    client.post(reverse("socialaccount_signup"), {"username": "Nelly"}, follow=True)
    ines.refresh_from_db()
    assert ines.user == SocialAccount.objects.get().user
    assert not Player.objects.filter(name="Nelly").exists()


def test_a_player_links_discord_from_the_settings(sites: Sites, alice: Player) -> None:
    browser, page = browser_of(alice), reverse("discord_settings")
    answer = comes_back(browser, query=f"?process=connect&next={page}")
    assert answer["Location"] == page
    assert SocialAccount.objects.get().user == alice.user
    assert "Linked to Nelly" in words(browser.get(page))


def test_an_account_of_discord_is_linked_with_one_player_only(
    sites: Sites, alice: Player, bob: Player
) -> None:
    comes_back(browser_of(alice), query="?process=connect")
    comes_back(browser_of(bob), query="?process=connect")
    assert SocialAccount.objects.get().user == alice.user


@pytest.mark.parametrize(
    ("address", "answer"),
    [
        (f"{DISCORD}/oauth2/token", Answer('{"error": "invalid_grant"}', status=400)),
        (f"{DISCORD}/oauth2/token", Answer("<html>502</html>", "text/html", 502)),
        (f"{DISCORD}/oauth2/token", Answer("{}")),
    ],
)
def test_what_discord_refuses_logs_nobody_in(sites: Sites, address: str, answer: Answer) -> None:
    sites.answers["POST", address] = answer
    client = Client()
    response = comes_back(client)
    assert response.status_code == 401
    assert "_auth_user_id" not in client.session


def test_another_state_or_a_cancelled_login_logs_nobody_in(sites: Sites) -> None:
    client = Client()
    assert comes_back(client, state="forged").status_code in {401, 403}
    cancelled = comes_back(client, error="access_denied")
    assert cancelled["Location"] == reverse("socialaccount_login_cancelled")
    assert "_auth_user_id" not in client.session
    assert not SocialAccount.objects.exists()


@pytest.fixture
def steam(sites: Sites, settings: Settings) -> Iterator[Sites]:
    """The login with Steam, as ``STEAM_CLIENT_ID`` turns it on."""
    base = "allauth.socialaccount.providers"
    settings.PROVIDERS = ["discord", "openid", "steam"]
    settings.INSTALLED_APPS = [*settings.INSTALLED_APPS, f"{base}.openid", f"{base}.steam"]
    settings.SOCIALACCOUNT_PROVIDERS = {
        **settings.SOCIALACCOUNT_PROVIDERS,
        "steam": {"APPS": [{"client_id": "a key", "secret": "a key"}]},
    }
    registry.loaded, kept = False, registry.provider_map.copy()
    registry.load()
    from allauth.socialaccount.providers.openid import models  # noqa: PLC0415 - needs the app

    with connection.schema_editor() as editor:
        editor.create_model(models.OpenIDStore)
        editor.create_model(models.OpenIDNonce)
    settings.ROOT_URLCONF = "tests.support.steam_urls"
    clear_url_caches()
    yield sites
    registry.provider_map, registry.loaded = kept, True
    clear_url_caches()


def goes_to_steam(client: Client) -> dict[str, str]:
    return query_of(client.post("/accounts/steam/login/"))


def steam_brings(client: Client, **changed: str) -> Any:
    """Come back from Steam, as it redirects whoever has logged in there."""
    sent = goes_to_steam(client)
    back = {
        "openid.ns": "http://specs.openid.net/auth/2.0",
        "openid.mode": "id_res",
        "openid.op_endpoint": f"{STEAM}/login",
        "openid.claimed_id": f"{STEAM}/id/{GABE}",
        "openid.identity": f"{STEAM}/id/{GABE}",
        "openid.return_to": sent["openid.return_to"],
        "openid.response_nonce": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}ZrGfJZoS1xeuQn2jbFM6mz=",
        "openid.assoc_handle": "1234567890",
        "openid.signed": ",".join(SIGNED),
        "openid.sig": "mFtVtCLuVhJNrGWKoSMeLzvQrNo=",
        **changed,
    }
    query = parse_qs(urlsplit(sent["openid.return_to"]).query)
    own = {name: values[0] for name, values in query.items()}
    return client.get("/accounts/steam/callback/", {**own, **back})


def test_a_newcomer_of_steam_chooses_a_name_and_logs_in_again_later(steam: Sites) -> None:
    client = Client()
    assert steam_brings(client)["Location"] == reverse("socialaccount_signup")
    checked = [one for one in steam.asked if one.form.get("openid.mode") == "check_authentication"]
    assert len(checked) == 1
    assert checked[0].form["openid.sig"] == "mFtVtCLuVhJNrGWKoSMeLzvQrNo="
    (summary,) = steam.asked_of("api.steampowered.com")
    assert summary.query == {"key": "a key", "steamids": GABE}
    client.post(reverse("socialaccount_signup"), {"username": "Gordon"}, follow=True)
    linked = SocialAccount.objects.get()
    assert (linked.provider, linked.uid) == ("steam", GABE)
    assert linked.user.player.name == "Gordon"
    steam.answers["GET", SUMMARIES] = Answer('{"response": {"players": []}}')
    again = Client()
    nonce = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}Zanother="
    assert steam_brings(again, **{"openid.response_nonce": nonce})["Location"] == "/"
    assert again.session["_auth_user_id"] == str(linked.user_id)


def test_what_steam_has_not_signed_logs_nobody_in(steam: Sites) -> None:
    steam_says(steam, "is_valid:false")
    client = Client()
    assert steam_brings(client).status_code == 401
    assert "_auth_user_id" not in client.session
    assert steam.asked_of("api.steampowered.com") == []


def test_an_answer_of_steam_is_used_once(steam: Sites) -> None:
    nonce = {"openid.response_nonce": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}Zthe same="}
    assert steam_brings(Client(), **nonce).status_code == 302
    assert steam_brings(Client(), **nonce).status_code == 401


@pytest.mark.parametrize(
    "changed",
    [
        {"openid.claimed_id": "https://10.0.0.1/", "openid.identity": "https://10.0.0.1/"},
        {"openid.claimed_id": f"{STEAM}/id/1@evil.example/"},
        {"openid.op_endpoint": "https://evil.example/openid"},
        {"openid.identity": ""},
        {"openid.ns": "http://openid.net/signon/1.1"},
        {"openid.mode": "setup_needed"},
        {"openid.mode": "error"},
    ],
)
def test_nobody_but_steam_is_asked_who_somebody_is(steam: Sites, changed: dict[str, str]) -> None:
    client = Client()
    asked = len(steam.asked)
    assert steam_brings(client, **changed).status_code == 401
    urls = [one.url for one in steam.asked[asked:]]
    assert all(url.startswith(STEAM) for url in urls)
    assert steam.sought == []
    assert "_auth_user_id" not in client.session


def test_what_the_address_and_the_form_say_is_of_steam_together(steam: Sites) -> None:
    client, callback = Client(), "/accounts/steam/callback/"
    goes_to_steam(client)
    asked = len(steam.asked)
    form = {
        "openid.ns": "http://specs.openid.net/auth/2.0",
        "openid.mode": "id_res",
        "openid.op_endpoint": f"{STEAM}/login",
        "openid.claimed_id": [f"{STEAM}/id/{GABE}"] * 2,
    }
    address = callback + "?openid.identity=https://10.0.0.1/"
    assert client.post(address, form).status_code == 401
    assert len(steam.asked) == asked


@pytest.mark.parametrize("answer", [Answer("", "text/html", 403), Answer("<html>", "text/html")])
def test_a_key_that_steam_refuses_is_no_error_of_the_page(steam: Sites, answer: Answer) -> None:
    steam.answers["GET", SUMMARIES] = answer
    assert steam_brings(Client()).status_code == 401


def test_a_login_that_was_cancelled_at_steam(steam: Sites) -> None:
    client = Client()
    answer = steam_brings(client, **{"openid.mode": "cancel"})
    assert answer["Location"] == reverse("socialaccount_login_cancelled")


def test_nobody_logs_in_by_an_openid_of_their_choice(steam: Sites) -> None:
    asked = len(steam.asked)
    where = {"openid": "https://10.0.0.1/"}
    for page in ("/accounts/openid/login/", "/accounts/openid/callback/"):
        assert Client().get(page, where).status_code == 404
        assert Client().post(page, where).status_code == 404
    assert len(steam.asked) == asked
    assert steam.sought == []


def test_the_setting_of_steam_is_its_key_and_adds_no_login_by_openid() -> None:
    script = (
        "import django; django.setup();"
        "from django.conf import settings; from django.urls import resolve;"
        "print(settings.SOCIALACCOUNT_PROVIDERS['steam']['APPS'][0]['secret'],"
        " resolve('/accounts/openid/login/').func.__name__,"
        " resolve('/accounts/steam/callback/').func.__module__)"
    )
    environment = {
        **os.environ,
        "STEAM_CLIENT_ID": "the-key",
        "LAUREL_OFFLINE": "1",
        "DJANGO_SETTINGS_MODULE": "league.settings",
    }
    ended = subprocess.run(
        [sys.executable, "-c", script],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.split() == ["the-key", "no_page", "league.web.people.steam"]
