"""Write the matches of an import by COPY, and compare it with earlier imports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from psycopg.types.json import Jsonb

from league.models import Settlement, Status
from league.services.core.clock import microseconds, moment
from league.services.rating.bulk import copy, next_values
from ratings.history import NEITHER, History, first_sides

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Season
    from league.services.core.types import Progress
    from league.services.transfer.files.result_files import ResultFile
    from ratings.types import Floats, Integers

Signature = tuple[Any, ...]
"""Everything in a match that its rating depends on, but the first side: earlier imports did not
know it, and a match keeps what it was rated with."""

KNOWN = """
    SELECT m.external_id, m.played_at, m.weight, m.perf_ceiling,
        s.index, s.place, s.score, p.player_id, p.seconds, p.quit, p.profession
    FROM league_match AS m
    JOIN league_side AS s ON s.match_id = m.id
    JOIN league_participant AS p ON p.side_id = s.id
    WHERE m.arena_id = %s AND m.external_id = ANY(%s)
    ORDER BY m.id, s.index, p.position
"""

MATCH_COLUMNS = (
    "id, arena_id, season_id, status, played_at, weight, perf_ceiling, information, external_id, "
    "dispute_reason, settled_at, settlement, rated_order, forecast, "
    "first_side"
)
SIDE_COLUMNS = "id, match_id, index, place, score, captain_id"
PARTICIPANT_COLUMNS = "match_id, side_id, player_id, position, seconds, quit, profession, live"


def signatures_of_known(arena: Arena, external_ids: list[str]) -> dict[str, Signature]:
    """Return the signatures of stored matches with these ids, by external id."""
    known: dict[str, list[Any]] = {}
    with connection.cursor() as cursor:
        cursor.execute(KNOWN, [arena.pk, external_ids])
        for external_id, played_at, weight, ceiling, index, *part in cursor.fetchall():
            match = known.setdefault(
                external_id,
                [microseconds(played_at), weight, math.inf if ceiling is None else ceiling],
            )
            match.append((index, *part))
    return {external_id: tuple(parts) for external_id, parts in known.items()}


def signatures(history: History, ids: Sequence[int]) -> Iterator[Signature]:
    """Yield the signature of each match in a history. ``ids`` are player ids by code."""
    for match, sides in enumerate(sides_of(history)):
        parts = [
            (
                index,
                int(history.places[side]),
                number(history.scores[side]),
                ids[history.player[row]],
                number(history.seconds[row]),
                bool(history.quits[row]),
                history.professions[history.profession[row]],
            )
            for index, side in enumerate(sides)
            for row in range(
                history.participant_offsets[side], history.participant_offsets[side + 1]
            )
        ]
        yield (
            int(history.times[match]),
            float(history.weights[match]),
            float(history.perf_ceilings[match]),
            *parts,
        )


def first_side(history: History, match: int) -> int | None:
    """Return the first side of a match, ``None`` on neutral ground."""
    if history.first is None or history.first[match] == NEITHER:
        return None
    return int(history.first[match])


def sides_of(history: History) -> Iterator[range]:
    """Yield the rows of each match's sides."""
    bounds = history.side_offsets.tolist()
    for start, stop in pairwise(bounds):
        yield range(start, stop)


def number(value: float | np.floating[Any]) -> float | None:
    return None if math.isnan(value) else float(value)


def select(file: ResultFile, matches: Sequence[int]) -> ResultFile:
    """Return a file with only these matches."""
    if len(matches) == len(file.history):
        return file
    history = file.history
    sides = np.array([side for match in matches for side in match_sides(history, match)], int)
    rows = np.array(
        [
            row
            for side in sides
            for row in range(
                history.participant_offsets[side], history.participant_offsets[side + 1]
            )
        ],
        int,
    )
    chosen = np.array(matches, int)
    return replace(
        file,
        history=replace(
            history,
            match_ids=[history.match_ids[match] for match in matches],
            times=history.times[chosen],
            weights=history.weights[chosen],
            perf_ceilings=history.perf_ceilings[chosen],
            first=None if history.first is None else first_sides(history.first[chosen]),
            side_offsets=starts(np.diff(history.side_offsets)[chosen]),
            places=history.places[sides],
            scores=history.scores[sides],
            participant_offsets=starts(history.sizes[sides]),
            player=history.player[rows],
            seconds=history.seconds[rows],
            quits=history.quits[rows],
            profession=history.profession[rows],
        ),
        information=[file.information[match] for match in matches],
        lines=[file.lines[match] for match in matches] if file.lines else [],
    )


