"""A new season starts with ratings that are moved back to the anchors of the one before."""

import math
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.urls import reverse

from league.models import Anchor, Arena, Match, Player, Rating, Season, User
from league.services.integrity.ratings import verify
from league.services.results.staff.entering import enter
from league.services.seasons.anchors import follow
from league.services.seasons.opening import adopt_rules, open_season
from league.services.seasons.recentring import recentre
from ratings.registry import SYSTEMS
from ratings.seasons.transitions import lead_missing
from tests.support.cast import NOW, arena, side
from tests.support.correction_steps import correct
from tests.support.season_steps import NEXT, set_season_rules
from tests.support.web_steps import browser_of, words

LOGISTIC = {"codeforces", "elo", "fermi", "glicko", "glicko-2", "laurel"}


@pytest.fixture
def bot(db: None) -> Player:
    return Player.objects.create(name="Marvin")


@pytest.fixture
def organiser(db: None) -> User:
    return User.objects.create(username="organiser", is_superuser=True)


def won(where: Arena, by: User, *sides: Sequence[Player], hours: int) -> Match:
    at = NOW + timedelta(hours=hours)
    played = [side(*players, place=place) for place, players in enumerate(sides)]
    return enter(where, played, by=by, reason="Bot match", played_at=at, now=at)


def club(bot: Player, system: str, rating: float, **settings: Any) -> Arena:
    where = arena("lab", rating_system=system, **settings)
    Anchor.objects.create(arena=where, player=bot, rating=rating)
    assert follow(where, NOW) == []
    return where


def played_season(where: Arena, bot: Player, people: Sequence[Player], by: User) -> Season:
    """Alice and Bob win three of four matches against a bot that is rated like them."""
    alice, bob = people
    pairs = [(alice, bot), (bob, bot), (alice, bob), (bot, alice), (alice, bot)]
    for hour, (winner, loser) in enumerate(pairs):
        won(where, by, [winner], [loser], hours=hour)
    return where.seasons.get()


def shift_by_search(season: Season, bot: Player, unit: float) -> float:
    """Find the shift under which the expected points against the bot are the real ones."""
    met = []
    for match in Match.objects.filter(season=season, participants__player=bot):
        other = match.sides.exclude(participants__player=bot).get()
        assert match.forecast
        met.append((match.forecast[other.index], 1.0 if other.place == 0 else 0.0))

    def expected(shift: float) -> float:
        lead = shift / unit
        chances = [1 / (1 + (1 - p) / p * math.exp(-lead)) for p, _ in met]
        return sum(chances) + 2 / (1 + math.exp(-lead))

    low, high = -50 * unit, 50 * unit
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (
            (middle, high)
            if expected(middle) < sum(result for _, result in met) + 1
            else (low, middle)
        )
    return low


@pytest.mark.parametrize(
    ("system", "rating", "unit"),
    [("elo", 1500.0, 400 / math.log(10)), ("fermi", 0.2, 1.0), ("glicko-2", 1400.0, 173.7178)],
)
@pytest.mark.parametrize("ratio", [None, 0.5])
def test_ratings_that_carry_over_move_to_where_the_anchor_had_expected_results(
    system: str,
    rating: float,
    unit: float,
    ratio: float | None,
    bot: Player,
    alice: Player,
    bob: Player,
    organiser: User,
    olga: Player,
) -> None:
    where = club(bot, system, rating)
    first = played_season(where, bot, (alice, bob), organiser)
    shift = shift_by_search(first, bot, unit)
    assert shift > 0.1 * unit
    start: dict[str, Any] = {"placement": "carry-over", "recentre": True}
    if ratio:
        start |= {"placement": "linear-scale", "center": 1000, "ratio": ratio}
    set_season_rules(where, start=start)
    found = recentre(first)
    assert found.matches == 4
    assert found.shift == pytest.approx(shift, rel=1e-5)
    before = dict(Rating.objects.filter(season=first).values_list("player", "rating"))
    page = browser_of(olga).get(reverse("admin:league_arena_open_season", args=[where.pk]))
    promised = page.context["preview"]
    assert "4 matches against the anchors re-centre all ratings by " in words(page)
    assert promised.recentring == found
    second = open_season(where, starts_at=NEXT)
    after = dict(Rating.objects.filter(season=second).values_list("player", "rating"))
    for player in (alice, bob):
        moved = before[player.pk] + shift
        wanted = 1000 + ratio * (moved - 1000) if ratio else moved
        assert after[player.pk] == pytest.approx(wanted, abs=1e-3 * unit)
    assert {row.player.pk: row.rating for row in promised.first} == {
        player: rating for player, rating in after.items() if player != bot.pk
    }
    assert after[bot.pk] == rating
    assert verify(second) == []
    match = won(where, organiser, [bob], [alice], hours=24 * 40)
    assert olga.user
    correct(match, olga.user, [(1, None), (0, None)])
    assert verify(where.seasons.get(pk=second.pk)) == []


