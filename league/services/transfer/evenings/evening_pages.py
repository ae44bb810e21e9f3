"""The page of an evening, which is saved once."""

from __future__ import annotations

import hashlib
from dataclasses import astuple
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.errors import Conflict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.services.transfer.evenings.evenings import Row


class SavedBefore(Conflict):
    """The page was saved, and then sent again with other rows."""

    def __init__(self) -> None:
        super().__init__(
            "saved_before",
            _(
                "This page was saved before you changed it, and nothing was saved now. Clear the "
                "rows that are entered already, or undo that evening first. Then save again."
            ),
        )


def digest(rows: Sequence[Row], played_at: datetime, *, for_fixtures: bool) -> str:
    """Return a fingerprint of what was typed."""
    plain = (played_at.isoformat(), [astuple(row) for row in rows if not row.is_empty])
    typed = repr(plain if for_fixtures else (*plain, for_fixtures))
    return hashlib.sha256(typed.encode()).hexdigest()[:32]
