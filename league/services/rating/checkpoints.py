"""Notes of what rating systems remember, so that a replay need not begin with the season.

Rating events tell all of a state but its memory. Of systems that remember, memories are noted after
every ``EVERY`` participations, for the players whose rating moved since the note before: by a task
for results that come in one by one, in passing where a replay rates many.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection, transaction
from django.db.models import Max

from league.models import MemoryCheckpoint, Season
from league.services.rating.rate import array_text
from ratings.replay import Replay, replay
from ratings.types import widen

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from ratings.history import History
    from ratings.replay import Progress
    from ratings.system import RatingSystem
    from ratings.types import Floats, Integers, States

EVERY = 50_000
"""Participations from one note to the next: a few seconds of replay, some megabytes of notes."""

REMEMBERS = """
    SELECT EXISTS (
        SELECT 1 FROM league_rating WHERE season_id = %s AND memory <> '{}'
    )
"""

DUE = """
    SELECT EXISTS (
        SELECT 1 FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.season_id = %s AND m.rated_order > %s OFFSET %s LIMIT 1
    )
"""

NOTE = """
    INSERT INTO league_memorycheckpoint (season_id, player_id, rated_order, memory)
    SELECT r.season_id, r.player_id, %(horizon)s, r.memory
    FROM league_rating AS r
    WHERE r.season_id = %(season)s AND r.memory <> '{}' AND r.player_id IN (
        SELECT p.player_id
        FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.season_id = %(season)s AND m.rated_order > %(noted)s
    )
"""

MEMORIES = """
    SELECT r.player_id, coalesce(noted.memory, r.opening[4:], '{}')
    FROM league_rating AS r
    LEFT JOIN (
        SELECT DISTINCT ON (player_id) player_id, memory
        FROM league_memorycheckpoint
        WHERE season_id = %(season)s AND rated_order <= %(at)s AND player_id = ANY(%(players)s)
        ORDER BY player_id, rated_order DESC
    ) AS noted ON noted.player_id = r.player_id
    WHERE r.season_id = %(season)s AND r.player_id = ANY(%(players)s)
"""


@dataclass(frozen=True)
class Note:
    """What players are remembered by after a match."""

    match: int
    """The match's row in the history."""
    players: Integers
    """``(n,)`` codes of those who played since the note before."""
    memory: Floats
    """``(n, width)``."""


def replay_noting(
    system: RatingSystem,
    history: History,
    states: States,
    cuts: Sequence[int],
    progress: Progress | None = None,
) -> tuple[Replay, list[Note]]:
    """Rate a history as :func:`ratings.replay.replay` does, with notes after the matches ``cuts``.

    A system that has no memory leaves none.
    """
    edges = sorted({0, len(history), *(cut + 1 for cut in cuts)})
    portions: list[Replay] = []
    notes: list[Note] = []
    for start, stop in pairwise(edges):
        part = history.part(start, stop)
        portions.append(replay(system, part, states, progress))
        states = portions[-1].states
        if stop - 1 in cuts and states.memory.shape[-1]:
            players = np.unique(part.player)
            notes.append(Note(stop - 1, players, states.memory[players]))
    if len(portions) == 1:
        return portions[0], notes
    if not portions:
        return replay(system, history, states), notes
    return joined(portions, states), notes


def joined(portions: Sequence[Replay], states: States) -> Replay:
    """Replays of a history's portions, one after the other, as one."""
    before, after = portions[0].before, portions[0].after
    for portion in portions[1:]:
        before, after = before.joined_by(portion.before), after.joined_by(portion.after)
    names = portions[0].terms
    terms = {name: np.concatenate([portion.terms[name] for portion in portions]) for name in names}
    return Replay(states, before, after, terms)


def regular_cuts(history: History) -> list[int]:
    """The matches with which every ``EVERY`` participations are full."""
    full = history.match_offsets[1:] // EVERY
    return [int(match) for match in np.flatnonzero(np.diff(full, prepend=0))]


def write_notes(
    season: Season, notes: Sequence[Note], players: Sequence[int], orders: Sequence[int]
) -> None:
    """Keep notes of a history whose players have these ids and whose matches this order."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY league_memorycheckpoint (season_id, player_id, rated_order, memory) FROM STDIN"
        ) as into,
    ):
        for note in notes:
            for code, memory in zip(note.players.tolist(), note.memory, strict=True):
                into.write_row((season.pk, players[code], orders[note.match], array_text(memory)))


def remembers(season: Season) -> bool:
    """Whether the season's rating system has kept something in memory of anyone."""
    with connection.cursor() as cursor:
        cursor.execute(REMEMBERS, [season.pk])
        return bool(cursor.fetchone()[0])


def newest(season: Season, before: int) -> int:
    """The place in the order of rating of the newest note before another place; 0 for none."""
    notes = MemoryCheckpoint.objects.filter(season=season, rated_order__lt=before)
    return notes.order_by("-rated_order").values_list("rated_order", flat=True).first() or 0


def memories(season: Season, at: int, players: Integers) -> Floats:
    """``(n, width)`` what players were remembered by at a note, or came into the season with.

    ``players`` are ids; newcomers have NaN.
    """
    with connection.cursor() as cursor:
        cursor.execute(MEMORIES, {"season": season.pk, "at": at, "players": players.tolist()})
        found: dict[int, list[float]] = dict(cursor.fetchall())
    memory = np.full((len(players), max(map(len, found.values()), default=0)), np.nan)
    for row, player in enumerate(players.tolist()):
        values = found.get(player, [])
        memory[row, : len(values)] = values
    return memory


def with_memory(states: States, memory: Floats) -> States:
    """The states with this memory."""
    states = states.copy()
    states.memory = widen(memory, max(memory.shape[-1], states.memory.shape[-1]))
    return states


def note_all(now: datetime) -> int:
    """Note the memories of running seasons that are due; how many seasons were."""
    return sum(note(season.pk) for season in Season.objects.running(now) if is_due(season))


def is_due(season: Season) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(DUE, [season.pk, last_note(season), EVERY - 1])
        return bool(cursor.fetchone()[0]) and remembers(season)


def last_note(season: Season) -> int:
    return newest(season, before=2**63 - 1)


def note(season_id: int) -> bool:
    """Note the memories of a season now, if that is due. Results wait for a moment."""
    with transaction.atomic():
        season = Season.objects.select_for_update().get(pk=season_id)
        due = is_due(season)
        if due:
            note_present(season)
    return due


def note_present(season: Season) -> None:
    """Note the memories of those who played since the last note. The caller holds the season."""
    horizon = season.matches.rated().aggregate(last=Max("rated_order"))["last"] or 0
    noted = last_note(season)
    if noted < horizon:
        with connection.cursor() as cursor:
            cursor.execute(NOTE, {"season": season.pk, "horizon": horizon, "noted": noted})
