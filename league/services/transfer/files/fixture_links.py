"""Imported results that are fixtures of competitions.

A result counts for a fixture if the season has exactly one open fixture between its two sides, in
the round that the file names, if it names one, and the file has no other result like it. Games of
PGN files have to have the same colours, too, and their round.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.services.competitions.counting import OpenDates, Party
from league.services.core.clock import moment

if TYPE_CHECKING:
    from league.models import User
    from league.services.transfer.files.result_plans import SeasonPlan

ROUND = re.compile(r"([0-9]{1,4})(?:\.[0-9.]*)?\Z")
"""A round, and behind a full stop the number of the board or of the fixture."""
COLOURED = {"pgn"}
"""The formats whose games have to have the same colours as their fixtures."""


@dataclass(frozen=True)
class Link:
    """The date for which a new result counts."""

    date: int
    home: int
    """The index of the home side."""


def found_for(one: SeasonPlan, by: User, *, keep_colours: bool) -> dict[int, Link]:
    """Return the fixtures of new results of a plan, by their place in it.

    With ``keep_colours``, the sides of a fixture have to be in the order of the file.
    """
    if not (one.new and one.season.pk):
        return {}
    dates = OpenDates(one.season, by=by)
    found = defaultdict(list)
    for place, (line, sides) in enumerate(one.new):
        named = ROUND.match(line.round)
        if named is None and (line.round or keep_colours):
            continue
        parties = [Party(frozenset(side)) for side in sides]
        date = dates.only(
            parties,
            in_round=int(named[1]) if named else None,
            in_order=keep_colours,
            played_at=None if named else moment(line.time),
        )
        if date is not None:
            found[date.pk].append((place, Link(date.pk, dates.home_of(date, parties))))
    return dict(places[0] for places in found.values() if len(places) == 1)
