"""The declarations of settings in the reader's language. The engines' own are plain English."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING

from django.utils.translation import get_language, gettext

from league.models.explained import translate
from league.services.core.durations import span_in_words
from ratings.tunables.declarations import EXAMPLES, Declaration
from ratings.tunables.declarations import declarations as declared_by
from ratings.tunables.sentences import Sentence
from ratings.tunables.spans import parse_span
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from typing import Any

    from ratings.tunables.parameters import Parameters


MINUTE, HOUR, DAY, YEAR = 60, 3_600, 86_400, 31_536_000
WHOLE = ((HOUR, 1), (DAY, MINUTE), (YEAR, HOUR), (math.inf, DAY))
"""Below each length in seconds, the one that words leave no part of."""


class Translated(Declaration):
    """A declaration whose texts are in one language."""

    @property
    def allowed(self) -> Sentence:
        return Sentence(translate(super().allowed))

    @property
    def expected(self) -> Sentence:
        return Sentence(translate(super().expected))


def translate_declaration(declaration: Declaration) -> Translated:
    """Return a declaration in the reader's language."""
    plain = Translated(**{one.name: getattr(declaration, one.name) for one in fields(Declaration)})
    return replace(
        plain,
        label=gettext(plain.label),
        help=translate(plain.help),
        unit=translate(plain.unit),
        choices=tuple(
            replace(choice, label=translate(choice.label)) for choice in declaration.choices
        ),
    )


def declarations(model: type[Parameters]) -> list[Translated]:
    """Return the declarations of a model's parameters in the reader's language."""
    return list(_declarations(model, get_language() or ""))


@cache
def _declarations(model: type[Parameters], _language: str) -> tuple[Translated, ...]:
    return tuple(translate_declaration(declaration) for declaration in declared_by(model))


def value_in_words(declaration: Declaration, value: Any) -> str:
    """Return a stored or typed value in words.

    A choice has its label, a length of time its units, and what is on or off says so. What cannot
    be read stays as it is written.
    """
    if isinstance(value, bool):
        return gettext("on") if value else gettext("off")
    labels = {choice.value: choice.label for choice in declaration.choices}
    if value in labels:
        return translate(labels[value])
    if declaration.kind in EXAMPLES:
        return length_in_words(value)
    if isinstance(value, int | float):
        return plain(value)
    text = value if isinstance(value, str) else ", ".join(map(plain, value or ()))
    return text or gettext("none")


def length_in_words(written: Any) -> str:
    """Return a length of time in words, or as it is written if words would leave a part out."""
    try:
        span = parse_span(written)
    except ValueError:
        return str(written)
    if not span:
        return gettext("none")
    whole = next(unit for below, unit in WHOLE if span < below)
    return str(written) if span % whole and not span.months else span_in_words(span)
