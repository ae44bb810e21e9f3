"""The changelog of the API leads from its first description to the present one."""

import re

from tests.support import api_surface
from tests.support.api_surface import BLOCK, CHANGES, HEADING


def test_everything_that_changed_is_told() -> None:
    added, gone = api_surface.untold()
    assert (added, gone) == ([], []), "run `make api-changes`, and say what the change is for"


def test_each_change_says_what_it_is_for_and_each_loss_that_it_breaks_programs() -> None:
    for entry in re.split(r"(?m)^## ", CHANGES.read_text())[1:]:
        heading, _line, rest = entry.partition("\n")
        words = BLOCK.sub("", rest).strip()
        assert heading != HEADING.removeprefix("## ")
        assert words, heading
        loses = any(
            line.startswith("- ") for block in BLOCK.findall(rest) for line in block.splitlines()
        )
        assert not loses or words.startswith("Breaking:"), heading
