"""manage.py replay and manage.py systems, as used at a terminal."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from ratings.files.histories import read_history
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from tests.support.trf_files import TRF

ROOT = Path(__file__).resolve().parents[2]
CSV = """match_id,played_at,side,place,player
1,2024-05-01,a,0,Alice
1,2024-05-01,b,1,Charlie
2,2024-05-09,a,0,Bob
2,2024-05-09,b,0,Alice
"""
CAPPED = """match_id,played_at,side,place,player,perf_ceiling
1,2024-05-01,a,0,Alice,1800
1,2024-05-01,b,1,Charlie,1800
"""


@pytest.fixture
def history(tmp_path: Path) -> Path:
    file = tmp_path / "history.csv"
    file.write_text(CSV)
    return file


def replayed(*arguments: object) -> str:
    output = io.StringIO()
    call_command("replay", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_ratings_are_printed_best_first(history: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(replayed("--system", "elo", history))))
    assert [row["player"] for row in rows] == ["Alice", "Bob", "Charlie"]
    assert [row["games"] for row in rows] == ["2", "1", "1"]
    assert rows[2]["rating"] == "1484.0"


def test_ratings_and_events_can_be_written_to_files(history: Path, tmp_path: Path) -> None:
    output, events = tmp_path / "out.csv", tmp_path / "events.csv"
    params = tmp_path / "params.json"
    params.write_text('{"rating_default": 1500, "deviation_period": "1w"}')
    printed = replayed(
        "--system", "glicko-2", "--params", params, "--output", output, "--events", events, history
    )  # fmt: skip
    assert printed == ""
    assert {row["player"] for row in csv.DictReader(output.read_text().splitlines())} == {
        "Alice",
        "Bob",
        "Charlie",
    }
    rows = list(csv.DictReader(events.read_text().splitlines()))
    assert [row["player"] for row in rows] == ["Alice", "Charlie", "Bob", "Alice"]
    assert rows[0]["rating_before"] == "1500.0"
    assert float(rows[3]["deviation"]) > float(rows[3]["deviation_before"])


def test_every_system_rates_the_same_file(history: Path) -> None:
    for name in SYSTEMS:
        assert replayed("--system", name, history).count("\n") == 4


@pytest.mark.parametrize(
    ("system", "params", "text", "message"),
    [
        ("dice", None, CSV, "there is no rating system “dice”; choose from "),
        ("elo", '{"T": -1}', CSV, "T: must be from 0.000001 to 1000000; you gave -1"),
        ("elo", '{"K": 32}', CSV, "K: is not a parameter"),
        ("elo", "{", CSV, "JSON: cannot be read"),
        (
            "elo",
            None,
            CSV.replace("a,0,Bob", "a,x,Bob"),
            "line 4, column place: “x” is not a place",
        ),
        ("elo", None, "", "The file is empty"),
        ("elo", None, CAPPED, "Elo has no performance ceiling"),
    ],
)
def test_bad_input_is_rejected_with_a_message_and_writes_no_file(
    tmp_path: Path, system: str, params: str | None, text: str, message: str
) -> None:
    history, output = tmp_path / "history.csv", tmp_path / "out.csv"
    history.write_text(text)
    arguments: list[object] = ["--system", system, "--output", output]
    if params is not None:
        (tmp_path / "params.json").write_text(params)
        arguments += ["--params", tmp_path / "params.json"]
    with pytest.raises(CommandError) as refused:
        replayed(*arguments, history)
    assert message in str(refused.value)
    assert not output.exists()


def test_a_replay_needs_no_database_and_fails_with_a_message(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "REDIS_URL": "redis://127.0.0.1:1/0",
    }
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"match_id,\0played_at")
    command = [sys.executable, "manage.py", "replay", "--system", "elo"]
    good = tmp_path / "good.csv"
    good.write_text(CSV)
    fine = subprocess.run(
        [*command, good], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (fine.returncode, fine.stderr) == (0, "")
    assert fine.stdout.startswith("player,rating,deviation,volatility,games,last_played\nAlice,")
    failed = subprocess.run(
        [*command, bad], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert failed.returncode == 1
    assert "The file is not text" in failed.stderr
    assert "Traceback" not in failed.stderr


def test_results_without_dates_are_rated_in_their_order(tmp_path: Path) -> None:
    file, events = tmp_path / "winners.csv", tmp_path / "events.csv"
    file.write_text("winner,loser\nAnn,Ben\nBen,Cem\n")
    for name in SYSTEMS:
        rated = replayed("--system", name, "--events", events, file).splitlines()
        assert {row["last_played"] for row in csv.DictReader(rated)} == {""}
        assert len(events.read_text().splitlines()) == 5


def test_systems_are_listed_with_each_parameters_range_default_and_meaning() -> None:
    output = io.StringIO()
    call_command("systems", stdout=output)
    listed = " ".join(output.getvalue().split())
    assert "glicko-2 (Glicko-2)" in listed
    assert (
        "deviation_period: default 30d, from 1m to 3650d; GW2 <Ratings> Deviation/@period" in listed
    )
    assert "Length of a period of inactivity" in listed


def test_systems_are_listed_as_json_too() -> None:
    output = io.StringIO()
    call_command("systems", "--json", stdout=output)
    listed = {system["name"]: system for system in json.loads(output.getvalue())}
    assert set(listed) == set(SYSTEMS)
    by_name = {each["name"]: each for each in listed["elo"]["parameters"]}
    assert by_name["max_gain"]["default"] == 32.0
    assert by_name["max_gain"]["exclusive_minimum"] is True
    assert listed["glicko-2"]["shows"]["volatility"] is True
    assert listed["glicko-2"]["terms"][0]["label"] == "Expected result"


def test_a_tournament_is_rated_from_the_ratings_in_its_file(tmp_path: Path) -> None:
    file = tmp_path / "open.trf"
    file.write_text(TRF)
    expected = {"Ames, Ann": 2500.0, "Berg, Bob": 2100.0, "Cole, Cem": 1800.0, "Dorn, Dora": 1500.0}
    gain: Any = build("elo").parameters.to_json()["max_gain"]
    for first, second, score in (
        ("Ames, Ann", "Cole, Cem", 1.0),
        ("Dorn, Dora", "Berg, Bob", 0.5),
        ("Berg, Bob", "Ames, Ann", 0.0),
    ):
        chance = 1 / (1 + 10 ** ((expected[second] - expected[first]) / 400))
        expected[first] += gain * (score - chance)
        expected[second] -= gain * (score - chance)
    ways: list[tuple[object, ...]] = [(), ("--events", tmp_path / "events.csv")]
    for more in ways:
        rows = list(
            csv.DictReader(io.StringIO(replayed("--system", "elo", "--start", file, *more, file)))
        )
        assert {row["player"]: float(row["rating"]) for row in rows} == pytest.approx(expected)
    with pytest.raises(CommandError, match="Ladder has ranks"):
        replayed("--system", "ladder", "--start", file, file)
    file.write_text("date,home,away,result\n2026-01-02,Ann,Bob,1-0\n")
    with pytest.raises(CommandError, match="no ratings in the file"):
        replayed("--system", "elo", "--start", file, file)


STARTS = "Name;Rating;RD\nANN;1700;80\nBob;1500;\nCem;1400;60\n"


def test_a_history_is_rated_from_a_list_of_ratings(tmp_path: Path) -> None:
    file, starts = tmp_path / "results.csv", tmp_path / "starts.csv"
    file.write_text("date,home,away,result\n2026-01-02,Ann,Bob,0-1\n2026-01-03,Bob,Dia,1-0\n")
    starts.write_text(STARTS)
    rows = csv.DictReader(io.StringIO(replayed("--system", "glicko-2", "--start", starts, file)))
    found = {row["player"]: (float(row["rating"]), float(row["deviation"])) for row in rows}
    system = build("glicko-2")
    history = read_history(file)
    states = system.newcomers(3)
    states.rating[:2], states.deviation[0] = [1700, 1500], 80
    final = replay(system, history, states).states
    for code, name in enumerate(history.players):
        assert found[name] == (final.rating[code], final.deviation[code])


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("Name,Rating\nAnn,1500\nann,1600\n", "line 3: ann has a rating in line 2 already"),
        ("Name,Rating\nAnn,x\n", "line 2: “x” is not a number"),
        ("Name,Rating\nZoe,1500\n", "no ratings of its players"),
        ("", "empty"),
    ],
)
def test_a_list_of_ratings_that_cannot_be_used_says_why(
    tmp_path: Path, text: str, match: str
) -> None:
    file, starts = tmp_path / "results.csv", tmp_path / "starts.csv"
    file.write_text("date,home,away,result\n2026-01-02,Ann,Bob,0-1\n")
    starts.write_text(text)
    with pytest.raises(CommandError, match=match):
        replayed("--system", "elo", "--start", starts, file)
