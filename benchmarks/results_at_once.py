"""Measure reports and confirmations over 16 connections at once.

Laurel's services, with the default rules, take turns with raw psycopg that follows the same rules
and writes the same rows (``results_by_hand``). Both run in the same 16 processes, each with its own
connection to the same database. Half of the matches repeat an earlier pairing, so that they count
less.
"""

from __future__ import annotations

import itertools
import multiprocessing
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

import psycopg

from benchmarks import results_by_hand
from benchmarks.scratch import machine, scratch_league

if TYPE_CHECKING:
    from league.models import Arena, Player

CONNECTIONS = 16
ROUNDS = 7
EACH = 25
"""Submissions of each connection in a round."""
PLAYERS = EACH * CONNECTIONS
OPENING = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 1, tzinfo=UTC)
AFTER_ALL = 40
"""A lap that no round reaches."""
TABLES = ("match", "side", "participant", "notice", "ratingevent", "standingchange")

Submit = Callable[[int], None]
Round = Callable[[str], float]
"""Runs a round of one way on all connections and returns its submissions per second."""


def pair(number: int) -> tuple[int, int]:
    """Return the opponents of a match. Every pair meets twice, in rounds of the same way."""
    lap, one = divmod(number, PLAYERS)
    turn, way = divmod(lap, len(WAYS))
    return one, (one + 1 + turn // 2 * len(WAYS) + way) % PLAYERS


def moment(number: int) -> datetime:
    """Return when a match ends: long enough after its players' last ones for every limit."""
    return NOW + timedelta(minutes=number)


def laurel(arena: Arena, players: list[Player]) -> Submit:
    from league.services.core.types import PlayedBy, ReportedSide
    from league.services.results.reports.answers import confirm
    from league.services.results.reports.reporting import report

    def submit(number: int) -> None:
        one, other = (players[index] for index in pair(number))
        now = moment(number)
        sides = [ReportedSide(one, [PlayedBy(one)], 0), ReportedSide(other, [PlayedBy(other)], 1)]
        match = report(arena, sides, reporter=one, played_at=now, now=now)
        confirm(match.pk, by=other, now=now)

    return submit


def by_hand(arena: Arena, players: list[Player]) -> Submit:
    database = connect()

    def submit(number: int) -> None:
        one, other = (players[index].pk for index in pair(number))
        results_by_hand.submit(database, arena.pk, one, other, moment(number))

    return submit


WAYS = {"raw psycopg": by_hand, "Laurel": laurel}


def connect() -> psycopg.Connection:
    """Connect to Laurel's database, prepared statements as eager as Laurel's."""
    from django.db import connection

    where = connection.settings_dict
    return psycopg.connect(
        host=where["HOST"],
        user=where["USER"],
        password=where["PASSWORD"],
        dbname=where["NAME"],
        autocommit=True,
        prepare_threshold=where["OPTIONS"]["prepare_threshold"],
    )


def world() -> tuple[Arena, list[Player]]:
    """Create an arena of duels with default rules, and players with accounts and ratings."""
    from league.models import Arena, Player, Rating, User
    from league.services.seasons.opening import open_season

    arena = Arena(name="Bench", slug="bench")
    arena.full_clean()
    arena.save()
    season = open_season(arena, starts_at=OPENING)
    players = [
        Player.objects.create(
            name=f"Player {number}", user=User.objects.create(username=f"player-{number}")
        )
        for number in range(PLAYERS)
    ]
    Rating.objects.bulk_create(
        Rating(season=season, player=player, rating=1200, deviation=350, volatility=0.06)
        for player in players
    )
    return arena, players


def check_equal_work(arena: Arena, players: list[Player]) -> None:
    """Stop unless both ways write as many rows for matches of a pair, and rate them and predict
    the last one equally."""
    from django.db import connection

    from league.models import Match, Rating

    def count_rows() -> list[int]:
        counts = ", ".join(f"(SELECT count(*) FROM league_{name})" for name in TABLES)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {counts}")
            return list(cursor.fetchone())

    done = {}
    for turn, (name, way) in enumerate(WAYS.items()):
        number = (AFTER_ALL + turn) * PLAYERS + 5 * turn  # opponents who have not played
        before = count_rows()
        submit = way(arena, players)
        submit(number)
        submit(number + len(WAYS) * PLAYERS)
        rows = [now - was for now, was in zip(count_rows(), before, strict=True)]
        states = Rating.objects.filter(player__in=[players[index] for index in pair(number)])
        rated = [
            [round(value or 0, 6) for value in state]
            for state in states.order_by("-rating").values_list("rating", "deviation", "volatility")
        ]
        predicted = [round(chance, 9) for chance in Match.objects.latest("pk").forecast or ()]
        done[name] = rows, rated, predicted
    if done["raw psycopg"] != done["Laurel"]:
        raise SystemExit(f"The two ways do not do the same work: {done}")


def update_statistics() -> None:
    """Tell the planner how large the tables are now, as PostgreSQL does by itself in a minute."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def serve(pipe: Connection, arena: Arena, players: list[Player]) -> None:
    """Do the rounds that come through the pipe."""
    submits = {name: way(arena, players) for name, way in WAYS.items()}
    while True:
        name, numbers = pipe.recv()
        try:
            for number in numbers:
                submits[name](number)
        except Exception as error:
            pipe.send(f"{name}: {error!r}")
            raise
        pipe.send("")


@contextmanager
def processes(arena: Arena, players: list[Player], numbers: Iterator[int]) -> Iterator[Round]:
    """Start the processes and give a function that runs a round on all their connections."""
    from django.db import connection

    connection.close()  # each process opens its own
    connection.close_pool()  # type: ignore[attr-defined] # of this backend
    forking = multiprocessing.get_context("fork")
    ends = [forking.Pipe() for _ in range(CONNECTIONS)]
    children = [forking.Process(target=serve, args=(end, arena, players)) for _, end in ends]
    for child in children:
        child.start()
    for _, end in ends:
        end.close()
    pipes = [pipe for pipe, _ in ends]

    def run_round(name: str) -> float:
        first = next(numbers)
        total = EACH * CONNECTIONS
        list(itertools.islice(numbers, total - 1))
        start = time.perf_counter()
        for index, pipe in enumerate(pipes):
            pipe.send((name, range(first + index, first + total, CONNECTIONS)))
        for pipe in pipes:
            if problem := pipe.recv():
                raise SystemExit(problem)
        return total / (time.perf_counter() - start)

    try:
        yield run_round
    finally:
        for child in children:
            child.terminate()
            child.join()


def main() -> None:
    with scratch_league():
        import django

        print(f"{machine()}, Django {django.__version__}, psycopg {psycopg.__version__}")
        arena, players = world()
        numbers = itertools.count()
        check_equal_work(arena, players)
        rates: dict[str, list[float]] = {name: [] for name in WAYS}
        with processes(arena, players, numbers) as run_round:
            for name in WAYS:
                run_round(name)
            update_statistics()
            for name in [*WAYS] * ROUNDS:
                rates[name].append(run_round(name))
    print(
        f"\nSubmissions (report and confirm) over {CONNECTIONS} connections, default rules, "
        f"median of {ROUNDS} rounds of {EACH * CONNECTIONS}"
    )
    peer = statistics.median(rates["raw psycopg"])
    for name, measured in rates.items():
        median = statistics.median(measured)
        print(f"  {name:<12} {median:8.0f} /s   {median / peer:5.2f} of raw psycopg")


if __name__ == "__main__":
    main()
