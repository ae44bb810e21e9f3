"""Measure how long it takes to void a result of 30 days ago, in a young and in an old season.

Twenty thousand players play about 2,740 duels a day. The replay computes results and rating events,
which are written in bulk. Then a result from 30 days before the end is previewed and voided, three
times in each season, taking turns. At the end every rating is compared, to the last bit, with the
replay of a history without the voided matches.
"""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import psycopg

from benchmarks.scratch import machine, scratch_league
from ratings.history import History

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from league.models import Season, User
    from ratings.replay import Replay

PLAYERS = 20_000
A_DAY = 2_740
DAYS_BACK = 30
SEASONS = [("a season of 100,000 matches", 100_000), ("a season of 1,000,000 matches", 1_000_000)]
ROUNDS = 3
DAY = 86_400_000_000
SECOND = 1_000_000

MATCHES = """
    INSERT INTO league_match (id, arena_id, season_id, status, played_at, weight, information,
        dispute_reason, settled_at, settlement, rated_order)
    SELECT id, %s, %s, 'rated', to_timestamp(time / 1e6), 1, '{}', '', to_timestamp(time / 1e6),
        'captain', id
    FROM made_match ORDER BY id
"""
SIDES = """
    INSERT INTO league_side (id, match_id, index, place, captain_id)
    SELECT id, match, side, place, player FROM made_part ORDER BY id
"""
PARTICIPANTS = """
    INSERT INTO league_participant (match_id, side_id, player_id, position, quit, profession, live)
    SELECT match, id, player, 0, false, '', false FROM made_part ORDER BY id
"""
FOREIGN_KEYS = """
    SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
    WHERE contype = 'f' AND conrelid IN ('league_match'::regclass, 'league_side'::regclass,
        'league_participant'::regclass, 'league_ratingevent'::regclass)
"""
STATE = ("rating", "deviation", "volatility")
EVENTS = """
    INSERT INTO league_ratingevent (season_id, match_id, player_id, rated_at, games,
        rating_before, rating_after, deviation_before, deviation_after, volatility_before,
        volatility_after, why, last_played_before)
    SELECT {season}, match, player, to_timestamp(time / 1e6), games, rating_before, rating_after,
        deviation_before, deviation_after, volatility_before, volatility_after,
        jsonb_build_object({terms}),
        CASE WHEN games > 1 THEN to_timestamp(last_played / 1e6) END
    FROM made_part ORDER BY id
"""
RATINGS = """
    INSERT INTO league_rating
        (season_id, player_id, rating, deviation, volatility, games, last_played_at, memory)
    SELECT %s, player, rating, deviation, volatility, games, to_timestamp(last_played / 1e6), '{}'
    FROM made_state WHERE games > 0 ORDER BY player
"""


def write_columns(table: str, columns: dict[str, NDArray[Any]]) -> None:
    """Create a temporary table of these columns by binary COPY."""
    from django.db import connection

    from league.services.core import binary

    kinds = {
        name: "float8" if values.dtype.kind == "f" else "bigint" for name, values in columns.items()
    }
    declared = ", ".join(f"{name} {kind}" for name, kind in kinds.items())
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE {table} ({declared}) ON COMMIT DROP")
        binary.write(table, kinds, [columns])
        cursor.execute(f"ANALYZE {table}")


def made_history(count: int, ids: list[int], first: int, opening_us: int) -> History:
    """Return ``count`` duels, evenly spread over the days. Better players win more often."""
    rng = np.random.default_rng(count)
    one = rng.integers(0, PLAYERS, count)
    other = (one + rng.integers(1, PLAYERS, count)) % PLAYERS
    skill = rng.normal(0.0, 1.0, PLAYERS)
    first_wins = rng.random(count) < 1.0 / (1.0 + np.exp(skill[other] - skill[one]))
    return History.duels(
        [str(pk) for pk in ids],
        opening_us // SECOND * SECOND + np.arange(count) * DAY // A_DAY // SECOND * SECOND,
        np.where(first_wins, one, other),
        np.where(first_wins, other, one),
        draws=rng.random(count) < 0.05,
        match_ids=[str(first + number) for number in range(count)],
    )


