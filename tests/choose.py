"""The tests of what has changed since the branch was last pushed, for ``make t``.

A domain has the same name in services, pages, API, admin, templates and tests, so the tests of a
file are those of its domain. A file of no domain has those of the core.
"""

import subprocess
import sys
from pathlib import Path

ENGINES = {"ratings", "matchmaking", "embedded", "libraries"}
CORE = "tests/league/core"


def changed_files() -> set[str]:
    """Return what differs from the branch's upstream, new files included."""
    since = output("git", "merge-base", "HEAD", "@{upstream}") or ["HEAD"]
    new = output("git", "ls-files", "--others", "--exclude-standard")
    return {*output("git", "diff", "--name-only", since[0]), *new}


def output(*command: str) -> list[str]:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout.split()


def tests_of(path: str) -> str | None:
    """Return the file or folder with the tests of a file, ``None`` for what no test reads."""
    parts = Path(path).parts
    if parts[0] == "tests":
        return path if parts[-1].startswith("test_") else None
    if parts[0] in ENGINES:
        below = Path("tests", *parts[:-1])
        return next(str(one) for one in (below, *below.parents) if one.is_dir())
    if parts[0] not in {"league", "templates", "static"}:
        return None
    domains = [part for part in parts if Path("tests/league", part).is_dir()]
    return f"tests/league/{domains[0]}" if domains else CORE


def main() -> None:
    chosen = {tests for path in changed_files() if (tests := tests_of(path))}
    found = sorted(one for one in chosen if Path(one).exists())
    sys.stderr.write(f"Tests of what changed: {' '.join(found) or 'none'}\n")
    sys.stdout.write(" ".join(found))


if __name__ == "__main__":
    main()
