"""What tests of pages in a real browser share."""

from playwright.sync_api import Locator, Page

from tests.support.axe import COLOURS, EVERYTHING, violations

OF_DJANGO = "empty-table-header"
"""What axe says about Django's own tables of rows."""


def troubles(page: Page) -> list[str]:
    """Return the accessibility problems of a page."""
    # Django's style sheets import others, which axe would reload against the content policy.
    found = violations(page, EVERYTHING, preload=False)
    page.emulate_media(color_scheme="dark")
    found += [f"in the dark: {one}" for one in violations(page, COLOURS, preload=False)]
    page.emulate_media(color_scheme="light")
    for width in (360, 800, 1200):
        page.set_viewport_size({"width": width, "height": 800})
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > width:
            found.append(f"{wide} px wide on a screen of {width}")
    return [f"{page.url}: {one}" for one in found]


class Clicks:
    """Clicks on a page, counted."""

    def __init__(self, page: Page) -> None:
        self.page, self.count = page, 0

    def press(self, there: Locator) -> None:
        self.count += 1
        there.click()

    def link(self, name: str) -> None:
        self.press(self.page.get_by_role("link", name=name, exact=True).first)

    def button(self, name: str, within: str = "body") -> None:
        self.press(self.page.locator(within).get_by_role("button", name=name).first)

    def add(self, name: str, preset: str) -> None:
        """Add an arena from a preset: two clicks."""
        self.page.goto(self.page.url.split("/admin/")[0] + "/admin/")
        self.press(self.page.locator("#content-main .model-arena .addlink"))
        self.page.get_by_label("Name").fill(name)
        self.button("Start from this", f"li:has(#preset-{preset})")
