"""A locale in which every translated letter has an accent, so that untranslated text stands out."""

import gettext
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser
from typing import Any, TypeAlias, cast

from django.conf import settings
from django.test import override_settings
from django.utils import translation
from django.utils.formats import reset_format_cache
from django.utils.translation import to_locale, trans_real

OFFERED = [(code, name) for code, name in settings.LANGUAGES if code != settings.LANGUAGE_CODE]
PSEUDO = "en-xa"
PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
ACCENTED = "áƀćďéƒǵĥíĵķĺḿńóṕʠŕśťúṽŵẋýžÁƁĆĎÉƑǴĤÍĴĶĹḾŃÓṔɊŔŚŤÚṼŴẊÝŽ"
ACCENTS = str.maketrans(PLAIN, ACCENTED)
FORMATS = ["tests.support.pseudo_formats", "league.formats"]
KEPT = re.compile(
    r"%\(\w+\)[#0 +-]*[\d.]*[a-zA-Z]|%[#0 +-]*[\d.]*[a-zA-Z%]|\{[^{}]*\}|<[^<>]*>|&\w+;"
)
"""Placeholders, tags and entities, which a translation leaves as they are."""
FORMAL = {
    "de": re.compile(r"\b(Sie|Ihnen|Ihre?[mnrs]?)\b"),
    "fr": re.compile(r"\b([Vv]ous|[Vv]otre|[Vv]os|\w+ez)\b"),
    "es": re.compile(
        r"\b([Uu]sted|[Ss]us?|[Ii]ngrese|[Ii]ntroduzca|[Ee]scriba|[Ss]eleccione|[Ee]lija)\b"
    ),
}
"""How libraries speak to a reader to whom the site says du, tu and tú."""

Asked: TypeAlias = str | tuple[str, int]
"""A message, or one with plural forms and the number of a form."""


@cache
def accented(message: str) -> str:
    """Return the message with an accent on every letter outside placeholders and tags."""
    parts, end = [], 0
    for kept in KEPT.finditer(message):
        parts += [message[end : kept.start()].translate(ACCENTS), kept[0]]
        end = kept.end()
    return "".join([*parts, message[end:].translate(ACCENTS)])


class PseudoTranslation(trans_real.DjangoTranslation):
    """A catalogue that has an accented translation of every message, and knows what was shown."""

    def __init__(self) -> None:
        super().__init__("en")
        self.shown: set[Asked] = set()

    def gettext(self, message: str) -> str:
        self.shown.add(message)
        return self.accent(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        self.shown.add((msgid1, 0))
        return self.accent(msgid1 if n == 1 else msgid2)

    def accent(self, message: str) -> str:
        return accented(message.rpartition(trans_real.CONTEXT_SEPARATOR)[2])

    def to_language(self) -> str:
        return PSEUDO

    def missing(self) -> dict[str, set[Asked]]:
        """Return what was shown and is English, or not as the site speaks, in a language."""
        return {
            code: gaps
            for code, _name in OFFERED
            if (
                gaps := {
                    one
                    for one in self.shown
                    if not is_translated(one, catalogue_of(code)) or is_formal(one, code)
                }
            )
        }


def is_translated(asked: Asked, catalogue: Mapping[Asked, str]) -> bool:
    """Return whether a catalogue has a message in the form that was asked for.

    A message with plural forms is not found by a call without a number.
    """
    message = asked if isinstance(asked, str) else asked[0]
    has_been_before = any(letter in ACCENTED for letter in message)
    return not message or has_been_before or asked in catalogue


def is_formal(asked: Asked, code: str) -> bool:
    """Return whether a library says to the reader vous, Sie or usted, and the site does not."""
    if code not in FORMAL or asked in own_catalogue_of(code):
        return False
    translated = catalogue_of(code).get(asked, "")
    return bool(FORMAL[code].search(translated))


@cache
def catalogue_of(code: str) -> Mapping[Asked, str]:
    """Return the translations of the site, Django and the libraries into this language."""
    translated: Any = trans_real.DjangoTranslation(code)
    return cast("Mapping[Asked, str]", translated._catalog)


@cache
def own_catalogue_of(code: str) -> Mapping[Asked, str]:
    """Return the translations of the site itself into this language."""
    own: Any = gettext.translation("django", settings.LOCALE_PATHS[0], [to_locale(code)])
    return cast("Mapping[Asked, str]", own._catalog)


@contextmanager
def pseudo_locale() -> Iterator[None]:
    """Answer every request in the pseudo-locale, as the only language of the site."""
    given = {"LANGUAGES": [(PSEUDO, accented("Pseudo"))], "FORMAT_MODULE_PATH": FORMATS}
    with override_settings(**given):  # which forgets all catalogues
        reset_format_cache()
        catalogues: dict[str, object] = cast("Any", trans_real)._translations
        catalogues[PSEUDO] = shown = PseudoTranslation()
        with translation.override(PSEUDO):
            yield
    reset_format_cache()
    gaps = shown.missing()
    assert not gaps, gaps


class Words(HTMLParser):
    """The texts of a page that a person reads or hears."""

    READ = frozenset({"alt", "title", "placeholder", "aria-label", "aria-description", "label"})
    SILENT = frozenset({"script", "style", "code", "kbd", "samp", "pre", "template"})
    VOID = frozenset(
        {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "wbr"}
    )

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self._silent: list[bool] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        silent = self._is_silent or tag in self.SILENT or attributes.get("translate") == "no"
        if tag not in self.VOID:
            self._silent.append(silent)
        if silent:
            return
        self.found += [value for name, value in attrs if name in self.READ and value]
        if tag == "input" and attributes.get("type") in {"submit", "button", "reset"}:
            self.found.append(attributes.get("value") or "")
        if tag == "meta" and attributes.get("name") == "description":
            self.found.append(attributes.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID and self._silent:
            self._silent.pop()

    def handle_data(self, data: str) -> None:
        if not self._is_silent:
            self.found.append(data)

    @property
    def _is_silent(self) -> bool:
        return bool(self._silent and self._silent[-1])


class ForPrograms(HTMLParser):
    """The values that browsers read: sizes, coordinates, fields and addresses."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            is_read = name in Words.READ or name.startswith("aria-") or tag == "meta"
            if value and not is_read:
                self.found.append((name, value))


SAME_EVERYWHERE = re.compile(
    r"\b(?:https?://|localhost:)\S+|\S+@\S+|<[^<>]*>|\b\d+(?:ms|[smhdw])\b|\S+\*+|#[0-9a-f]{6}\b"
)
"""Addresses, tags, durations as people type them (``250ms``), colours and masked secrets."""
ENGLISH = re.compile(r"[A-Za-z]{2,}")


@cache
def _is_plain_besides(own_words: tuple[str, ...]) -> Callable[[str], bool]:
    """Return a function that says whether a text has letters of plain English besides these words.

    Most texts have none, and many are on every page.
    """
    own = re.compile("|".join(re.escape(word) for word in sorted(own_words, key=len, reverse=True)))

    @cache
    def is_plain(text: str) -> bool:
        if not ENGLISH.search(text):
            return False
        return bool(ENGLISH.search(SAME_EVERYWHERE.sub("", own.sub("", text))))

    return is_plain


def untranslated(texts: list[str], own_words: list[str]) -> set[str]:
    """Return the texts with letters of plain English left once people's own words are out."""
    is_plain = _is_plain_besides(tuple(own_words))
    return {" ".join(text.split()) for text in set(texts) if is_plain(text)}
