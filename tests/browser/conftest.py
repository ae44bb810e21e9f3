"""A real Chromium on the real site."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import cast

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    Request,
    expect,
    sync_playwright,
)
from pytest_django.live_server_helper import LiveServer

from league.models import Player, User
from tests.support.logins import session_of

PROGRAMS = ["chromium-headless-shell", "chromium"]
"""Either will do. The first has no windows to draw, and takes less than half the CPU time."""
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # A page runs its scripts, and axe, for a moment: to optimise them costs more than it saves.
    "--js-flags=--no-maglev,--no-turbofan",
]
ZONE = "Europe/Berlin"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    installed = filter(None, map(shutil.which, PROGRAMS))
    found = os.environ.get("CHROMIUM") or next(installed, None)
    if not found:
        pytest.skip(f"No Chromium here: install Debian's “{PROGRAMS[0]}”, or name one in CHROMIUM.")
    with sync_playwright() as playwright:
        # Playwright's event loop runs in this thread, so Django would take tests for async code.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


PATIENCE = 60_000
"""Milliseconds after which a page has failed; a busy machine may just be slow."""
expect.set_options(timeout=PATIENCE)


GIVEN_UP = ("htmx:sendAbort", "htmx:afterRequest")
"""How htmx reports a request that a newer one has replaced, which is no fault."""

CUT_OFF = "net::ERR_INTERNET_DISCONNECTED"
"""How the browser reports a request while a test has taken the network away."""


@dataclass
class Reader:
    """A person with a browser. ``faults`` collects everything that no page may do."""

    context: BrowserContext
    address: str
    faults: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("console", self.note_console)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", self.note_request)

    def note_console(self, message: ConsoleMessage) -> None:
        is_foreseen = message.text.startswith(GIVEN_UP) or message.text.endswith(CUT_OFF)
        if message.type in {"error", "warning"} and not is_foreseen:
            self.faults.append(f"{self.page.url}: {message.text}")

    def note_request(self, request: Request) -> None:
        if not request.url.startswith((self.address, "data:")):
            self.faults.append(f"{self.page.url} asks {request.url}")

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page

    def leave(self) -> None:
        """Close the browser once the page's requests are answered: to cut one off is no fault."""
        expect(self.page.locator(".htmx-request")).to_have_count(0)
        self.page.remove_listener("console", self.note_console)
        self.context.close()


@dataclass
class House:
    """The site under test. Each reader gets their own browser."""

    chromium: Browser
    live_server: LiveServer
    readers: list[Reader] = field(default_factory=list)

    def reader(
        self,
        player: Player | None = None,
        *,
        scripts: bool = True,
        width: int = 1200,
    ) -> Reader:
        """Open a browser, logged in as ``player`` if given."""
        context = self.chromium.new_context(
            java_script_enabled=scripts,
            viewport={"width": width, "height": 800},
            timezone_id=ZONE,
            reduced_motion="reduce",
        )
        if player is not None:
            cookie = {
                "name": "sessionid",
                "value": session_of(cast("User", player.user)),
                "url": self.live_server.url,
            }
            context.add_cookies([cookie])  # type: ignore[list-item] # a typed dict of Playwright's
        reader = Reader(context, self.live_server.url)
        self.readers.append(reader)
        return reader


@pytest.fixture
def house(chromium: Browser, live_server: LiveServer) -> Iterator[House]:
    """The site with Chromium. At the end, no page may have caused an error or a foreign request."""
    house = House(chromium, live_server)
    yield house
    for reader in house.readers:
        reader.leave()
    assert [fault for reader in house.readers for fault in reader.faults] == []
