"""Sentences of the engines, which speak English, in the reader's language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.utils.translation import gettext

from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.tunables.reading import ParameterError


PERCENT = re.compile(r"(?<=\d) ?%(?!\w)")


def translate(text: str) -> str:
    """Return a text or sentence of the engines in the reader's language."""
    if isinstance(text, Sentence):
        return with_percents(text.say(gettext))
    # gettext answers an empty text with its own header.
    return with_percents(gettext(text)) if text else ""


def with_percents(text: str) -> str:
    """Return a text of the engines with its percents as everywhere on the site: ``41 %``."""
    return PERCENT.sub("\u00a0%", text) if "%" in text else text


def problems_said(error: ParameterError) -> list[str]:
    """Return a line for each problem of parameters, which begins with the parameter's name."""
    return [f"{name}: {translate(problem)}" for name, problem in error.problems.items()]
