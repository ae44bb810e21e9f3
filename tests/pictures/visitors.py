"""People with browsers of their own, and the album of what they saw."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from PIL import Image

from tests.browser.conftest import PATIENCE, ZONE
from tests.support.logins import session_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from playwright.sync_api import Browser, BrowserContext, Locator, Page

    from league.models import Player

    Found = TypeVar("Found")

WIDTH, LOWEST, HIGHEST = 1200, 500, 1300
"""The size of a picture: as high as its page, within limits."""
COLOURS = 256


@dataclass
class Person:
    """Somebody with a browser, in which ``player`` is logged in; a visitor without one."""

    context: BrowserContext
    address: str
    player: Player | None = None

    @classmethod
    def come(
        cls,
        chromium: Browser,
        address: str,
        player: Player | None = None,
        *,
        width: int = WIDTH,
    ) -> Person:
        context = chromium.new_context(
            viewport={"width": width, "height": LOWEST}, timezone_id=ZONE, reduced_motion="reduce"
        )
        if player is not None:
            assert player.user
            session = session_of(player.user)
            context.add_cookies([{"name": "sessionid", "value": session, "url": address}])
        return cls(context, address, player)

    @cached_property
    def page(self) -> Page:
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE)
        return page

    def open(self, path: str) -> Page:
        """Open a page, as somebody does who looks at it."""
        self.page.goto(self.address + path)
        return self.page

    def read(self, path: str) -> str:
        """Fetch a page with this browser's cookies, without drawing it."""
        answer = self.context.request.get(self.address + path)
        assert answer.ok, (path, answer.status)
        return answer.text()

    def send(self, path: str, **fields: Any) -> str:
        """Send the form of a page that was read before, and return the page that answers."""
        cookies = {cookie["name"]: cookie["value"] for cookie in self.context.cookies()}
        token = cookies[settings.CSRF_COOKIE_NAME]
        answer = self.context.request.post(
            self.address + path,
            data=urlencode({**fields, "csrfmiddlewaretoken": token}, doseq=True),
            headers={"Content-Type": "application/x-www-form-urlencoded"},
        )
        assert answer.ok, (path, answer.status)
        return answer.text()


@dataclass
class Album:
    """A folder of pictures."""

    folder: Path

    def take(self, name: str, seen: Page | Locator) -> None:
        """Take a picture of a page, or of a part of one."""
        if hasattr(seen, "goto"):
            page: Any = seen
            page.wait_for_load_state("networkidle")
            self.fit(page)
            self.store(name, page.screenshot())
            return
        self.store(name, seen.screenshot())

    def fit(self, page: Page) -> None:
        width = page.viewport_size["width"] if page.viewport_size else WIDTH
        page.set_viewport_size({"width": width, "height": LOWEST})
        content = page.evaluate("document.documentElement.scrollHeight")
        page.set_viewport_size({"width": width, "height": min(content, HIGHEST)})

    def store(self, name: str, picture: bytes) -> None:
        """Store a picture in few colours, which takes a third of the space."""
        self.folder.mkdir(parents=True, exist_ok=True)
        image = Image.open(BytesIO(picture)).convert("RGB")
        image = image.crop((0, 0, image.width, min(image.height, HIGHEST))).quantize(COLOURS)
        image.save(self.folder / f"{name}.png", optimize=True)


def until(found: Callable[[], Found | None], what: str) -> Found:
    """Ask again and again until the site has done its work."""
    deadline = time.monotonic() + PATIENCE / 1000
    while time.monotonic() < deadline:
        if answer := found():
            return answer
        time.sleep(0.3)
    raise AssertionError(f"This did not happen: {what}.")
