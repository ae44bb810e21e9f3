"""Convert an arena's ladder points from and to the published XML form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matchmaking.io.blocks import Checkpoint, Document, LadderSeason, PointRule, PointRules
from ratings.points import rules as point_rules
from ratings.points import tables as point_tables
from ratings.tunables.reading import read_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena
    from matchmaking.io.blocks import Block

MINUTE = 60.0


def modes_of(document: Document, held: Sequence[str]) -> list[str]:
    """Return an arena's game modes: those it has, and then those of the tables in a file."""
    modes = {mode.casefold(): mode for mode in held}
    for block in document.all(PointRules):
        modes.setdefault(block.mode.casefold(), block.mode)
    return list(modes.values())


def point_rules_of(document: Document, held: dict[str, Any]) -> dict[str, Any]:
    """Return the season rules for ladder points in a file.

    Of several tables, each is for its game mode, and the first is also for all other modes.
    ``held`` are the current rules, used where the file says nothing.
    """
    tables, seasons = document.all(PointRules), document.all(LadderSeason)
    points: dict[str, Any] = dict(held.get("points") or {})
    table, by_mode = held.get("point_table"), held.get("mode_points") or []
    if seasons:
        points |= ladder_of(seasons[-1])
    if tables:
        by_mode = [table_of(block) for block in tables] if len(tables) > 1 else []
        by_mode = point_tables.mode_tables_as_json(by_mode)
        chosen = table_of(tables[0])
        preset = next(
            (n for n, one in point_rules.PRESETS.items() if one.rules == chosen.rules), None
        )
        points |= {"counts": True, "table": preset or point_tables.OWN}
        table = None if preset else point_tables.table_as_json(chosen)
    return {"points": points, "point_table": table, "mode_points": by_mode} if points else {}


def ladder_of(block: LadderSeason) -> dict[str, Any]:
    """Return the rules in a ``<Ladder>``."""
    given = block.model_fields_set
    rules: dict[str, Any] = {}
    if "start" in given:
        rules["starts"] = block.start.isoformat()
    if "end" in given:
        rules["ends"] = block.end.isoformat()
    if "grace" in given:
        rules["grace"] = block.grace * MINUTE
    if "leaderboard_points" in given:
        rules["leaderboard_points"] = block.leaderboard_points
    return rules


def table_of(block: PointRules) -> point_rules.PointRules:
    """Return the table in a ``<PointRules>``. Raises ``PointsError``."""
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


def blocks_of(arena: Arena, kept: Sequence[Block]) -> list[Block]:
    """Return the ``kept`` blocks, with those for points as the arena's rules are now."""
    season = arena.rules().points
    rest = [block for block in kept if not isinstance(block, LadderSeason | PointRules)]
    tables = [block for block in kept if isinstance(block, PointRules)]
    ladder = next((block for block in kept if isinstance(block, LadderSeason)), None)
    if not season.ladder.counts or season.by_place:  # which the published form does not have
        tables = []
    elif not describe(tables, season, arena.modes):
        tables = written_tables(season, arena.modes)
    if tables or ladder:
        ladder = ladder_now(season.ladder, ladder)
    return [*rest, *tables, *([ladder] if ladder else [])]


def describe(
    tables: Sequence[PointRules], season: point_tables.PointSeason, modes: Sequence[str]
) -> bool:
    """Return whether these tables are those of a season with these game modes."""
    if not tables or {table.mode.casefold() for table in tables} != set(map(str.casefold, modes)):
        return False
    return all(table_of(block).rules == season.table_of(block.mode).rules for block in tables) and (
        table_of(tables[0]).rules == season.table.rules
    )


def written_tables(season: point_tables.PointSeason, modes: Sequence[str]) -> list[PointRules]:
    """Return a table for each game mode; without any, the one table that there is.

    The first is the one for all other modes, too.
    """
    if not modes:
        return [written_table(season.table, season.table.mode.capitalize())]
    main_first = sorted(modes, key=lambda mode: season.table_of(mode).rules != season.table.rules)
    return [written_table(season.table_of(mode), mode) for mode in main_first]


def written_table(table: point_rules.PointRules, mode: str) -> PointRules:
    return PointRules(
        mode=mode,
        rules=tuple(
            PointRule(
                odds=rule.odds,
                checkpoints=tuple(
                    Checkpoint(ladder_points=one.points, score_ratio=one.score_ratio)
                    for one in rule.checkpoints
                ),
            )
            for rule in table.rules
        ),
    )


def ladder_now(ladder: point_rules.Ladder, kept: LadderSeason | None) -> LadderSeason | None:
    """Return ``kept`` with the attributes that a new arena needs to get this ``ladder``."""
    held = {name: getattr(kept, name) for name in kept.model_fields_set} if kept else {}
    given = read_parameters(point_rules.Ladder, ladder_of(kept) if kept else {})
    changed: dict[str, Any] = {
        "start": (ladder.starts or None, ladder.starts != given.starts),
        "end": (ladder.ends or None, ladder.ends != given.ends),
        "grace": (ladder.grace / MINUTE, ladder.grace != given.grace),
        "leaderboard_points": (
            ladder.leaderboard_points,
            ladder.leaderboard_points != given.leaderboard_points,
        ),
    }
    values = held | {name: value for name, (value, differs) in changed.items() if differs}
    written = {name: value for name, value in values.items() if value is not None}
    return LadderSeason.model_validate(written) if written or kept else None
