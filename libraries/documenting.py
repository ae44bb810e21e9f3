"""Builds the documentation of the libraries into ``site/``, with a page of all rating systems."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from libraries.building import ROOT, lay_out
from libraries.renaming import NAMES
from ratings.registry import SYSTEMS, build
from ratings.system import RatingSystem, UnsupportedMatch
from ratings.tunables.declarations import declarations

_SHAPES = {"duels": (1, 1), "teams": (3, 3), "free-for-alls": (1, 1, 1), "several teams": (2, 2, 2)}


def systems_page() -> str:
    """Return the page of all systems and their parameters."""
    about = (
        "The parameters are keyword arguments of `Ratings`, and the keys of a file for `--params`. "
        "`laurel-ratings systems` prints them with their sources.\n"
    )
    parts = ["# Rating systems\n", about, *map(_system, SYSTEMS.values())]
    return "\n".join(parts)


def _system(system: type[RatingSystem]) -> str:
    rates = [name for name, shape in _SHAPES.items() if _rates(build(system.name), shape)]
    lines = [
        f"## {system.label}\n",
        f'`Ratings("{system.name}")`: {system.summary} It rates {", ".join(rates)}.\n',
        "| parameter | default | allowed | |",
        "|---|---|---|---|",
    ]
    for each in declarations(system.Parameters):
        cells = (f"`{each.name}`", str(each.default), str(each.allowed), each.help)
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join([*lines, ""])


def _rates(system: RatingSystem, shape: tuple[int, ...]) -> bool:
    try:
        system.check_sizes(shape)
    except UnsupportedMatch:
        return False
    return True


def build_site() -> None:
    """Build the site with MkDocs, from sources with the names of the libraries."""
    with tempfile.TemporaryDirectory() as folder:
        pages = Path(folder) / "docs"
        shutil.copytree(ROOT / "libraries/docs", pages)
        (pages / "systems.md").write_text(systems_page(), encoding="utf-8")
        places = {"LIBRARY_PAGES": str(pages), "NO_MKDOCS_2_WARNING": "1"}
        for engine in NAMES:
            source = Path(folder) / engine
            source.mkdir()
            lay_out(engine, source)
            places[f"{engine.upper()}_SOURCE"] = str(source)
        subprocess.run(
            [sys.executable, "-m", "mkdocs", "build", "-q", "-f", ROOT / "libraries/mkdocs.yml"],
            env={**os.environ, **places},
            check=True,
        )


if __name__ == "__main__":
    build_site()
