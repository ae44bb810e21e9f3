"""Accessibility checks of a page with axe."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page


EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


COLOURS = ["color-contrast"]


READABLE: set[str] = set()
"""The looks of texts that axe found readable: colours, size, weight, and all that is behind them.

To judge the contrast of every text of a page takes most of axe's time, in two colour schemes. Most
texts look the same on all pages, so each process judges each look until it has passed once.
"""
JUDGE_COLOURS = Path(__file__).with_name("judge_colours.js").read_text()


_checked: WeakSet[Page] = WeakSet()
"""The tabs in which axe has looked at a page."""


def bring_axe(page: Page) -> None:
    """Load axe into a page, and let a tab that is checked again have it from the beginning.

    Chromium then keeps the half megabyte that it has compiled.
    """
    page.evaluate(AXE_SCRIPT)
    if page in _checked:
        page.add_init_script(AXE_SCRIPT)
    _checked.add(page)


def violations(page: Page, rules: list[str], **options: object) -> list[str]:
    """Return what axe finds wrong on a page: each rule and the first element that breaks it."""
    page.wait_for_load_state()  # a page that a click has opened may have no elements yet
    if not page.evaluate("'axe' in window"):
        bring_axe(page)
    found: list[dict[str, Any]] = []
    if rules != COLOURS:
        found += page.evaluate(
            "options => axe.run(options).then(results => results.violations)",
            {
                "runOnly": rules,
                "rules": {rule: {"enabled": False} for rule in COLOURS},
                "resultTypes": ["violations"],
                **options,
            },
        )
    judged = page.evaluate(JUDGE_COLOURS, [COLOURS, list(READABLE)])
    READABLE.update(judged["readable"])
    found += judged["violations"]
    return [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found]
