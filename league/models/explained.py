"""Sentences of the engines, which speak English, in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext

from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.tunables.reading import ParameterError


def translate(text: str) -> str:
    """Return a text or sentence of the engines in the reader's language."""
    if isinstance(text, Sentence):
        return text.say(gettext)
    return gettext(text) if text else ""  # gettext answers an empty text with its own header


def problems_said(error: ParameterError) -> list[str]:
    """Return a line for each problem of parameters, which begins with the parameter's name."""
    return [f"{name}: {translate(problem)}" for name, problem in error.problems.items()]
