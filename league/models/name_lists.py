"""Lists of names that an arena declares: its game modes, regions, maps and match figures."""

from __future__ import annotations

from dataclasses import dataclass
from unicodedata import normalize

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.points.tables import LONGEST_MODE


@dataclass(frozen=True)
class NameList:
    """Limits of a list of names and of each name."""

    most: int
    longest: int

    def read(self, names: object) -> list[str]:
        """Return the names with single spaces, each once whatever its case, in their order.

        Names that look the same are the same: letters with accents are single characters (NFC).

        Raises:
            ValidationError: they are no list, too many or too long, or not all visible.
        """
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise ValidationError(_("This must be a list of names."))
        kept: dict[str, str] = {}
        for name in (" ".join(normalize("NFC", each).split()) for each in names):
            kept.setdefault(name.casefold(), name)
        kept.pop("", None)
        if len(kept) > self.most:
            raise ValidationError(
                _("List at most %(most)d names. You have listed %(count)d.")
                % {"most": self.most, "count": len(kept)}
            )
        for name in kept.values():
            if len(name) > self.longest:
                raise ValidationError(
                    _("“%(name)s…” is too long. Names can have at most %(most)d characters.")
                    % {"name": name[: self.longest], "most": self.longest}
                )
            if not name.isprintable():
                raise ValidationError(_("Names may only contain visible characters."))
        return list(kept.values())


MODES = NameList(most=30, longest=LONGEST_MODE)
REGIONS = NameList(most=30, longest=40)
MAPS = NameList(most=30, longest=40)
FIGURES = NameList(most=12, longest=30)
