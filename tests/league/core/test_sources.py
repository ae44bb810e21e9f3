"""docs/sources/: everything that the tables of the sources name exists."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from django.apps import apps
from django.core.exceptions import FieldDoesNotExist
from django.core.management import get_commands
from django.urls import URLPattern, URLResolver, get_resolver

from league.models.result_rules import ResultRules
from matchmaking.dishonor import DishonorRules
from matchmaking.prediction import PredictionRules
from matchmaking.rank_filter import RankFilterRules
from matchmaking.regions import RegionRules
from matchmaking.rules.arena import Choices, MatcherRules, QueueRules
from matchmaking.rules.laurel import LaurelRules
from ratings.display import DisplayRules
from ratings.registry import SYSTEMS
from ratings.seasons.rules import LISTS, SEASON_RULES
from ratings.tunables.parameters import Parameters

ROOT = Path(__file__).resolve().parents[3]
INDEX = ROOT / "docs" / "sources.md"
PAGES = sorted((ROOT / "docs" / "sources").glob("*.md"))
HEADER = ["No.", "Statement", "Setting", "Page or route", "Test"]
NAMED = re.compile(r"`([^`]+)`")
TEST = re.compile(r"tests/[a-z0-9_/]+\.py::test_\w+")

TUNABLES: dict[str, type[Parameters]] = {
    **{name: system.Parameters for name, system in SYSTEMS.items()},
    **{f"season {group.replace('_', ' ')}": model for group, model in SEASON_RULES.items()},
    "results": ResultRules,
    "shown": DisplayRules,
    "queue": QueueRules,
    "matcher": MatcherRules,
    "laurel": LaurelRules,
    "rank filter": RankFilterRules,
    "readings": Choices,
    "regions": RegionRules,
    "dishonor": DishonorRules,
    "prediction": PredictionRules,
}
"""The declarations of settings, by what the tables call them."""


class Statement(NamedTuple):
    """A row of a table."""

    number: str
    text: str
    setting: str
    page: str
    test: str


def tables(text: str) -> Iterator[list[list[str]]]:
    """Return the tables of a page: rows of cells, with the header and without the line below it."""
    for block in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        rows = [line.strip().removeprefix("|").removesuffix("|") for line in block.splitlines()]
        cells = [[cell.strip() for cell in row.split("|")] for row in rows]
        yield [cells[0], *cells[2:]]


def problems(text: str) -> list[str]:
    """Return what is wrong with the tables of a page, a sentence for each row and cell."""
    found, last = [], (0, "")
    for header, *rows in tables(text):
        if header != HEADER:
            found.append(f"a table has the columns {header}")
            continue
        for cells in rows:
            if len(cells) != len(HEADER) or not all(cells):
                found.append(f"row {cells[0]} needs {len(HEADER)} cells, none of them empty")
                continue
            row = Statement(*cells)
            number = re.fullmatch(r"(\d+)([a-z]?)", row.number)
            here = (int(number[1]), number[2]) if number else (0, "")
            if here <= last:
                found.append(f"row {row.number} does not follow row {last[0]}{last[1]}")
            last = max(here, last)
            found += [f"row {row.number}: {problem}" for problem in wrong_cells(row)]
    return found


def wrong_cells(row: Statement) -> Iterator[str]:
    whole = not row.test.startswith(("in part: ", "missing"))
    for cell, exists, what in (
        (row.setting, is_setting, "setting"),
        (row.page, is_page, "page, route or command"),
    ):
        rest = NAMED.sub("", cell).strip(" ,")
        if rest not in {"", "-"} and not (what == "setting" and rest == "always"):
            yield f"“{rest}” is no {what}"
        yield from (
            f"there is no {what} “{name}”" for name in NAMED.findall(cell) if not exists(name)
        )
    if whole and row.setting == "-":
        yield "what holds has a setting, or “always”"
    if row.test.startswith("missing") and (row.setting, row.page) != ("-", "-"):
        yield "what is missing has neither setting nor page"
    yield from wrong_tests(row.test)


def wrong_tests(cell: str) -> Iterator[str]:
    names = NAMED.findall(cell)
    if cell.startswith(("in part: ", "missing")):
        yield from wrong_gap(cell, names)
        return
    if cell.startswith("measured: "):
        yield from (f"there is no “{name}”" for name in names if name not in makes())
        return
    for name in names:
        if not TEST.fullmatch(name):
            yield f"“{name}” is no test"
            continue
        path, test = name.split("::")
        if test not in named_tests(path):
            yield f"there is no test “{test}” in {path}"
    if not names:
        yield "no test is named"


def wrong_gap(cell: str, names: list[str]) -> Iterator[str]:
    """Find a false “missing”: what a gap names does not exist, but the tests of the rest do."""
    tests = [name for name in names if TEST.fullmatch(name)]
    gaps = [name for name in names if name not in tests and not name.startswith("manage.py ")]
    if not gaps:
        yield "a gap names what would close it"
    yield from (f"“{name}” is there" for name in gaps if is_setting(name) or is_page(name))
    if tests and cell.startswith("missing"):
        yield "what is missing has no test"
    for name in tests:
        path, test = name.split("::")
        if test not in named_tests(path):
            yield f"there is no test “{test}” in {path}"


def is_setting(name: str) -> bool:
    """Return whether this is a field of a model, a tunable, or a list of a season's rules."""
    group, _, parameter = name.partition(": ")
    if parameter:
        if group == "season":
            return parameter in LISTS
        return group in TUNABLES and parameter in TUNABLES[group].model_fields
    model, _, field = name.partition(".")
    try:
        apps.get_model("league", model)._meta.get_field(field)
    except (LookupError, ValueError, FieldDoesNotExist):
        return False
    return True


def is_page(name: str) -> bool:
    """Return whether this is the name of a URL, or a command."""
    if name.startswith("manage.py "):
        return name.removeprefix("manage.py ") in get_commands()
    return name in url_names()


@cache
def url_names() -> frozenset[str]:
    def below(resolver: URLResolver, space: str) -> Iterator[str]:
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLPattern):
                yield f"{space}{pattern.name}"
            else:
                inner = f"{space}{pattern.namespace}:" if pattern.namespace else space
                yield from below(pattern, inner)

    return frozenset(below(get_resolver(), ""))


@cache
def named_tests(path: str) -> frozenset[str]:
    """Return the tests of a file, without importing it."""
    file = ROOT / path
    body = ast.parse(file.read_text("utf-8")).body if file.is_file() else []
    return frozenset(node.name for node in body if isinstance(node, ast.FunctionDef))


@cache
def makes() -> frozenset[str]:
    """Return the commands of the Makefile."""
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    return frozenset(f"make {target}" for target in targets)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_everything_that_a_table_names_exists(page: Path) -> None:
    assert problems(page.read_text("utf-8")) == []


def test_the_index_leads_to_every_table() -> None:
    linked = re.findall(r"\]\((sources/[^)]+)\)", INDEX.read_text("utf-8"))
    assert sorted(linked) == [f"sources/{page.name}" for page in PAGES]
    assert sum(len(rows) - 1 for page in PAGES for rows in tables(page.read_text("utf-8"))) > 250
