"""The odds of a match of two sides, and what stops a change, in words.

Three chances have a name each: *win*, *draw* and *loss*. Where a draw is possible but not forecast,
only the *expected result* is known, in which a draw counts as half a win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.numbers import number, percents
from ratings.contests.limits import CAP

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.services.results.forecasts.outcomes import Change
    from league.services.results.forecasts.stakes import OwnStakes
    from ratings.explain import ExplainedTerm
    from ratings.system import Shows


def odds_in_words(stakes: OwnStakes) -> str:
    """Return a player's odds: ``win 58%, draw 14%, loss 28%``. Empty if there are none."""
    if stakes.chance is None:
        return ""
    if len(stakes.chances) == 3:
        win, draw, loss = percents(stakes.chances)
        values = {"win": win, "draw": draw, "loss": loss}
        return _("win %(win)s, draw %(draw)s, loss %(loss)s") % values
    mine, theirs = percents([stakes.chance, 1 - stakes.chance])
    if stakes.chances:
        return _("win %(win)s, loss %(loss)s") % {"win": mine, "loss": theirs}
    return _("expected result %(result)s") % {"result": mine}


def own_odds(stakes: OwnStakes) -> str:
    """Return the reader's odds as a sentence. Empty if there are none."""
    if stakes.chance is None:
        return ""
    if len(stakes.chances) == 3:
        return _("Your odds: %(odds)s.") % {"odds": odds_in_words(stakes)}
    mine, _theirs = percents([stakes.chance, 1 - stakes.chance])
    if stakes.chances:
        return _("Your chance to win: %(chance)s.") % {"chance": mine}
    return _("Your expected result: %(result)s.") % {"result": mine}


def limit_in_words(limit: ExplainedTerm | None, shows: Shows) -> str:
    """Return which limit stopped a change. Empty if none did."""
    if limit is None:
        return ""
    if limit.term is CAP:
        points = number(shows.points(limit.value), shows.decimals)
        return _("A match moves a rating by %(points)s points at most.") % {"points": points}
    rating = number(shows.show(limit.value), shows.decimals)
    return _("No rating goes beyond %(rating)s.") % {"rating": rating}


def limits_in_words(changes: Iterable[Change], shows: Shows) -> str:
    """Return which limits stopped some of these changes. Empty if none did."""
    found = (limit_in_words(change.limit, shows) for change in changes)
    return " ".join(dict.fromkeys(text for text in found if text))


def own_limits(stakes: OwnStakes) -> str:
    """Return which limits stop a player's possible changes. Empty if none does."""
    changes = [change for change in (stakes.win, stakes.draw, stakes.loss) if change]
    return limits_in_words(changes, stakes.shows)
