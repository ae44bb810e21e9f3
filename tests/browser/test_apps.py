"""The consent pages in a real browser, which also enforces where forms may lead."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from league.models import Player
from tests.browser.conftest import House
from tests.support.app_steps import the_app

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.slow]


@contextmanager
def a_program() -> Iterator[tuple[str, list[dict[str, str]]]]:
    """Run a program on this computer with a redirect URI, and collect what it is sent."""
    told: list[dict[str, str]] = []

    class Back(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/back"):
                told.append(dict(parse_qsl(urlsplit(self.path).query)))
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<title>Back</title><p>Back at the app.</p>")

        def log_message(self, *given: Any) -> None:
            """Print nothing."""

    server = HTTPServer(("127.0.0.1", 0), Back)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", told
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.mark.parametrize("button", ["Allow", "Deny"])
def test_alice_answers_an_app_on_a_phone_without_scripts(
    house: House, alice: Player, button: str
) -> None:
    app = the_app(is_public=True, redirect_uris=["http://127.0.0.1/back"])
    reader = house.reader(alice, scripts=False, width=360)
    with a_program() as (place, told):
        page = reader.open(app.link("openid", "read", redirect_uri=f"{place}/back"))
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
        page.get_by_role("button", name=button, exact=True).focus()
        page.keyboard.press("Enter")
        page.get_by_text("Back at the app.").wait_for()
        reader.faults = [fault for fault in reader.faults if place not in fault]
        [answer] = told
    assert answer["state"] == "xyz"
    if button == "Deny":
        assert answer["error"] == "access_denied"
        return
    app.back = f"{place}/back"
    assert app.exchange(answer["code"]).status_code == 200
    page = reader.open("/settings/apps/")
    page.get_by_role("button", name="Remove access Scoreboard").click()
    assert page.get_by_text("No app can act for you.").is_visible()
