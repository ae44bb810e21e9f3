"""Checkpoints of rating systems' memory, so that a replay need not start with the season.

Rating events hold everything of a state but its memory. For systems with memory, a checkpoint is
saved every ``EVERY`` participations, with the players who have played since the one before: by a
task while results come in one by one, and by a replay that rates many.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.db import connection, transaction
from django.db.models import Max

from league.models import MemoryCheckpoint, Rating, Season
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
"""Participations between checkpoints: a few seconds of replay, a few megabytes each."""

DUE = """
    SELECT EXISTS (
        SELECT 1 FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.season_id = %s AND m.rated_order > %s OFFSET %s LIMIT 1
    )
"""

SAVE = """
    INSERT INTO league_memorycheckpoint (season_id, player_id, rated_order, memory)
    SELECT r.season_id, r.player_id, %(horizon)s, r.memory
    FROM league_rating AS r
    WHERE r.season_id = %(season)s AND r.memory <> '{}' AND r.player_id IN (
        SELECT p.player_id
        FROM league_match AS m JOIN league_participant AS p ON p.match_id = m.id
        WHERE m.season_id = %(season)s AND m.rated_order > %(saved)s
    )
"""

MEMORIES = """
    SELECT r.player_id, coalesce(saved.memory, r.opening[4:], '{}')
    FROM league_rating AS r
    LEFT JOIN (
        SELECT DISTINCT ON (player_id) player_id, memory
        FROM league_memorycheckpoint
        WHERE season_id = %(season)s AND rated_order <= %(at)s AND player_id = ANY(%(players)s)
        ORDER BY player_id, rated_order DESC
    ) AS saved ON saved.player_id = r.player_id
    WHERE r.season_id = %(season)s AND r.player_id = ANY(%(players)s)
"""


@dataclass(frozen=True)
class Checkpoint:
    """The memory of players after a match."""

    match: int
    """The index of the match in the history."""
    players: Integers
    """``(n,)`` codes of the players who played since the last checkpoint."""
    memory: Floats
    """``(n, width)``."""


def replay_with_checkpoints(
    system: RatingSystem,
    history: History,
    states: States,
    cuts: Sequence[int],
    progress: Progress | None = None,
) -> tuple[Replay, list[Checkpoint]]:
    """Rate a history like :func:`ratings.replay.replay`, with checkpoints after matches ``cuts``.

    Return the replay and the checkpoints; none for a system without memory.
    """
    checkpoints: list[Checkpoint] = []
    start = 0

    def note(match: int, table: States) -> None:
        nonlocal start
        if table.memory.shape[-1]:
            players = np.unique(history.part(start, match + 1).player)
            checkpoints.append(Checkpoint(match, players, table.memory[players]))
        start = match + 1

    return replay(system, history, states, progress, cuts, note), checkpoints


def join(portions: Sequence[Replay], states: States) -> Replay:
    """Join the replays of consecutive portions of a history."""
    before, after = portions[0].before, portions[0].after
    for portion in portions[1:]:
        before, after = before.joined_by(portion.before), after.joined_by(portion.after)
    names = dict.fromkeys(name for portion in portions for name in portion.terms)
    terms = {name: joined_term(portions, name) for name in names}
    ignored = np.concatenate([portion.ignored for portion in portions])
    return Replay(states, before, after, terms, ignored)


def joined_term(portions: Sequence[Replay], name: str) -> Floats:
    """Join a term. It is NaN where the rules of a portion know none, such as a first side's."""
    parts = [one.terms.get(name, np.full(len(one.before.rating), np.nan)) for one in portions]
    return np.concatenate(parts)


def regular_cuts(history: History) -> list[int]:
    """Return the matches that complete each ``EVERY`` participations."""
    full = history.match_offsets[1:] // EVERY
    return [int(match) for match in np.flatnonzero(np.diff(full, prepend=0))]


def write_checkpoints(
    season: Season, checkpoints: Sequence[Checkpoint], players: Sequence[int], orders: Sequence[int]
) -> None:
    """Save checkpoints of a history, given the ids of its players and the order of its matches."""
    with (
        connection.cursor() as cursor,
        cursor.copy(
            "COPY league_memorycheckpoint (season_id, player_id, rated_order, memory) FROM STDIN"
        ) as into,
    ):
        for one in checkpoints:
            for code, memory in zip(one.players.tolist(), one.memory, strict=True):
                into.write_row((season.pk, players[code], orders[one.match], array_text(memory)))


def has_memory(season: Season) -> bool:
    """Whether any rating of the season has memory."""
    return Rating.objects.filter(season=season).exclude(memory=[]).exists()


def latest(season: Season, before: int) -> int:
    """Return the ``rated_order`` of the latest checkpoint before another; 0 for none."""
    saved = MemoryCheckpoint.objects.filter(season=season, rated_order__lt=before)
    return saved.order_by("-rated_order").values_list("rated_order", flat=True).first() or 0


def orders_since(season: Season, order: int) -> list[int]:
    """Return the ``rated_order`` of a season's checkpoints from one on."""
    saved = MemoryCheckpoint.objects.filter(season=season, rated_order__gte=order)
    return list(saved.order_by("rated_order").values_list("rated_order", flat=True).distinct())


def memories(season: Season, at: int, players: Integers) -> Floats:
    """Return the memory of players at a checkpoint, or at the start of the season.

    ``(n, width)`` for player ids ``(n,)``, NaN for newcomers.
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
    """Return the states with this memory."""
    states = states.copy()
    states.memory = widen(memory, max(memory.shape[-1], states.memory.shape[-1]))
    return states


def save_all(now: datetime) -> int:
    """Save the checkpoints of running seasons that are due; return how many."""
    return sum(save(season.pk) for season in Season.objects.running(now) if is_due(season))


def is_due(season: Season) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(DUE, [season.pk, last(season), EVERY - 1])
        return bool(cursor.fetchone()[0]) and has_memory(season)


def last(season: Season) -> int:
    return latest(season, before=2**63 - 1)


def save(season_id: int) -> bool:
    """Save a checkpoint of a season if one is due, while its results wait."""
    with transaction.atomic():
        # No result may come between reading the ratings and noting up to which match they are.
        season = Season.objects.select_for_update().get(pk=season_id)
        due = is_due(season)
        if due:
            save_now(season)
    return due


def save_now(season: Season) -> None:
    """Save a checkpoint of the players since the last one. The caller holds the season's lock."""
    horizon = season.matches.rated().aggregate(last=Max("rated_order"))["last"] or 0
    saved = last(season)
    if saved < horizon:
        with connection.cursor() as cursor:
            cursor.execute(SAVE, {"season": season.pk, "horizon": horizon, "saved": saved})
