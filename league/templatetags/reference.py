"""Texts of the API's description on the pages of its reference."""

from __future__ import annotations

import re

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
CODE = re.compile(r"`([^`]+)`")


@register.filter
def with_code(text: str) -> SafeString:
    """Return a text as HTML in which what stands between backticks is code."""
    return mark_safe(CODE.sub(r"<code>\1</code>", escape(text)))  # noqa: S308 - escaped before
