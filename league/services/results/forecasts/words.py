"""The odds of a match of two sides, in words.

Three chances have a name each: *win*, *draw* and *loss*. Where a draw is possible but not forecast,
only the *expected result* is known, in which a draw counts as half a win.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.services.core.numbers import percents

if TYPE_CHECKING:
    from league.services.results.forecasts.stakes import OwnStakes


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
