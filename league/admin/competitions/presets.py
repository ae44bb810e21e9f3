"""Rules that sports commonly use, to begin a competition with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.utils.translation import gettext_lazy as _

from league.models import Competition

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import _StrPromise

FORMAT = Competition.Format


@dataclass(frozen=True)
class Preset:
    """A format with its rules, as the fields of the form name them."""

    name: _StrPromise
    values: Mapping[str, str]

    @property
    def query(self) -> str:
        """Return the parameters with which the admin fills in its form."""
        return urlencode(self.values)


def points(win: str, draw: str, tie_breaks: str) -> dict[str, str]:
    """Return the fields of a table. A bye counts as much as a win."""
    return {
        "table__win": win,
        "table__draw": draw,
        "table__bye": win,
        "table__tie_breaks": tie_breaks,
    }


ON_THE_DAY = {"dates__default_after": "0s"}
"""Games are played when their round opens: a league has its match day.

Not in a Swiss, whose pairings are not known before: players who are not in the hall need time to
see them, or could lose by not coming.
"""
BY_GAMES = points("1", "0", "direct, difference, for")
PRESETS = (
    Preset(
        _("Football league: 3, 1 and 0 points, home and away"),
        {"format": FORMAT.TABLE, "play__legs": "2"}
        | ON_THE_DAY
        | points("3", "1", "difference, for, direct"),
    ),
    Preset(
        _("Chess Swiss: 1, ½ and 0 points, Buchholz"),
        {"format": FORMAT.SWISS, "play__pairing": "dutch"}
        | points("1", "0.5", "buchholz_cut_1, buchholz, sonneborn_berger"),
    ),
    Preset(
        _("Team chess: 2, 1 and 0 points, then board points"),
        {"format": FORMAT.TABLE} | ON_THE_DAY | points("2", "1", "for, direct, sonneborn_berger"),
    ),
    Preset(
        _("Table tennis: groups of four, then games won and lost"),
        {"format": FORMAT.GROUPS, "play__groups": "0"} | ON_THE_DAY | BY_GAMES,
    ),
    Preset(
        _("Esports: double elimination, best of three"),
        {"format": FORMAT.DOUBLE, "play__best_of": "3", "play__second_final": "on"},
    ),
    Preset(
        _("Darts league: points for wins, then legs won and lost"),
        {"format": FORMAT.TABLE} | ON_THE_DAY | points("2", "0", "difference, for, direct"),
    ),
)
