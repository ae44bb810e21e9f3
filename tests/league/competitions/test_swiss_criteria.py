"""Pairing criteria that FIDE does not have: against every round that is possible, and by rules."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from django.test import Client

from league.models import Competition, Player, Rating
from league.services.competitions import progress
from league.services.competitions.pairing.swiss import NoPairing, SwissStanding, swiss
from league.services.competitions.running import swiss_rounds
from tests.support.cast import NOW, arena, roster
from tests.support.competition_steps import START, begun, crowd, enter, opened
from tests.support.effort import examples
from tests.support.result_steps import user_of
from tests.support.swiss_by_hand import (
    CHESS,
    every_round,
    played_round,
    points_of,
    with_the_lowest_bye,
)
from tests.support.team_steps import joined, team_of

WEEK = timedelta(days=7)
Pairs = list[tuple[int, int | None]]


def some_criteria(count: int, generator: np.random.Generator, *, even: bool) -> SwissStanding:
    """Return a Swiss of a small field with pairs to keep apart, and forecasts if wanted."""
    entrants = [int(one) for one in generator.permutation(range(1, count + 1))]
    club = {int(one) for one in generator.permutation(entrants)[: count // 2]}
    skill = np.sort(generator.normal(size=count))[::-1]
    shares = 1 / (1 + np.exp(skill[None, :] - skill[:, None]))
    return SwissStanding(
        entrants,
        [],
        1,
        count,
        CHESS,
        apart=frozenset(frozenset(pair) for pair in combinations(sorted(club), 2)),
        shares=shares if even else None,
    )


def mates(standing: SwissStanding, pairs: Sequence[tuple[int, int | None]]) -> int:
    return sum(frozenset(pair) in standing.apart for pair in pairs)


def cost(standing: SwissStanding, pairs: Sequence[tuple[int, int | None]]) -> float:
    """Return what a round costs where sides do not matter, from the results alone."""
    score = score_before(standing, standing.round)
    groups = sorted(set(score.values()), reverse=True)
    ranked = sorted(standing.entrants, key=lambda one: (-score[one], standing.entrants.index(one)))
    total = 0.0
    for one, other in pairs:
        if other is None:
            last = len(ranked) - 1 - ranked.index(one)
            total += 99 * last / len(ranked)
            continue
        better, worse = sorted((one, other), key=ranked.index)
        total += 1e5 * (frozenset((one, other)) in standing.apart)
        total += 1000 * (groups.index(score[one]) - groups.index(score[other])) ** 2
        if score[one] != score[other]:
            down, up = last_float(standing, better) == "down", last_float(standing, worse) == "up"
            total += 300 * (down or up)
        assert standing.shares is not None
        rows = [standing.entrants.index(each) for each in (one, other)]
        total += 99 * (2 * float(standing.shares[rows[0], rows[1]]) - 1) ** 2
    return total


def score_before(standing: SwissStanding, number: int) -> dict[int, Fraction]:
    before = [each for each in standing.results if each.round < number]
    return {
        entrant: sum((points_of(each, entrant) for each in before), Fraction(0))
        for entrant in standing.entrants
    }


def last_float(standing: SwissStanding, entrant: int) -> str:
    """Return which way an entrant floated in the round before."""
    score = score_before(standing, standing.round - 1)
    mine = [
        each
        for each in standing.results
        if each.round == standing.round - 1 and entrant in {each.home, each.away}
    ]
    if standing.round == 1:
        return "none"
    if not mine:
        return "none"
    if mine[0].away is None or not mine[0].played:
        return "down" if points_of(mine[0], entrant) else "none"
    other = mine[0].away if mine[0].home == entrant else mine[0].home
    return (
        "none"
        if score[entrant] == score[other]
        else "down"
        if score[entrant] > score[other]
        else "up"
    )


@pytest.mark.parametrize("seed", range(examples(5)))
@pytest.mark.parametrize("sides", [True, False])
@pytest.mark.parametrize("even", [True, False])
def test_small_fields_are_paired_as_well_as_they_can_be(
    seed: int, *, sides: bool, even: bool
) -> None:
    """Team mates meet only if every legal round with the same bye has as many such games."""
    generator = np.random.default_rng([seed, sides, even])
    standing = replace(
        some_criteria(int(generator.integers(3, 9)), generator, even=even), sides=sides
    )
    for _ in standing.entrants:
        possible = list(every_round(standing, bound_by_sides=sides))
        if not possible:
            with pytest.raises(NoPairing):
                swiss(standing)
            return
        round_ = swiss(standing)
        chosen: Pairs = [*round_.pairs, *([(round_.free, None)] if round_.free else [])]
        assert {frozenset(pair) for pair in chosen} in [
            {frozenset(pair) for pair in every} for every in possible
        ]
        fair = with_the_lowest_bye(standing, possible)
        assert mates(standing, chosen) == min(mates(standing, every) for every in fair)
        if even and not sides:
            least = min(cost(standing, every) for every in fair)
            assert cost(standing, chosen) <= 1.02 * least + 1e-6
        results = played_round(standing, round_, generator, forfeits=0.1)
        standing = replace(
            standing, results=[*standing.results, *results], round=standing.round + 1
        )


def met(one: Competition, number: int | None = None) -> set[frozenset[str]]:
    """Return who meets whom, in one round or in all."""
    rows = one.fixtures.exclude(away=None).values_list("home__name", "away__name", "round__number")
    return {frozenset((home, away)) for home, away, at in rows if number in {None, at}}


def decide(one: Competition, result: str = "home") -> None:
    one.fixtures.undecided().update(result=result, decided_by="staff", decided_at=START)


@pytest.fixture
def club(olga: Player) -> Competition:
    """Return a Swiss of four, of whom the first and the third seed are team mates."""
    here = arena("chess", rating_system="elo", season_rules={})
    players = crowd(4)
    rate(here.seasons.get().pk, players)
    joined(team_of(players[0]), players[2])
    one = opened(here, olga, "swiss", play={"rounds": 3, "apart": True})
    enter(one, *players)
    return one


def rate(season: int, players: Sequence[Player], *, step: float = 100) -> None:
    for number, player in enumerate(players):
        Rating.objects.create(
            season_id=season,
            player=player,
            rating=2000 - step * number,
            games=9,
            last_played_at=NOW,
        )


def test_team_mates_meet_as_late_as_possible(club: Competition) -> None:
    """In three rounds of four everybody meets everybody, so at last they have to."""
    pair = frozenset({"Player 001", "Player 003"})
    for number in range(3):
        progress.sweep(START + number * WEEK)
        assert (pair in met(club)) == (number == 2)
        decide(club, "draw")
    club.refresh_from_db()
    assert club.fixtures.count() == 6


def test_who_joins_a_team_after_the_draw_can_be_met(club: Competition) -> None:
    team = club.entrants.get(name="Player 001").player.team_memberships.get().team
    second = club.entrants.get(name="Player 002").player
    member = joined(team, second).members.get(player=second)
    member.joined_at = START + timedelta(days=1)
    member.save()
    progress.sweep(START)
    club.refresh_from_db()
    decide(club, "draw")
    round_ = club.rounds.get(number=2)
    ids = dict(club.entrants.values_list("name", "pk"))
    standing = swiss_rounds.standing_of(club, round_)
    assert standing.apart == {frozenset({ids["Player 001"], ids["Player 003"]})}
    team.members.filter(player__name="Player 003").update(left_at=START + timedelta(days=1))
    assert swiss_rounds.standing_of(club, round_).apart == standing.apart
    team.members.filter(player__name="Player 003").update(left_at=START)
    assert not swiss_rounds.standing_of(club, round_).apart


def test_rosters_of_one_team_are_kept_apart(olga: Player) -> None:
    here = arena("pairs", team_size_min=1, team_size_max=2, rating_system="elo", season_rules={})
    players = crowd(8)
    rate(here.seasons.get().pk, players)
    one = opened(here, olga, "swiss", play={"apart": True})
    team = joined(team_of(players[0]), *players[1:6])
    for number in range(4):
        mine = roster(here, f"Roster {number}", *players[2 * number : 2 * number + 2])
        mine.team = team if number in {0, 2} else None
        mine.save()
        one.entrants.create(player=mine.captain, roster=mine, name=mine.name, entered_at=NOW)
    progress.sweep(START)
    assert frozenset({"Roster 0", "Roster 2"}) not in met(one), "by the fold, they would meet"
    standing = swiss_rounds.standing_of(one, one.rounds.get(number=1))
    assert len(standing.apart) == 1, "without its team, a roster has no team mates"


def test_a_round_that_cannot_keep_them_apart_is_drawn_without_a_reason(
    club: Competition, olga: Player
) -> None:
    for number in range(2):
        progress.sweep(START + number * WEEK)
        decide(club, "draw")
    club.refresh_from_db()
    _round, standing, drawn = swiss_rounds.preview(club)
    assert any(frozenset(pair) in standing.apart for pair in drawn.pairs)
    seeds = {pk: seed for seed, pk in swiss_rounds.by_seed(club).items()}
    lines = [[seeds[home], seeds[away]] for home, away in drawn.pairs]
    now = START + 2 * WEEK
    assert swiss_rounds.pair_next(club.pk, lines, by=user_of(olga), reason="", now=now)


def test_sides_can_be_switched_off(olga: Player) -> None:
    here = arena("quick", rating_system="elo", season_rules={})
    players = crowd(8)
    rate(here.seasons.get().pk, players)
    one = begun(here, olga, players, "swiss", play={"alternate": False})
    for number in range(3):
        progress.sweep(START + number * WEEK)
        drawn = one.fixtures.filter(round__number=number + 1).select_related("home", "away")
        assert all(
            (each.home.seed or 0) < (each.away.seed or 0)
            for each in drawn
            if each.home and each.away
        )
        decide(one, "home")


def test_even_games_go_by_the_ratings_of_the_league(olga: Player, client: Client) -> None:
    here = arena("even", rating_system="elo", season_rules={})
    players = crowd(8)
    rate(here.seasons.get().pk, players)
    one = begun(here, olga, players, "swiss", play={"pairing": "even"})
    assert met(one) == {
        frozenset({f"Player {number:03}", f"Player {number + 1:03}"}) for number in (1, 3, 5, 7)
    }
    decide(one, "draw")
    Rating.objects.filter(player=players[7]).update(rating=2010)
    progress.sweep(START + WEEK)
    assert frozenset({"Player 001", "Player 008"}) in met(one, 2)
    page = client.get(one.get_absolute_url()).content.decode()
    assert "those meet whose game is expected to be even" in page


def test_without_forecasts_even_games_are_paired_as_by_default(
    olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(swiss_rounds, "odds_between", lambda *_given: None)
    here = arena("unknown", rating_system="elo", season_rules={})
    players = crowd(4)
    rate(here.seasons.get().pk, players)
    one = begun(here, olga, players, "swiss", play={"pairing": "even"})
    assert met(one) == {
        frozenset({"Player 001", "Player 003"}),
        frozenset({"Player 002", "Player 004"}),
    }
