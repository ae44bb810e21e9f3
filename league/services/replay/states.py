"""Read and write the matches that an edit changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from league.models import Match, Side
from league.services.core.id_lists import any_of
from league.services.replay.edits import MatchState

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.services.replay.edits import Change

BATCH = 1_000
FIELDS = ["status", "rated_order", "settlement", "settled_at", "weight", "one_sided", "mode"]
"""The fields of a match that an edit writes."""


class Changing(NamedTuple):
    """A match that a change is about, as it is before it."""

    change: Change
    match: Match
    sides: list[Side]
    before: MatchState


def read_changing(changes: Collection[Change]) -> list[Changing]:
    """Return the matches that changes are about."""
    matches = Match.objects.in_bulk(change.match for change in changes)
    sides: dict[int, list[Side]] = {match: [] for match in matches}
    for side in Side.objects.filter(match__in=any_of(matches)).order_by("match", "index"):
        sides[side.match_id].append(side)
    return [
        Changing(
            change,
            match := matches[change.match],
            own := sides[change.match],
            MatchState.of(match, match.rated_order or change.rated_order, own),
        )
        for change in changes
    ]


def write_changes(changing: Collection[Changing], at: datetime) -> None:
    """Write what changes of matches."""
    for change, match, sides, before in changing:
        before.after(change, at).give_to(match, sides)
    matches = [one.match for one in changing]
    # All matches of a player may become void at once.
    Match.objects.bulk_update(matches, FIELDS, batch_size=BATCH)
    placed = [side for one in changing if one.change.placings for side in one.sides]
    Side.objects.bulk_update(placed, ["place", "score"], batch_size=BATCH)
