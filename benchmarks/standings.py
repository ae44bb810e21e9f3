"""Standings of a million players: each operation beside the fastest alternative.

    python -m benchmarks.standings [PLAYERS]

A season is written by COPY. Then each operation is timed in turns with its alternative on the same
machine and database, and results of another arena's seasons are voided (`corrections`). Times are
medians, with the target beside each ratio.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING
from unittest.mock import patch

import psycopg

from benchmarks import corrections
from benchmarks.scratch import machine, scratch_league
from benchmarks.standings_keeping import decay_slice, freshness, rebuild, start
from benchmarks.standings_reading import memory, pages, places
from benchmarks.standings_world import HEAD, Line, cursor, made_season

if TYPE_CHECKING:
    from league.models import Season
    from league.services.standings.ranking import RankingRules


def ranked_for_a_month(_season: Season) -> RankingRules:
    from league.services.standings.ranking import RankingRules

    return RankingRules(placement_matches=10, window=30 * 86_400.0)


def that_decay(_season: Season) -> RankingRules:
    from league.services.standings.ranking import RankingRules
    from ratings.seasons.decay import Decay

    return RankingRules(placement_matches=10, window=30 * 86_400.0, decay=Decay())


def main(players: int) -> None:
    with scratch_league():
        import django

        with cursor() as database:
            database.execute("SHOW server_version")
            server = database.fetchone()[0]
        print(
            f"{machine()}, Django {django.__version__}, psycopg {psycopg.__version__} "
            f"({psycopg.pq.__impl__}), PostgreSQL {server}"
        )
        print("", HEAD, *measure(players), sep="\n")
        lines = []
        print(f"\nVoiding a result of {corrections.DAYS_BACK} days ago")
        for bench in corrections.measure():
            lines += [
                Line(f"preview of a void, {bench.label}", bench.preview, None, "5", "s"),
                Line(f"the void, {bench.label}", bench.apply, None, "15", "s"),
            ]
        print(f"\n{HEAD}")
        print(*lines, sep="\n")


def measure(players: int) -> list[Line]:
    from league.services.standings import ranking

    began = time.perf_counter()
    season = made_season(players)
    print(f"{players:,} players and ratings by COPY: {time.perf_counter() - began:.0f} s")
    with patch.object(ranking, "ranking_rules", that_decay):
        rebuild(season)
        lines = [
            *pages(season, players),
            *places(season, players),
            *memory(season),
        ]
        slices = decay_slice(season)
    with patch.object(ranking, "ranking_rules", ranked_for_a_month):
        return [*lines, *freshness(season, players), *slices, *start(season)]


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
