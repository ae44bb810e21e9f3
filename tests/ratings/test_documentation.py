"""The pages about ratings are up to date, and their examples run."""

import contextlib
import io
import re
from pathlib import Path

import pytest

from ratings.registry import SYSTEMS
from tests.ratings.systems.conformance import PAGE, checks, with_tables

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(page: Path, language: str) -> list[str]:
    """Return a page's code blocks in one language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def test_the_tables_of_the_page_are_up_to_date() -> None:
    page = PAGE.read_text("utf-8")
    assert with_tables(page) == page, "to update: python -m tests.ratings.systems.conformance"


def test_every_check_runs_for_some_system_and_most_run_for_all() -> None:
    checked = checks()
    assert all(checked.values())
    assert sum(systems == set(SYSTEMS) for systems in checked.values()) > 10


def test_a_page_without_markers_for_a_table_is_rejected() -> None:
    with pytest.raises(ValueError, match="exactly one place for systems"):
        with_tables("# Rating systems\n")


@pytest.mark.parametrize("page", [README, PAGE], ids=lambda page: page.name)
def test_the_examples_run_and_print_their_comments(page: Path) -> None:
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        comments = re.findall(r"print\(.*?\)  # (.*)$", example, re.MULTILINE)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example, page.name, "exec"), {})  # noqa: S102 # the example is ours
        lines = [re.sub(r" +", " ", line.strip()) for line in printed.getvalue().splitlines()]
        assert lines == [line for comment in comments for line in comment.split(", ")]
