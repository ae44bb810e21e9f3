"""Choosing whom to suggest among possible opponents, be they players or rosters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

from league.services.results.records.player_records import LEAST_MEETINGS
from league.services.results.records.profiles import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Player, Roster
    from league.services.results.forecasts.stakes import OwnStakes

SUGGESTED = 3
CONSIDERED = 6
"""The most opponents near in rating that are considered."""
RIVALS = 3
"""The most frequent opponents that are considered."""
NOBODY = Record(0, 0, 0)

Opponent = TypeVar("Opponent")


@dataclass(frozen=True)
class Suggestion:
    """A possible opponent."""

    player: Player
    """The captain where rosters play."""
    stakes: OwnStakes
    """For the player to whom it is suggested."""
    record: Record
    """Against this opponent, so far."""
    kind: str
    """``rival`` is the one met most, ``gain`` the one to gain most against, else ``even``."""
    roster: Roster | None = None
    mine: Roster | None = None
    """The roster with which they would play."""
    people: Sequence[Player] = ()
    """The opponents that a block could part from the player, all members of a roster."""

    @property
    def name(self) -> str:
        return self.roster.name if self.roster else self.player.name

    @property
    def own_name(self) -> str:
        """Return the roster with which they would play, empty if they play alone."""
        return self.mine.name if self.mine else ""


class Candidate(NamedTuple, Generic[Opponent]):
    """An opponent who may be suggested."""

    opponent: Opponent
    record: Record
    chance: float
    """The chance to beat them."""

    @property
    def unevenness(self) -> float:
        return abs(self.chance - 0.5)


def choose(candidates: Sequence[Candidate[Opponent]]) -> list[tuple[Candidate[Opponent], str]]:
    """Return the candidate met most, the most even of the rest, and the strongest of the others."""
    left = sorted(candidates, key=lambda one: one.unevenness)
    rivals = [one for one in left if one.record.total >= LEAST_MEETINGS]
    chosen: list[tuple[Candidate[Opponent], str]] = []
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
