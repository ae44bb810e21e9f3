"""Numbers that people read have the decimal sign of their language."""

import ast
import re
from pathlib import Path

from django.utils.translation import override

from league.services.core.numbers import write_score

ROOT = Path(__file__).parents[3]
WITH_DECIMALS = re.compile(r"\.([1-9]\d*)?[fg]?$")
"""How a format such as ``.15g`` or ``.{decimals}f`` begins, before what is filled in."""
FOR_PROGRAMS = {
    # Coordinates, headers and SQL.
    "league/admin/arenas/wizard/advice.py",
    "league/admin/core/previews.py",
    "league/web/operations/middleware.py",
    "league/web/rating/charts.py",
    "league/web/rating/plots.py",
    "league/web/standings/distributions.py",
    # What forms and files read back, and the log of staff, which is in English.
    "league/services/competitions/exports/trf.py",
    "league/services/people/entry_lists.py",
    "league/services/results/staff/changes.py",
    "league/web/competitions/organising.py",
    "league/web/results/live_scores.py",
    "league/web/seasons/starting.py",
    # Put into the reader's form in the next step.
    "league/admin/core/floats.py",
    "league/admin/queue/ticks.py",
    "league/services/competitions/standings/competition_tables.py",
    "league/services/core/numbers.py",
}


def test_numbers_are_written_by_functions_that_know_the_language() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "league").rglob("*.py")
        if not {"api", "management"} & set(path.parts)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr)
        for part in node.format_spec.values[:1]
        if isinstance(part, ast.Constant) and WITH_DECIMALS.search(str(part.value))
    }
    assert found == FOR_PROGRAMS


def test_a_score_has_the_decimals_it_needs() -> None:
    with override("de"):
        assert [write_score(each) for each in (3.0, 1.5, 0.25, -2.0)] == ["3", "1,5", "0,25", "−2"]
    with override("en"):
        assert write_score(1.5) == "1.5"
