"""manage.py lab, as used at a terminal."""

import io
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from ratings.registry import SYSTEMS

HEADER = "match_id,played_at,side,place,player,surface,server"


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Sixty duels of six players, a day apart."""
    rng = np.random.default_rng(4)
    lines = [HEADER]
    for number in range(60):
        one, other = rng.choice(6, 2, replace=False).tolist()
        day = np.datetime64("2024-01-01") + number
        surface = ("clay", "grass")[number % 2]
        place = int(rng.random() < 0.4)
        lines.append(f"{number},{day},a,{place},p{one},{surface},1")
        lines.append(f"{number},{day},b,{1 - place},p{other},{surface},0")
    file = tmp_path / "history.csv"
    file.write_text("\n".join(lines))
    return file


def tried(*arguments: object) -> list[dict[str, Any]]:
    output = io.StringIO()
    call_command("lab", *map(str, arguments), "--json", stdout=output)
    found: list[dict[str, Any]] = json.loads(output.getvalue())
    return found


def refusal(*arguments: object) -> str:
    with pytest.raises(CommandError) as refused:
        call_command("lab", *map(str, arguments), stdout=io.StringIO())
    return str(refused.value)


def test_each_system_is_judged_on_the_matches_after_the_split(history: Path) -> None:
    found = tried(history, "--systems", "elo,laurel", "--split", "0.5")
    assert [trial["system"] for trial in found] == ["elo", "laurel"]
    assert list(found[0]) == [
        "system", "parameters", "matches", "accuracy", "log_loss", "brier", "slope", "seconds",
    ]  # fmt: skip
    assert {trial["matches"] for trial in found} == {30}
    assert all(0 < trial["accuracy"] < 1 and 0.3 < trial["log_loss"] < 1 for trial in found)
    assert found[0]["parameters"]["max_gain"] == 32


def test_parameters_are_for_all_systems_or_by_system(history: Path, tmp_path: Path) -> None:
    params = tmp_path / "params.json"
    params.write_text('{"elo": {"max_gain": 8}}')
    found = tried(history, "--systems", "elo,fermi", "--params", params)
    assert [trial["parameters"]["max_gain"] for trial in found] == [8, 0.18]
    params.write_text('{"max_gain": 8}')
    found = tried(history, "--systems", "elo,fermi", "--params", params)
    assert [trial["parameters"]["max_gain"] for trial in found] == [8, 8]


def test_a_context_and_a_first_side_change_the_forecasts(history: Path) -> None:
    (plain,) = tried(history, "--systems", "laurel")
    (context,) = tried(history, "--systems", "laurel", "--context", "surface")
    (first,) = tried(history, "--systems", "laurel", "--first-side", "server")
    assert len({trial["log_loss"] for trial in (plain, context, first)}) == 3


def test_fitting_changes_parameters_from_the_matches_before_the_split(history: Path) -> None:
    (found,) = tried(history, "--systems", "elo", "--fit")
    (named,) = tried(history, "--systems", "elo", "--fit", "max_gain")
    assert found["parameters"]["max_gain"] == named["parameters"]["max_gain"] != 32


def test_without_names_all_systems_that_can_rate_the_history_are_tried(
    history: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = tried(history)
    assert {trial["system"] for trial in found} == set(SYSTEMS)
    teams = history.with_name("teams.csv")
    teams.write_text(
        "match_id,played_at,side,place,player\n"
        + "\n".join(f"1,2024-01-01,{side},{side},{player}" for side, player in enumerate("ab"))
        + "\n1,2024-01-01,0,0,c\n"
    )
    errors = io.StringIO()
    call_command("lab", str(teams), stdout=io.StringIO(), stderr=errors)
    assert errors.getvalue().startswith("Left out: Ladder")


def test_a_full_trial_has_details_with_intervals(history: Path) -> None:
    [found] = tried(history, "--systems", "elo", "--full")
    assert set(found) == {*tried(history, "--systems", "elo")[0], "details"}
    details = found["details"]
    assert details["log_loss"]["value"] == pytest.approx(found["log_loss"])
    assert details["log_loss"]["low"] < found["log_loss"] < details["log_loss"]["high"]
    assert sum(one["sides"] for one in details["calibration"]) == 60
    output = io.StringIO()
    call_command("lab", str(history), "--systems", "elo", "--full", stdout=output)
    assert f"log_loss            {found['log_loss']:.4f}  95% within" in output.getvalue()
    assert "came first" in output.getvalue()


def test_a_walk_fits_in_every_window(history: Path) -> None:
    asked = [history, "--systems", "elo", "--fit", "max_gain", "--walk", "2w"]
    [found] = tried(*asked)
    assert [one["start"] for one in found["windows"]] == ["2024-01-31", "2024-02-14", "2024-02-28"]
    assert [one["matches"] for one in found["windows"]] == [14, 14, 2]
    assert found["matches"] == 30
    output = io.StringIO()
    call_command("lab", *map(str, asked), stdout=output)
    assert "from 2024-02-14: 14 matches, log loss" in output.getvalue()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--systems", "eloo"], "did you mean elo?"),
        (["--split", "1.5"], "The split must be from 0 to less than 1; you gave 1.5."),
        (["--split", "nan"], "The split must be from 0 to less than 1; you gave nan."),
        (["--split", "soon"], "is not a share such as 0.5, or a date such as 2024-05-31"),
        (["--split", "2025-01-01"], "No match is left after the split 2025-01-01."),
        (["--fit", "--split", "0"], "There are no matches before the split to fit to."),
        (["--walk", "30d"], "--walk fits again and again; say --fit as well."),
        (["--fit", "--walk", "soon"], "a duration is zero or more, written like 30s"),
        (["--fit", "--walk", "1h"], "--walk must be from 1d to 3650d; you gave 1h."),
        (["--fit", "--walk", "99999999w"], "--walk must be from 1d to 3650d"),
        (["--context", "map"], "there is no column “map”"),
        (["--first-side", "surface"], "must be 1 for the side that is first"),
        (["--systems", "elo", "--fit", "speed"], "speed: is not a parameter"),
        (["--arena", "chess"], "one of the two"),
    ],
)
def test_bad_options_are_explained(history: Path, options: list[str], message: str) -> None:
    assert message in refusal(history, *options)


def test_a_missing_history_or_parameters_are_explained(history: Path, tmp_path: Path) -> None:
    assert "one of the two" in refusal()
    assert "No such file" in refusal(tmp_path / "none.csv")
    params = tmp_path / "params.json"
    for text, message in [
        ("[1]", "must hold an object"),
        ("{", "it is not JSON"),
        ('{"elo": 3}', "must be an object"),
        ('{"max_gain": -1}', "max_gain: must be more than 0"),
    ]:
        params.write_text(text)
        assert message in refusal(history, "--systems", "elo", "--params", params)


def test_players_start_with_the_ratings_of_a_list(tmp_path: Path) -> None:
    file, starts = tmp_path / "results.csv", tmp_path / "starts.csv"
    file.write_text("date,home,away,result\n2026-01-02,Ann,Bob,1-0\n")
    starts.write_text("name,rating\nann,1700\nBob,1500\n")
    chance = 1 / (1 + 10 ** (-200 / 400))
    [trial] = tried(file, "--systems", "elo", "--split", "0", "--start", starts)
    assert trial["log_loss"] == pytest.approx(-math.log(chance))
    [anew] = tried(file, "--systems", "elo", "--split", "0")
    assert anew["log_loss"] == pytest.approx(math.log(2))
    every = tried(file, "--split", "0", "--start", starts)
    assert {trial["system"] for trial in every} >= {"elo", "glicko-2", "laurel"}
    assert "leave --start out" in refusal(file, "--start", starts, "--split", "0", "--fit")
    assert "ranks" in refusal(file, "--systems", "ladder", "--split", "0", "--start", starts)
    assert "No such file" in refusal(file, "--split", "0", "--start", tmp_path / "none.csv")
