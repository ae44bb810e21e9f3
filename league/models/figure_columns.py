"""The columns of match figures that an arena declares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable

MOST_COLUMNS = 12
LONGEST_COLUMN = 30


def read_columns(names: object) -> list[str]:
    """Return the columns that an arena declares, each name once. Raises ``ValidationError``."""
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValidationError(_("The columns must be a list of names."))
    columns = [" ".join(name.split()) for name in names]
    columns = [name for name in columns if name]
    if len(columns) > MOST_COLUMNS:
        raise ValidationError(
            _("Declare at most %(most)d columns; you gave %(count)d.")
            % {"most": MOST_COLUMNS, "count": len(columns)}
        )
    for name in columns:
        if len(name) > LONGEST_COLUMN or not name.isprintable():
            raise ValidationError(
                _("“%(name)s” must be a name of at most %(most)d characters.")
                % {"name": name[:LONGEST_COLUMN], "most": LONGEST_COLUMN}
            )
    if twice := repeated(name.casefold() for name in columns):
        raise ValidationError(_("“%(name)s” is listed twice.") % {"name": twice})
    return columns


def repeated(names: Iterable[str]) -> str:
    """Return the first name that has been there before, empty if there is none."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return ""
