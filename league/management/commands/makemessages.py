"""Collect the texts to translate: Django's command, with those that the engines declare."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.commands import makemessages

import matchmaking
import ratings
from ratings.registry import SYSTEMS
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters

if TYPE_CHECKING:
    from collections.abc import Iterator

COLLECTED = "engine_texts.py"
"""A file that exists only while texts are collected."""


def texts_of_engines() -> list[str]:
    """Return what settings, rating systems and the terms of their sums are called, with help."""
    for package in (ratings, matchmaking):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found: set[str] = set()
    ours = ("ratings.", "matchmaking.", "league.")
    for model in _models(Parameters):
        if not model.__module__.startswith(ours):
            continue  # a test's
        for one in declarations(model):
            found |= {one.label, one.help, one.unit, *(choice.label for choice in one.choices)}
    for system in SYSTEMS.values():
        found |= {system.label, system.summary}
        found |= {text for term in system.terms for text in (term.label, term.help)}
    return sorted(getattr(text, "message", text) for text in found if text)


def _models(model: type[Parameters]) -> Iterator[type[Parameters]]:
    for one in model.__subclasses__():
        yield one
        yield from _models(one)


class Command(makemessages.Command):
    help = "Collect the texts to translate into locale/."
    # What the engines refuse are sentences, which the site says in the reader's language.
    xgettext_options = [*makemessages.Command.xgettext_options, "--keyword=Sentence"]

    def handle(self, *args: Any, **options: Any) -> None:
        collected = settings.BASE_DIR / COLLECTED
        # Their percent signs stand for themselves.
        mark = "# xgettext:no-python-format"
        lines = [f"{mark}\ngettext({text!r})\n" for text in texts_of_engines()]
        collected.write_text("".join(lines), encoding="utf-8")
        try:
            super().handle(*args, **options)
        finally:
            collected.unlink()
