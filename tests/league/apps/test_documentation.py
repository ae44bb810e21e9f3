"""docs/apps.md: its commands work on a running site, and it names all scopes and endpoints."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from pytest_django.live_server_helper import LiveServer

from league.models import Player
from tests.support.app_steps import BACK, App, code_for, consents, the_app, told
from tests.support.web_steps import browser_of

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not all(map(shutil.which, ("bash", "curl", "openssl"))), reason="no curl"),
]
TEXT = (Path(__file__).resolve().parents[3] / "docs/apps.md").read_text()
COMMANDS = [
    re.sub(r"^ {3}", "", block, flags=re.MULTILINE)
    for block in re.findall(r"^ *```sh\n(.*?)^ *```", TEXT, re.MULTILINE | re.DOTALL)
]
BEGIN, LINK, EXCHANGE, USE, REFRESH, DEVICE, POLL = COMMANDS


def shell(command: str, **given: str) -> str:
    """Run a command of the page, and return what it prints."""
    ran = subprocess.run(
        ["bash", "-euc", command],
        env={"PATH": "/usr/bin:/bin", **given},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return ran.stdout.decode()


def begun(live_server: LiveServer, app: App) -> dict[str, str]:
    """Set the variables as the page does, with the values of an app."""
    own = {"SITE": live_server.url, "CLIENT": app.client.pk, "SECRET": app.secret, "BACK": BACK}
    printed = shell(f"set -a\n{BEGIN.partition(BACK)[2]}\nenv -0", **own)
    return dict(line.split("=", 1) for line in printed.split("\0") if "=" in line)


def test_the_commands_sign_alice_in(live_server: LiveServer, alice: Player) -> None:
    app = the_app()
    given = begun(live_server, app)
    link = shell(LINK, **given).strip().removeprefix(live_server.url)
    answer = told(consents(browser_of(alice), link))
    assert answer["state"] == given["STATE"]
    tokens = json.loads(shell(EXCHANGE, **given, CODE=answer["code"]))
    shown = json.loads(re.search(r"^ *(\{\"access_token.*?\})$", TEXT, re.M | re.S)[1])  # type: ignore[index]
    assert tokens.keys() == shown.keys()
    assert tokens["scope"] == shown["scope"]
    assert tokens["refresh_expires_in"] == pytest.approx(shown["refresh_expires_in"], abs=60)
    answers = shell(USE.replace("curl", "curl -sf"), **given, TOKEN=tokens["access_token"])
    assert '"name": "Alice"' in answers
    assert '"results":[]' in answers
    again = json.loads(shell(REFRESH, **given, REFRESH=tokens["refresh_token"]))
    assert again["access_token"] != tokens["access_token"]


def test_the_commands_begin_to_connect_a_device(live_server: LiveServer) -> None:
    app = the_app(is_public=True, on_devices=True)
    given = {"SITE": live_server.url, "CLIENT": app.client.pk}
    made = json.loads(shell(DEVICE, **given))
    shown = json.loads(re.search(r"^(\{\"device_code.*?\})$", TEXT, re.M | re.S)[1])  # type: ignore[index]
    assert made.keys() - {"scope"} == shown.keys()
    assert (made["expires_in"], made["interval"]) == (shown["expires_in"], shown["interval"])
    polled = json.loads(shell(POLL, **given, DEVICE_CODE=made["device_code"]))
    assert polled["error"] == "authorization_pending"


def test_the_python_verifies_an_id_token(live_server: LiveServer, alice: Player) -> None:
    app = the_app()
    tokens = app.exchange(code_for(alice, app)).json()
    [code] = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    code = code.replace("issuer=site", "issuer=issuer")  # the address of the tests differs
    names: dict[str, Any] = {
        "site": live_server.url,
        "issuer": settings.SITE_URL,
        "id_token": tokens["id_token"],
        "client_id": app.client.pk,
    }
    exec(code, names)  # noqa: S102 - our own documentation
    assert names["claims"]["sub"] == str(alice.user_id)
