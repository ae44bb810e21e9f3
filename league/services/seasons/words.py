"""Say in words how an arena's seasons start."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models.moments import describe_moment
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from ratings.seasons.start import Start

AWAY = 400.0
"""The distance from the centre of the rating in the example."""


def start_in_words(start: Start) -> list[str]:
    """Return the effect of the rules on ratings at the start of a season, as sentences."""
    if start.placement == "fresh":
        return [
            _("Each season has ratings of its own, and everyone starts as a newcomer."),
            *([_("Resets have no effect, because nobody’s rating is kept.")] * start.changes_some),
        ]
    sentences = [placement_in_words(start)]
    if start.recentre:
        sentences.append(
            _(
                "All ratings first move by the same points, so that the results against the "
                "anchors of the season before were as expected, if that can be measured."
            )
        )
    return [*sentences, *resets_in_words(start)]


def placement_in_words(start: Start) -> str:
    if start.placement == "carry-over":
        return _("Ratings carry over: each season starts with those of the season before.")
    became = start.center + start.ratio * AWAY
    return _(
        "Each season has ratings of its own. They start nearer to %(center)s, at "
        "%(percent)s %% of their distance from it in the season before: %(was)s becomes "
        "%(became)s."
    ) % {
        "center": plain(start.center),
        "percent": plain(round(start.ratio * 100, 6)),
        "was": plain(start.center + AWAY),
        "became": plain(round(became, 6)),
    }


def resets_in_words(start: Start) -> list[str]:
    full, partial = start.full_reset_at, start.partial_reset_at
    sentences = []
    if full:
        text = _("Players who last played before %(time)s start as newcomers.")
        sentences.append(text % {"time": describe_moment(full, UTC)})
    if start.reset_deviation:
        sentences.append(_("All ratings are as uncertain as a newcomer’s."))
    elif partial and full and partial <= full:
        text = _("The reset of deviations has no effect, because it is not after %(time)s.")
        sentences.append(text % {"time": describe_moment(full, UTC)})
    elif partial:
        text = _(
            "Players who last played before %(time)s keep their rating, but it is as uncertain as "
            "a newcomer’s."
        )
        sentences.append(text % {"time": describe_moment(partial, UTC)})
    return sentences
