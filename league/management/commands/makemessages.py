"""Collect the texts to translate: Django's command, with those that code declares elsewhere."""

from __future__ import annotations

from importlib import import_module
from pkgutil import walk_packages
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.conf import settings
from django.core.management.commands import makemessages
from django.utils.text import capfirst

import matchmaking
import ratings
from league.management.library_texts import FORMAL, MONTHS, UNTRANSLATED
from league.models.dishonor import DECLARED
from matchmaking.presets import PRESETS
from ratings.registry import KNOWN_SYSTEMS
from ratings.tunables.declarations import declarations
from ratings.tunables.parameters import Parameters
from ratings.tunables.sentences import Explained

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

COLLECTED = "engine_texts.py"
"""A file that exists only while texts are collected."""
HELPERS = ["Sentence", "mark", "refuse", "note:2", "_problem:2", "_unknown_element:3"]
"""Functions of the engines that are given a message, with its place among their arguments."""
DETAILS = ["object", "source"]
"""Names in the details of staff actions that nothing else has."""


def texts_of_engines() -> list[str]:
    """Return what settings, rating systems and the terms of their sums are called, with help."""
    for package in (ratings, matchmaking):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__"):
                import_module(module.name)
    found: set[str] = set()
    ours = ("ratings.", "matchmaking.", "league.")
    for model in _below(Parameters):
        if not model.__module__.startswith(ours):
            continue  # a test's
        for one in declarations(model):
            found |= {one.label, one.help, one.unit, *(choice.label for choice in one.choices)}
    for system in KNOWN_SYSTEMS.values():
        found |= {system.label, system.summary}
        found |= {preset.label for preset in system.published.values()}
        found |= {text for term in system.terms for text in (term.label, term.help)}
    found |= {preset.about for preset in PRESETS.values()}
    return sorted(getattr(text, "message", text) for text in found if text)


def texts_of_models() -> list[str]:
    """Return what models and permissions are called by a rule, and what libraries leave out."""
    found: set[str] = {*DETAILS, *MONTHS, *UNTRANSLATED}
    for model in apps.get_app_config("league").get_models():
        found |= {name.removeprefix("Can ") for _codename, name in model._meta.permissions}  # noqa: SLF001 - Django's documented way to a model's options
    for one in (DECLARED["decay"], DECLARED["rounding"]):  # written otherwise by the models
        found |= {one.label.lower(), *(capfirst(choice.label) for choice in one.choices)}
    return sorted(found)


def call_of(text: str | tuple[str, str]) -> str:
    """Return a line of code that asks for a text, with its plural if it has one."""
    return f"gettext({text!r})\n" if isinstance(text, str) else f"ngettext{(*text, 2)!r}\n"


def _below(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from _below(one)


def keywords() -> Iterable[str]:
    """Return which calls have a message in them, as xgettext's options."""
    errors = [error.__name__ for error in _below(Explained)]
    return [f"--keyword={name}" for name in sorted({*HELPERS, *errors})]


class Command(makemessages.Command):
    help = "Collect the texts to translate into locale/."

    def handle(self, *args: Any, **options: Any) -> None:
        collected = settings.BASE_DIR / COLLECTED
        # Percent signs of the engines stand for themselves.
        mark = "# xgettext:no-python-format"
        lines = [f"{mark}\ngettext({text!r})\n" for text in texts_of_engines()]
        lines += [f"gettext({text!r})\n" for text in texts_of_models()]
        lines += [call_of(text) for text in FORMAL]
        # What the engines refuse are sentences, which the site says in the reader's language.
        self.xgettext_options = [*makemessages.Command.xgettext_options, *keywords()]
        collected.write_text("".join(lines), encoding="utf-8")
        try:
            super().handle(*args, **options)
        finally:
            collected.unlink()
