"""The cost of a tick of a long queue, in processor seconds of Python and of PostgreSQL.

``python -m benchmarks.queue_of_many`` lets 50,000 players wait one by one, all of whom have played
a match of five against five before, with nine of each other player in the queue. Before each tick
some leave and as many join, and some results of the others are rated. The rules ask for a score
that no match reaches, so that the queue stays as long. Other sizes can be given as arguments.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.scratch import machine, scratch_league
from benchmarks.standings_world import backend_pid, copy, cpu_of, cursor

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Arena, Season

SIZES = (50, 5_000, 50_000)
TURNOVER = 200
"""One in so many tickets leaves before a tick, as after a wait of 200 s with a tick a second."""
TICKS = 8
NOW = datetime(2026, 3, 1, tzinfo=UTC)
MOST = 1e9
PARTS = ["take_snapshot", "run_matcher", "store"]


def main(sizes: tuple[int, ...] = SIZES) -> None:
    with scratch_league():
        print(machine())
        for size in sizes:
            print(f"\n{size:,} tickets, {max(size // TURNOVER, 1):,} of them new")
            print(f"{'':<16}{'Python ms':>11}{'PostgreSQL ms':>15}")
            for part, times in measure(size).items():
                python, database = (
                    1e3 * statistics.median(each) for each in zip(*times, strict=True)
                )
                print(f"{part:<16}{python:>11.1f}{database:>15.1f}", flush=True)


def measure(size: int) -> dict[str, list[tuple[float, float]]]:
    """Return the seconds in Python and in PostgreSQL of each tick and of its parts."""
    from league.services.queue import kept_ticks, pairing

    arena, season = crowd(size)
    chance = np.random.default_rng(1)
    watch = Watch()
    for module, name in zip([pairing, pairing, kept_ticks], PARTS, strict=True):
        setattr(module, name, watch.over(name, getattr(module, name)))
    tick = watch.over("whole tick", pairing.tick)
    for number in range(TICKS):
        now = NOW + timedelta(seconds=2 * number)
        come_and_go(season, max(size // TURNOVER, 1), now, chance)
        made = tick(arena.pk, now=now, seed=number, clock=lambda: 0.0)
        assert (made.tickets, made.matches) == (size, 0), made
        if number == 0:
            watch.times.clear()  # the first has nothing to build on
    return watch.times


class Watch:
    """The processor seconds that functions take, here and in PostgreSQL."""

    def __init__(self) -> None:
        self.times: dict[str, list[tuple[float, float]]] = defaultdict(list)
        self._server = backend_pid()

    def over(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        function = getattr(function, "watched", function)

        def watched(*values: Any, **named: Any) -> Any:
            database, python = cpu_of(self._server), time.process_time()
            found = function(*values, **named)
            python = time.process_time() - python
            self.times[name].append((python, cpu_of(self._server) - database))
            return found

        watched.watched = function  # type: ignore[attr-defined]
        return watched


def crowd(size: int) -> tuple[Arena, Season]:
    """Return an arena in whose queue this many players wait, and its season."""
    from league.models import Arena, ArenaQueue
    from league.models.skeletons import skeleton
    from league.services.seasons.opening import open_season

    arena = Arena(
        name=f"Queue of {size}", slug=f"queue-{size}", format="teams", sides_max=2,
        team_size_min=5, team_size_max=5,
    )  # fmt: skip
    arena.full_clean()
    arena.save()
    season = open_season(arena, starts_at=NOW - timedelta(days=60))
    queue = ArenaQueue(arena=arena, matcher="laurel")
    queue.start_from("recommended")
    queue.rules["queue"]["iteration_interval"] = 1.0
    queue.rules["queue"]["iteration_limit"] = 0.0
    queue.rules["laurel"] |= {"asking": MOST, "bound": MOST}
    queue.full_clean()
    queue.save()
    people = size + max(size // TURNOVER, 1) * (TICKS + 1)
    people += -people % 10
    chance = np.random.default_rng(2)
    rating, wait = chance.normal(1500, 300, people), np.sort(chance.uniform(0, 200, size))[::-1]
    with cursor() as database:
        database.execute("SELECT coalesce(max(id), 0) FROM league_player")
        first = database.fetchone()[0] + 1
        database.execute("SELECT coalesce(max(id), 0) FROM league_match")
        match = database.fetchone()[0] + 1
        everyone = range(first, first + people)
        copy(
            "league_player (id, name, folded_name, skeleton, search_name, sort_name, may_resemble,"
            " created_at)",
            (
                f"{at}\tPlayer {at:07}\tplayer {at:07}\t{skeleton(f'Player {at:07}')}"
                f"\tplayer {at:07}\tplayer {at:07}\tf\t{NOW}\n"
                for at in everyone
            ),
        )
        copy(
            "league_rating (season_id, player_id, rating, deviation, volatility, games,"
            " last_played_at, memory)",
            (
                f"{season.pk}\t{at}\t{rating[at - first]:.17g}\t80\t0.06\t20\t{NOW}\t{{}}\n"
                for at in everyone
            ),
        )
        copy(
            "league_match (id, status, played_at, weight, information, dispute_reason, settlement,"
            " rated_order, arena_id, season_id)",
            (
                f"{match + at}\trated\t{NOW}\t1\t{{}}\t\t\t{match + at}\t{arena.pk}\t{season.pk}\n"
                for at in range(people // 10)
            ),
        )
        copy(
            "league_side (id, index, place, captain_id, match_id)",
            (
                f"{2 * match + at}\t{at % 2}\t{at % 2}\t{first + 5 * at}\t{match + at // 2}\n"
                for at in range(people // 5)
            ),
        )
        copy(
            "league_participant (position, quit, profession, live, match_id, player_id, side_id)",
            (
                f"{at % 5}\tf\t\tf\t{match + at // 10}\t{first + at}\t{2 * match + at // 5}\n"
                for at in range(people)
            ),
        )
        database.execute("SELECT setval('league_player_id_seq', %s)", [first + people])
        database.execute("SELECT setval('league_match_id_seq', %s)", [match + people])
    enter(season, [(first + at, NOW - timedelta(seconds=wait[at])) for at in range(size)])
    with cursor() as database:
        database.execute("ANALYZE")
    return arena, season


def enter(season: Season, joining: list[tuple[int, datetime]]) -> None:
    """Let players join the queue, each alone."""
    with cursor() as database:
        database.execute(
            """
            WITH made AS (
                INSERT INTO league_ticket (modes, state, queued_at, place, arena_id, captain_id)
                SELECT '{}', 'waiting', u.at, nextval('league_ticket_place'), %s, u.player
                FROM unnest(%s::bigint[], %s::timestamptz[]) AS u(player, at)
                RETURNING id, captain_id, queued_at)
            INSERT INTO league_ticketmember (ticket_id, player_id, profession, open, seen_at)
            SELECT id, captain_id, '', true, queued_at FROM made
            """,
            [season.arena_id, *map(list, zip(*joining, strict=True))],
        )


def come_and_go(season: Season, count: int, now: datetime, chance: np.random.Generator) -> None:
    """Let some players leave the queue and others join, and rate some who wait."""
    from league.models import Ticket
    from league.services.queue.queueing import close_tickets

    waiting = Ticket.objects.waiting().filter(arena=season.arena_id)
    ids = np.array(waiting.values_list("pk", flat=True))
    close_tickets(chance.choice(ids, count, replace=False).tolist(), Ticket.State.LEFT, now)
    rested = season.ratings.exclude(player__ticket_memberships__isnull=False)
    joining = rested.order_by("player")[:count].values_list("player", flat=True)
    enter(season, [(player, now) for player in joining])
    rated = waiting.order_by("?")[: count // 10].values("captain")
    for rating in season.ratings.filter(player__in=rated):
        rating.rating += 10.0
        rating.save()


if __name__ == "__main__":
    main(tuple(map(int, sys.argv[1:])) or SIZES)
