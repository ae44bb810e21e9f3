"""Ladder points of an arena from the published XML form, and back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matchmaking.io.blocks import Checkpoint, Document, LadderSeason, PointRule, PointRules
from ratings.points import rules as point_rules
from ratings.points import tables as point_tables
from ratings.seasons.rules import read_rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena
    from matchmaking.io.blocks import Block

MINUTE = 60.0


def rules_of(document: Document, modes: Sequence[str], held: dict[str, Any]) -> dict[str, Any]:
    """Of an arena's season rules, those of its points as a file says them.

    With tables of several modes, that of the first of the arena's ``modes`` that has one counts,
    else the first. ``held`` are the rules so far, for what the file leaves out.
    """
    tables, seasons = document.all(PointRules), document.all(LadderSeason)
    said: dict[str, Any] = dict(held.get("points") or {})
    table = held.get("point_table")
    if seasons:
        said |= ladder_of(seasons[-1])
    if tables:
        wanted = [mode.casefold() for mode in modes]
        fitting = [block for block in tables if block.mode.casefold() in wanted]
        chosen = table_of((fitting or tables)[0])
        preset = next(
            (n for n, one in point_rules.PRESETS.items() if one.rules == chosen.rules), None
        )
        said |= {"counts": True, "table": preset or point_tables.OWN}
        table = None if preset else point_tables.table_as_json(chosen)
    return {"points": said, "point_table": table} if said else {}


def ladder_of(block: LadderSeason) -> dict[str, Any]:
    """What a ``<Ladder>`` says, as rules of points."""
    given = block.model_fields_set
    said: dict[str, Any] = {}
    if "start" in given:
        said["starts"] = block.start.isoformat()
    if "end" in given:
        said["ends"] = block.end.isoformat()
    if "grace" in given:
        said["grace"] = block.grace * MINUTE
    if "leaderboard_points" in given:
        said["leaderboard_points"] = block.leaderboard_points
    return said


def table_of(block: PointRules) -> point_rules.PointRules:
    """A ``<PointRules>`` as the table that it is. Raises ``PointsError``."""
    return point_tables.checked_table(
        [
            point_rules.PointRule(
                rule.odds,
                tuple(
                    point_rules.Checkpoint(point.score_ratio, point.ladder_points)
                    for point in rule.checkpoints
                ),
            )
            for rule in block.rules
        ],
        block.mode,
    )


def blocks_of(arena: Arena, kept: Sequence[Block], modes: Sequence[str]) -> list[Block]:
    """The ``kept`` blocks, with those of points as the arena has them now."""
    season = arena.rules().points
    came = rules_of(Document(tuple(kept)), modes, {})
    if not season.ladder.counts or same(came, arena):
        return list(kept)
    table = written_table(season)
    rest = [block for block in kept if not isinstance(block, LadderSeason | PointRules)]
    others = [block for block in kept if isinstance(block, PointRules) and block.mode != table.mode]
    return [*rest, table, *others, written_ladder(season)]


def same(came: dict[str, Any], arena: Arena) -> bool:
    """Whether an arena's points are still those that it came with."""
    return bool(came) and read_rules(came).points == arena.rules().points


def written_table(season: point_tables.PointSeason) -> PointRules:
    return PointRules(
        mode=season.table.mode.capitalize(),
        rules=tuple(
            PointRule(
                odds=rule.odds,
                checkpoints=tuple(
                    Checkpoint(ladder_points=one.points, score_ratio=one.score_ratio)
                    for one in rule.checkpoints
                ),
            )
            for rule in season.table.rules
        ),
    )


def written_ladder(season: point_tables.PointSeason) -> LadderSeason:
    ladder = season.ladder
    said: dict[str, datetime | str | float] = {
        "grace": ladder.grace / MINUTE,
        "leaderboard_points": ladder.leaderboard_points,
    }
    if ladder.starts:
        said["start"] = ladder.starts
    if ladder.ends:
        said["end"] = ladder.ends
    return LadderSeason.model_validate(said)