def match_sides(history: History, match: int) -> range:
    return range(int(history.side_offsets[match]), int(history.side_offsets[match + 1]))


def starts(counts: Integers) -> Integers:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def recode(history: History, codes: Integers, players: Sequence[int]) -> History:
    """Return the history with its players in the order of the rating rows."""
    return replace(
        history, players=[str(player) for player in players], player=codes[history.player]
    )


def write_matches(
    arena: Arena,
    season: Season,
    file: ResultFile,
    ids: Sequence[int],
    odds: Floats | None,
    now: datetime,
    progress: Progress,
) -> tuple[list[int], list[int]]:
    """Write matches, sides and participants. Return the match ids and their rating order.

    ``odds`` has each participant's forecast, if the matches are predicted.
    """
    history = file.history
    chances = None if odds is None else odds[history.participant_offsets[:-1]].tolist()
    bounds = history.side_offsets.tolist()
    match_ids = next_values("pg_get_serial_sequence('league_match', 'id')", len(history))
    side_ids = next_values("pg_get_serial_sequence('league_side', 'id')", len(history.places))
    orders = next_values("'league_match_rated_order'", len(history))
    ceilings = [None if math.isinf(value) else value for value in history.perf_ceilings.tolist()]
    copy(
        "league_match",
        MATCH_COLUMNS,
        (
            (
                match_ids[match], arena.pk, season.pk, Status.RATED.value, moment(time),
                weight, ceilings[match], Jsonb(file.information[match]), history.match_ids[match],
                "", now, Settlement.IMPORT.value, orders[match],
                None if chances is None else chances[bounds[match] : bounds[match + 1]],
                first_side(history, match),
            )
            for match, (time, weight) in enumerate(
                zip(history.times.tolist(), history.weights.tolist(), strict=True)
            )
        ),
        len(history),
        progress,
    )  # fmt: skip
    sides = side_rows(history, ids, match_ids, side_ids)
    copy("league_side", SIDE_COLUMNS, sides, len(side_ids), progress)
    participants = participant_rows(history, ids, match_ids, side_ids)
    copy("league_participant", PARTICIPANT_COLUMNS, participants, len(history.player), progress)
    return match_ids, orders


def side_rows(
    history: History, ids: Sequence[int], match_ids: list[int], side_ids: list[int]
) -> Iterator[tuple[Any, ...]]:
    places, scores = history.places.tolist(), history.scores.tolist()
    captains = history.player[history.participant_offsets[:-1]].tolist()
    for match, sides in enumerate(sides_of(history)):
        for index, side in enumerate(sides):
            captain = ids[captains[side]]
            yield (
                side_ids[side], match_ids[match], index, places[side], number(scores[side]), captain
            )  # fmt: skip


def participant_rows(
    history: History, ids: Sequence[int], match_ids: list[int], side_ids: list[int]
) -> Iterator[tuple[Any, ...]]:
    player, bounds = history.player.tolist(), history.participant_offsets.tolist()
    seconds, quits = history.seconds.tolist(), history.quits.tolist()
    professions = [history.professions[code] for code in history.profession.tolist()]
    for match, sides in enumerate(sides_of(history)):
        for side in sides:
            for position, row in enumerate(range(bounds[side], bounds[side + 1])):
                yield (
                    match_ids[match], side_ids[side], ids[player[row]], position,
                    number(seconds[row]), quits[row], professions[row], False,
                )  # fmt: skip
