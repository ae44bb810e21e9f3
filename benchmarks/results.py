"""Measure how long importing a file of football results takes.

``results_at_once`` measures reports and confirmations.
"""

from __future__ import annotations

import lzma
import shutil
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg

from benchmarks.scratch import PROJECT, machine, scratch_league

FOOTBALL = PROJECT / "league" / "demo" / "international_results.csv.xz"


def football() -> None:
    from league.models import Arena
    from league.services.seasons.opening import open_season
    from league.services.transfer.files.repeats import EACH
    from league.services.transfer.files.result_files import read
    from league.services.transfer.histories.imports import import_history

    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "results.csv"
        with lzma.open(FOOTBALL) as packed, plain.open("wb") as unpacked:
            shutil.copyfileobj(packed, unpacked)
        seconds = []
        for number in range(3):
            arena = Arena(name=f"Football {number}", slug=f"football-{number}")
            arena.full_clean()
            arena.save()
            open_season(arena, starts_at=datetime(1872, 1, 1, tzinfo=UTC))
            start = time.perf_counter()
            history = read(plain, repeats=EACH)
            done = import_history(arena, history, now=datetime.now(UTC) + timedelta(days=1))
            seconds.append(time.perf_counter() - start)
    median = statistics.median(seconds)
    print(f"\nImport of {done.matches:,} results, read, rated and written: median of 3")
    print(f"  {median:.1f} s, {done.matches / median:,.0f} matches/s")


def main() -> None:
    with scratch_league():
        import django

        print(f"{machine()}, Django {django.__version__}, psycopg {psycopg.__version__}")
        football()


if __name__ == "__main__":
    main()
