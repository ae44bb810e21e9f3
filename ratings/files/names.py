"""Names as files write them."""

from __future__ import annotations

import unicodedata


def fold(name: str) -> str:
    """Return the form in which names are compared."""
    collapsed = " ".join(unicodedata.normalize("NFKC", name).split())
    return unicodedata.normalize("NFKC", collapsed.casefold())
