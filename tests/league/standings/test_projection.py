"""After ten thousand random events the standings equal a full rebuild."""

import random
from collections import Counter
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from league.models import Arena, Match, Player, Season, Status, User
from league.services import corrections
from league.services.core.clock import microseconds
from league.services.core.errors import Refused
from league.services.integrity import standings
from league.services.seasons.ending import freeze_early
from league.services.seasons.opening import open_season
from league.services.standings import divisions, leaderboards, rebuilding, updating
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings import history
from ratings.percentile import percentiles
from tests.support.cast import OPENING, arena
from tests.support.effort import examples

pytestmark = pytest.mark.slow

ENOUGH = 5_000
"""Events in each of two leagues."""
CORRECTIONS = 5
RULES: list[dict[str, Any]] = [
    {
        "start": {"placement": "linear-scale", "center": 1100, "ratio": 0.6},
        "ranked": {"placement_matches": 3, "returning_matches": 2, "window": "20d"},
        "decay": {"points": 90, "grace_period": "2d", "decay_period": "1w"},
    },
    {
        "start": {"placement": "carry-over", "reset_deviation": True},
        "ranked": {"placement_matches": 2, "returning_matches": 1, "window": "9d"},
        "cuts": {"by": "rank", "rank_margin": 4},
        "divisions": [
            {"name": "All"},
            {"name": "Hundred", "first": 100},
            {"name": "Ten", "first": 10},
        ],
    },
    {
        "ranked": {"placement_matches": 1, "window": "40d"},
        "decay": {"points": 40, "grace_period": "1d", "decay_period": "3d"},
        "cuts": {"by": "rating", "rating_margin": 15},
        "divisions": [{"name": "Low"}, {"name": "High", "first": 1015}],
    },
]


class Killed(Exception):
    """The worker was killed."""


class League:
    """An arena with random events; ``done`` counts them."""

    def __init__(self, made: Arena, olga: User, chance: random.Random) -> None:
        self.arena, self.olga, self.chance = made, olga, chance
        self.now: datetime = OPENING + timedelta(hours=1)
        self.names = [f"player {number}" for number in range(60)]
        self.done: Counter[str] = Counter()

    def season(self) -> Season:
        season = self.arena.current_season(self.now)
        assert season
        return season

    def results(self) -> None:
        """Play a batch of matches; some players leave early, some newcomers join."""
        self.now += timedelta(minutes=1)
        matches = []
        count = self.chance.choice([1, 30, 150, 400])
        for number in range(count):
            if self.chance.random() < 0.03:
                self.names.append(f"player {len(self.names)}")
                self.done["newcomers"] += 1
            pair = self.chance.sample(self.names, 2)
            place = self.chance.choice([1, 1, 1, 0])
            quits = [self.chance.random() < 0.05 for _ in pair]
            self.done["quits"] += sum(quits)
            matches.append(
                history.Match(
                    f"{sum(self.done.values())}-{number}",
                    microseconds(self.now) - count + number,
                    [
                        history.Side(at * place, [history.Participant(name, None, gone)])
                        for at, (name, gone) in enumerate(zip(pair, quits, strict=True))
                    ],
                )
            )
        told = ResultFile(history.History.build(matches), [{} for _ in matches], [])
        import_history(self.arena, told, now=self.now)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")  # as autovacuum would, if it saw an open transaction's rows
        self.done["results"] += count

    def time_passes(self) -> None:
        """Let time pass: ratings decay, players become inactive."""
        for _ in range(self.chance.choice([1, 5, 20])):
            self.now += timedelta(hours=self.chance.choice([1, 7, 25]))
            self.update()
            self.done["moments"] += 1

    def correction(self) -> None:
        rated = Match.objects.filter(season=self.season(), status=Status.RATED)
        match = rated.order_by("-rated_order")[self.chance.randrange(60) :].first()
        if match is None:
            return
        placings = self.chance.choice([None, [(0, None), (1, None)], [(1, None), (0, None)]])
        with suppress(Refused):  # that was the result already
            seen = corrections.preview(match, by=self.olga, placings=placings)
            asked = corrections.ask(
                match,
                by=self.olga,
                reason="A mistake",
                digest=seen.digest,
                horizon=seen.horizon,
                now=self.now,
                placings=placings,
            )
            corrections.carry_out(asked.pk, self.now)
            self.done["corrections"] += 1

    def next_season(self) -> None:
        self.now += timedelta(hours=1)
        before = self.season()
        open_season(self.arena, starts_at=self.now)
        self.now += timedelta(hours=1)
        if self.chance.random() < 0.5:
            assert freeze_early(before.pk, now=self.now)
        self.done["seasons"] += 1

    def update(self) -> None:
        updating.update_pending(self.now)

    def update_a_little(self) -> None:
        updating.update(self.season(), self.now, batch=self.chance.choice([1, 7]))

    def die(self) -> None:
        """A worker is killed before the last statement of an update."""

        def die(*_what: object, **_more: object) -> None:
            raise Killed

        with pytest.MonkeyPatch.context() as patched, suppress(Killed):
            patched.setattr(divisions, "update", die)
            updating.update(self.season(), self.now)


WEIGHTS = {
    League.results: 12,
    League.time_passes: 5,
    League.correction: 4,
    League.next_season: 1,
    League.update: 3,
    League.update_a_little: 3,
    League.die: 2,
}


@settings(
    max_examples=examples(1),
    deadline=None,
    phases=[Phase.generate],  # what fails here is as large when it is shrunk
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32), rules=st.sampled_from(RULES))
def test_after_ten_thousand_things_have_happened_the_standings_are_those_of_a_full_rebuild(
    olga: Player, seed: int, rules: dict[str, Any]
) -> None:
    assert olga.user
    chance = random.Random(seed)  # noqa: S311 - chance, no secret
    with transaction.atomic():
        league = League(arena("hall", rating_system="elo", season_rules=rules), olga.user, chance)
        checked = 0
        while (done := sum(league.done.values())) < ENOUGH or (
            league.done["corrections"] < CORRECTIONS
        ):
            if done >= checked + 2_500:
                check_standings(league)
                checked = done
            step = chance.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
            step(league)
        check_standings(league)
        assert league.done["quits"]
        transaction.set_rollback(True)


def check_standings(league: League) -> None:
    """The standings of every season equal a rebuild and the engine's percentiles."""
    league.update()
    for season in league.arena.seasons.all():
        kept, told = standings.stored_standings(season), board(season, league.now)
        rebuilding.rebuild(season, league.now)
        assert standings.stored_standings(season).tolist() == kept.tolist()
        assert board(season, league.now) == told
        rated = np.array([row[-1] for row in told])
        groups = percentiles(rated, np.ones(len(rated), bool)).tolist()
        assert [row[2] for row in told] == groups
        assert [row[1] for row in told] == [int((rated > one).sum()) + 1 for one in rated]


def board(season: Season, now: datetime) -> list[tuple[Any, ...]]:
    """Return player, rank, percentile, division and rating of everybody, from all pages."""
    told: list[tuple[Any, ...]] = []
    number: int | None = 1
    while number:
        page = leaderboards.leaderboard(season, now=now, page=number, per_page=170)
        told += [
            (row.player_id, row.rank, row.percentile, row.division, row.rating) for row in page.rows
        ]
        number = page.next
    return told
