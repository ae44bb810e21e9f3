"""The columns of a bracket as pages draw it: what stands at which height, and what leads where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from league.models import Fixture, Round

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Entrant
    from league.services.competitions.pages import FixtureLine, RoundLines

WINNER = Fixture.Source.WINNER


@dataclass(frozen=True)
class Slot:
    """A place in a column: a fixture, or a side of the next round that had a bye."""

    line: FixtureLine | None = None
    bye: Entrant | None = None
    is_fed: bool = False
    """Whether a line of the column before leads here."""


@dataclass(frozen=True)
class Column:
    """A round of a bracket."""

    lines: RoundLines
    slots: Sequence[Slot]
    joins: str = ""
    """Lines lead to the next column in ``pairs`` or ``straight`` on; empty for none."""


def columns_of(rounds: Sequence[RoundLines]) -> list[Column]:
    """Return rounds as columns in which each fixture is at the height of those that lead to it.

    The fixture for third place comes last: nothing leads from it.
    """
    ordered = sorted(rounds, key=lambda each: each.round.stage == Round.Stage.THIRD)
    columns: list[Column] = []
    following: Sequence[Slot] = ()
    for each in reversed(ordered):
        slots, joins, following = find_slots(each, following)
        if columns:
            columns[0] = Column(columns[0].lines, following, columns[0].joins)
        columns.insert(0, Column(each, slots, joins))
        following = slots
    return columns


def find_slots(
    each: RoundLines, following: Sequence[Slot]
) -> tuple[list[Slot], str, Sequence[Slot]]:
    """Return a round's slots, how they join the next column, and that column's slots.

    Lines are drawn only where each fixture leads to exactly one of the next.
    """
    numbered = {line.fixture.number: line for line in each.fixtures}
    pairs: list[Slot] = []
    marked = []
    for slot in following:
        sides = [Slot(), Slot()]
        if slot.line and (after := slot.line.fixture):
            sides = [
                find_feeder(numbered, after.home_source, after.home_source_number, after.home),
                find_feeder(numbered, after.away_source, after.away_source_number, after.away),
            ]
        pairs += sides
        marked.append(Slot(slot.line, slot.bye, is_fed=any(side.line for side in sides)))
    leading = [slot.line.fixture.number for slot in pairs if slot.line]
    if not numbered or sorted(leading) != sorted(numbered):
        return [Slot(line) for line in each.fixtures], "", following
    halves = list(zip(pairs[::2], pairs[1::2], strict=True))
    if all((one.line is None) != (other.line is None) for one, other in halves):
        straight = [one if one.line else other for one, other in halves]
        if each.round.stage == Round.Stage.LOSERS:
            return straight, "straight", marked
    return pairs, "pairs", marked


def find_feeder(
    numbered: dict[int, FixtureLine], source: str, number: int | None, side: Entrant | None
) -> Slot:
    """Return what leads to a side of a fixture: a fixture of the round before, or a bye."""
    if source == WINNER and number in numbered:
        return Slot(numbered[number])
    return Slot(bye=side)
