"""``python -m libraries [FOLDER]`` builds the libraries into a folder, ``dist`` by default."""

from __future__ import annotations

import sys
from pathlib import Path

from libraries.building import build
from libraries.renaming import NAMES

if __name__ == "__main__":
    target = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
    for engine in NAMES:
        for file in build(engine, target):
            sys.stdout.write(f"{file}\n")
