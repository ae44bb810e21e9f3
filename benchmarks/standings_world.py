"""A season of a million rated players, and helpers to measure and report."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from django.db.backends.utils import CursorWrapper

    from league.models import Season


@dataclass(frozen=True)
class Line:
    """An operation: our time, the alternative's and the target."""

    work: str
    ours: float
    peer: float | None
    """None if the target is a number itself."""
    aim: str
    unit: str = "ms"

    def __str__(self) -> str:
        peer = "-" if self.peer is None else f"{self.peer:.3f}"
        ratio = "-" if self.peer is None else self.ratio(self.ours / self.peer)
        return f"{self.work:<58}{self.ours:>10.3f}{peer:>11} {self.unit:<3}{ratio:>8}   {self.aim}"

    @staticmethod
    def ratio(value: float) -> str:
        return f"{value:.2f}" if value > 0.02 else f"1/{1 / value:.0f}"


HEAD = f"{'':<58}{'ours':>10}{'peer':>11}{'ratio':>12}   at most"

OPENING = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
CHUNK = 50_000


def made_season(players: int) -> Season:
    """Return a season in which everybody has played, written by COPY."""
    from league.models import Arena
    from league.models.skeletons import skeleton
    from league.services.seasons.opening import open_season

    arena = Arena(
        name="Bench",
        slug="bench",
        season_rules={"ranked": {"placement_matches": 10, "opponents": 0}},
    )
    arena.full_clean()
    arena.save()
    season = open_season(arena, starts_at=OPENING)
    chance = np.random.default_rng(1)
    rating = chance.normal(1500, 300, players)
    games = chance.integers(10, 200, players)
    away = chance.uniform(0, 29, players)
    copy(
        "league_player (id, name, folded_name, skeleton, search_name, sort_name, may_resemble,"
        " created_at)",
        (
            f"{at}\tPlayer {at:07}\tplayer {at:07}\t{skeleton(f'Player {at:07}')}"
            f"\tplayer {at:07}\tplayer {at:07}\tf\t{OPENING}\n"
            for at in ids(players)
        ),
    )
    copy(
        f"league_rating_{season.pk} (season_id, player_id, rating, deviation, volatility, games,"
        " last_played_at, memory)",
        (
            f"{season.pk}\t{number}\t{rating[number - 1]:.17g}\t80\t0.06\t{games[number - 1]}"
            f"\t{NOW - timedelta(days=away[number - 1])}\t{{}}\n"
            for number in ids(players)
        ),
    )
    with cursor() as database:
        database.execute("SELECT setval('league_player_id_seq', %s)", [players])
        database.execute("VACUUM ANALYZE league_player")
        database.execute("VACUUM ANALYZE league_rating")
    return season


def ids(players: int) -> range:
    return range(1, players + 1)


def copy(target: str, lines: Iterator[str]) -> None:
    with cursor() as database, database.copy(f"COPY {target} FROM STDIN") as into:
        while part := "".join(islice(lines, CHUNK)):
            into.write(part)


@contextmanager
def cursor() -> Iterator[CursorWrapper]:
    from django.db import connection

    with connection.cursor() as opened:
        yield opened


def median(call: Callable[[], object], times: int, *, clock: Callable[[], float]) -> float:
    """Return the median seconds of a call, after two warm-up calls."""
    measured = []
    for number in range(times + 2):
        began = clock()
        call()
        if number > 1:
            measured.append(clock() - began)
    return statistics.median(measured)


def wall(call: Callable[[], object], times: int = 200) -> float:
    return median(call, times, clock=time.perf_counter)


def backend_pid() -> int:
    with cursor() as database:
        database.execute("SELECT pg_backend_pid()")
        return int(database.fetchone()[0])


def cpu_of(pid: int) -> float:
    """Return the CPU seconds that a process has used."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def resident(pid: int | str = "self") -> float:
    """Return the resident memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return float("nan")
