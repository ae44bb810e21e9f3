"""Builds the wheels and source distributions of the libraries.

Each library is first laid out as an ordinary project with the import names of the library. From
there on nothing is special: its source distribution can be built and installed without this
repository.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from libraries.renaming import NAMES, rename

ROOT = Path(__file__).resolve().parent.parent
BESIDES = ("pyproject.toml", "README.md", "CHANGELOG.md")
_BUILD = """
import sys
from flit_core import buildapi
for build in (buildapi.build_wheel, buildapi.build_sdist):
    print(build(sys.argv[1]))
"""


def lay_out(engine: str, target: Path) -> None:
    """Write the project of the library of an engine into the empty folder ``target``."""
    for name in BESIDES:
        shutil.copy(ROOT / "libraries" / engine / name, target)
    shutil.copy(ROOT / "LICENSE", target)
    package = target / NAMES[engine]
    shutil.copytree(ROOT / engine, package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in package.rglob("*.py"):
        file.write_text(rename(file.read_text(encoding="utf-8")), encoding="utf-8")
    (package / "py.typed").touch()


def build(engine: str, output: Path) -> list[Path]:
    """Write the wheel and the source distribution of an engine's library into ``output``.

    The same sources give the same bytes.
    """
    output.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        lay_out(engine, Path(folder))
        printed = subprocess.run(
            [sys.executable, "-c", _BUILD, output.resolve()],
            cwd=folder,
            env={"SOURCE_DATE_EPOCH": "1577836800", **os.environ},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout
    return [output / name for name in printed.split()]
