"""Players' ranks for a queue, from the source that the queue names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import Sum

from league.models import ArenaQueue, Player, Rating
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from matchmaking.presets import PRESETS

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.db.models import QuerySet
    from django.utils.functional import _StrPromise


class Rank(NamedTuple):
    """A player's rank, and the one that a queue asks for."""

    has: float
    needs: float

    @property
    def missing(self) -> float:
        return max(self.needs - self.has, 0)


def ranks_of(queue: ArenaQueue, players: Collection[int]) -> dict[int, float]:
    """Return the ranks of players by id. One query."""
    found: QuerySet[Any, Any]
    if queue.rank_source == ArenaQueue.RankSource.LEVEL:
        found = Player.ever.filter(pk__in=any_of(players)).values_list("pk", "level")
    else:
        ratings = Rating.objects.filter(player__in=any_of(players))
        if queue.rank_source == ArenaQueue.RankSource.ARENA:
            ratings = ratings.filter(season__arena=queue.arena_id)
        found = ratings.order_by().values_list("player").annotate(Sum("games"))
    return dict.fromkeys(players, 0.0) | {player: float(rank or 0) for player, rank in found}


def rank_for(queue: ArenaQueue, player: Player) -> Rank | None:
    """Return a player's rank for a queue, ``None`` if it asks for none."""
    needs = queue.matching().queue.rank_min
    if needs <= 0:
        return None
    return Rank(ranks_of(queue, [player.pk])[player.pk], needs)


def rank_reasons(queue: ArenaQueue, party: Sequence[Player]) -> list[str]:
    """Return a message for each player below the queue's minimum rank."""
    least = queue.matching().queue.rank_min
    if least <= 0:
        return []
    ranks = ranks_of(queue, [player.pk for player in party])
    return [
        _("%(player)s has rank %(rank)g and needs %(least)g. %(source)s")
        % {
            "player": player,
            "rank": ranks[player.pk],
            "least": least,
            "source": explain_source(queue),
        }
        for player in party
        if ranks[player.pk] < least
    ]


def is_out_of_reach(queue: ArenaQueue) -> bool:
    """Return whether no player at all has the rank that a queue asks for."""
    needs = queue.matching().queue.rank_min
    if needs <= 0:
        return False
    if queue.rank_source == ArenaQueue.RankSource.LEVEL:
        return not Player.objects.filter(level__gte=needs).exists()
    rows = Rating.objects.order_by()
    if queue.rank_source == ArenaQueue.RankSource.ARENA:
        rows = rows.filter(season__arena=queue.arena_id)
    if rows.filter(games__gte=needs).exists():  # in an old league this finds one at once
        return False
    totals = rows.values("player").annotate(total=Sum("games"))
    return not totals.filter(total__gte=needs).exists()


def needs_of(preset: str) -> str:
    """Return the rank that a preset's queue asks for, in words, or nothing."""
    rank = PRESETS[preset].rules().queue.rank_min if preset else 0
    if rank <= 0:
        return ""
    return _(
        "It lets players in from rank %(rank)g on, which nobody has in a new league: each rated "
        "match adds one rank. To begin at once, lower the minimum rank in the queue’s settings."
    ) % {"rank": rank}


def warn_of_rank(queue: ArenaQueue) -> str:
    """Return a warning if nobody can join a queue for want of rank, else nothing."""
    if not is_out_of_reach(queue):
        return ""
    return _(
        "Nobody has rank %(rank)g yet, so nobody can join this queue. %(source)s Lower the minimum "
        "rank to let players in."
    ) % {"rank": queue.matching().queue.rank_min, "source": explain_source(queue)}


def explain_source(queue: ArenaQueue) -> str:
    """Return a sentence on where ranks for a queue come from."""
    sources: dict[str, str | _StrPromise] = {
        ArenaQueue.RankSource.SITE: _("Each rated match in any arena adds one rank."),
        ArenaQueue.RankSource.ARENA: _("Each rated match in this arena adds one rank."),
        ArenaQueue.RankSource.LEVEL: _("Ranks are levels, which staff and game servers set."),
    }
    return str(sources[queue.rank_source])
