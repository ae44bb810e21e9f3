"""Dates that people read are written as their language writes them."""

import re
from pathlib import Path

from django.conf import settings
from django.utils.formats import FORMAT_SETTINGS

FORMAT = re.compile(r"""(?:\|(?:date|time):|(?:date|time)_format\([^()]*, ?)["']([^"']+)["']""")
FOR_PROGRAMS = {"Y-m-d", "o-W", "c", "U"}
"""Anchors, addresses and numbers."""
SINGLE_PART = re.compile(r"[A-Za-z]|D j")
"""A year, a week, a day of the week: nothing to put into an order. A tab has room for no more."""


def test_every_date_has_a_format_of_the_language() -> None:
    found = {
        (str(path.relative_to(settings.BASE_DIR)), given)
        for folder in ("league", "templates")
        for path in Path(settings.BASE_DIR, folder).rglob("*.*")
        if path.suffix in {".py", ".html", ".txt", ".svg"}
        for given in FORMAT.findall(path.read_text())
    }
    assert len(found) > 10
    odd = {
        (path, given)
        for path, given in found
        if given not in FORMAT_SETTINGS | FOR_PROGRAMS and not SINGLE_PART.fullmatch(given)
    }
    assert not odd
