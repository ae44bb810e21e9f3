"""The declarations of settings in the reader's language. The engines' own are plain English."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING

from django.utils.translation import get_language, gettext

from league.models.explained import translate
from ratings.tunables.declarations import Declaration
from ratings.tunables.declarations import declarations as declared_by
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from ratings.tunables.parameters import Parameters


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
