"""The pages about rating say what is true, and their examples run."""

from __future__ import annotations

import contextlib
import io
import re
from pathlib import Path

import pytest

from ratings.registry import SYSTEMS
from tests.ratings.systems.conformance import PAGE, checks, written

README = Path(__file__).resolve().parents[2] / "README.md"


def blocks(page: Path, language: str) -> list[str]:
    """The examples of a page in one language."""
    return re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def test_the_table_of_the_exam_is_what_the_exam_holds_each_system_to() -> None:
    page = PAGE.read_text("utf-8")
    assert written(page) == page, "to mend the page: python -m tests.ratings.systems.conformance"


def test_every_check_of_the_exam_is_for_some_system_and_most_are_for_all() -> None:
    held = checks()
    assert all(held.values())
    assert sum(systems == set(SYSTEMS) for systems in held.values()) > 10


def test_a_page_without_a_place_for_a_table_is_refused() -> None:
    with pytest.raises(ValueError, match="exactly one place for systems"):
        written("# Rating systems\n")


@pytest.mark.parametrize("page", [README, PAGE], ids=lambda page: page.name)
def test_the_examples_run_and_print_what_they_say(page: Path) -> None:
    examples = blocks(page, "python")
    assert examples
    for example in examples:
        said = re.findall(r"print\(.*?\)  # (.*)$", example, re.MULTILINE)
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(example, page.name, "exec"), {})  # noqa: S102 # the example is ours
        lines = [re.sub(r" +", " ", line.strip()) for line in printed.getvalue().splitlines()]
        assert lines == [line for told in said for line in told.split(", ")]
