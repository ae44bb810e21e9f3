"""Stored matches in the form that the rating engine takes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from league.services.core.clock import microseconds
from ratings.history import Match, Participant, Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

PARTICIPATION = """
    m.id, m.played_at, m.weight, m.perf_ceiling, m.kind = 'game', m.mode, m.first_side,
    s.index, s.place, s.score, p.player_id, p.seconds, p.quit, p.profession,
    CASE WHEN m.event_count > 0 AND s.index = 0 AND p.position = 0 THEN ARRAY(
        SELECT ARRAY[e.winner, e.loser, e.kind] FROM league_matchevent AS e
        WHERE e.match_id = m.id ORDER BY e.number
    ) END
"""
"""The columns of a ``Participation``, of a match ``m``, its side ``s`` and participant ``p``."""


class Participation(NamedTuple):
    """A participant with their side and match, as ``PARTICIPATION`` selects them."""

    match_id: int
    played_at: datetime
    weight: float
    perf_ceiling: float | None
    is_game: bool
    mode: str
    first_side: int | None
    side: int
    place: int
    score: float | None
    player_id: int
    seconds: float | None
    quit: bool
    profession: str
    events: list[list[int]] | None
    """The events of the match, with its first participant only."""


def match_from(participations: Sequence[Participation]) -> Match:
    """Return one match, given all of its participations ordered by side and position."""
    sides: dict[int, tuple[int, float | None, list[Participant]]] = {}
    for row in participations:
        _place, _score, participants = sides.setdefault(row.side, (row.place, row.score, []))
        participants.append(Participant(str(row.player_id), row.seconds, row.quit, row.profession))
    first = participations[0]
    return Match(
        match_id=str(first.match_id),
        played_at_us=microseconds(first.played_at),
        sides=tuple(
            Side(place=place, participants=tuple(participants), score=score)
            for place, score, participants in sides.values()
        ),
        weight=first.weight,
        perf_ceiling=math.inf if first.perf_ceiling is None else first.perf_ceiling,
        played=first.is_game,
        mode=first.mode,
        first=first.first_side,
        events=[(winner, loser, kind) for winner, loser, kind in first.events or ()],
    )
