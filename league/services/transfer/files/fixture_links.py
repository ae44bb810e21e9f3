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
    from collections.abc import Mapping

    from league.models import User
    from league.services.transfer.files.result_plans import SeasonPlan
    from ratings.files.documents import Found

ROUND = re.compile(r"([0-9]{1,4})(?:\.[0-9.]*)?\Z")
"""A round, and behind a full stop the number of the board or of the fixture."""


@dataclass(frozen=True)
class Rounds:
    """The rounds that a file names, by line."""

    of_line: Mapping[int, int]
    unclear: frozenset[int]
    """Lines that name a round in other words."""
    keep_colours: bool
    """Whether the sides of a fixture have to be in the order of the file, as in PGN."""


@dataclass(frozen=True)
class Link:
    """The date for which a new result counts."""

    date: int
    home: int
    """The index of the home side."""


def rounds_of(found: Found) -> Rounds:
    """Return the rounds that a file names."""
    named: dict[int, int] = {}
    unclear = set()
    for result in found.results:
        if match := ROUND.match(result.round):
            named[result.line] = int(match[1])
        elif result.round:
            unclear.add(result.line)
    return Rounds(named, frozenset(unclear), found.format == "pgn")


def found_for(one: SeasonPlan, rounds: Rounds, by: User) -> dict[int, Link]:
    """Return the fixtures of new results of a plan, by their place in it."""
    if not (one.new and one.season.pk):
        return {}
    dates = OpenDates(one.season, by=by)
    found = defaultdict(list)
    for place, (line, sides) in enumerate(one.new):
        number = rounds.of_line.get(line.line)
        if line.line in rounds.unclear or (rounds.keep_colours and number is None):
            continue
        parties = [Party(frozenset(side)) for side in sides]
        date = dates.only(
            parties,
            in_round=number,
            in_order=rounds.keep_colours,
            played_at=None if number is not None else moment(line.time),
        )
        if date is not None:
            found[date.pk].append((place, Link(date.pk, dates.home_of(date, parties))))
    return dict(places[0] for places in found.values() if len(places) == 1)
