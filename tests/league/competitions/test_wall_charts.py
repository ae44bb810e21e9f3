"""Wall charts of brackets of every size: everybody is on them, and nothing overlaps."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from league.models import Competition, Entrant
from league.services.competitions import wall_charts
from league.services.competitions.outcomes import Outcome
from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines
from league.services.competitions.running import drawing
from league.services.competitions.wall_charts import HEIGHT, TOP, WIDTH
from tests.support.cast import NOW

if TYPE_CHECKING:
    from league.models import Arena
    from league.services.competitions.wall_charts import Chart

SIZES = [2, 3, 4, 5, 7, 8, 13, 16, 17, 32, 33, 64, 100]


def charts(arena: Arena, count: int, format_: str, **play: object) -> tuple[list[Chart], int]:
    """Return the sheets of a bracket that is not saved, and the number of its fixtures."""
    one = Competition(season=arena.seasons.get(), format=format_, rules={"play": play})
    entrants = [Entrant(pk=number, name=f"P{number}") for number in range(1, count + 1)]
    rounds, fixtures = drawing.plan_bracket(one, entrants, NOW, after=0)
    for number, each in enumerate(rounds, start=1):
        each.pk = number
    ended = {None: Outcome("")}
    page = CompetitionPage(one, entrants, fixtures, rounds, ended)  # type: ignore[arg-type] # nothing is saved
    page.__dict__["bracket"] = [
        RoundLines(
            each, [FixtureLine(one, ended[None]) for one in fixtures if one.round is each], "Round"
        )
        for each in rounds
    ]
    return wall_charts.charts_of(page), len(fixtures)


@pytest.mark.parametrize("count", SIZES)
@pytest.mark.parametrize(
    ("format_", "play"), [("single", {"third_place": True}), ("double", {}), ("single", {})]
)
def test_every_fixture_has_its_place(
    duel: Arena, count: int, format_: str, play: dict[str, object]
) -> None:
    sheets, fixtures = charts(duel, count, format_, **play)
    shown = {box.line.fixture.number for chart in sheets for box in chart.boxes}
    assert shown == set(range(1, fixtures + 1))
    for chart in sheets:
        assert len({box.line.fixture.number for box in chart.boxes}) == len(chart.boxes)
        for one, other in combinations(chart.boxes, 2):
            beside = abs(one.x - other.x) >= WIDTH
            assert beside or abs(one.y - other.y) >= HEIGHT
        headed = {each.round.pk for _x, _y, each in chart.headings}
        assert headed == {box.line.fixture.round.pk for box in chart.boxes}
        for x, y, _round in chart.headings:
            assert y >= 0
            below = [box.y for box in chart.boxes if box.x == x and box.y + HEIGHT > y]
            assert not below or min(below) >= y + TOP - 1
        assert chart.height <= 2 * TOP + 18 * wall_charts.ROW


@pytest.mark.parametrize("count", SIZES)
def test_each_stands_between_those_it_follows_from(duel: Arena, count: int) -> None:
    sheets, _fixtures = charts(duel, count, "single")
    for chart in sheets:
        boxes = {box.line.fixture.number: box for box in chart.boxes}
        for box in chart.boxes:
            one = box.line.fixture
            sources = [
                boxes[number]
                for number in (one.home_source_number, one.away_source_number)
                if number in boxes
            ]
            if sources:
                ys = [source.y for source in sources]
                assert box.y == sum(ys) / len(ys)
                assert all(source.x < box.x for source in sources)


@pytest.mark.parametrize(
    ("format_", "count", "sheets"),
    [
        ("single", 16, [False]),
        ("double", 8, [False]),
        ("double", 16, [True]),
        ("single", 32, [True]),
        ("single", 64, [True, True, False]),
        ("double", 32, [True, True, False]),
    ],
)
def test_small_brackets_are_on_one_sheet_of_a4(
    duel: Arena, format_: str, count: int, sheets: list[bool]
) -> None:
    assert [chart.is_large for chart in charts(duel, count, format_)[0]] == sheets
