"""Texts of organisers as HTML: a small part of Markdown, in which nothing else has a meaning."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import mark_safe

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from django.utils.safestring import SafeString

INLINE = re.compile(
    r"\*\*(?P<bold>[^*\n]{1,500})\*\*"
    r"|\[(?P<name>[^\[\]\n]{1,200})\]\((?P<link>[^()\s]{1,500})\)"
    r"|(?P<url>https?://[^\s<>\"'()\[\]]{1,500})"
)
SAFE = re.compile(r"(?:https?://|mailto:|/(?!/))", re.IGNORECASE)
"""The start of the addresses of links. All others, such as scripts, stay text."""


@lru_cache(maxsize=256)
def render_text(text: str) -> SafeString:
    """Return a text as HTML: paragraphs, lists (“- ”), headings (“## ”), bold and links."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return join(blocks(lines))


def blocks(lines: list[str]) -> Iterator[SafeString]:
    """Yield headings, lists and paragraphs."""
    paragraph: list[str] = []
    items: list[str] = []
    for line in [*lines, ""]:
        stripped = line.strip()
        is_item, is_heading = stripped.startswith("- "), stripped.startswith("## ")
        if paragraph and (is_item or is_heading or not stripped):
            yield format_html("<p>{}</p>", joined_lines(paragraph))
            paragraph = []
        if items and not is_item:
            yield format_html("<ul>{}</ul>", join(map(list_item, items)))
            items = []
        if is_item:
            items.append(stripped[2:])
        elif is_heading:
            yield format_html("<h3>{}</h3>", inline(stripped[3:]))
        elif stripped:
            paragraph.append(stripped)


def list_item(text: str) -> SafeString:
    return format_html("<li>{}</li>", inline(text))


def joined_lines(lines: list[str]) -> SafeString:
    return format_html_join(mark_safe("<br>"), "{}", ((inline(line),) for line in lines))


def inline(text: str) -> SafeString:
    """Return a line with its bold parts and links. Everything else is escaped."""
    parts, end = [], 0
    for found in INLINE.finditer(text):
        parts.append(conditional_escape(text[end : found.start()]))
        parts.append(piece(found))
        end = found.end()
    return join([*parts, conditional_escape(text[end:])])


def piece(found: re.Match[str]) -> SafeString:
    if found["bold"]:
        return format_html("<strong>{}</strong>", found["bold"])
    address = found["url"] or found["link"]
    if not SAFE.match(address):
        return conditional_escape(found[0])
    return format_html(
        '<a href="{}" rel="nofollow noopener">{}</a>', address, found["name"] or address
    )


def join(parts: Iterable[SafeString]) -> SafeString:
    return format_html_join("", "{}", ((part,) for part in parts))
