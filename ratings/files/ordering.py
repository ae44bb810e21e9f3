"""The order in which the results of a table were played, where their times do not say it."""

from __future__ import annotations

import re
from itertools import groupby, pairwise
from typing import TYPE_CHECKING

from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date, datetime

    from ratings.files.results import Result

NUMBERED = re.compile(
    r"(?:round|runde|rd|r|week|matchday|spieltag)?\W*(\d{1,4})(?:st|nd|rd|th)?"
    r"\W*(?:round|runde|spieltag)?"
)
FEW_WRONG = 10
"""The steps back in time for each one forward, in a file with the newest first."""
OF = re.compile(r"(?:r|round of|last)\s?(\d{1,4})")
"""A round of a knockout by the number of its players, such as R32."""
KNOCKOUTS = {
    **dict.fromkeys(("qf", "quarterfinal", "quarterfinals"), 8),
    **dict.fromkeys(("sf", "semifinal", "semifinals"), 4),
    **dict.fromkeys(("f", "final", "finals", "thefinal"), 2),
}


def sort_results(results: list[Result], remarks: list[Sentence]) -> None:
    """Put results in the order in which they were played, and remark on a change.

    Results of one time stay in the order of the file, unless the newest come first in it. Where
    those of one day, or without a date, all name rounds, they are in the order of these.
    """
    days = [result.played_at for result in results if result.played_at is not None]
    comparable = len(days) == len(results) and len({day.tzinfo is None for day in days}) == 1
    if comparable and is_falling(days):
        results.reverse()
        remarks.append(
            Sentence("The newest results come first in the file. It is read from its end.")
        )
    if any(result.has_hour and result.played_at for result in results):
        return
    before = list(results)
    in_days = [list(group) for _day, group in groupby(results, day_of)]
    results[:] = [result for group in in_days for result in in_rounds(group)]
    if results != before:
        remarks.append(Sentence("The results of each day are in the order of their rounds."))


def is_falling(days: Sequence[datetime]) -> bool:
    """Return whether the newest come first, but for a few that are in a wrong place."""
    steps = [(one > other) - (one < other) for one, other in pairwise(days)]
    return days[0] > days[-1] and steps.count(-1) * FEW_WRONG <= steps.count(1)


def day_of(result: Result) -> date | None:
    return result.played_at.date() if result.played_at else None


def in_rounds(results: list[Result]) -> list[Result]:
    """Return results in the order of their rounds, if all name one that has a place in it."""
    ranks = {result.round: rank_of(result.round) for result in results}
    if len(ranks) < 2 or None in ranks.values():
        return results
    return sorted(results, key=lambda result: ranks[result.round] or 0)


def rank_of(name: str) -> int | None:
    """Return the place of a round among others, None if its name does not say it.

    Numbered rounds come before those of a knockout, whose places rise towards the final.
    """
    plain = " ".join(name.casefold().replace("-", " ").split())
    if found := OF.fullmatch(plain):
        return 100_000 - int(found[1])
    if found := NUMBERED.fullmatch(plain):
        return int(found[1])
    left = KNOCKOUTS.get(plain.replace(" ", ""))
    return None if left is None else 100_000 - left
