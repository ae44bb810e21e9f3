"""The end of a season: end it, archive its standings and settle late results."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import TYPE_CHECKING

from league.models import Match, NoticeKind, Participant, Season, Settlement, Status
from league.services.core.kill_points import committing
from league.services.notices.writing import notify
from league.services.results.staff import objections
from league.services.seasons import final_standings

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime


logger = logging.getLogger(__name__)

NEWS_FOR = timedelta(days=60)
"""The time for which the end of a season is news. Late results may come for some weeks."""


def end(season_id: int, *, now: datetime) -> bool:
    """End a running season at once. Return whether it was running.

    It goes on as if the end had been planned: late results first, then the archive.
    """
    with committing("season end"):
        running = Season.objects.running(now).filter(pk=season_id, starts_at__lt=now)
        season = running.select_for_update(of=["self"]).first()
        if season is None:
            return False
        season.ends_at = now
        season.save(update_fields=["ends_at"])
    return True


def freeze_due(now: datetime) -> list[int]:
    """Return the ids of seasons whose standings are due to be frozen."""
    over = Season.objects.unfrozen(now)
    return [season.pk for season in over if season.archive_due_at and season.archive_due_at <= now]


def freeze(season_id: int, *, now: datetime) -> bool:
    """Write a season's archive in one transaction. Return whether this call wrote it.

    A season that is not over, not due or already archived stays as it is, and of two concurrent
    workers one writes. From then on no result of the season is settled or corrected, so it also
    ends the objections that staff have not decided.
    """
    return archive(season_id, now, is_due=lambda due_at: due_at <= now)


def freeze_early(season_id: int, *, now: datetime) -> bool:
    """Write a season's archive before the time for late results is up. Returns as above."""
    return archive(season_id, now, is_due=lambda _due_at: True)


def archive(season_id: int, now: datetime, *, is_due: Callable[[datetime], bool]) -> bool:
    with committing("archive"):
        over = Season.objects.unfrozen(now).filter(pk=season_id).select_related("arena")
        season = over.select_for_update(of=["self"], skip_locked=True).first()
        if season is None or not (season.archive_due_at and is_due(season.archive_due_at)):
            return False
        final_standings.write(season, now)
        objections.lapse(season, now)
        season.archived_at = now
        season.save(update_fields=["archived_at"])
        tell_players(season, now)
    logger.info("%s has been archived.", season)
    return True


def tell_players(season: Season, now: datetime) -> None:
    """Tell everybody with a match in a season that has just ended that it can be read in review.

    The seasons of an imported past are archived as well, and nobody waits for those.
    """
    if season.ends_at is None or season.ends_at < now - NEWS_FOR:
        return
    played = season.final_standings.exclude(wins=0, draws=0, losses=0).values_list(
        "player", flat=True
    )
    notify(list(played), NoticeKind.SEASON, now, season=season)


def settle_late(now: datetime, limit: int = 500) -> int:
    """Settle matches that came after their season's archive, and return how many.

    By the arena's rules they move to the running season or become void. Matches that should move
    wait until a season is running.
    """
    late = Match.objects.late().values_list("pk", flat=True)[:limit]
    return sum(settle_one(match, now) for match in late)


def settle_one(match_id: int, now: datetime) -> bool:
    with committing("late result"):
        late = Match.objects.late().filter(pk=match_id).select_related("season__arena")
        match = late.select_for_update(of=["self"], skip_locked=True).first()
        if match is None:
            return False
        if match.season.season_rules().calendar.late == "running":
            running = match.season.arena.current_season(now)
            if running is None:
                return False
            Match.objects.filter(pk=match_id).update(season=running)
            return True
        Match.objects.filter(pk=match_id).update(
            status=Status.VOID, settled_at=now, settlement=Settlement.SEASON
        )
        Participant.objects.filter(match_id=match_id, live=True).update(live=False)
    return True
