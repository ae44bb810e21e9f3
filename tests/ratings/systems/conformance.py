"""The exam as a table: which system is held to which check.

    python -m tests.ratings.systems.conformance

writes it into ``docs/ratings.md``. It is read off the exam itself: a system is held to a check if
the test is run with its name. That it passes, the test suite shows.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FunctionType

from ratings.registry import SYSTEMS
from tests.ratings.systems import test_every_system
from tests.support.stated import stated

PAGE = Path(__file__).resolve().parents[3] / "docs/ratings.md"


def checks() -> dict[str, set[str]]:
    """The systems that each check is run with, by the sentence that names it, in order."""
    tests = [
        test
        for name, test in inspect.getmembers(test_every_system, inspect.isfunction)
        if name.startswith("test_")
    ]
    tests.sort(key=lambda test: inspect.unwrap(test).__code__.co_firstlineno)
    return {_sentence(test): _systems(test) for test in tests}


def _sentence(test: FunctionType) -> str:
    words = test.__name__.removeprefix("test_").replace("_", " ")
    return words[0].upper() + words[1:]


def _systems(test: FunctionType) -> set[str]:
    """The names that the test's parameters go through."""
    for mark in getattr(test, "pytestmark", []):
        if mark.name != "parametrize":
            continue
        arguments, cases = mark.args
        if arguments == "name":
            return set(cases)
        if arguments[0] == "name":
            return {case[0] for case in cases}
    return set()


SHAPES = {
    "Rates teams": (2, 2),
    "Rates more than two sides": (1, 1, 1),
    "Rates teams of several sides": (2, 2, 2),
}


def matrix() -> str:
    """The table in Markdown: a line for each shape and check, a column for each system."""
    lines = {
        sentence: {name for name in SYSTEMS if stated(name).rates(sizes)}
        for sentence, sizes in SHAPES.items()
    }
    lines["Takes a performance ceiling"] = {name for name in SYSTEMS if stated(name).perf_ceiling}
    cells = [["", *SYSTEMS], ["---", *[":-:"] * len(SYSTEMS)]]
    cells += [
        [sentence, *("✓" if name in systems else "–" for name in SYSTEMS)]
        for sentence, systems in (lines | checks()).items()
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def systems() -> str:
    """What there is, in Markdown."""
    lines = ["| name | | |", "|---|---|---|"]
    lines += [f"| `{name}` | {made.label} | {made.summary} |" for name, made in SYSTEMS.items()]
    return "\n".join(lines)


TABLES = {"systems": systems, "exam": matrix}


def written(page: str) -> str:
    """The page with the tables as they are now, each between its two marks."""
    for name, table in TABLES.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if (page.count(start), page.count(end)) != (1, 1):
            raise ValueError(f"{PAGE.name} has not exactly one place for {name}")
        before, _, rest = page.partition(start)
        after = rest.partition(end)[2]
        page = f"{before}{start}\n{table()}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
