"""The checks of the pages notice what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.axe import COLOURS, EVERYTHING, READABLE, violations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """
<!doctype html><html lang="en"><head><title>Page</title><style>
    body { background: white; color: black }
    .card { background: rgb(250, 250, 250) }
    .faint { color: rgb(200, 200, 200) }
    .dark { background: rgb(40, 40, 40) }
    @media (prefers-color-scheme: dark) { .night { color: rgb(200, 200, 200) } }
</style></head><body><main><h1>Page</h1>%s</main></body></html>
"""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    READABLE.clear()
    page = chromium.new_page()
    yield page
    page.close()


def found(page: Page, content: str) -> list[str]:
    page.set_content(PAGE % content)
    return [one.partition(" ")[0] for one in violations(page, EVERYTHING)]


def test_a_faint_text_is_found_every_time_and_on_a_known_page(page: Page) -> None:
    assert found(page, "<p>Readable</p>") == []
    for _again in range(2):
        assert found(page, "<p>Readable</p><p class=faint>Faint</p>") == ["color-contrast"]


def test_what_is_behind_a_text_belongs_to_its_look(page: Page) -> None:
    assert found(page, "<p>Readable</p><p class=card>Readable</p>") == []
    assert found(page, "<div class=dark><p>Black on grey</p></div>") == ["color-contrast"]


def test_a_hidden_or_covered_text_says_nothing_about_a_visible_one(page: Page) -> None:
    hidden = '<p class=faint style="display: none">Faint</p>'
    cover = '<div style="position: absolute; inset: 0; background: white"></div>'
    for content in (hidden, f"<p class=faint>Faint</p>{cover}"):
        assert found(page, content) == []
        assert found(page, "<p class=faint>Faint</p>") == ["color-contrast"]


def test_a_text_that_is_faint_in_the_dark_is_found_there(page: Page) -> None:
    assert found(page, "<p class=night>Readable</p>") == []
    page.emulate_media(color_scheme="dark")
    [wrong] = violations(page, COLOURS)
    assert wrong.startswith("color-contrast")


def test_a_button_without_a_name_is_found(page: Page) -> None:
    assert found(page, "<button></button>") == ["button-name"]
