"""Numbers in query strings."""

from __future__ import annotations


def whole_number(text: str | None, default: int = 1, limit: int = 10**9) -> int:
    """Return a number from a query string, ``default`` if it is missing or invalid."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > 10:
        return default
    return min(int(text), limit)
