"""The columns of brackets: which fixture stands where, and what leads to it."""

from itertools import pairwise

import pytest

from league.models import Arena, Player
from league.services.competitions import pages
from league.services.competitions.bracket_columns import Column
from tests.support.competition_steps import begun, crowd


def leads(column: Column, following: Column) -> None:
    """Assert that what is drawn between two columns is where the winners go."""
    per = 2 if column.joins == "pairs" else 1
    assert len(column.slots) == per * len(following.slots)
    for at, slot in enumerate(column.slots):
        after = following.slots[at // per].line
        assert after is not None
        fixture = after.fixture
        sources = {fixture.home_source_number, fixture.away_source_number}
        if slot.line:
            assert slot.line.fixture.number in sources
            assert following.slots[at // per].is_fed
        elif slot.bye:
            assert slot.bye in (fixture.home, fixture.away)


@pytest.mark.parametrize("size", [2, 3, 5, 6, 8, 11, 13, 16, 26])
@pytest.mark.parametrize("kind", ["single", "double"])
def test_lines_lead_where_the_winners_go(duel: Arena, olga: Player, kind: str, size: int) -> None:
    if kind == "double" and size < 3:
        return
    one = begun(duel, olga, crowd(size), kind)
    page = pages.load(one)
    drawn = 0
    for _heading, columns in page.bracket_parts:
        for column, following in pairwise(columns):
            if column.joins:
                leads(column, following)
                drawn += 1
    shown = [
        slot.line.fixture.number
        for _heading, columns in page.bracket_parts
        for column in columns
        for slot in column.slots
        if slot.line
    ]
    assert sorted(shown) == sorted(one.fixtures.values_list("number", flat=True))
    if kind == "single":
        assert drawn == len(page.bracket_parts[0][1]) - 1
        first = page.bracket_parts[0][1][0]
        byes = [slot.bye for slot in first.slots if slot.bye]
        assert len(byes) == len(first.slots) * 2 - size
