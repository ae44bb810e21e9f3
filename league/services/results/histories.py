"""A player's rated history and opponents in a season, cached until a result changes them.

Computing them reads every match of the player, which is most of the cost of their page. Between two
of their matches, one short statement tells that the cache is still valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING

from cachetools import TTLCache

from league.models import Player
from league.services.core.columns import binary_cursor
from league.services.results import profiles

if TYPE_CHECKING:
    from league.models import Season
    from league.services.results.profiles import Meeting, Opponent, Point

KEPT = 60
"""Histories cached in a process: about 200 kB for a thousand matches."""
SECONDS = 60
"""How long a history is cached at most. Merged opponents may show up as such this much later."""

VERSION = """
    SELECT
        (SELECT id FROM league_ratingevent
         WHERE season_id = %(season)s AND player_id = %(player)s AND superseded_by_id IS NULL
         ORDER BY games DESC, id DESC LIMIT 1),
        (SELECT max(id) FROM league_correction WHERE season_id = %(season)s)
"""

Version = tuple[int | None, int | None]


@dataclass(frozen=True)
class History:
    """A player's rated matches in a season, as their page shows them."""

    season: Season
    player: Player
    version: Version
    """The latest rating event of the player and the latest correction of the season."""

    @cached_property
    def points(self) -> list[Point]:
        """The rating after each rated match, in the order in which they were rated."""
        return profiles.rating_history(self.season, self.player)

    @cached_property
    def best(self) -> Point | None:
        """The point with the best rating, the first of several."""
        best = min if self.season.lowest_first else max
        return best(self.points, key=lambda point: point.rating, default=None)

    @cached_property
    def meetings(self) -> list[Meeting]:
        return profiles.meetings(self.season, self.player)

    def opponents(self) -> list[Opponent]:
        """Return the most frequent opponents by their present names."""
        players = Player.ever.in_bulk([one.player_id for one in self.meetings])
        return [profiles.Opponent(players[one.player_id], one.record) for one in self.meetings]


_cache: TTLCache[tuple[int, int], History] = TTLCache(maxsize=KEPT, ttl=SECONDS)
_lock = Lock()


def history_of(season: Season, player: Player) -> History:
    """Return a player's history as it is now, with one statement if it is cached."""
    version = version_of(season, player)
    key = season.pk, player.pk
    with _lock:
        kept = _cache.get(key)
        if kept is None or kept.version != version:
            kept = _cache[key] = History(season, player, version)
    return kept


def version_of(season: Season, player: Player) -> Version:
    with binary_cursor() as cursor:
        cursor.execute(VERSION, {"season": season.pk, "player": player.pk})
        event, correction = cursor.fetchone()
    return event, correction


def clear_cache() -> None:
    """Empty the cache of histories of this process."""
    with _lock:
        _cache.clear()
