"""Matches in one line, as feeds and pictures show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models.lists import list_with_and
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.core.numbers import write_score

if TYPE_CHECKING:
    from league.web.results.scoresheets import Sheet


def result_line(sheet: Sheet) -> str:
    """Return a match and its result, such as ``Spain beat Italy``."""
    if not sheet.is_two_sided:
        return many_sides(sheet)
    first, second = sheet.sides
    names = {"one": first.name, "other": second.name}
    if not sheet.has_result:
        return _("%(one)s against %(other)s") % names
    if sheet.has_scores:
        scores = {
            "mine": write_score(first.side.score or 0),
            "theirs": write_score(second.side.score or 0),
        }
        return _("%(one)s %(mine)s – %(theirs)s %(other)s") % {**names, **scores}
    if sheet.is_draw:
        return _("%(one)s drew with %(other)s") % names
    if first.side.place == 0:
        return _("%(one)s beat %(other)s") % names
    return _("%(one)s beat %(other)s") % {"one": second.name, "other": first.name}


def many_sides(sheet: Sheet) -> str:
    """Return who won, if all of them are among the best sides that were loaded."""
    winners = [side.name for side in sheet.sides if side.place == 1]
    if winners and not sheet.is_draw and len(winners) == sheet.winner_count:
        return _("%(winners)s won, %(count)d sides") % {
            "winners": list_with_and(winners),
            "count": sheet.side_count,
        }
    sides = ngettext("%(count)d side", "%(count)d sides", sheet.side_count)
    return sides % {"count": sheet.side_count}
