"""Simulate the rest of a competition from the current ratings, for the chances of its entrants."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast
from uuid import uuid4

import numpy as np
from django.core.cache import cache

from league.models import Competition, Entrant, Fixture
from league.services.competitions.chances import (
    KEPT,
    NONE,
    TOO_LONG,
    Chances,
    Column,
    digest_of,
    kept_digest,
    key,
    version_key,
)
from league.services.competitions.forecasts.bracket_forecast import (
    NOBODY,
    best_places,
    play_bracket,
    without,
)
from league.services.competitions.forecasts.forecast import (
    SEASONS,
    places_in_swiss,
    ranked_table,
    shares,
)
from league.services.competitions.forecasts.odds import odds_between, odds_of_series
from league.services.competitions.pairing.groups import groups_by_seed
from league.services.competitions.pairing.knockout import Slot, Source, knockout
from league.services.competitions.standings.entrant_rounds import PointsRules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    import numpy.typing as npt

    from league.services.competitions.forecasts.odds import Odds
    from league.services.competitions.pages import CompetitionPage
    from league.services.competitions.pairing.knockout import Stage
    from league.services.competitions.standings.competition_tables import CompetitionTable

    Floats = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.intp]

MOST_PLACES = 12
"""The longest table whose places are shown one by one."""
TOPS = (1, 3, 8, 16, 32, 64)
"""The best of longer tables."""
MOST_ROUNDS = 4_800_000
"""The most rounds of entrants that are simulated in a Swiss: less than a second of work."""
MOST_GAMES = 80_000_000
"""The most games that are simulated in tables: about a second of work."""
LEAST_SEASONS = 500
"""With fewer simulated seasons, chances would be off by more than two percent."""
Result = Fixture.Result
State = Entrant.State


def refresh(page: CompetitionPage, now: datetime) -> bool:
    """Compute the chances of a running competition if results have changed since the last time."""
    one = page.competition
    if one.state != Competition.State.RUNNING:
        return False
    digest = digest_of(page.ended, {each.pk: each.state for each in page.entrants})
    if digest == kept_digest(one):
        return False
    found = (digest, Simulation(page, now).chances())
    cache.set_many({key(one): found, version_key(one): uuid4().hex}, KEPT)
    return True


class Simulation:
    """The rest of a competition, simulated."""

    def __init__(self, page: CompetitionPage, now: datetime) -> None:
        self.page, self.rules = page, page.competition.ruled_by()
        self.entrants = [one for one in page.entrants if one.seed is not None]
        self.at = {one.pk: number for number, one in enumerate(self.entrants)}
        self.out = [self.at[one.pk] for one in self.entrants if one.state == State.WITHDRAWN]
        # Seeded, so that chances change only with what happened.
        self.generator = np.random.default_rng(page.competition.seed or 0)
        self.odds = odds_between(page.competition.season, self.entrants, now)

    def chances(self) -> Chances:
        """Return the chances of everybody, none if the rating system makes no forecasts.

        They take about a second. If so few seasons can be simulated in it that they would say
        nothing, there are none until less is left.
        """
        if self.odds is None:
            return NONE
        if any(fixture.round.is_in_bracket for fixture in self.page.fixtures):
            return self.of_bracket(self.odds)
        if self.page.competition.format == Competition.Format.SWISS:
            return self.of_swiss(self.odds)
        if self.seasons_of_tables() < LEAST_SEASONS:
            # Better none than chances that are off by several percent.
            return TOO_LONG
        return self.of_tables(self.odds)

    def points(self) -> PointsRules:
        table = self.rules.table
        return PointsRules.of(table.win, table.draw, table.loss, table.forfeit, table.bye)

    def open_fixtures(self, members: Mapping[int, int]) -> list[tuple[int, int]]:
        """Return the undecided fixtures of a table, by the number of both sides."""
        return [
            (members[fixture.home_id or 0], members[fixture.away_id or 0])
            for fixture in self.page.fixtures
            if fixture.home_id in members
            and fixture.away_id in members
            and not self.page.ended[fixture.pk].is_decided
        ]

    def of_tables(self, odds: Odds) -> Chances:
        """Return the chances of a table or of groups, and of the bracket that follows them."""
        first: dict[int, float] = {}
        rows: dict[int, list[float]] = {}
        ranks = []
        seasons = self.seasons_of_tables()
        for table in self.page.tables:
            ranked = self.rank_lines(table, odds, seasons)
            ranks.append(np.array([self.at[line.entrant.pk] for line in table.lines])[ranked])
            for line, chances in zip(table.lines, shares(ranked).tolist(), strict=True):
                first[line.entrant.pk], rows[line.entrant.pk] = chances[0], chances
        if self.page.competition.format == Competition.Format.GROUPS_KNOCKOUT:
            return self.of_qualified(ranks, odds, first)
        return select_chances(first, rows)

    def seasons_of_tables(self) -> int:
        """Return how many seasons are simulated: fewer if many fixtures are left."""
        left = sum(not self.page.ended[fixture.pk].is_decided for fixture in self.page.fixtures)
        return min(SEASONS, MOST_GAMES // max(left, 1))

    def rank_lines(self, table: CompetitionTable, odds: Odds, seasons: int) -> Integers:
        """Return the numbers of a table's lines by place, in each season."""
        members = {line.entrant.pk: at for at, line in enumerate(table.lines)}
        left = self.open_fixtures(members)
        who = np.array([self.at[line.entrant.pk] for line in table.lines])
        pairs = who[np.array(left, dtype=np.intp).reshape(-1, 2)]
        return ranked_table(
            [float(line.row.points) for line in table.lines],
            left,
            odds.at_home(pairs[:, 0], pairs[:, 1]),
            self.points(),
            self.generator,
            [-line.row.place for line in table.lines],
            seasons,
        )

    def of_swiss(self, odds: Odds) -> Chances:
        lines = [line for table in self.page.tables for line in table.lines]
        members = {line.entrant.pk: at for at, line in enumerate(lines)}
        who = np.array([self.at[line.entrant.pk] for line in lines])
        met = np.zeros((len(lines), len(lines)), dtype=np.bool_)
        for fixture in self.page.fixtures:
            if fixture.home_id in members and fixture.away_id in members:
                home, away = members[fixture.home_id], members[fixture.away_id]
                met[home, away] = met[away, home] = True
        rounds = sum(each.opened_at is None for each in self.page.rounds)
        seasons = min(SEASONS, MOST_ROUNDS // max(len(lines) * rounds, 1))
        if seasons < LEAST_SEASONS:
            return TOO_LONG

        def strength(one: Integers, other: Integers) -> Floats:
            chances: Floats = odds.even_ground[who[one], who[other]]
            return chances

        left = self.open_fixtures(members)
        open_ = who[np.array(left, dtype=np.intp).reshape(-1, 2)]
        found = places_in_swiss(
            [float(line.row.points) for line in lines],
            strength,
            rounds,
            self.points(),
            self.generator,
            met=met,
            ahead=[-line.row.place for line in lines],
            fixtures=left,
            chances=odds.at_home(open_[:, 0], open_[:, 1]),
            out=np.flatnonzero(np.isin(who, self.out)).tolist(),
            seasons=seasons,
        )
        rows = {
            line.entrant.pk: chances for line, chances in zip(lines, found.tolist(), strict=True)
        }
        return select_chances({pk: chances[0] for pk, chances in rows.items()}, rows)

    def of_qualified(
        self, ranks: Sequence[Integers], odds: Odds, first: Mapping[int, float]
    ) -> Chances:
        """Return the chances in a bracket of those who are ahead in their groups."""
        most = max((each.shape[1] for each in ranks), default=0)
        tiers = [
            [group for group, each in enumerate(ranks) if place < each.shape[1]]
            for place in range(min(self.rules.play.qualify, most))
        ]
        if not tiers:
            return NONE
        places = [place for place, tier in enumerate(tiers) for _group in tier]
        seeded = zip(groups_by_seed(tiers), places, strict=True)
        ahead = [ranks[group][:, place] for group, place in seeded]
        seeds = seeds_without(np.stack(ahead, axis=1), self.out)
        seasons = seeds.shape[1]
        if len(seeds) < 2:
            return NONE
        slots = knockout(range(len(seeds)))
        series = odds_of_series(odds, self.rules.play.best_of)
        ended = play_bracket(
            slots, series, self.generator, starting=dict(enumerate(seeds)), seasons=seasons
        )
        tops = best_places(slots, ended, len(self.entrants))
        through = np.bincount(seeds[seeds != NOBODY], minlength=len(self.entrants)) / seasons
        return in_bracket([(len(seeds), through), *tops], self.entrants, first)

    def of_bracket(self, odds: Odds) -> Chances:
        slots, decided = self.slots()
        series = odds_of_series(odds, self.rules.play.best_of)
        ended = play_bracket(slots, series, self.generator, decided=decided, out=self.out)
        tops = best_places(slots, ended, len(self.entrants))
        playing = {pk for one in self.page.fixtures if one.round.is_in_bracket for pk in ids(one)}
        members = [one for one in self.entrants if one.pk in playing]
        of_members = [(top, chances[[self.at[one.pk] for one in members]]) for top, chances in tops]
        return in_bracket(of_members, members, {})

    def slots(self) -> tuple[list[Slot], dict[int, int]]:
        """Return the slots of the bracket as it stands, and who won those that are over.

        A second final that was not needed is left out.
        """
        slots, decided = [], {}
        for fixture in self.page.fixtures:
            result = self.page.ended[fixture.pk].result
            needless = fixture.round.is_second_final and result == Result.NONE
            if not fixture.round.is_in_bracket or needless:
                continue
            home = self.source(fixture.home_id, fixture.home_source, fixture.home_source_number)
            away = self.source(fixture.away_id, fixture.away_source, fixture.away_source_number)
            stage = cast("Stage", fixture.round.stage)
            slots.append(Slot(fixture.number, stage, fixture.round.number, home, away))
            if result in {Result.HOME, Result.AWAY}:
                won = fixture.home_id if result == Result.HOME else fixture.away_id
                decided[fixture.number] = NOBODY if won is None else self.at[won]
            elif result in {Result.NEITHER, Result.NONE}:
                decided[fixture.number] = NOBODY
        return slots, decided

    def source(self, entrant: int | None, kind: str, number: int | None) -> Source:
        """Return where a side of a fixture comes from."""
        if entrant is not None:
            return Source("entrant", self.at[entrant])
        if kind == Fixture.Source.WINNER and number is not None:
            return Source("winner", number)
        if kind == Fixture.Source.LOSER and number is not None:
            return Source("loser", number)
        return Source("entrant", NOBODY)


def seeds_without(ahead: Integers, out: Sequence[int]) -> Integers:
    """Return who has each seed in each season (seeds, seasons): those ahead who have not withdrawn.

    Later ones move up, and ``NOBODY`` has the last seeds of a season with fewer than another.
    """
    left = without(ahead, out)
    order = np.argsort(left == NOBODY, axis=1, kind="stable")
    seeds = np.take_along_axis(left, order, axis=1).T
    taken: Integers = seeds[(seeds != NOBODY).any(axis=1)]
    return taken


def ids(fixture: Fixture) -> list[int]:
    return [side for side in (fixture.home_id, fixture.away_id) if side is not None]


def select_chances(first: Mapping[int, float], rows: Mapping[int, Sequence[float]]) -> Chances:
    """Return the chances of places: all of a short table, the best of a long one."""
    places = max(map(len, rows.values()), default=0)
    if places <= MOST_PLACES:
        columns = [Column("place", place) for place in range(1, places + 1)]
        full = {pk: [*row, *[0.0] * (places - len(row))] for pk, row in rows.items()}
        return Chances(first, columns, full)
    tops = [top for top in TOPS if top < places]
    summed = {pk: [sum(row[:top]) for top in tops] for pk, row in rows.items()}
    return Chances(first, [Column("top", top) for top in tops], summed)


def in_bracket(
    tops: Sequence[tuple[int, Floats]], entrants: Sequence[Entrant], first: Mapping[int, float]
) -> Chances:
    """Return the chances of entrants to reach each stage of a bracket."""
    names = {1: "wins", 2: "final"}
    return Chances(
        first,
        [Column(names.get(top, "top"), top) for top, _chances in tops],
        {one.pk: [float(chances[at]) for _top, chances in tops] for at, one in enumerate(entrants)},
    )
