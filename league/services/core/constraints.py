"""The rule of the database that a write violated."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psycopg
from django.db import IntegrityError
from django.utils.translation import gettext as _

from league.services.core.errors import Conflict, Refused

if TYPE_CHECKING:
    from django.db import DatabaseError


def violated_rule(error: DatabaseError) -> str:
    """Return the name of the violated constraint or trigger rule, empty if there is none."""
    # Django wraps the driver's errors, and only those know the rule.
    cause = error.__cause__
    return (cause.diag.constraint_name or "") if isinstance(cause, psycopg.Error) else ""


def refusal_behind(error: Exception) -> Refused | None:
    """Return the refusal that an exception is or stands for, if any.

    A player can be merged into another while a request about them is on its way.
    """
    if isinstance(error, IntegrityError) and violated_rule(error) == "player_is_merged":
        return Conflict(
            "player_merged", _("This player has just been merged into another. Reload the page.")
        )
    return error if isinstance(error, Refused) else None


def is_about_nul(error: Exception) -> bool:
    """Return whether the database refused a text because it contains a NUL character."""
    return isinstance(error.__cause__, psycopg.DataError) and "NUL" in str(error.__cause__)