def test_a_season_without_results_follows_the_rule_as_it_changes(
    bot: Player, alice: Player, bob: Player, organiser: User
) -> None:
    where = club(bot, "elo", 1500.0)
    first = played_season(where, bot, (alice, bob), organiser)
    set_season_rules(where, start={"placement": "carry-over", "recentre": True})
    second = open_season(where, starts_at=NEXT)
    shifted = Rating.objects.get(season=second, player=alice).rating
    set_season_rules(where, start={"placement": "carry-over"})
    assert adopt_rules(second, where)
    rating = Rating.objects.get(season=second, player=alice).rating
    assert rating == Rating.objects.get(season=first, player=alice).rating
    assert shifted == rating + recentre(first).shift
    assert verify(second) == []


@pytest.mark.parametrize("system", sorted(SYSTEMS.keys() - {"ladder"}))
def test_only_a_logistic_scale_can_be_measured(
    system: str, bot: Player, alice: Player, bob: Player, organiser: User, olga: Player
) -> None:
    where = club(bot, system, 1.5)
    first = played_season(where, bot, (alice, bob), organiser)
    assert (recentre(first).matches == 4) == (system in LOGISTIC)
    assert (recentre(first).shift != 0) == (system in LOGISTIC)
    set_season_rules(where, start={"placement": "carry-over", "recentre": True})
    page = browser_of(olga).get(reverse("admin:league_arena_open_season", args=[where.pk]))
    assert ("Ratings are not re-centred" in words(page)) == (system not in LOGISTIC)
    before = Rating.objects.get(season=first, player=alice).rating
    second = open_season(where, starts_at=NEXT)
    after = Rating.objects.get(season=second, player=alice).rating
    assert (after != before) == (system in LOGISTIC)
    assert verify(second) == []


def test_matches_with_anchors_on_both_sides_or_beside_others_do_not_count(
    bot: Player, alice: Player, bob: Player, organiser: User
) -> None:
    other = Player.objects.create(name="Eddie")
    where = arena("lab", rating_system="elo", team_size_max=2)
    for anchor in (bot, other):
        Anchor.objects.create(arena=where, player=anchor, rating=1500)
    follow(where, NOW)
    won(where, organiser, [bot, alice], [other, bob], hours=0)
    won(where, organiser, [alice, bob], [bot, other], hours=1)
    assert recentre(where.seasons.get()).matches == 1


@pytest.mark.parametrize("seed", range(5))
def test_the_missing_lead_is_the_most_likely_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chances, results = rng.uniform(0.01, 0.99, 40), rng.choice([0.0, 0.5, 1.0], 40)
    found = lead_missing(chances, results)
    grid = np.linspace(-5, 5, 100_001)
    leads = [*np.log(chances / (1 - chances)), 0.0, 0.0]
    likelihood = np.zeros_like(grid)
    for lead, result in zip(leads, [*results, 0.0, 1.0], strict=True):
        likelihood += result * (lead + grid) - np.logaddexp(0, lead + grid)
    assert found == pytest.approx(grid[likelihood.argmax()], abs=1e-4)
    assert lead_missing(np.empty(0), np.empty(0)) == pytest.approx(0, abs=1e-9)
    assert 0 < lead_missing(np.full(9, 0.5), np.ones(9)) < math.inf
