"""Measure how fast results are processed: one by one, and as a file.

A submission is a report and its confirmation, which rates it. It is compared with raw psycopg by
the same rules (``results_by_hand``), and with naive ORM, which saves object by object and knows no
rules. The three take turns in rounds on the same database and connection settings.
``results_at_once`` has the same over 16 connections.
"""

from __future__ import annotations

import itertools
import lzma
import shutil
import statistics
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

from benchmarks.results_at_once import NOW, WAYS, Submit, world
from benchmarks.results_at_once import pair as opponents
from benchmarks.scratch import PROJECT, machine, scratch_league

if TYPE_CHECKING:
    from league.models import Arena, Player

ROUNDS = 5
SUBMISSIONS = 200
FOOTBALL = PROJECT / "league" / "demo" / "international_results.csv.xz"


def naive(arena: Arena, players: list[Player]) -> Submit:
    """Write match, ratings and events object by object, rated by the engine."""
    from django.db import connection, transaction

    from league.models import Match, Participant, Rating, RatingEvent, Side
    from ratings.history import History
    from ratings.history import Match as Played
    from ratings.history import Participant as Part
    from ratings.history import Side as Team
    from ratings.replay import replay

    def submit(number: int) -> None:
        pair = [players[index] for index in opponents(number)]
        season = arena.seasons.get()
        with transaction.atomic():
            match = Match.objects.create(
                arena=arena, season=season, status="reported", played_at=NOW, reported_at=NOW,
                reported_by=pair[0], reported_by_side=0, confirm_deadline=NOW,
            )  # fmt: skip
            for index, player in enumerate(pair):
                side = Side.objects.create(match=match, index=index, place=index, captain=player)
                Participant.objects.create(match=match, side=side, player=player, position=0)
        with transaction.atomic():
            match = Match.objects.select_for_update().get(pk=match.pk)
            held = [
                Rating.objects.select_for_update().get(season=season, player=player)
                for player in pair
            ]
            sides = [
                Team(
                    side.place or 0, [Part(str(part.player_id)) for part in side.participants.all()]
                )
                for side in match.sides.order_by("index")
            ]
            rated = replay(season.system(), History.build([Played("m", 0, sides)]))
            with connection.cursor() as cursor:
                cursor.execute("SELECT nextval('league_match_rated_order')")
                match.rated_order = cursor.fetchone()[0]
            match.status, match.settlement, match.settled_at = "rated", "captain", NOW
            match.confirmed_by, match.confirmed_by_side = pair[1], 1
            match.save()
            for row, (player, rating) in enumerate(zip(pair, held, strict=True)):
                before = rating.rating
                rating.rating = float(rated.states.rating[row])
                rating.games += 1
                rating.save()
                RatingEvent.objects.create(
                    season=season, match=match, player=player, rated_at=NOW, games=rating.games,
                    rating_before=before, rating_after=rating.rating,
                )  # fmt: skip

    return submit


def submissions() -> None:
    arena, players = world()
    ways = {name: way(arena, players) for name, way in {**WAYS, "naive ORM": naive}.items()}
    numbers = itertools.count()
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for round_ in range(ROUNDS + 1):
        for name, submit in ways.items():
            start = time.perf_counter()
            for _ in range(SUBMISSIONS):
                submit(next(numbers))
            if round_:
                rates[name].append(SUBMISSIONS / (time.perf_counter() - start))
    print(f"\nSubmissions (report and confirm), median of {ROUNDS} rounds of {SUBMISSIONS}")
    peer = statistics.median(rates["raw psycopg"])
    for name, measured in rates.items():
        median = statistics.median(measured)
        print(f"  {name:<12} {median:8.0f} /s   {median / peer:5.2f} of raw psycopg")


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
        submissions()
        football()


if __name__ == "__main__":
    main()
