"""``laurel-ratings``, as used at a terminal. What ``replay`` and ``systems`` do is in
``test_commands``."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ratings import Ratings
from ratings.cli import main

ROOT = Path(__file__).resolve().parents[2]
PLAYED = [("Ann", "Bob"), ("Ann", "Cem"), ("Bob", "Cem"), ("Cem", "Ann"), ("Bob", "Ann")]


@pytest.fixture
def history(tmp_path: Path) -> Path:
    file = tmp_path / "history.csv"
    lines = ["match_id,played_at,side,place,player"]
    for number, (winner, loser) in enumerate(PLAYED, start=1):
        lines += [f"{number},2024-05-0{number},{n},{n},{p}" for n, p in enumerate((winner, loser))]
    file.write_text("\n".join(lines))
    return file


def test_replay_prints_the_ratings(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(history), "--system", "elo"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    ratings = Ratings("elo")
    for winner, loser in PLAYED:
        ratings.rate([winner, loser])
    assert {row["player"]: float(row["rating"]) for row in rows} == {
        name: ratings[name].rating for name in ratings
    }


@pytest.mark.parametrize("command", [["evaluate", "--systems"], ["fit", "--system"]])
def test_a_system_that_does_not_suit_the_pace_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    slow = tmp_path / "slow.csv"
    lines = ["match_id,played_at,side,place,player"]
    for number, pair in enumerate(PLAYED, start=1):
        lines += [f"{number},{2000 + number}-05-01,{n},{n},{p}" for n, p in enumerate(pair)]
    slow.write_text("\n".join(lines))
    name, option = command
    assert main([name, str(slow), option, "glicko-2"]) == 0
    assert "Set deviation_period to about" in capsys.readouterr().err
    assert main([name, str(slow), option, "elo"]) == 0
    assert "deviation_period" not in capsys.readouterr().err


def test_a_full_evaluation_has_details(history: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", str(history), "--systems", "elo", "--full"]
    assert main([*command, "--json"]) == 0
    [found] = json.loads(capsys.readouterr().out)
    assert found["details"]["brier"]["value"] == pytest.approx(found["brier"])
    assert main(command) == 0
    assert "95% within" in capsys.readouterr().out


@pytest.mark.parametrize("split", ["0.4", "2024-05-03"])
def test_evaluate_counts_the_matches_after_the_split(
    history: Path, capsys: pytest.CaptureFixture[str], split: str
) -> None:
    command = ["evaluate", str(history), "--systems", "elo, ladder", "--split", split, "--json"]
    assert main(command) == 0
    elo, ladder = json.loads(capsys.readouterr().out)
    ratings, chances = Ratings("elo"), []
    for winner, loser in PLAYED:
        chances.append(ratings.predict([winner, loser]).expected[0])
        ratings.rate([winner, loser])
    late = np.array(chances[2:])
    assert (elo["system"], ladder["system"]) == ("elo", "ladder")
    assert elo["matches"] == 3
    assert elo["log_loss"] == pytest.approx(-np.log(late).mean())
    assert elo["brier"] == pytest.approx(((1 - late) ** 2).mean())
    assert elo["accuracy"] == pytest.approx(np.where(late == 0.5, 0.5, late > 0.5).mean())
    assert elo["parameters"]["max_gain"] == 32


def test_fit_finds_better_parameters_and_judges_them_later(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chance = np.random.default_rng(2)
    lines = ["match_id,played_at,side,place,player"]
    for number in range(300):  # the lower number always wins, so large steps are best
        winner, loser = sorted(chance.choice(6, 2, replace=False).tolist())
        day = f"2024-{1 + number // 28:02}-{1 + number % 28:02}"
        lines += [f"{number},{day},{n},{n},{p}" for n, p in enumerate((winner, loser))]
    history, params = tmp_path / "history.csv", tmp_path / "params.json"
    history.write_text("\n".join(lines))
    command = ["fit", str(history), "--system", "elo", "--fit", "max_gain", "--output", str(params)]
    assert main(command) == 0
    printed = capsys.readouterr()
    assert json.loads(params.read_text())["max_gain"] > 64
    after, before = (float(text.rstrip(",")) for text in printed.err.split() if "0." in text)
    assert after < before
    assert main(["evaluate", str(history), "--systems", "elo", "--params", str(params)]) == 0
    assert f"{after:.4f}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["replay", "{}", "--system", "eloo"], "did you mean elo?"),
        (["replay", "nowhere.csv", "--system", "elo"], "Cannot read nowhere.csv"),
        (["evaluate", "{}", "--systems", "elo,eloo"], "did you mean elo?"),
        (["evaluate", "{}", "--systems", "elo,ladder", "--params", "x.json"], "name one"),
        (["evaluate", "{}", "--systems", "elo", "--split", "half"], "is not a share"),
        (["evaluate", "{}", "--systems", "elo", "--split", "1.5"], "from 0 to less than 1"),
        (["evaluate", "{}", "--systems", "elo", "--split", "2030-01-01"], "No match is left"),
        (["fit", "{}", "--system", "elo", "--split", "0"], "no matches before the split"),
        (["fit", "{}", "--system", "elo", "--fit", "gain"], "is not a parameter"),
    ],
)
def test_what_cannot_be_done_is_said(
    history: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], problem: str
) -> None:
    assert main([each.format(history) for each in arguments]) == 1
    printed = capsys.readouterr()
    assert problem in printed.err
    assert printed.err.startswith("laurel-ratings ")
    assert not printed.out


@pytest.mark.parametrize("program", [["-m", "ratings.cli"], ["manage.py"]])
def test_a_reader_may_close_the_pipe(program: list[str]) -> None:
    command = [sys.executable, *program, "systems", "--json"]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as listing:
        assert listing.stdout is not None
        assert listing.stderr is not None
        assert listing.stdout.readline() == "[\n"
        listing.stdout.close()
        assert listing.stderr.read() == ""
    assert listing.returncode == 0