def write(season: Season, history: History, rated: Replay, ids: list[int]) -> None:
    from django.db import connection, transaction

    matches = np.array(history.match_ids, dtype=np.int64)
    of_part = np.repeat(matches, 2)
    states = {
        f"{name}_{when}": getattr(side, name)
        for when, side in (("before", rated.before), ("after", rated.after))
        for name in STATE
    }
    terms = {name: values for name, values in rated.terms.items() if np.isfinite(values).all()}
    with transaction.atomic(), connection.cursor() as cursor:
        write_columns("made_match", {"id": matches, "time": history.times})
        write_columns(
            "made_part",
            {
                "id": 2 * of_part + np.tile([0, 1], len(matches)),
                "match": of_part,
                "side": np.tile([0, 1], len(matches)),
                "place": history.places,
                "player": np.array(ids)[history.player],
                "time": np.repeat(history.times, 2),
                "games": rated.after.games,
                "last_played": rated.before.last_played,
                **states,
                **{f"term_{name}": values for name, values in terms.items()},
            },
        )
        write_columns(
            "made_state",
            {
                "player": np.array(ids),
                **{name: getattr(rated.states, name) for name in STATE},
                "games": rated.states.games,
                "last_played": rated.states.last_played,
            },
        )
        cursor.execute(MATCHES, [season.arena_id, season.pk])
        cursor.execute(SIDES)
        cursor.execute(PARTICIPANTS)
        listed = ", ".join(f"'{name}', term_{name}" for name in terms)
        cursor.execute(EVENTS.format(season=season.pk, terms=listed))
        cursor.execute(RATINGS, [season.pk])
        for sequence in ("league_match_id_seq", "league_side_id_seq", "league_match_rated_order"):
            cursor.execute("SELECT setval(%s, %s)", [sequence, 2 * int(matches[-1]) + 2])


