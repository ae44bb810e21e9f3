"""A player's rated history and opponents in a season, cached until a result changes them.

Computing them reads every match of the player, which is most of the cost of their page. Between two
of their matches, one short statement tells that the cache is still valid.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from cachetools import TTLCache
from django.db.models import OuterRef, Subquery

from league.models import Correction, HindsightCurve, Player, RatingEvent, SeasonHindsight
from league.services.results.records import player_records, profiles
from league.services.standings import professions

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Season
    from league.services.results.records.player_records import Ended, Played
    from league.services.results.records.profiles import Meeting, Opponent, Point

KEPT = 60
"""Histories cached in a process: about 200 kB for a thousand matches."""
SECONDS = 60
"""The longest time for which a history is cached. Merged opponents may show up as such this much
later."""


class Version(NamedTuple):
    """The state of a history: if it differs, something may have changed."""

    event: int | None
    """The latest rating event of the player."""
    correction: int | None
    """The latest correction of the season."""
    hindsight_at: datetime | None
    """The time at which the season's ratings in hindsight were computed, ``None`` without any."""


@dataclass(frozen=True)
class History:
    """A player's rated matches in a season, as their page shows them."""

    season: Season
    player: Player
    version: Version

    @cached_property
    def points(self) -> list[Point]:
        """The rating after each rated match, in the order in which they were rated."""
        return profiles.rating_history(self.season, self.player)

    @cached_property
    def start(self) -> Point | None:
        """The rating with which the player started, at the time of their first rated match."""
        return profiles.started_at(self.points[0]) if self.points else None

    @cached_property
    def best(self) -> Point | None:
        """The point with the best rating, the first of several."""
        best = min if self.season.lowest_first else max
        return best(self.points, key=lambda point: point.rating, default=None)

    @cached_property
    def hindsight(self) -> HindsightCurve | None:
        """The ratings in hindsight as of the last night, ``None`` without any."""
        if self.version.hindsight_at is None:
            return None
        return HindsightCurve.objects.filter(season=self.season, player=self.player).first()

    @cached_property
    def played(self) -> list[Played]:
        """The games as records count them, in the order in which they were rated."""
        return player_records.played_by(self.season, self.player)

    @cached_property
    def latest(self) -> list[int]:
        """The matches of the player's form, the latest last."""
        games = [point.match_id for point in self.points if point.is_game]
        return games[-player_records.FORM :]

    @cached_property
    def _ended(self) -> dict[int, Ended]:
        return {}

    def endings(self, matches: Collection[int]) -> dict[int, Ended]:
        """Return how matches ended, by match id. One statement for those not asked for before."""
        if unread := [match for match in matches if match not in self._ended]:
            self._ended.update(player_records.ended_of(self.player, unread))
        return self._ended

    @property
    def form(self) -> list[Ended]:
        """The outcomes of the latest games, the latest last."""
        found = self.endings(self.latest)
        return [found[match] for match in self.latest if match in found]

    @cached_property
    def meetings(self) -> list[Meeting]:
        return profiles.meetings(self.season, self.player)

    @cached_property
    def professions(self) -> list[tuple[str, int]]:
        """The professions of the rated matches with their numbers."""
        return professions.played_with(self.season, self.player)

    def opponents(self, players: Mapping[int, Player] | None = None) -> list[Opponent]:
        """Return the most frequent opponents by their present names, which may be known."""
        if players is None:
            players = players_by_id(one.player_id for one in self.meetings)
        return [profiles.Opponent(players[one.player_id], one.record) for one in self.meetings]


def players_by_id(players: Iterable[int]) -> dict[int, Player]:
    """Return players with their present names. One statement."""
    return Player.ever.only("name").in_bulk(set(players))


_cache: TTLCache[tuple[int, int], History] = TTLCache(maxsize=KEPT, ttl=SECONDS)
_lock = Lock()


def history_of(season: Season, player: Player) -> History:
    """Return a player's history as it is now, with one statement if it is cached."""
    return kept_history(season, player, versions_of(season, [player])[player.pk])


def histories_of(season: Season, players: Sequence[Player]) -> list[History]:
    """Return the histories of several players with their points. Two statements at most."""
    versions = versions_of(season, players)
    found = [kept_history(season, player, versions[player.pk]) for player in players]
    unread = [history for history in found if "points" not in vars(history)]
    if unread:
        points = profiles.rating_histories(season, [history.player.pk for history in unread])
        for history in unread:
            vars(history)["points"] = points[history.player.pk]
    return found


def kept_history(season: Season, player: Player, version: Version) -> History:
    """Return the cached history of this version, or else a new one."""
    key = season.pk, player.pk
    with _lock:
        kept = _cache.get(key)
        if kept is None or kept.version != version:
            kept = _cache[key] = History(season, player, version)
    return kept


def versions_of(season: Season, players: Sequence[Player]) -> dict[int, Version]:
    """Return the version of each player's history now, by player id. One statement."""
    events = RatingEvent.objects.filter(season=season, player=OuterRef("pk"))
    hindsight = SeasonHindsight.objects.filter(season=season, players__gt=0)
    corrections = Correction.objects.filter(season=season).order_by("-pk")
    rows = Player.ever.filter(pk__in=[player.pk for player in players]).values_list(
        "pk",
        Subquery(events.order_by("-games", "-pk").values("pk")[:1]),
        Subquery(corrections.values("pk")[:1]),
        Subquery(hindsight.values("at")),
    )
    return {player: Version(*version) for player, *version in rows}


def clear_cache() -> None:
    """Empty the cache of histories of this process."""
    with _lock:
        _cache.clear()
