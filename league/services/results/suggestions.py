"""Suggestions of opponents near in rating or met often, with the chance to win."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from league.models import Player
from league.services.rating.forecasts import forecasts
from league.services.results.histories import history_of
from league.services.results.player_records import LEAST_MEETINGS
from league.services.results.profiles import Record
from league.services.results.stakes import own_stakes, ratings_of
from league.services.standings.leaderboards import nearest, player_row

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena, Season
    from league.services.results.stakes import OwnStakes

SUGGESTED = 3
CONSIDERED = 6
"""How many players near in rating are considered."""
RIVALS = 3
"""How many of the most frequent opponents are considered."""
NOBODY = Record(0, 0, 0)


@dataclass(frozen=True)
class Suggestion:
    """A possible opponent."""

    player: Player
    stakes: OwnStakes
    record: Record
    """Against this opponent, so far."""
    kind: str
    """``rival`` is the one met most, ``gain`` the one to gain most against, else ``even``."""


def is_suggested_in(arena: Arena) -> bool:
    """Return whether an arena suggests opponents: only one in which two players meet."""
    return arena.is_open and arena.team_size_max == 1 and arena.sides_min == 2


def suggestions(season: Season, me: Player, *, now: datetime) -> list[Suggestion]:
    """Return up to three opponents: a rival, an even one, and one against whom a win gains most.

    Players with an account come before those without, none of them blocks the other or is
    unlisted. Empty
    where teams or more than two sides play.
    """
    if not is_suggested_in(season.arena):
        return []
    row = player_row(season, me, now=now)
    if row is None:
        return []
    met = {one.player_id: one.record for one in history_of(season, me).meetings}
    near = nearest(season, row.rating, now=now, count=CONSIDERED, without=me.pk)
    rivals = [player for player, record in met.items() if record.total >= LEAST_MEETINGS]
    ids = {*rivals[:RIVALS], *(one.player_id for one in near)}
    found = Player.objects.listed().filter(pk__in=ids).exclude(blocks__blocked=me)
    found = found.exclude(blocked_by__player=me).select_related("user").order_by("pk")
    players = list(found)
    reachable = [player for player in players if player.user and player.user.is_active]
    candidates = reachable if len(reachable) >= SUGGESTED else players
    if not candidates:
        return []
    chances = chances_against(season, me, candidates, now)
    chosen = choose(
        [Candidate(one, met.get(one.pk, NOBODY), chances[one.pk]) for one in candidates]
    )
    at_stake = own_stakes(season, me, [one.player for one, _kind in chosen], now)
    return [
        Suggestion(one.player, stakes, one.record, kind)
        for (one, kind), stakes in zip(chosen, at_stake, strict=True)
        if stakes is not None
    ]


class Candidate(NamedTuple):
    """A player who may be suggested."""

    player: Player
    record: Record
    chance: float
    """The chance to beat them."""

    @property
    def unevenness(self) -> float:
        return abs(self.chance - 0.5)


def chances_against(
    season: Season, me: Player, players: Sequence[Player], now: datetime
) -> dict[int, float]:
    """Return the rating system's forecasts of duels, by opponent; one half where it has none.

    The stakes of every candidate would take a rating of three matches each.
    """
    matches = [[[me.pk], [player.pk]] for player in players]
    held, _flags, _newcomers = ratings_of(season, matches)
    found = forecasts(season, matches, held, now)
    return {
        player.pk: chances[0] if chances else 0.5
        for player, chances in zip(players, found, strict=True)
    }


def choose(candidates: Sequence[Candidate]) -> list[tuple[Candidate, str]]:
    """Return the candidate met most, the most even of the rest, and the strongest of the others."""
    left = sorted(candidates, key=lambda one: one.unevenness)
    rivals = [one for one in left if one.record.total >= LEAST_MEETINGS]
    chosen: list[tuple[Candidate, str]] = []
    if rivals:
        rival = max(rivals, key=lambda one: one.record.total)
        left.remove(rival)
        chosen.append((rival, "rival"))
    if left:
        chosen.append((left.pop(0), "even"))
    if left:
        strongest = min(left, key=lambda one: one.chance)
        left.remove(strongest)
        chosen.append((strongest, "gain" if strongest.chance < 0.5 else "even"))
    return [*chosen, *((one, "even") for one in left[: SUGGESTED - len(chosen)])]
