"""Steps for tests of merged players."""

from datetime import datetime

from league.models import Player, Season, User
from league.services.integrity import points, standings
from league.services.integrity.queue import breaches
from league.services.integrity.ratings import verify
from league.services.merging.merging import Merge, merge
from league.services.standings import connections
from league.services.standings.updating import update_all
from tests.support.cast import NOW


def merged(kept: Player, gone: Player, by: User, *, account: int | None = None) -> Merge:
    """Merge ``gone`` into ``kept``."""
    return merge(kept, gone, account=account, by=by, reason="One person.", now=NOW)


def all_differences(now: datetime = NOW) -> list[str]:
    """Return everything that any check of the database finds."""
    found = [str(breach) for breach in breaches(now)]
    for season in Season.objects.opened().select_related("arena"):
        found += [str(one) for one in verify(season)]
        if season.archived_at is None:
            update_all(season, now)
            connections.refresh(season, now)
            found += points.differences(season) + standings.differences(season, now)
    return found
