"""Rules for names, so that nobody can impersonate somebody else.

Names are compared in their *folded* form: Unicode NFKC (full-width letters and ligatures become
plain ones), then case-folded, with runs of white space as one space. Letters of one name come from
one writing system, following Unicode's "highly restrictive" profile (UTS 39, section 5.2), so that
a Cyrillic letter cannot hide in a Latin name. ``skeletons`` finds the names that look alike within
these rules.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.models.lists import list_of
from ratings.files.names import fold

__all__ = ["fold", "tidy", "validate_name"]

NAME_MAX_LENGTH = 60

EAST_ASIAN = [
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
]
INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters that Unicode classes as ordinary but that are invisible.
INVISIBLE_RANGES = [
    (0x34F, 0x34F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800),
    (0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0000, 0xE0FFF),
]  # fmt: skip
"""Unicode's default-ignorable characters outside these categories, and the empty braille cell."""
MOST_MARKS = 3
"""Marks on one letter. Thai and Hindi letters have up to three."""
WITHOUT_SCRIPT = {"COMBINING", "VEDIC", "MODIFIER"}
"""First words of the names of marks that go with any script."""


def tidy(name: str) -> str:
    """Return ``name`` in NFKC with single spaces, as stored and shown."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def validate_name(name: str) -> None:
    """Refuse names that are unreadable or imitate others.

    Raises:
        ValidationError: naming the character or the mixture of scripts.
    """
    tidied = unicodedata.normalize("NFKC", name)
    for position, character in enumerate(tidied, start=1):
        if is_invisible(character):
            raise ValidationError(
                _(
                    "Character %(position)d (U+%(code)04X) is invisible or changes the text "
                    "direction. Use only visible characters."
                )
                % {"position": position, "code": ord(character)},
                code="invisible",
            )
    refuse_stray_marks(tidied)
    if not any(unicodedata.category(character)[0] in "LN" for character in tidied):
        raise ValidationError(_("A name needs at least one letter or digit."), code="empty")
    if len(tidied) > NAME_MAX_LENGTH:
        raise ValidationError(
            _("A name has at most %(limit)d characters; this one has %(length)d.")
            % {"limit": NAME_MAX_LENGTH, "length": len(tidied)},
            code="too_long",
        )
    scripts = scripts_of(tidied)
    if len(scripts) > 1 and not any(scripts <= allowed for allowed in EAST_ASIAN):
        raise ValidationError(
            _(
                "This name mixes letters of several writing systems (%(scripts)s), which can look "
                "like another name. Use letters of one."
            )
            % {"scripts": list_of(sorted(script.capitalize() for script in scripts))},
            code="mixed_scripts",
        )


def is_invisible(character: str) -> bool:
    """Whether a character shows nothing, or changes how the others are shown."""
    code = ord(character)
    return unicodedata.category(character) in INVISIBLE_CATEGORIES or any(
        first <= code <= last for first, last in INVISIBLE_RANGES
    )


def refuse_stray_marks(text: str) -> None:
    """Refuse marks without a letter, repeated marks, and towers of them.

    Raises:
        ValidationError: naming the first letter with such marks.
    """
    before = " "
    height = 0
    for position, character in enumerate(unicodedata.normalize("NFD", text), start=1):
        is_mark = unicodedata.category(character).startswith("M")
        height = height + 1 if is_mark else 0
        alone = is_mark and unicodedata.category(before)[0] not in "LNM"
        enclosing = unicodedata.category(character) == "Me"
        if alone or enclosing or height > MOST_MARKS or (is_mark and character == before):
            raise ValidationError(
                _("The accents or marks around character %(position)d are unreadable. Use fewer.")
                % {"position": position},
                code="marks",
            )
        before = character


def scripts_of(text: str) -> set[str]:
    """The writing systems of the letters, marks and digits of ``text``.

    A system is the first word of the Unicode names.
    """
    return {
        script
        for character in text
        if has_script(character)
        for script in [unicodedata.name(character, "UNKNOWN").split()[0]]
        if script not in WITHOUT_SCRIPT
    }


def has_script(character: str) -> bool:
    """Whether a character belongs to a writing system: letters, their marks, and vowel signs."""
    category = unicodedata.category(character)
    return category[0] in "LM" and category != "Lm"
