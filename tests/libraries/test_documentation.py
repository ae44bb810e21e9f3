"""The pages and notebooks of the libraries do what they say."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from libraries.building import ROOT, lay_out
from libraries.documenting import systems_page
from libraries.renaming import NAMES
from ratings.registry import SYSTEMS

_DOCTEST = """
import doctest, sys
failed, _tried = doctest.testfile(sys.argv[1], module_relative=False)
sys.exit(failed)
"""
SNIPPET = re.compile(r'^--8<--[ \t]+"([^"\n]+)"$')
"""A line that PyMdown's snippets replace by a file, as their grammar has it."""
PAGES = sorted(ROOT.glob("libraries/docs/**/*.md"))
NOTEBOOKS = sorted(ROOT.glob("libraries/notebooks/*.py"))


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a path for imports by the libraries' names."""
    folder = tmp_path_factory.mktemp("sources")
    for engine in NAMES:
        (folder / engine).mkdir()
        lay_out(engine, folder / engine)
    return os.pathsep.join(str(folder / engine) for engine in NAMES)


def run(sources: str, folder: Path, *arguments: object) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", *map(str, arguments)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": sources},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_of_a_page_are_right(sources: str, tmp_path: Path, page: Path) -> None:
    run(sources, tmp_path, "-c", _DOCTEST, page)


def test_a_clubs_results_are_rated(sources: str, tmp_path: Path) -> None:
    shown = run(sources, tmp_path, ROOT / "libraries/notebooks/club.py")
    assert "    1   Chen  1734.7      137.5     14" in shown
    assert "Dora against Emil: 47%" in shown


def test_systems_are_compared(sources: str, tmp_path: Path) -> None:
    shown = run(sources, tmp_path, ROOT / "libraries/notebooks/comparing.py")
    losses = {
        line.split(" log loss ")[0].strip(): float(line.split(" log loss ")[1][:6])
        for line in shown.splitlines()
        if " log loss " in line
    }
    best = losses.pop("best possible")
    assert all(best < loss < 0.693 for loss in losses.values())


def test_a_system_is_fitted(sources: str, tmp_path: Path) -> None:
    shown = run(sources, tmp_path, ROOT / "libraries/notebooks/fitting.py").splitlines()
    for losses, found in zip(shown[::2], shown[1::2], strict=True):
        default, fitted = (
            float(part.split()[0]) for part in losses.split("log loss ")[1].split(", ")
        )
        assert fitted < default
        advantage = float(found.rsplit("first_side ", 1)[1])
        assert 50 < advantage < 110


def test_a_queue_is_tuned(sources: str, tmp_path: Path) -> None:
    shown = run(sources, tmp_path, ROOT / "libraries/notebooks/tuning.py").splitlines()
    rows = [[float(cell.strip("%")) for cell in line.split()[1:]] for line in shown[4:7]]
    waits, spreads, fair = zip(*rows, strict=True)
    assert list(waits) == sorted(waits)
    assert list(spreads) == sorted(spreads, reverse=True)
    assert set(fair) == {100.0}
    laurel, *published = [line.split() for line in shown[8:]]
    assert laurel[0] == "laurel"
    assert all(float(row[-1].strip("%")) < 50 for row in published)


def snippets(page: Path) -> list[str]:
    """Return the files that a page includes. Fail for a mark that would be shown instead."""
    lines = page.read_text(encoding="utf-8").splitlines()
    marks = [line for line in lines if re.search(r"8\s*<\s*-", line)]
    found = [SNIPPET.match(line) for line in marks]
    assert all(found), marks
    return [match[1] for match in found if match]


def test_every_notebook_has_a_page() -> None:
    pages = {page.stem: snippets(page) for page in PAGES if page.parent.name == "notebooks"}
    assert pages == {each.stem: [f"notebooks/{each.name}"] for each in NOTEBOOKS}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_includes_files_that_exist_even_once_it_is_formatted(
    tmp_path: Path, page: Path
) -> None:
    included = snippets(page)
    assert all((ROOT / "libraries" / file).is_file() for file in included)
    copy = Path(shutil.copy(page, tmp_path))
    settings = ["--config", str(ROOT / "pyproject.toml"), str(copy)]
    subprocess.run([sys.executable, "-m", "ruff", "format", "-q", *settings], check=True)
    assert snippets(copy) == included


def test_the_page_of_systems_has_all_of_them() -> None:
    page = systems_page()
    for name, system in SYSTEMS.items():
        assert f'`Ratings("{name}")`: {system.summary}' in page
        assert all(f"| `{parameter}` |" in page for parameter in system.Parameters.model_fields)
