"""Accessibility checks of a page with axe."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from axe_playwright_python.base import AXE_SCRIPT

if TYPE_CHECKING:
    from playwright.sync_api import Page


EVERYTHING = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


COLOURS = ["color-contrast"]


def violations(page: Page, rules: list[str], **options: object) -> list[str]:
    """Return what axe finds wrong on a page: each rule and the first element that breaks it."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found: list[dict[str, Any]] = page.evaluate(
        "options => axe.run(options).then(results => results.violations)",
        {"runOnly": rules, "resultTypes": ["violations"], **options},
    )
    return [f"{one['id']} {one['nodes'][0]['html'][:120]}" for one in found]
