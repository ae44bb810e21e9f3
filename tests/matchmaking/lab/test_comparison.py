"""Matchers side by side: the table, the plots, and the command that prints them."""

from io import StringIO
from pathlib import Path

import pytest
from defusedxml import ElementTree
from django.core.management import call_command
from django.core.management.base import CommandError

from matchmaking.lab.charts import Panel, svg
from matchmaking.lab.comparison import MatcherRuns, align, table
from matchmaking.lab.simulation import simulate
from matchmaking.lab.workload import Workload
from matchmaking.matchers import MATCHERS
from matchmaking.presets import PRESETS

pytestmark = pytest.mark.slow

NAMESPACE = "{http://www.w3.org/2000/svg}"
WORKLOAD = Workload(online=100, hours=0.3, warm_up=300.0)


@pytest.fixture(scope="module")
def compared_runs() -> list[MatcherRuns]:
    rules = PRESETS["recommended"].rules()
    return [
        MatcherRuns(
            name, [simulate(WORKLOAD, MATCHERS[name].match, rules, seed=seed) for seed in (1, 2)]
        )
        for name in ("laurel", "old")
    ]


def test_the_table_has_a_row_of_means_for_each_matcher(compared_runs: list[MatcherRuns]) -> None:
    rows = table(compared_runs)
    assert [row[0] for row in rows] == ["matcher", "laurel", "old"]
    counts = [run.figures().matches for run in compared_runs[0].runs]
    assert rows[1][rows[0].index("matches")] == f"{sum(counts) / 2:.0f}"
    assert len({len(line) for line in align(rows).splitlines()}) == 1


def test_a_chart_survives_hostile_names_and_few_points() -> None:
    for points in ([], [(0.0, 0.0)], [(5.0, 7.0), (5.0, 7.0)], [(1e9, -1e9), (2e9, 1e-9)]):
        drawn = ElementTree.fromstring(svg("<b>", "a & b", [Panel("<p>", "x", "y", {"<": points})]))
        for line in drawn.iter(f"{NAMESPACE}polyline"):
            for point in line.get("points").split():
                x, y = (float(number) for number in point.split(","))
                assert 0 <= x <= 460
                assert 0 <= y <= 300


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("simulate_queue", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


SMALL = ("--online", "40", "--hours", "0.2")


def test_the_command_compares_all_matchers_and_writes_plots(tmp_path: Path) -> None:
    printed = run("--arena", "recommended", "--compare", *SMALL, "--plots", str(tmp_path))
    names = [line.split("  ")[0] for line in printed.splitlines()]
    published = ["new, as published", "old, as published", "window"]
    assert names == ["matcher", "laurel", "old", "new", *published]
    assert {file.name for file in tmp_path.iterdir()} == {
        "waits_by_rating.svg",
        "quality_over_time.svg",
    }


def test_the_same_seeds_print_the_same_table() -> None:
    arguments = ("--arena", "small-community", *SMALL, "--seed", "1", "2")
    assert run(*arguments) == run(*arguments)
    assert run(*arguments) != run(*arguments[:-1], "3")


def test_real_players_replace_generated_ones(tmp_path: Path) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text("player,rating\n" + "".join(f"P{n},1500\n" for n in range(30)))
    arguments = ("--arena", "small-community", *SMALL)
    printed = run(*arguments, "--players", str(file))
    headings, figures = (line.split() for line in printed.splitlines())
    assert dict(zip(headings[::-1], figures[::-1], strict=False))["spread"] == "0"
    file.write_text("player,rating\nAlice,high\n")
    with pytest.raises(CommandError, match=r"ratings.csv cannot be used:\nline 2: rating must be"):
        run(*arguments, "--players", str(file))


def test_another_league_is_simulated() -> None:
    changed = ("--workload", "ratings=heavy", "fives=0.2", "burst=40", "regions=2")
    arguments = ("--arena", "small-community", *SMALL)
    assert run(*arguments, *changed) != run(*arguments)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--online", "0"), "--online must be a whole number from 1 to 1000000"),
        (("--online", "many"), "you gave many"),
        (("--hours", "-1"), "--hours must be a number more than 0"),
        (("--seed", "-1"), "--seed must be 0 or more"),
        (("--interval", "soon"), "--interval: a duration is"),
        (("--interval", "0s"), "--interval must be more than 0"),
        (("--plots", "/no/such/folder"), "The folder /no/such/folder for the plots does not exist"),
        (("--choose", "fairness=2"), "fairness must be"),
        (("--workload", "fivs=1"), "--workload: fivs is not known; choose from online, hours"),
        (("--workload", "fives=2"), "--workload: fives must be a number from 0 to 1"),
        (("--workload", "ratings=odd"), "--workload: ratings must be"),
        (("--workload", "shortest_rest=90"), "--workload: "),
    ],
)
def test_invalid_arguments_are_refused_with_the_reason(
    arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError) as refused:
        run("--arena", "recommended", *arguments)
    assert sentence in str(refused.value)
