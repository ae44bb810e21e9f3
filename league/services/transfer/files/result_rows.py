"""Write the rows of imported results: matches, sides and participants, not yet rated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from psycopg.types.json import Jsonb

from league.models import Settlement, Status
from league.services.core.clock import moment
from league.services.rating.bulk import copy, next_values, silent
from ratings.history import NEITHER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from datetime import datetime

    from league.services.core.types import Progress
    from league.services.transfer.files.fixture_links import Link
    from league.services.transfer.files.result_lines import Line
    from league.services.transfer.files.result_plans import SeasonPlan

MATCH_COLUMNS = (
    "id, arena_id, season_id, status, played_at, weight, contest_weight, mode, information, "
    "dispute_reason, settled_at, settlement, first_side"
)
SIDE_COLUMNS = "id, match_id, index, place, score, captain_id"
PARTICIPANT_COLUMNS = "match_id, side_id, player_id, position, quit, profession, live"


def write_matches(
    one: SeasonPlan,
    made: Mapping[int, int],
    links: Mapping[int, Link],
    now: datetime,
    progress: Progress,
) -> list[int]:
    """Write new matches with their sides and participants, not yet rated. Return their ids."""
    season, count = one.season, len(one.new)
    if not count:
        return []
    ids = next_values("pg_get_serial_sequence('league_match', 'id')", count)
    copy(
        "league_match",
        MATCH_COLUMNS,
        (
            (
                match, season.arena_id, season.pk, Status.VOID.value, moment(line.time),
                line.weight, line.weight, line.mode, Jsonb({}), "", now, Settlement.IMPORT.value,
                first_side_of(line, links, place),
            )
            for place, (match, (line, _sides)) in enumerate(zip(ids, one.new, strict=True))
        ),
        count,
        silent,
    )  # fmt: skip
    total = sum(len(sides) for _line, sides in one.new)
    side_ids = next_values("pg_get_serial_sequence('league_side', 'id')", total)
    copy("league_side", SIDE_COLUMNS, side_rows(one, made, ids, side_ids), total, silent)
    parts = sum(len(side) for _line, sides in one.new for side in sides)
    rows = participant_rows(one, made, ids, side_ids)
    copy("league_participant", PARTICIPANT_COLUMNS, rows, parts, silent)
    progress(_("Writing"), count, count)
    return ids


def side_rows(
    one: SeasonPlan, made: Mapping[int, int], ids: list[int], side_ids: list[int]
) -> Iterator[tuple[Any, ...]]:
    numbers = iter(side_ids)
    for match, (line, sides) in zip(ids, one.new, strict=True):
        for index, side in enumerate(sides):
            captain = made.get(side[0], side[0])
            yield next(numbers), match, index, line.places[index], line.scores[index], captain


def participant_rows(
    one: SeasonPlan, made: Mapping[int, int], ids: list[int], side_ids: list[int]
) -> Iterator[tuple[Any, ...]]:
    numbers = iter(side_ids)
    for match, (_line, sides) in zip(ids, one.new, strict=True):
        for side in sides:
            side_id = next(numbers)
            for position, player in enumerate(side):
                yield match, side_id, made.get(player, player), position, False, "", False


def first_side_of(line: Line, links: Mapping[int, Link], place: int) -> int | None:
    """Return the first side of a new result: that of its fixture, or of its line; else None."""
    if place in links:
        return links[place].home
    return None if line.first == NEITHER else line.first
