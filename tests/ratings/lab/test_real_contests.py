"""Real contests in the JSON form of the Elo-MMR paper's program."""

import io
import json
import math
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from ratings.io.contestfiles import ContestError, read_folder
from ratings.lab.evaluation import evaluate
from ratings.lab.reproduction.parts import as_published
from ratings.lab.synthetic import World, generate

SYNTHETIC = generate(World(players=30, rounds=24, entrants=12), np.random.default_rng(6)).history


def write(folder: Path, number: object, content: object) -> None:
    text = content if isinstance(content, str) else json.dumps(content)
    (folder / f"{number}.json").write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Twenty-four synthetic rounds, as the paper's program would store them."""
    made = tmp_path / "topcoder"
    made.mkdir()
    for match in range(len(SYNTHETIC)):
        sides = range(*SYNTHETIC.side_offsets[match : match + 2].tolist())
        places = SYNTHETIC.places[list(sides)]
        standings = [
            [
                SYNTHETIC.players[SYNTHETIC.player[side]],
                int((places < SYNTHETIC.places[side]).sum()),
                int((places <= SYNTHETIC.places[side]).sum()) - 1,
            ]
            for side in sides
        ]
        write(
            made,
            match,
            {
                "name": f"Round {match}",
                "url": None,
                "time_seconds": int(SYNTHETIC.times[match]) // 1_000_000,
                "standings": standings,
            },
        )
    return made


def test_contests_are_evaluated_as_the_history_that_they_are(folder: Path) -> None:
    output = io.StringIO()
    asked = ["--contests", str(folder), "--systems", "elo-mmr,codeforces,wager"]
    call_command("reproduce", *asked, stdout=output, stderr=io.StringIO())
    text = output.getvalue()
    assert "Real contests: topcoder\n\n24 contests, 30 players" in text
    for name in ("elo-mmr", "codeforces"):
        known = evaluate(as_published(name), SYNTHETIC, first=2)
        [row] = [line.split() for line in text.splitlines() if line.startswith(f"{name} ")]
        assert row[1:3] == [f"{known.pair_inversion:.2f}", f"{known.rank_deviation:.2f}"]
    assert "wager: Wager rates matches of two sides only" in text


def test_files_count_by_number_and_time_and_keep_ties_weights_and_ceilings(tmp_path: Path) -> None:
    pair = [["Ann", 0, 0], ["Bob", 1, 1]]
    tied = [["Ann", 0, 1], ["Bob", 0, 1], ["Cem", 2, 2]]
    write(tmp_path, 10, {"name": "c", "time_seconds": 50, "standings": tied})
    write(tmp_path, 9, {"name": "b", "time_seconds": 50, "standings": pair, "weight": 0.5})
    write(tmp_path, 0, {"name": "late", "time_seconds": 90, "standings": pair})
    write(tmp_path, 1, {"name": "alone", "time_seconds": 10, "standings": [["Ann", 0, 0]]})
    ceiling = {"perf_ceiling": 1800, "standings": pair}
    write(tmp_path, 2, {"name": "a", "time_seconds": 20, **ceiling})
    (tmp_path / "readme.txt").write_text("none of ours")
    found = read_folder(tmp_path)
    assert found.match_ids == ["2", "9", "10", "0"]
    assert found.weights.tolist() == [1.0, 0.5, 1.0, 1.0]
    assert found.perf_ceilings.tolist() == [1800.0, math.inf, math.inf, math.inf]
    assert found.places[4:7].tolist() == [0, 0, 2]
    assert found.times[0] == 20_000_000


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[" * 100_000, "is not JSON"),
        ("[]", "0.json: the file:"),
        ({"standings": []}, "time_seconds: Field required"),
        ({"time_seconds": 1}, "standings: Field required"),
        ({"time_seconds": -1, "standings": []}, "time_seconds"),
        ({"time_seconds": 10**30, "standings": []}, "time_seconds"),
        ({"time_seconds": 1, "standings": [["Ann", 0]]}, "standings.0"),
        ({"time_seconds": 1, "standings": [["Ann", -1, 0]]}, "standings.0.1"),
        ({"time_seconds": 1, "standings": [["Ann", 0.5, 1]]}, "standings.0.1"),
        ({"time_seconds": 1, "standings": [], "weight": 0}, "weight"),
        ('{"time_seconds": 1, "standings": [], "weight": NaN}', "weight"),
        ({"time_seconds": 1, "standings": [["Ann", 0, 0], ["Ann", 1, 1]]}, "Ann"),
        ({"time_seconds": 1, "standings": [["", 0, 0], ["Ann", 1, 1]]}, "player"),
    ],
)
def test_files_that_are_no_contests_are_named(
    tmp_path: Path, content: object, message: str
) -> None:
    write(tmp_path, 0, content)
    with pytest.raises(ContestError, match=message):
        read_folder(tmp_path)


def test_wrong_folders_and_options_are_explained(tmp_path: Path, folder: Path) -> None:
    for arguments, message in [
        (["--contests", str(tmp_path / "none")], "There is no folder"),
        (["--contests", str(tmp_path)], "has no contests, which are files such as 0.json."),
        (["tables", "--contests", str(folder)], "--contests stands alone"),
    ]:
        with pytest.raises(CommandError, match=message):
            call_command("reproduce", *arguments, stdout=io.StringIO())