@contextmanager
def without_foreign_keys() -> Iterator[None]:
    """Check foreign keys all at once at the end: the rows are valid by construction."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(FOREIGN_KEYS)
        keys = cursor.fetchall()
        for table, name, _definition in keys:
            cursor.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
        yield
        for table, name, definition in keys:
            cursor.execute(f'ALTER TABLE {table} ADD CONSTRAINT "{name}" {definition}')


class Steps:
    """The seconds spent in some functions of a module."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = defaultdict(list)

    def watch(self, module: Any, *names: str) -> None:
        for name in names:
            setattr(module, name, self._time(name, getattr(module, name)))

    def _time(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def run_timed(*arguments: Any, **options: Any) -> Any:
            start = time.perf_counter()
            result = function(*arguments, **options)
            self.seconds[name].append(time.perf_counter() - start)
            return result

        return run_timed


@dataclass
class Bench:
    """A season to correct, and its measurements."""

    label: str
    season: Season
    history: History
    looked: list[float] = field(default_factory=list)
    made: list[float] = field(default_factory=list)
    shares: dict[str, list[float]] = field(default_factory=dict)
    figures: str = ""

    @property
    def back(self) -> int:
        """The index of the first match ``DAYS_BACK`` days before the end."""
        return len(self.history) - DAYS_BACK * A_DAY

    def void_one(self, olga: User, steps: Steps) -> None:
        """Preview voiding the next match, then void it."""
        from league.models import Match
        from league.services import corrections
        from league.services.core.clock import database_now

        match = Match.objects.select_related("season__arena", "arena").get(
            pk=int(self.history.match_ids[self.back + len(self.made)])
        )
        with self.measure("preview: ", self.looked, steps):
            seen = corrections.preview(match, by=olga)
        asked = corrections.ask(
            match,
            by=olga,
            reason="A bench",
            digest=seen.digest,
            horizon=seen.horizon,
            now=database_now(),
        )
        with self.measure("apply: ", self.made, steps):
            done = corrections.carry_out(asked.pk, database_now())
        assert done
        assert done.correction, done.refusal
        self.figures = (
            f"{seen.matches:,} later matches, {seen.events:,} events, {seen.players:,} players"
        )

    @contextmanager
    def measure(self, what: str, times: list[float], steps: Steps) -> Iterator[None]:
        """Measure the body and the watched steps in it."""
        steps.seconds.clear()
        start = time.perf_counter()
        yield
        times.append(time.perf_counter() - start)
        for name, seconds in steps.seconds.items():
            self.shares.setdefault(what + name, []).append(sum(seconds))

    @property
    def preview(self) -> float:
        """The median in seconds."""
        return statistics.median(self.looked)

    @property
    def apply(self) -> float:
        """The median in seconds."""
        return statistics.median(self.made)

    def show(self) -> None:
        print(f"\n  {self.label}: {self.figures}")
        print(f"    preview  {self.preview:6.2f} s")
        print(f"    apply    {self.apply:6.2f} s")
        for name, seconds in self.shares.items():
            print(f"      {name:<28} {statistics.median(seconds):6.2f} s")


def compare(season: Season, history: History, voided: list[int]) -> None:
    """Compare every rating with the replay of a history without the voided matches."""
    from league.models import Rating
    from ratings.replay import final_states

    keep = np.ones(len(history), dtype=np.bool_)
    keep[voided] = False
    sides = np.repeat(keep, 2)
    count = int(keep.sum())
    true = replace(
        history,
        match_ids=[],
        times=history.times[keep],
        weights=history.weights[keep],
        perf_ceilings=history.perf_ceilings[keep],
        side_offsets=history.side_offsets[: count + 1],
        places=history.places[sides],
        scores=history.scores[sides],
        participant_offsets=history.participant_offsets[: 2 * count + 1],
        player=history.player[sides],
        seconds=history.seconds[sides],
        quits=history.quits[sides],
        profession=history.profession[sides],
    )
    states = final_states(season.system(), true)
    held = dict(Rating.objects.filter(season=season).values_list("player", "rating"))
    ratings = zip(history.players, states.rating.tolist(), states.games.tolist(), strict=True)
    replayed = {int(player): rating for player, rating, games in ratings if games}
    assert held == replayed
    print(f"    all {len(held):,} ratings equal those of a history without the voided matches")


def main() -> None:
    with scratch_league():
        import django

        print(f"{machine()}, Django {django.__version__}, psycopg {psycopg.__version__}")
        print(f"Voiding a result of {DAYS_BACK} days ago, medians of {ROUNDS}")
        measure()


def measure() -> list[Bench]:
    """Create the seasons, void results in each by turns, print, and compare all ratings."""
    from django.db import connection

    from league.models import Arena, Player, User
    from league.services.core.clock import database_now, microseconds
    from league.services.rating import checkpoints
    from league.services.replay import apply, diff
    from league.services.seasons.opening import open_season
    from ratings.replay import replay

    olga = User.objects.create(username="olga", is_superuser=True)
    made = Player.objects.bulk_create(
        Player(name=f"Player {number}", folded_name=f"player {number}") for number in range(PLAYERS)
    )
    ids = sorted(player.pk for player in made)
    benches = []
    first = 1
    for label, count in SEASONS:
        start = time.perf_counter()
        arena = Arena(name=label[-40:], slug=f"bench-{count}")
        arena.full_clean()
        arena.save()
        opening = database_now() - timedelta(days=count / A_DAY + 1)
        season = open_season(arena, starts_at=opening)
        history = made_history(count, ids, first, microseconds(opening))
        with without_foreign_keys():
            write(season, history, replay(season.system(), history), ids)
        print(f"  {label} made in {time.perf_counter() - start:.0f} s", flush=True)
        benches.append(Bench(label, season, history))
        first = 3 * (first + count)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    steps = Steps()
    steps.watch(diff, "read_tail")
    steps.watch(checkpoints, "replay_with_checkpoints")
    steps.watch(apply, "write_events", "write_states")
    for _round in range(ROUNDS):
        for bench in benches:
            bench.void_one(olga, steps)
    for bench in benches:
        bench.show()
        voided = list(range(bench.back, bench.back + ROUNDS))
        compare(bench.season, bench.history, voided)
    return benches


if __name__ == "__main__":
    main()
