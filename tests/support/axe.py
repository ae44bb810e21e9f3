"""Accessibility checks of a page with axe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from axe_playwright_python.sync_playwright import Axe

if TYPE_CHECKING:
    from playwright.sync_api import Page


EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


COLOURS = ["color-contrast"]


def violations(page: Page, rules: list[str], **options: object) -> list[str]:
    """Return what axe finds wrong on a page: each rule and the first element that breaks it."""
    found = Axe().run(page, options={"runOnly": rules, **options}).response["violations"]
    return [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found]
