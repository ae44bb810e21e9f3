"""Sentences that the engines say in English, and that others can say in any language.

The engines import no translation framework. A ``Sentence`` is its English text, and remembers the
message and the values that it was made of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable


class Sentence(str):
    """An English sentence, or a part of one, that can be said in another language.

    ``message`` is the text with places such as ``%(most)s`` for its ``values``, and identifies its
    translation. Values that are sentences are translated as well. Without values, a percent sign
    stands for itself.
    """

    message: str
    values: dict[str, object]

    def __new__(cls, message: str, /, **values: object) -> Self:
        made = super().__new__(cls, message % values if values else message)
        made.message, made.values = message, values
        return made

    def say(self, translate: Callable[[str], str]) -> str:
        """Return the sentence with every message as ``translate`` returns it."""
        message = translate(self.message) if self.message else ""
        if not self.values:
            return message
        return message % {name: _say(value, translate) for name, value in self.values.items()}

    def naming(self, place: Callable[[str], str]) -> Sentence:
        """Return the sentence with ``place(name)`` instead of the name of each parameter."""
        return Sentence(
            self.message,
            **{
                name: place(value)
                if isinstance(value, Name)
                else value.naming(place)
                if isinstance(value, Sentence)
                else value
                for name, value in self.values.items()
            },
        )


class Name(Sentence):
    """The name of a parameter. Said to people, it is the quoted label of the parameter."""

    label: str

    def __new__(cls, name: str, /, label: str) -> Self:
        made = super().__new__(cls, name)
        made.label = label
        return made

    def say(self, translate: Callable[[str], str]) -> str:
        """Return the label in another language."""
        return f"“{translate(self.label)}”"


def mark(message: str) -> str:
    """Mark a message for translation that a ``Sentence`` is made of elsewhere."""
    return message


class Explained(ValueError):
    """An error whose ``sentence`` says what is wrong and how to fix it."""

    def __init__(self, message: str, /, **values: object) -> None:
        self.sentence = Sentence(message, **values)
        super().__init__(str(self.sentence))


def _say(value: object, translate: Callable[[str], str]) -> object:
    return value.say(translate) if isinstance(value, Sentence) else value
