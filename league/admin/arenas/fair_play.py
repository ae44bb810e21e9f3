"""The effect of limits on matches between the same opponents, in numbers and as warnings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.admin.core.previews import Figure, number
from league.admin.core.values import percent
from league.services.core.isolation import gettext as _
from ratings.seasons.even_wins import even_wins

if TYPE_CHECKING:
    from ratings.seasons.fair_play import FairPlay
    from ratings.system import RatingSystem

MEETINGS = 10
HALF = 0.5


def figure(rules: FairPlay, system: RatingSystem) -> Figure:
    """Show how much the first meetings of two equals count."""
    if system.shows.lowest_first:
        return Figure(_("On a ladder, every match counts fully."))
    rows = [
        (
            str(number_of),
            percent(rules.weight(number_of - 1)),
            percent(rules.weight(number_of - 1) * rules.left_after(number_of - 1)),
        )
        for number_of in range(1, MEETINGS + 1)
    ]
    columns = (_("Meeting in a week"), _("Both win in turn"), _("One always wins"))
    return Figure(points(rules, system), None, columns, rows, problems=warnings(rules))


def points(rules: FairPlay, system: RatingSystem) -> str:
    """Return what a player can win from the same opponents, in rating points of newcomers."""
    if not rules.same_opponents:
        return _("Players can win any number of points from the same opponents.")
    even = float(even_wins(system, system.newcomers(1))[0])
    return _(
        "A newcomer’s win over an equal is worth %(one)s points, so they can win %(all)s from the "
        "same opponents in half a year, and each match against others restores %(back)s."
    ) % {
        "one": number(even),
        "all": number(even * rules.same_opponents),
        "back": number(even * rules.restored),
    }


def warnings(rules: FairPlay) -> list[str]:
    """Return a warning if the second of two even wins counts less than half."""
    second = rules.weight(1) * rules.left_after(1)
    if second >= HALF:
        return []
    text = _(
        "If a player beats an equal opponent twice in a week, the second match counts %(share)s. "
        "Below a half, ratings hardly follow the results of people who often meet. Raise the "
        "weight of a repeated match, or the even wins from the same opponents."
    )
    return [text % {"share": percent(second)}]
