"""Whole competitions through the services, each checked by a replay of what they have stored."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta

import numpy as np
import pytest

from league.models import (
    Arena,
    Competition,
    Entrant,
    Fixture,
    FixtureGame,
    Player,
    Rating,
    RatingEvent,
    Side,
)
from league.services.competitions import pages, progress
from league.services.competitions.running import entering, starting, withdrawing
from league.services.dates import playing
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, arena, side
from tests.support.competition_steps import START, begun, crowd, date_of, opened
from tests.support.effort import LONG
from tests.support.result_steps import user_of
from tests.support.team_steps import club, team_arena

pytestmark = pytest.mark.usefixtures("countless_reports")
WEEK = timedelta(days=7)


def play_by_chance(one: Competition, generator: np.random.Generator, *, draws: float = 0) -> int:
    """Report and confirm every game that has a date. Return how many there were."""
    waiting = one.fixtures.with_sides().filter(games__arrangement__state="accepted")
    fixtures = list(waiting.order_by("number"))
    for fixture in fixtures:
        date = date_of(fixture)
        drawn = generator.random() < draws
        first_wins = generator.random() < 0.5
        sides = [
            side(
                captain,
                *(roster.members.exclude(pk=captain.pk) if roster else []),
                place=0 if drawn or won else 1,
            )
            for captain, roster, won in (
                (date.proposer, date.proposer_roster, first_wins),
                (date.opponent, date.opponent_roster, not first_wins),
            )
        ]
        now = date.play_at + timedelta(hours=1)
        match = playing.report(
            date.pk, sides, reporter=date.proposer, played_at=date.play_at, now=now
        )
        confirm(match.pk, by=date.opponent, now=now)
    return len(fixtures)


@dataclass(frozen=True)
class Stored:
    """A fixture as its row and its match have it."""

    fixture: Fixture
    home: int | None
    away: int | None
    won: int | None
    """Who won the match, or without one the fixture; ``None`` for a draw or nobody."""
    played: bool

    @property
    def sides(self) -> set[int]:
        return {one for one in (self.home, self.away) if one is not None}

    @property
    def lost(self) -> int | None:
        return next((one for one in self.sides if self.won not in {None, one}), None)


def stored(one: Competition) -> Iterator[Stored]:
    """Yield the fixtures in the order of their rounds, with winners from the sides of matches."""
    winners: dict[int, set[int]] = defaultdict(set)
    captains: dict[int, list[int]] = defaultdict(list)
    matches: dict[int, int | None] = dict(
        FixtureGame.objects.filter(fixture__competition=one).values_list(
            "fixture", "arrangement__match"
        )
    )
    rows = Side.objects.filter(match__in=[pk for pk in matches.values() if pk])
    for side_of, captain, place in rows.values_list("match", "captain", "place"):
        captains[side_of].append(captain)
        if place == 0:
            winners[side_of].add(captain)
    entrant = {each.captain.pk: each.pk for each in one.entrants.with_people()}
    for fixture in one.fixtures.select_related("round").order_by("round__opens_at", "number"):
        match = matches.get(fixture.pk)
        if match:
            assert {entrant[pk] for pk in captains[match]} == {fixture.home_id, fixture.away_id}
            best = winners[match]
            won = entrant[min(best)] if len(best) == 1 else None
        else:
            won = {"home": fixture.home_id, "away": fixture.away_id}.get(fixture.result)
        yield Stored(fixture, fixture.home_id, fixture.away_id, won, bool(match))


def test_a_double_elimination_of_teams_is_played_to_the_end(olga: Player) -> None:
    here, generator = team_arena(), np.random.default_rng(13)
    rosters = [club(here, f"Team {number:02}", f"T{number:02}") for number in range(13)]
    one = opened(here, olga, "double")
    for roster in rosters:
        entering.register(one.pk, by=roster.captain, roster=roster, now=NOW)
    games = 0
    for week in range(20):
        progress.sweep(START + week * WEEK)
        games += play_by_chance(one, generator)
        progress.sweep(START + week * WEEK)
        one.refresh_from_db()
        if one.state == Competition.State.OVER:
            break
    assert one.state == Competition.State.OVER

    everything = list(stored(one))
    by_number = {each.fixture.number: each for each in everything}
    losses = Counter[int]()
    for each in everything:
        if not each.played:
            continue
        assert len(each.sides) == 2
        assert all(losses[entrant] < 2 for entrant in each.sides), "nobody plays on after two"
        if each.fixture.round.stage == "winners":
            assert not any(losses[entrant] for entrant in each.sides)
        if each.fixture.round.stage == "losers":
            assert all(losses[entrant] == 1 for entrant in each.sides)
        losses[each.lost or 0] += 1
    entrants = set(one.entrants.values_list("pk", flat=True))
    [champion] = [entrant for entrant in entrants if losses[entrant] < 2]
    assert sum(losses.values()) == games == 2 * 13 - 2 + losses[champion]
    assert one.entrants.get(place=1).pk == champion
    winner = pages.load(one).winner
    assert winner
    assert winner.pk == champion
    for each in everything:
        for entrant, source, number in (
            (each.home, each.fixture.home_source, each.fixture.home_source_number),
            (each.away, each.fixture.away_source, each.fixture.away_source_number),
        ):
            if source in {"winner", "loser"} and number and each.played:
                before = by_number[number]
                assert entrant == (before.won if source == "winner" else before.lost)
    assert RatingEvent.objects.count() == 4 * games


def test_a_swiss_is_played_to_the_end_with_draws_a_withdrawal_and_a_late_entry(
    olga: Player, duel: Arena
) -> None:
    count = 64 if LONG else 11
    generator, players = np.random.default_rng(64), crowd(count + 1)
    one = begun(duel, olga, players[:count], "swiss", entry={"entrants": 64, "late_until": 3})
    rounds = one.rounds.count()
    for week in range(rounds):
        now = START + week * WEEK
        progress.sweep(now)
        if week == 1 and count < 64:
            entering.register(one.pk, by=players[count], now=now)
        if week == 2:
            withdrawing.withdraw(one.pk, by=players[3], now=now)
        play_by_chance(one, generator, draws=0.3)
        progress.sweep(now)
    progress.sweep(START + rounds * WEEK)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER

    points, byes = Counter[int](), Counter[int]()
    met: set[frozenset[int]] = set()
    homes: dict[int, list[bool]] = defaultdict(list)
    by_round: dict[int, list[Stored]] = defaultdict(list)
    for each in stored(one):
        by_round[each.fixture.round.number].append(each)
    for number, drawn in sorted(by_round.items()):
        named = [entrant for each in drawn for entrant in each.sides]
        assert len(named) == len(set(named)), "nobody plays twice in a round"
        expected = {
            entrant.pk
            for entrant in one.entrants.all()
            if entrant.joined_round <= number
            and (entrant.state == Entrant.State.PLAYING or number <= 3)
        }
        assert set(named) == expected
        for each in drawn:
            if each.away is None:
                byes[each.home or 0] += 1
                points[each.home or 0] += 3
                continue
            assert frozenset(each.sides) not in met, "nobody meets twice"
            met.add(frozenset(each.sides))
            if each.played:
                for entrant in each.sides:
                    homes[entrant].append(entrant == each.home)
            for entrant in each.sides:
                points[entrant] += 3 if each.won == entrant else int(each.won is None)
    assert max(byes.values(), default=0) <= 1
    for sides in homes.values():
        assert abs(2 * sum(sides) - len(sides)) <= 2
        assert not any(len(set(sides[at : at + 3])) == 1 for at in range(len(sides) - 3))
    assert one.final
    table = {line["entrant"]: float(line["points"]) for line in one.final["boards"][0]["lines"]}
    assert table == {entrant: points[entrant] for entrant in table}
    assert len(table) == one.entrants.count() == count + (count < 64)


@pytest.mark.parametrize("format_", ["double", "swiss"][: 2 if LONG else 1])
def test_the_largest_field_is_drawn_by_rating(olga: Player, format_: str) -> None:
    here = arena("large", rating_system="elo", season_rules={})
    one = opened(here, olga, format_, entry={"entrants": 513})
    players = Player.objects.bulk_create(
        Player(name=f"Player {number}", folded_name=f"player {number}") for number in range(513)
    )
    order = np.random.default_rng(513).permutation(513).tolist()
    Rating.objects.bulk_create(
        Rating(
            season=one.season,
            player=player,
            rating=1000.0 + place,
            games=5,
            last_played_at=NOW,
        )
        for place, player in zip(order, players, strict=True)
    )
    Entrant.objects.bulk_create(
        Entrant(competition=one, player=player, name=player.name, entered_at=NOW)
        for player in players
    )
    assert starting.start(one.pk, now=START, by=user_of(olga))
    progress.sweep(START)
    one.refresh_from_db()
    assert one.state == Competition.State.RUNNING
    seeds = dict(one.entrants.values_list("player", "seed"))
    assert seeds == {player.pk: 513 - place for place, player in zip(order, players, strict=True)}
    drawn = one.fixtures.exclude(home=None).values_list("home__seed", "away__seed")
    if format_ == "swiss":
        named = [seed for pair in drawn for seed in pair if seed]
        assert sorted(named) == list(range(1, 514))
        assert {abs(home - away) for home, away in drawn if home and away} == {256}
        return
    named = [seed for pair in drawn for seed in pair if seed]
    assert sorted(named) == list(range(1, 514)), "everybody starts once"
    first = one.fixtures.get(round__stage="winners", round__number=1)
    assert {first.home and first.home.seed, first.away and first.away.seed} == {512, 513}
    assert one.fixtures.count() == 2 * 513 - 1
    assert FixtureGame.objects.count() == 1
