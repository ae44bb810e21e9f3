"""The matches that the laboratory judges systems by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max

from league.models import Match, Season
from league.services.rating.tail import read_tail

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena
    from league.models.match import MatchQuerySet
    from league.services.rating.tail import Tail


def season_of(arena: Arena | str) -> Season | None:
    """Return the latest season of an arena, or of its slug, that has rated matches."""
    named = {"arena__slug": arena} if isinstance(arena, str) else {"arena": arena}
    seasons = Season.objects.filter(**named).order_by("-starts_at")
    return seasons.filter(matches__rated_order__isnull=False).first()


def tail_of(season: Season, horizon: int | None = None) -> Tail:
    """Return the rated matches of a season, up to a value of ``Match.rated_order`` if given."""
    tail = read_tail(season, after=0)
    return tail if horizon is None else tail.only(tail["rated_order"] <= horizon)


def played(season: Season) -> MatchQuerySet:
    """Return the rated matches of a season that somebody played."""
    return season.matches.rated().filter(kind=Match.Kind.GAME)


def counted(season: Season) -> tuple[int, int]:
    """Return how many matches of a season are rated, and the last place in their order."""
    found = played(season).aggregate(count=Count("pk"))
    last = season.matches.rated().aggregate(last=Max("rated_order"))["last"] or 0
    return found["count"], last


def middle_of(season: Season, matches: int) -> datetime:
    """Return when the middle one of a season's matches was played, to the minute before."""
    in_order = played(season).order_by("rated_order").values_list("played_at", flat=True)
    middle: datetime = in_order[matches // 2]
    return middle.replace(second=0, microsecond=0)


def corrections_of(season: Season) -> int:
    """Return the number of the last correction of a season's results, 0 without any."""
    return season.corrections.aggregate(last=Max("pk"))["last"] or 0
