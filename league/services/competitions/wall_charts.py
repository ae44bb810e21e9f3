"""Brackets as charts to pin on a wall: where each fixture stands, and the lines between them."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING

from league.models import Fixture, Round
from league.services.competitions.running import bracket_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from league.services.competitions.pages import CompetitionPage, FixtureLine, RoundLines

COLUMN, WIDTH = 225, 195
"""From one round to the next, and the width of a fixture."""
ROW, HEIGHT = 62, 48
"""From one fixture of a first round to the next, and the height of a fixture."""
TOP = 44
"""The room for the name and the date of a round above its fixtures."""
MOST_ROWS = 16
"""The most fixtures of a first round on one sheet."""
A4 = 1400, 700
"""The most width and height of a chart that can be read on a sheet of A4."""
WINNER = Fixture.Source.WINNER
Stage = Round.Stage


@dataclass(frozen=True)
class Box:
    """A fixture on a chart, by its upper left corner."""

    x: float
    y: float
    line: FixtureLine

    @property
    def middle(self) -> float:
        return self.y + HEIGHT / 2


@dataclass
class Chart:
    """A sheet with a part of a bracket."""

    boxes: list[Box] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    """Lines from a fixture to the next one of its winner, as an SVG path."""
    headings: list[tuple[float, float, RoundLines]] = field(default_factory=list)

    @property
    def width(self) -> float:
        return max((box.x for box in self.boxes), default=0) + WIDTH

    @property
    def height(self) -> float:
        return max((box.y for box in self.boxes), default=0) + HEIGHT + 2

    @property
    def is_large(self) -> bool:
        """Return whether it needs a sheet of A3."""
        return self.width > A4[0] or self.height > A4[1]


@dataclass(frozen=True)
class Tree:
    """A bracket as fixtures by number, with the rounds that they belong to."""

    lines: dict[int, FixtureLine]
    rounds: Sequence[RoundLines]

    def before(self, number: int, stages: Iterable[str]) -> list[int]:
        """Return the fixtures in these stages whose winners meet in a fixture."""
        one = self.lines[number].fixture
        sources = (
            (one.home_source, one.home_source_number),
            (one.away_source, one.away_source_number),
        )
        found = [number for kind, number in sources if kind == WINNER and number in self.lines]
        return [each for each in found if self.lines[each].fixture.round.stage in stages]

    def numbers(self, *stages: str) -> list[int]:
        return [one for one, line in self.lines.items() if line.fixture.round.stage in stages]


def charts_of(page: CompetitionPage) -> list[Chart]:
    """Return the sheets of a bracket: one, or several of a large one, the later rounds last."""
    rounds = page.bracket or page.bracket_plan
    lines = {line.fixture.number: line for each in rounds for line in each.fixtures}
    if not lines:
        return []
    tree = Tree(lines, rounds)
    if page.competition.format == page.competition.Format.DOUBLE:
        names = bracket_names.names_of(page.competition, page.rounds)
        named = [replace(each, name=names[each.round.pk]) for each in rounds]
        return charts_of_double(replace(tree, rounds=named))
    stages = (Stage.WINNERS, Stage.FINAL)
    return charts_of_part(tree, stages, tree.numbers(Stage.FINAL)[-1:])


def charts_of_double(tree: Tree) -> list[Chart]:
    """Return both brackets on one sheet, the finals beside them, or on sheets of their own."""
    roots = {stage: last_of(tree, stage) for stage in (Stage.WINNERS, Stage.LOSERS)}
    rows = sum(len(leaves(tree, roots[stage], (stage,))) for stage in roots)
    finals = sorted(tree.numbers(Stage.FINAL))
    if rows > MOST_ROWS:
        sheets = [
            chart for stage in roots for chart in charts_of_part(tree, (stage,), roots[stage])
        ]
        return [*sheets, chart_of(tree, (), finals)]
    chart = Chart()
    place(tree, chart, (Stage.WINNERS,), roots[Stage.WINNERS])
    beside, below = chart.width - WIDTH + COLUMN, chart.height + ROW / 2
    place(tree, chart, (), finals, across=beside, down=chart.boxes[-1].y - TOP)
    place(tree, chart, (Stage.LOSERS,), roots[Stage.LOSERS], down=below)
    connect(tree, chart)
    return [chart]


def last_of(tree: Tree, stage: str) -> list[int]:
    """Return the fixtures of the last round of a stage."""
    numbers = tree.numbers(stage)
    last = max((tree.lines[one].fixture.round.number for one in numbers), default=0)
    return [one for one in numbers if tree.lines[one].fixture.round.number == last]


def charts_of_part(tree: Tree, stages: Sequence[str], roots: Sequence[int]) -> list[Chart]:
    """Return the sheets of fixtures that lead to ``roots``, split where they are too many."""
    if len(leaves(tree, roots, stages)) <= MOST_ROWS:
        return [chart_of(tree, stages, roots)]
    heads = list(roots)
    while any(len(leaves(tree, [head], stages)) > MOST_ROWS for head in heads):
        heads = [each for head in heads for each in tree.before(head, stages) or [head]]
    sheets = [chart_of(tree, stages, [head]) for head in heads]
    return [*sheets, chart_of(tree, stages, roots, until=frozenset(heads))]


def leaves(tree: Tree, roots: Sequence[int], stages: Sequence[str]) -> list[int]:
    """Return the fixtures below ``roots`` that no other one of the stages leads to."""
    found = []
    for root in roots:
        earlier = tree.before(root, stages)
        found += leaves(tree, earlier, stages) if earlier else [root]
    return found


def chart_of(
    tree: Tree, stages: Sequence[str], roots: Sequence[int], until: frozenset[int] = frozenset()
) -> Chart:
    """Return a sheet with the fixtures that lead to ``roots``, from those of ``until``."""
    chart = Chart()
    place(tree, chart, stages, roots, until=until)
    connect(tree, chart)
    return chart


def place(
    tree: Tree,
    chart: Chart,
    stages: Sequence[str],
    roots: Sequence[int],
    *,
    until: frozenset[int] = frozenset(),
    across: float = 0,
    down: float = 0,
) -> None:
    """Put the fixtures that lead to ``roots`` on a chart, each between those it follows from."""
    shown: dict[int, float] = {}
    rows = count()

    def put(number: int) -> float:
        earlier = [] if number in until else tree.before(number, stages)
        ys = [put(each) for each in earlier]
        shown[number] = sum(ys) / len(ys) if ys else down + TOP + ROW * next(rows)
        return shown[number]

    for root in roots:
        put(root)
    for third in tree.numbers(Stage.THIRD) if Stage.FINAL in stages else ():
        shown[third] = max(shown[root] for root in roots) + HEIGHT + TOP + ROW / 2
    columns = columns_of(tree, shown)
    for number, y in shown.items():
        at = columns.index(column_of(tree.lines[number]))
        chart.boxes.append(Box(across + at * COLUMN, y, tree.lines[number]))
    for each in tree.rounds:
        own = [box for box in chart.boxes if box.line.fixture.round is each.round]
        if own and own[0].line.fixture.number in shown:
            beside = not stages or each.round.stage == Stage.THIRD
            top = min(box.y for box in own) if beside else down + TOP
            chart.headings.append((own[0].x, top - TOP, each))


def column_of(line: FixtureLine) -> tuple[bool, int]:
    """Return what orders the columns: the game for third place is in that of the final."""
    round_ = line.fixture.round
    late = round_.stage in {Stage.FINAL, Stage.THIRD}
    return late, round_.number


def columns_of(tree: Tree, shown: Iterable[int]) -> list[tuple[bool, int]]:
    return sorted({column_of(tree.lines[number]) for number in shown})


def connect(tree: Tree, chart: Chart) -> None:
    """Draw the lines between the fixtures of a chart."""
    boxes = {box.line.fixture.number: box for box in chart.boxes}
    chart.paths = [
        f"M{first.x + WIDTH:g} {first.middle:g}H{then.x - 20:g}V{then.middle:g}H{then.x:g}"
        for number, then in boxes.items()
        for first in (boxes.get(each) for each in tree.before(number, list(Stage)))
        if first is not None and first.x < then.x
    ]
