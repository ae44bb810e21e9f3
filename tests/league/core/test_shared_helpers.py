"""Helpers that tests share are in tests/support/, and not in the tests of something else."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTS = Path(__file__).resolve().parents[2]
ABOUT_TESTS = {TESTS / "ratings/systems/conformance.py"}
"""Modules that read which tests there are, and take no helper from them."""


def imported_by(code: str) -> Iterator[str]:
    """Yield the full names of what a module imports, anywhere in it."""
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def is_of_a_test(name: str) -> bool:
    return name.startswith("tests.") and any(part.startswith("test_") for part in name.split("."))


def test_no_module_imports_from_a_test_module() -> None:
    found = {
        str(path.relative_to(TESTS)): names
        for path in set(TESTS.rglob("*.py")) - ABOUT_TESTS
        if (names := [one for one in imported_by(path.read_text()) if is_of_a_test(one)])
    }
    assert found == {}


def test_imports_within_functions_are_found() -> None:
    within = "def one():\n    from tests.league.arenas.test_drafts import may\n"
    assert [one for one in imported_by(f"import tests.chaos\n{within}") if is_of_a_test(one)] == [
        "tests.league.arenas.test_drafts.may"
    ]
