"""The repeated experiments of the paper, by their output."""

import io
import os
import re
import subprocess
import sys
from itertools import count
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from ratings.lab.reproduction.accuracy import accuracy
from ratings.lab.reproduction.farming import farming
from ratings.lab.reproduction.groups import group_sizes
from ratings.lab.reproduction.parts import QUICK
from ratings.lab.reproduction.svg import Panel, Series, chart
from ratings.registry import SYSTEMS
from tests.support.effort import LONG

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
SVG = "{http://www.w3.org/2000/svg}"


ATTACKED = ["elo", "elo-mmr", "glicko-2", "topcoder", "wager"]
"""The systems of the paper's figure, one that is not for contests, and one without volatility."""


def no_report(_: str) -> None:
    """Ignore the reported step."""


def rows(text: str) -> dict[str, list[str]]:
    """Return the rows of all tables in a text by their first cell, the last one of each name."""
    split = (re.split(r"\s{2,}", line.strip()) for line in text.splitlines() if line)
    return {cells[0]: cells[1:] for cells in split if len(cells) > 2}


def parsed(drawing: str) -> ET.Element:
    return ET.fromstring(drawing)  # noqa: S314  # our own drawing, nobody else's


def reproduced(*arguments: object) -> str:
    output = io.StringIO()
    call_command("reproduce", *map(str, arguments), stdout=output, stderr=io.StringIO())
    return output.getvalue()


def test_the_tables_list_every_system_below_the_oracle() -> None:
    ticks = count()
    part = accuracy(QUICK, list(SYSTEMS), lambda: float(next(ticks)), no_report)
    small, large = part.text.split("Synth-large")
    for text, refused, players in ((small, {"wager"}, 60), (large, {"wager"}, 200)):
        found = rows(text)
        best = float(found["oracle"][0])
        assert set(SYSTEMS) - set(found) == refused
        for name in set(SYSTEMS) - refused:
            assert 60 < float(found[name][0]) < best, name
            assert float(found[name][1]) > float(found["oracle"][1]), name
            assert 0 < float(found[name][2]) < players**3 / 24, name
        assert float(found["oracle"][2]) == 0
    assert "wager: Wager rates matches of two sides" in part.text
    # The seconds are the clock's.
    assert rows(small)["elo-mmr"][3:] == ["1.00", "83.7", "15.0", "61.7"]
    assert rows(large)["elo-mmr"][5:] == ["1.00", "84.0", "11.1", "37.1"]


def test_the_attack_pays_only_in_topcoder_and_in_glicko_2_without_its_cap() -> None:
    part = farming(QUICK, list(SYSTEMS) if LONG else ATTACKED, no_report)
    assert part.text.count("on average, in: topcoder, glicko-2 without cap.\n") == 2
    found = rows(part.text)
    assert float(found["elo-mmr, Topcoder's attack"][2]) < 0
    assert found["wager"][0] == "2"
    drawing = parsed(part.plots["volatility-farming.svg"])
    words = " ".join(text.text or "" for text in drawing.iter(f"{SVG}text"))
    for title in (
        "Topcoder, contests of 30: +",
        "Elo-MMR, contests of 30: −",
        "Glicko-2 without volatility cap, contests of 20: +",
        "Glicko-2 with volatility cap, contests of 20: −",
    ):
        assert title in words
    assert words.count("adversary") == words.count("control") == 4


def test_accuracy_is_shown_for_each_group_size() -> None:
    part = group_sizes(QUICK, ["elo-mmr", "wager"], no_report)
    found = rows(part.text)
    assert found["system"] == ["2", "4", "8", "16", "32", "64"]
    assert all(float(cell) > 65 for cell in found["elo-mmr"])
    assert found["wager"][1:] == ["-"] * 5
    assert found["best"][1:] == ["elo-mmr"] * 5
    drawing = parsed(part.plots["group-sizes.svg"])
    assert drawing.find(f"{SVG}title") is not None
    assert drawing.find(f"{SVG}desc") is not None


def test_a_level_line_and_a_single_point_can_be_drawn() -> None:
    level = Series("level", np.array([5.0]), np.array([1500.0]), "#111111")
    drawn = chart("a", "b", [Panel("p", [level])], x_label="x", y_label="y")
    assert "nan" not in drawn.lower()
    parsed(drawn)


def test_plots_and_page_are_written_to_the_given_folder(tmp_path: Path) -> None:
    printed = reproduced(
        "attack", "groups", "--size", "quick", "--systems", "elo-mmr, topcoder", "--docs", tmp_path
    )
    assert printed.startswith("Figure 2: volatility farming")
    names = {"reproduction.md", "volatility-farming.svg", "group-sizes.svg"}
    assert {file.name for file in tmp_path.iterdir()} == names
    page = (tmp_path / "reproduction.md").read_text()
    assert "![Figure 2: volatility farming](volatility-farming.svg)" in page
    assert "elo-mmr, Topcoder's attack" in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["table"], "There is no part table; choose from tables, attack, groups."),
        (["--systems", "elo-mr"], "did you mean elo-mmr?"),
        (["--docs", "/nowhere/at/all"], "There is no folder /nowhere/at/all"),
    ],
)
def test_wrong_arguments_are_rejected_at_once(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=re.escape(message)):
        reproduced(*arguments)


def test_no_server_is_needed() -> None:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith(("DATABASE", "REDIS"))
    }
    done = subprocess.run(
        [sys.executable, ROOT / "manage.py", "reproduce", "groups", "--size", "quick",
         "--systems", "elo"],
        capture_output=True, text=True, timeout=120, check=False, env=environment,
        cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Figure 3" in done.stdout
    assert "groups of 2 ..." in done.stderr
