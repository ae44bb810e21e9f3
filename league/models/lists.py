"""Lists within sentences, as the reader's language writes them: “A, B and C”, “A、B和C”."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterable


COMMAS = ",，、،"
"""The commas of all keyboards, between names that people type."""


def comma() -> str:
    """Return what stands between the items of a list: “, ” in English, “、” in Chinese."""
    return pgettext("list", "%(first)s, %(next)s") % {"first": "", "next": ""}


def list_of(items: Iterable[object]) -> str:
    """Return “A, B, C”."""
    texts = [str(item) for item in items]
    return comma().join(texts) if len(texts) > 1 else "".join(texts)


def list_with_and(items: Iterable[object]) -> str:
    """Return “A, B and C”."""
    return ending(items, gettext("%(names)s and %(last)s"))


def list_with_or(items: Iterable[object]) -> str:
    """Return “A, B or C”."""
    return ending(items, gettext("%(names)s or %(last)s"))


def ending(items: Iterable[object], form: str) -> str:
    """Return a list whose last item is joined to those before it as a form says."""
    *others, last = [str(item) for item in items] or [""]
    return form % {"names": list_of(others), "last": last} if others else last
