"""Names in a list are parted by the comma of any keyboard."""

import pytest

from league.models import Arena
from league.services.people.entry_lists import read_entry
from league.services.transfer.evenings.finish_orders import read_order
from league.web.results.lineups import members_of

EACH = pytest.mark.parametrize("comma", [",", "，", "、", "،"])


@EACH
def test_members_of_a_roster(comma: str) -> None:
    for colon in (": ", "："):
        entry = read_entry(1, [f"红队{colon}李雷{comma} 韩梅梅"], None, numbered=False)
        assert (entry.name, entry.members) == ("红队", ("李雷", "韩梅梅"))


@EACH
def test_an_order_of_finish(comma: str) -> None:
    assert read_order(f"Ann{comma} Bob{comma}Cy") == "Ann > Bob > Cy"


@EACH
def test_a_line_up(comma: str) -> None:
    assert members_of(Arena(team_size_max=2), f"Ann{comma} Bob") == ["Ann", "Bob"]
