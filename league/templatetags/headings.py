"""Headings of allauth in the style of this site."""

from __future__ import annotations

import re

from django import template
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

register = template.Library()

LATER_WORD = re.compile(r"(?<=\w[\s-])[A-Z][a-z]+")


@register.filter
def sentence_case(text: SafeString) -> SafeString:
    """Return an English heading in sentence case: ``Change password`` for ``Change Password``.

    Names of log-in providers and headings in other languages stay as they are.
    """
    if not (get_language() or "").startswith("en"):
        return text
    return mark_safe(LATER_WORD.sub(lower_word, text))  # noqa: S308 - only changes case


def lower_word(word: re.Match[str]) -> str:
    low = word[0].lower()
    return word[0] if low in settings.SOCIALACCOUNT_PROVIDERS else low
