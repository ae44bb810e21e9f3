"""A table of the conformance tests: which checks run for which system.

    python -m tests.ratings.systems.conformance

writes it into ``docs/ratings.md``. The table is derived from the tests' parameters.
"""

import inspect
from pathlib import Path
from types import FunctionType

from ratings.registry import SYSTEMS
from tests.ratings.systems import test_every_system, test_large_matches, test_match_facts
from tests.support.system_properties import properties_of

FILES = [test_every_system, test_large_matches, test_match_facts]
PAGE = Path(__file__).resolve().parents[3] / "docs/ratings.md"


def checks() -> dict[str, set[str]]:
    """Return the systems of each check, by the test's name as a sentence, in order."""
    return {_sentence(test): _systems(test) for test in _tests()}


def with_any_parameters() -> set[str]:
    """Return the checks that draw parameters."""
    return {_sentence(test) for test in _tests() if hasattr(test, "any_parameters")}


def _tests() -> list[FunctionType]:
    return [
        test
        for file in FILES
        for test in sorted(
            (
                test
                for name, test in inspect.getmembers(file, inspect.isfunction)
                if name.startswith("test_")
            ),
            key=_line,
        )
    ]


def _line(test: FunctionType) -> int:
    check: FunctionType = getattr(test, "any_parameters", inspect.unwrap(test))
    return check.__code__.co_firstlineno


def _sentence(test: FunctionType) -> str:
    words = test.__name__.removeprefix("test_").replace("_", " ")
    return words[0].upper() + words[1:]


def _systems(test: FunctionType) -> set[str]:
    """Return the system names in the test's parameters."""
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
    """Return the Markdown table with a row per shape and check, and a column per system."""
    lines = {
        sentence: {name for name in SYSTEMS if properties_of(name).rates(sizes)}
        for sentence, sizes in SHAPES.items()
    }
    lines["Takes a performance ceiling"] = {
        name for name in SYSTEMS if properties_of(name).perf_ceiling
    }
    cells = [["", *SYSTEMS], ["---", *[":-:"] * len(SYSTEMS)]]
    drawn = with_any_parameters()
    for sentence, systems in (lines | checks()).items():
        mark = "●" if sentence in drawn else "✓"
        cells.append([sentence, *(mark if name in systems else "–" for name in SYSTEMS)])
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def systems() -> str:
    """Return the Markdown list of systems."""
    lines = ["| name | | |", "|---|---|---|"]
    lines += [f"| `{name}` | {made.label} | {made.summary} |" for name, made in SYSTEMS.items()]
    return "\n".join(lines)


TABLES = {"systems": systems, "conformance": matrix}


def with_tables(page: str) -> str:
    """Return the page with current tables between their markers."""
    for name, table in TABLES.items():
        start, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if (page.count(start), page.count(end)) != (1, 1):
            raise ValueError(f"{PAGE.name} must have exactly one place for {name}")
        before, _, rest = page.partition(start)
        after = rest.partition(end)[2]
        page = f"{before}{start}\n{table()}\n{end}{after}"
    return page


if __name__ == "__main__":
    PAGE.write_text(with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
