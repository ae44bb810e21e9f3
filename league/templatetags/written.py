"""The texts of a form whose page has become stale, so that nobody has to write them again."""

from __future__ import annotations

from typing import Any

from django import template

register = template.Library()

WRITTEN = (
    "text",
    "reason",
    "comment",
    "note",
    "evidence",
    "link",
    "links",
    "description",
    "members",
    "names",
    "order",
    "about",
)
"""Names of the fields for texts of any length, in forms of pages."""


@register.inclusion_tag("core/_written.html", takes_context=True)
def written(context: Any) -> dict[str, list[str]]:
    """Show the texts that were sent, to be copied."""
    sent = context["request"].POST.items()
    return {"texts": [text for name, text in sent if is_text(name) and text.strip()]}


def is_text(name: str) -> bool:
    """Return whether a field, perhaps with its form's prefix, is for a text."""
    return name.rpartition("-")[2] in WRITTEN
