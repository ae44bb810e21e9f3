"""Skeletons of names: names with the same skeleton look alike.

This follows UTS 39, section 4 (“Confusable detection”), on the case-folded name, and goes further:
marks, spaces and punctuation do not count, *i* equals *l*, and a digit or symbol that people use
for a letter (*4* for *a*) equals it, within a word that has letters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from pathlib import Path

from django.utils.text import slugify

from league.models.names import fold

TABLE = Path(__file__).with_name("confusables.txt")
LATIN_LETTER = re.compile(
    r"\bLATIN (?:(?:CAPITAL|SMALL) )?LETTER (?:SMALL CAPITAL |[A-Z]{3,} )*([A-Z])(?: WITH .*)?$"
)
"""The name of a variant of a Latin letter: with a stroke, turned, as a small capital."""
REGIONAL_INDICATOR = re.compile(r"^REGIONAL INDICATOR SYMBOL LETTER ([A-Z])$")
FOR_LETTERS = str.maketrans("0134578@$€£", "oleastbasel")
"""Digits and symbols that stand for letters."""
BEFORE_A_LETTER = [(re.compile(r"[69](?=\w*[^\W\d_])"), "g"), (re.compile(r"(?<=\w)!(?=\w)"), "l")]
"""Characters that stand for letters inside a word only: “Alex69” is no “Alexgg”."""
MARKS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
)
"""Accents, and the points of Hebrew and Arabic, which most people leave out."""
CAMEL_CASE = re.compile(r"(?<=[^\W\d_])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])")
SPELT_OUT = {"æ": "ae", "œ": "oe", "ð": "d", "þ": "th"}
"""Substitutes for letters that a keyboard lacks."""
TYPED_UMLAUT = re.compile("([aou])e")
UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
TATWEEL = "\u0640"
LAST_LETTERS = {"ه": "ة", "ة": "ه", "ي": "ى", "ى": "ي"}
"""Forms of the last letter of an Arabic word, which people use for each other."""
LAST_LETTER = re.compile(rf"[{''.join(LAST_LETTERS)}](?!\w)")
PAIRS = {"cl": "d", "vv": "w"}
"""Pairs of letters that look like one and have no prototype. (“m” has: it is “rn”.)"""
OF_KEYBOARDS = str.maketrans(
    {
        **dict.fromkeys("’‘‛ʼʻʹʽˈ′´`＇", "'"),
        **dict.fromkeys("“”„‟«»″", '"'),
        **dict.fromkeys("‐‑‒–—―−", "-"),
    }
)
MOST_ROUNDS = 4
"""Prototypes have prototypes themselves, at most this deep."""


def skeleton(name: str) -> str:
    """Return the skeleton of ``name``: names that look alike have the same."""
    plain = unicodedata.normalize("NFKC", name)
    bones = "".join(bone(word) for word in shown_in_capitals(plain).split())
    return bones or fold(name)


def likenesses(name: str) -> set[str]:
    """Return the skeletons that ``name`` looks like: its own, and with pairs of letters that look
    like one, all read one way or the other.

    Skeletons that are stored tell them apart, because many names have both: Clara and Dara.
    """
    found = {skeleton(name)}
    for pair, letter in PAIRS.items():
        found |= {bones.replace(pair, letter) for bones in found}
        found |= {bones.replace(letter, pair) for bones in found}
    return found


def without_accents(name: str) -> str:
    """Return the form in which names are searched: folded, in plain letters without accents.

    Apostrophes, quotation marks and hyphens are those of a keyboard.
    """
    spelt = "".join(
        SPELT_OUT.get(character) or latin_letter(character) or character
        for character in strip_accents(fold(name)).translate(OF_KEYBOARDS)
    )
    return " ".join(spelt.split())


def spellings(text: str) -> tuple[str, ...]:
    """Return the forms in which a typed text is searched, the first of them as it is written.

    Germans type “ue” for “ü” and find it, and the other way round; Arabic words are written with
    either form of their last letter, and with other digits.
    """
    digits = "".join(
        str(unicodedata.digit(character)) if character.isdigit() else character
        for character in unicodedata.normalize("NFKC", text).replace(TATWEEL, "")
    )
    plain = without_accents(digits)
    others = [
        TYPED_UMLAUT.sub(r"\1", plain),
        without_accents(fold(digits).translate(UMLAUTS)),
        LAST_LETTER.sub(lambda found: LAST_LETTERS[found[0]], plain),
    ]
    return tuple(dict.fromkeys([without_accents(text), plain, *others]))


def address_of(name: str) -> str:
    """Return a name as part of an address: *Fußball ü30* as ``fussball-u30``."""
    return slugify(without_accents(name))


def words_of(name: str) -> set[str]:
    """Return the skeletons of the name, of its words and of their parts."""
    plain = unicodedata.normalize("NFKC", name)
    words = [plain, *plain.split(), *re.split(r"[\W_]+", plain)]
    words += [part for word in words for part in CAMEL_CASE.split(word)]
    words += [word.strip("0123456789") for word in words]
    return {bones for word in words if word.strip() for bones in likenesses(word)} - {""}


def shown_in_capitals(name: str) -> str:
    """Return a name in foreign capitals, such as Greek ΑΝΝΑ, in the Latin ones it looks like."""
    if name.isascii() or name != name.upper():
        return name
    latin = "".join(prototypes().get(character, character) for character in name)
    return latin if latin.isascii() else name


def bone(word: str) -> str:
    """Return the skeleton of one word."""
    folded = without_ornaments(fold(word))
    if any(unicodedata.category(character)[0] == "L" for character in folded):
        for pattern, letter in BEFORE_A_LETTER:
            folded = pattern.sub(letter, folded)
        folded = folded.translate(FOR_LETTERS)
    bones = "".join(character for character in strip_accents(folded) if counts(character))
    return settle(bones).replace("i", "l")


def without_ornaments(word: str) -> str:
    """Return a word without marks around it that would stand for letters inside it."""
    bare = word.rstrip("!|")
    return bare.lstrip("!|") if bare != word else bare


def settle(text: str) -> str:
    """Replace characters by their prototypes until nothing changes."""
    for _round in range(MOST_ROUNDS):
        replaced = strip_accents("".join(prototype(character) for character in text)).casefold()
        if replaced == text:
            break
        text = replaced
    return text


def strip_accents(text: str) -> str:
    """Return ``text`` without accents and points."""
    bare = MARKS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", bare)


def counts(character: str) -> bool:
    """Whether a character counts: a letter, a digit, a vowel sign, or a symbol like a letter."""
    category = unicodedata.category(character)
    if category[0] == "L" and all(
        unicodedata.category(shape)[0] == "P" for shape in prototype(character)
    ):
        return False  # a letter that looks like punctuation: the tones of Lisu
    if category == "Lm":  # of a script; a modifier letter of none is an ornament
        return not unicodedata.name(character, "").startswith(("MODIFIER", "ARABIC TATWEEL"))
    return category[0] in "LNM" or prototype(character) != character


@cache
def prototype(character: str) -> str:
    """Return what a character looks like: the prototype of UTS 39, or a plain Latin letter."""
    table = prototypes()
    capital = table.get(character.upper(), "")
    known = table.get(character, "")
    if known.isascii() and known:
        return known.casefold()
    if capital.isascii() and capital:
        return capital.casefold()
    if letter := latin_letter(character):
        return table.get(letter, letter)
    return known or character


def latin_letter(character: str) -> str:
    """Return the plain letter of a variant such as ł, ᴇ or 🅔, empty for other characters."""
    name = unicodedata.name(character, "")
    found = LATIN_LETTER.search(name) or REGIONAL_INDICATOR.search(name)
    return found[1].lower() if found and not character.isascii() else ""


@cache
def prototypes() -> dict[str, str]:
    """Return the prototypes by character."""
    found: dict[str, str] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        shape, characters = line.split(": ")
        text = "".join(chr(int(code, 16)) for code in shape.split("+"))
        found |= {chr(int(code, 16)): text for code in characters.split()}
    return found
