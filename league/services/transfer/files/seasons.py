"""Open seasons that imports and their undo rate again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Match, Season
from league.models.moments import describe_day
from league.services.core.errors import Conflict
from league.services.corrections.checks import check_not_archived
from league.services.corrections.rerating import stepping
from league.services.replay import diff as replay
from league.services.replay.apply import lock_season
from league.services.replay.starts import season_start

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.services.core.types import Progress
    from league.services.rating.tail import Tail
    from league.services.replay.diff import Diff
    from league.services.replay.edits import Edit
    from league.services.replay.starts import Start


def lock_open_season(season_id: int) -> Season:
    """Lock a season exclusively, so that its results wait.

    Raises:
        Conflict: it takes too long, or the season is archived.
    """
    season = lock_season(season_id)
    check_not_archived(season)
    return season


def open_season(season_id: int) -> Season:
    """Return a season. Raises ``Conflict`` if it is archived."""
    season = Season.objects.get(pk=season_id)
    check_not_archived(season)
    return season


def diff(
    season: Season,
    was: Tail,
    edit: Edit,
    progress: Progress,
    start: Callable[[Season, list[int]], Start] = season_start,
) -> Diff:
    """Return what differs in a season with an edit. ``was`` is its history from the start.

    Raises:
        Conflict: ratings decayed by results that change.
        Refused: the season cannot be rated like this.
    """
    tell = stepping(progress, _("Rating"), was.matches + len(edit.added))
    found = replay.diff(season, edit, was=was, start=start, progress=tell)
    refuse_decayed(found)
    return found


def refuse_decayed(found: Diff) -> None:
    """Refuse what changes the results from which a later step of decay was computed."""
    later = found.season.matches.rated().filter(kind=Match.Kind.DECAY, rated_order__gte=found.since)
    step = later.exclude(pk__in=found.edit.voided).order_by("rated_order").first()
    if step is not None:
        raise Conflict(
            "decayed",
            _(
                "Ratings decayed on %(day)s, by who had played until then. Earlier results cannot "
                "come or go now. Void that step first."
            )
            % {"day": describe_day(step.played_at)},
        )
