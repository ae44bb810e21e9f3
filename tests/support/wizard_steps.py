"""Steps through the arena wizard, as a member of staff clicks through it."""

import re
from typing import Any

import pytest
from django.test import Client

from tests.support.admin_steps import form_on

START = "/admin/league/arena/start/"


class Organiser:
    """Somebody who clicks through the wizard. Typing is free, every click counts."""

    def __init__(self, browser: Client) -> None:
        self.browser, self.clicks = browser, 0
        self.at = "/admin/"
        self.page = browser.get(self.at)

    def follow(self, text: str) -> None:
        """Click on the link with this text."""
        links = re.findall(r'<a\s[^>]*href="([^"]*)"[^>]*>(.*?)</a>', self.page.text, re.DOTALL)
        named = [(url, re.sub("<[^>]*>", "", inner).strip()) for url, inner in links]
        (address, *_more) = [url for url, inner in named if inner == text]
        self.clicks += 1
        self.at = address
        self.page = self.browser.get(address)
        assert self.page.status_code == 200, self.page.status_code

    def add_arena(self) -> None:
        """Click on “Add” beside “Arenas” on the admin's first page."""
        assert f'href="{START}"' in self.page.text
        self.clicks += 1
        self.at, self.page = START, self.browser.get(START)

    def press(self, button: str, value: str = "on", **typed: Any) -> None:
        """Type into the form of the page and press a button of it."""
        values = {**form_on(self.browser, self.at), **typed}
        self.clicks += 1
        sent = {key: each for key, each in values.items() if each is not None}
        self.page = self.browser.post(self.at, {**sent, button: value}, follow=True)
        assert self.page.status_code == 200, self.page.status_code
        if self.page.redirect_chain:
            self.at = self.page.redirect_chain[-1][0]

    def errors(self) -> dict[str, list[str]]:
        found = {name: list(texts) for name, texts in self.page.context["form"].errors.items()}
        return {name: [str(text) for text in texts] for name, texts in found.items()}


@pytest.fixture
def organiser(staff: Client) -> Organiser:
    return Organiser(staff)
