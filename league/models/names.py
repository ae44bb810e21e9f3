"""Rules for names, so that nobody can impersonate somebody else.

Names are compared in their *folded* form: Unicode NFKC (full-width letters and ligatures become
plain ones), then case-folded, with runs of white space as one space. Letters of one name come from
one writing system, following Unicode's "highly restrictive" profile (UTS 39, section 5.2), so that
a Cyrillic letter cannot hide in a Latin name.
"""

from __future__ import annotations

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

NAME_MAX_LENGTH = 60

EAST_ASIAN = [
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
]
INVISIBLE_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
# Letters that Unicode classes as ordinary but that are invisible.
INVISIBLE_LETTERS = {"\u115f", "\u1160", "\u3164", "\uffa0", "\u2800"}


def tidy(name: str) -> str:
    """Return ``name`` in NFKC with single spaces, as stored and shown."""
    return " ".join(unicodedata.normalize("NFKC", name).split())


def fold(name: str) -> str:
    """Return the form in which names are compared."""
    collapsed = " ".join(unicodedata.normalize("NFKC", name).split())
    return unicodedata.normalize("NFKC", collapsed.casefold())


def validate_name(name: str) -> None:
    """Refuse names that are unreadable or imitate others.

    Raises:
        ValidationError: naming the character or the mixture of scripts.
    """
    tidied = unicodedata.normalize("NFKC", name)
    for position, character in enumerate(tidied, start=1):
        if unicodedata.category(character) in INVISIBLE_CATEGORIES or (
            character in INVISIBLE_LETTERS
        ):
            raise ValidationError(
                _(
                    "Character %(position)d (U+%(code)04X) is invisible or changes the text "
                    "direction. Use only visible characters."
                )
                % {"position": position, "code": ord(character)},
                code="invisible",
            )
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
            % {"scripts": ", ".join(sorted(script.capitalize() for script in scripts))},
            code="mixed_scripts",
        )


def scripts_of(text: str) -> set[str]:
    """The writing systems of the letters of ``text``, by the first word of their Unicode names."""
    return {
        unicodedata.name(character, "UNKNOWN").split()[0]
        for character in text
        if unicodedata.category(character).startswith("L")
        and unicodedata.category(character) != "Lm"
    }
