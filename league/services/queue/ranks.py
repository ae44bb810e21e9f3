"""Players' ranks for a queue, from the source that the queue names."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from league.models import ArenaQueue
from league.services.core.columns import binary_cursor, to_array_literal
from league.services.core.isolation import gettext as _
from league.services.core.ranks import rank_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from django.utils.functional import _StrPromise

    from league.models import Player

RANKS = f"""
    SELECT m.player, {rank_of(source="q.rank_source", arena="q.arena_id", player="m.player")}
    FROM league_arenaqueue AS q, unnest(%s::bigint[]) AS m(player) WHERE q.id = %s
"""  # noqa: S608 - an expression of ours


class Rank(NamedTuple):
    """A player's rank, and the one that a queue asks for."""

    has: float
    needs: float

    @property
    def missing(self) -> float:
        return max(self.needs - self.has, 0)


def ranks_of(queue: ArenaQueue, players: Collection[int]) -> dict[int, float]:
    """Return the ranks of players by id. One query."""
    with binary_cursor() as cursor:
        cursor.execute(RANKS, [to_array_literal(players), queue.pk])
        return dict(cursor.fetchall())


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


def explain_source(queue: ArenaQueue) -> str:
    """Return a sentence on where ranks for a queue come from."""
    sources: dict[str, str | _StrPromise] = {
        ArenaQueue.RankSource.SITE: _("Each rated match in any arena adds one rank."),
        ArenaQueue.RankSource.ARENA: _("Each rated match in this arena adds one rank."),
        ArenaQueue.RankSource.LEVEL: _("Ranks are levels, which staff and game servers set."),
    }
    return str(sources[queue.rank_source])
