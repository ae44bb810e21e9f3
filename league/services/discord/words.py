"""Texts for Discord: escaped Markdown, links and times."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from django.conf import settings

if TYPE_CHECKING:
    from datetime import datetime

# Discord refuses whole messages beyond these.
LONGEST_CONTENT = 2000
LONGEST_DESCRIPTION = 4096
LONGEST_TITLE = 256
MARKED = re.compile(r"([\\`*_{}\[\]()<>#+\-|~:@/&])")
"""Characters with a meaning in Discord's Markdown, addresses or mentions."""
NUMBERED = re.compile(r"(?m)^(\d+)\.")
ID = re.compile(r"[0-9]{1,20}")
INVISIBLE = "\u200b"


def plain(text: str) -> str:
    """Escape a text: Discord shows it without formatting, links, lists or mentions."""
    escaped = MARKED.sub(r"\\\1", NUMBERED.sub(rf"\1{INVISIBLE}.", text))
    return escaped.replace("@", f"@{INVISIBLE}")


def bold(text: str) -> str:
    return f"**{plain(text)}**"


def link(text: str, path: str) -> str:
    """Return a link to a page of the site."""
    return f"[{plain(text)}](<{site(path)}>)"


def site(path: str) -> str:
    return f"{settings.SITE_URL}{quote(path, safe='/?=&#-._~%')}"


def time(moment: datetime) -> str:
    """Return a time that Discord shows in each reader's time zone."""
    return f"<t:{int(moment.timestamp())}:f>"


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def join_lines(lines: list[str], most: int = LONGEST_DESCRIPTION) -> str:
    """Join as many whole lines as fit."""
    kept: list[str] = []
    length = 0
    for line in lines:
        length += len(line) + 1
        if length > most:
            break
        kept.append(line)
    return "\n".join(kept)


def is_id(given: object) -> bool:
    """Return whether this is a Discord ID."""
    return isinstance(given, str) and ID.fullmatch(given) is not None
