"""Measure how fast results are processed: one by one, and as a file.

A submission is a report and its confirmation, which rates it. It is compared with raw psycopg,
which writes the same rows without computing anything, and with naive ORM, which saves object by
object. The three take turns in rounds on the same database and connection settings.
"""

from __future__ import annotations

import itertools
import lzma
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, LiteralString

import psycopg

from benchmarks.scratch import PROJECT, machine, scratch_league

if TYPE_CHECKING:
    from league.models import Arena, Player

ROUNDS = 5
SUBMISSIONS = 200
PLAYERS = 100
FOOTBALL = PROJECT / "league" / "demo" / "international_results.csv.xz"
OPENING = datetime(2026, 1, 1, tzinfo=UTC)
NOW = datetime(2026, 3, 1, tzinfo=UTC)

Submit = Callable[[int], None]


def ours(arena: Arena, players: list[Player]) -> Submit:
    from league.services.core.types import PlayedBy, ReportedSide
    from league.services.results.answers import confirm
    from league.services.results.reporting import report

    minutes = itertools.count()

    def submit(number: int) -> None:
        # A minute apart, so that no limit applies and no report seems to be sent twice.
        now = NOW + timedelta(minutes=next(minutes))
        one, other = players[number % PLAYERS], players[(number * 7 + 1) % PLAYERS]
        if one == other:
            other = players[(number + 1) % PLAYERS]
        match = report(
            arena,
            [ReportedSide(one, [PlayedBy(one)], 0), ReportedSide(other, [PlayedBy(other)], 1)],
            reporter=one,
            played_at=now,
            now=now,
        )
        confirm(match.pk, by=other, now=now)

    return submit


def raw(arena: Arena, players: list[Player]) -> Submit:
    """Write the same rows directly, with invented numbers."""
    from django.db import connection

    season = arena.seasons.get().pk
    where = connection.settings_dict
    database = psycopg.connect(
        host=where["HOST"],
        user=where["USER"],
        password=where["PASSWORD"],
        dbname=where["NAME"],
        autocommit=True,
    )

    def only(statement: LiteralString, values: list[object]) -> object:
        row = database.execute(statement, values).fetchone()
        assert row
        return row[0]

    def submit(number: int) -> None:
        one, other = players[number % PLAYERS].pk, players[(number * 7 + 1) % PLAYERS].pk
        if one == other:
            other = players[(number + 1) % PLAYERS].pk
        with database.transaction():
            match = only(
                """INSERT INTO league_match (arena_id, season_id, status, played_at, weight,
                    information, reported_at, reported_by_id, reported_by_side, confirm_deadline,
                    dispute_reason, settlement)
                VALUES (%s, %s, 'reported', %s, 1, '{}', %s, %s, 0, %s, '', '') RETURNING id""",
                [arena.pk, season, NOW, NOW, one, NOW],
            )
            for index, player in enumerate([one, other]):
                side = only(
                    """INSERT INTO league_side (match_id, index, place, captain_id)
                    VALUES (%s, %s, %s, %s) RETURNING id""",
                    [match, index, index, player],
                )
                database.execute(
                    """INSERT INTO league_participant (match_id, side_id, player_id, position,
                        quit, profession, live) VALUES (%s, %s, %s, 0, false, '', false)""",
                    [match, side, player],
                )
        with database.transaction():
            database.execute("SELECT status FROM league_match WHERE id = %s FOR UPDATE", [match])
            database.execute(
                """SELECT * FROM league_rating WHERE season_id = %s AND player_id = ANY(%s)
                ORDER BY id FOR UPDATE""",
                [season, [one, other]],
            ).fetchall()
            database.execute(
                """UPDATE league_match SET status = 'rated', settled_at = %s,
                    settlement = 'captain', confirmed_by_id = %s, confirmed_by_side = 1,
                    rated_order = nextval('league_match_rated_order') WHERE id = %s""",
                [NOW, other, match],
            )
            for player in (one, other):
                database.execute(
                    """UPDATE league_rating SET rating = 1200, games = games + 1
                    WHERE season_id = %s AND player_id = %s""",
                    [season, player],
                )
                database.execute(
                    """INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at,
                        games, rating_before, rating_after, deviation_before, deviation_after,
                        volatility_before, volatility_after, why)
                    VALUES (%s, %s, %s, %s, 1, 1200, 1200, 350, 350, 0.06, 0.06, '{}')""",
                    [season, match, player, NOW],
                )

    return submit


def naive(arena: Arena, players: list[Player]) -> Submit:
    """Write the same rows object by object, rated by the engine."""
    from django.db import connection, transaction

    from league.models import Match, Participant, Rating, RatingEvent, Side
    from ratings.history import History
    from ratings.history import Match as Played
    from ratings.history import Participant as Part
    from ratings.history import Side as Team
    from ratings.replay import replay

    def submit(number: int) -> None:
        pair = [players[number % PLAYERS], players[(number * 7 + 1) % PLAYERS]]
        if pair[0] == pair[1]:
            pair[1] = players[(number + 1) % PLAYERS]
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
    from league.models import Arena, Player, Rating, User
    from league.services.seasons.opening import open_season

    arena = Arena(
        name="Bench",
        slug="bench",
        season_rules={"fair_play": {"per_day": 0, "per_week": 0}},  # the same pairs, often
    )
    arena.full_clean()
    arena.save()
    season = open_season(arena, starts_at=OPENING)
    players = [
        Player.objects.create(
            name=f"Player {number}", user=User.objects.create(username=f"player-{number}")
        )
        for number in range(PLAYERS)
    ]
    for player in players:
        Rating.objects.create(
            season=season, player=player, rating=1200, deviation=350, volatility=0.06
        )
    ways = {
        "raw psycopg": raw(arena, players),
        "Laurel": ours(arena, players),
        "naive ORM": naive(arena, players),
    }
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
    from league.services.transfer.imports import import_history
    from league.services.transfer.result_files import read

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
            done = import_history(arena, read(plain), now=datetime.now(UTC) + timedelta(days=1))
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
