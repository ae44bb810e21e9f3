"""The rows of an evening as they are typed, and the sides that they name."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from league.models import Fixture, Match, Player, RatingEvent, Roster
from league.models.names import fold
from league.models.skeletons import skeleton
from league.services.core.isolation import gettext as _
from league.services.core.types import PlayedBy, ReportedSide
from league.services.people import naming
from league.services.transfer.evenings.finish_orders import change_names, read_order
from ratings.files.scores import DRAWS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena
    from league.services.transfer.files.result_lines import Line, Reader

PARTS = re.compile(r"(\s*,\s*)")
"""The separators of the names of a cell."""
COLUMNS = {
    "played_at": 0,
    "side_1": 1,
    "side_2": 2,
    "result": 3,
    "winner": 4,
    "order": 5,
    "mode": 6,
}


@dataclass(frozen=True)
class EveningRow:
    """A row of the page, as it was typed."""

    first: str = ""
    second: str = ""
    outcome: str = ""
    """A score such as 3:1, or 1, 2 or draw."""
    order: str = ""
    """The order of finish of a free-for-all."""
    mode: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.first or self.second or self.outcome or self.order)


@dataclass(frozen=True)
class Fix:
    """A name that nobody has, and the name of a player or roster who may be meant."""

    wrong: str
    right: str


@dataclass
class Tried:
    """The effect of a row, or all of its errors."""

    errors: list[str] = field(default_factory=list)
    fixes: list[Fix] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    """Names that nobody has, and none is like."""
    added: list[str] = field(default_factory=list)
    """The names of its new players."""
    first: str = ""
    """The name of the first side."""
    chance: float | None = None
    """The first side's chance to win before the match."""
    changes: list[tuple[str, float, float]] = field(default_factory=list)
    """The name of each player, with their rating before and after."""
    match: Match | None = None
    counts_for: str = ""
    """The competition and the round of the fixture for which it counts."""
    fixture: Fixture | None = None
    """The fixture that a walkover decided."""
    walkover: str = ""
    """A sentence about the walkover."""


def cells_of(row: EveningRow, played_at: datetime) -> list[str]:
    """Return a row as the reader of files reads one."""
    names = {fold(row.first), fold(row.second), "1", "2"}
    says_winner = fold(row.outcome) in names | DRAWS
    result, winner = ("", row.outcome) if says_winner else (row.outcome, "")
    return [
        played_at.isoformat(),
        row.first,
        row.second,
        result,
        winner,
        read_order(row.order),
        row.mode,
    ]


def rosters_of(arena: Arena, lines: dict[int, Line], reader: Reader) -> dict[str, Roster]:
    """Return the rosters of the arena that stand for a side, by folded name as it is written.

    Accents, apostrophes and hyphens may be missing where only one roster is meant.
    """
    if arena.team_size_max == 1:
        return {}
    alone = {side[0] for line in lines.values() for side in line.names if len(side) == 1}
    alike = {skeleton(reader.written[name]) for name in alone}
    rows = Roster.objects.filter(arena=arena, skeleton__in=alike).prefetch_related("members")
    found = list(rows)
    same = {roster.folded_name: roster for roster in found if roster.folded_name in alone}
    for name in alone - set(same):
        written = naming.bare(reader.written[name])
        meant = [roster for roster in found if naming.bare(roster.name) == written]
        if len(meant) == 1:
            [same[name]] = meant
    return same


def read_sides(
    line: Line,
    reader: Reader,
    names: naming.Names,
    players: dict[int, Player],
    rosters: dict[str, Roster],
    own: Tried,
) -> list[ReportedSide]:
    """Return the sides of a row, and note every name that nobody has."""
    sides = []
    for at, side in enumerate(line.names):
        roster = rosters.get(side[0]) if len(side) == 1 else None
        if roster is not None:
            members = list(roster.members.all())
            if not members:
                own.errors.append(_("“%(roster)s” has no members.") % {"roster": roster})
        else:
            known = [player_named(name, reader, names, players, own) for name in side]
            members = [player for player in known if player is not None]
        if own.errors or own.unknown:
            continue
        captain = members[0]
        if roster is not None:
            captain = next((one for one in members if one.pk == roster.captain_id), captain)
        parts = [PlayedBy(player) for player in members]
        place, score = (at, None) if line.walkover else (line.places[at], line.scores[at])
        sides.append(ReportedSide(captain, parts, place, score, roster))
    if own.unknown:
        listed = "”, “".join(own.unknown)
        own.errors.append(_("Nobody is called “%(name)s”.") % {"name": listed})
    return sides


def player_named(
    name: str, reader: Reader, names: naming.Names, players: dict[int, Player], own: Tried
) -> Player | None:
    """Return the player of a folded name, or note its problem."""
    if name in names.problems:
        own.errors.append(names.problems[name])
        return None
    player = players.get(names.ids[name])
    if player is None:
        wrong, near = reader.written[name], names.proposals.get(name, [])
        if near:
            own.errors.append(_("Nobody is called “%(name)s”.") % {"name": wrong})
        else:
            own.unknown.append(wrong)
        own.fixes += [Fix(wrong, right) for _pk, right in near]
    elif names.new.pop(name, ""):
        own.added.append(player.name)
    return player


def fix(rows: Sequence[EveningRow], number: int, one: Fix, *, solo: bool) -> list[EveningRow]:
    """Return the rows with a name of one of them put right."""

    def put_right(cell: str) -> str:
        parts = [cell] if solo else PARTS.split(cell)
        return "".join(one.right if fold(part) == fold(one.wrong) else part for part in parts)

    return [
        replace(
            row,
            first=put_right(row.first),
            second=put_right(row.second),
            order=change_names(row.order, put_right),
        )
        if at == number
        else row
        for at, row in enumerate(rows)
    ]


def show(own: Tried) -> None:
    """Note what an entered match did."""
    if own.match is None:
        return
    first = own.match.sides.select_related("roster", "captain").get(index=0)
    own.first = str(first.roster or first.captain)
    own.chance = own.match.forecast[0] if own.match.forecast else None
    events = RatingEvent.objects.filter(match=own.match).order_by("id")
    own.changes = list(events.values_list("player__name", "rating_before", "rating_after"))
