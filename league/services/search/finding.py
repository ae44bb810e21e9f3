"""Find players, teams, arenas and competitions by a part of their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import Arena, Competition, Team
from league.models.collation import reading_key
from league.models.lookalikes import named_like
from league.services.search.known import exactly, find_players

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player
    from league.services.search.known import KnownPlayer

MOST_TYPED = 60


@dataclass(frozen=True)
class Found:
    """The results of a search, of each kind at most as many as asked for."""

    most: int

    players: Sequence[KnownPlayer] = ()
    teams: Sequence[Team] = ()
    arenas: Sequence[Arena] = ()
    competitions: Sequence[Competition] = ()

    @property
    def plain_players(self) -> list[Player]:
        return [one.player for one in self.players]

    @property
    def counts(self) -> list[int]:
        return [len(one) for one in (self.players, self.teams, self.arenas, self.competitions)]

    @property
    def total(self) -> int:
        return sum(self.counts)

    @property
    def may_be_more(self) -> bool:
        return self.most in self.counts


def find(text: str, *, count: int) -> Found:
    """Return the first ``count`` of each kind, the best-known players first, others by name.

    Of players, one or two letters find only the start of a word, and unlisted ones are not found.
    """
    if not text:
        return Found(count)
    teams = Team.objects.existing().search(text)
    arenas = named_like(Arena.objects.published(), text)
    published = Competition.objects.published().filter(season__arena__is_draft=False)
    competitions = sorted(
        named_like(published, text).select_related("season__arena"),
        key=lambda one: reading_key(one.name),
    )
    competitions.sort(key=lambda one: one.season.starts_at, reverse=True)
    return Found(
        count,
        players=find_players(text, count),
        teams=list(teams.order_by(exactly(text), "sort_name")[:count]),
        arenas=list(arenas.order_by("-is_open", "sort_name")[:count]),
        competitions=competitions[:count],
    )
