"""Players limit the percentiles they meet, and read their chance of winning."""

from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, ArenaQueue, Player, Proposal, Rating, Season
from league.services.core.errors import Refused
from league.services.queue.queueing import join
from league.services.queue.rank_filters import filters_of, set_filter
from league.services.queue.statistics import band_width
from league.services.queue.ticks import run_again, tick
from league.services.standings.leaderboards import leaderboard
from league.services.standings.percentiles import percentiles_of
from league.services.standings.rebuilding import rebuild
from matchmaking.rank_filter import RankFilter
from ratings.percentile import percentiles
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, arena, put_in_order


def season_of(arena: Arena) -> Season:
    season = arena.current_season(NOW)
    assert season
    season.rules = {**season.rules, "ranked": {"opponents": 0}}
    season.save()
    return season


def field(season: Season, count: int) -> list[Player]:
    """Return this many active players, each rated above the one before."""
    players = [Player(name=f"P{number}", folded_name=f"p{number}") for number in range(count)]
    Player.objects.bulk_create(players)
    Rating.objects.bulk_create(
        Rating(
            season=season,
            player=player,
            rating=1000 + 10 * (number // 2),
            deviation=30,
            volatility=0.06,
            games=10,
            last_played_at=NOW - timedelta(days=1),
        )
        for number, player in enumerate(players)
    )
    put_in_order()
    return players


@pytest.fixture
def queue(duel: Arena) -> ArenaQueue:
    rules = {"laurel": {"asking": -1e6, "fairness": 0.5}, "queue": {"rating_max": 1e6}}
    return ArenaQueue.objects.create(arena=duel, rules=rules)


@pytest.mark.parametrize("count", [1, 2, 37, 250])
@pytest.mark.parametrize("system", ["glicko-2", "ladder"])
def test_percentiles_are_those_of_the_engine(count: int, system: str) -> None:
    season = season_of(arena("league", rating_system=system))
    players = field(season, count)
    ratings = np.array([1000.0 + 10 * (number // 2) for number in range(count)])
    wanted = percentiles(ratings, np.ones(count, dtype=np.bool_), lowest_first=season.lowest_first)
    found = percentiles_of(season, [player.pk for player in players])
    assert [found[player.pk] for player in players] == wanted.tolist()


def test_placement_and_window_of_the_arena_decide_who_has_a_percentile(duel: Arena) -> None:
    season = season_of(duel)
    fresh, idle, active = field(season, 3)
    Rating.objects.filter(player=fresh).update(games=9)
    Rating.objects.filter(player=idle).update(last_played_at=NOW - timedelta(days=31))
    put_in_order()
    everybody = [fresh.pk, idle.pk, active.pk]
    assert set(percentiles_of(season, everybody)) == {active.pk}
    season.rules = {**season.rules, "ranked": {"placement_matches": 3, "opponents": 0}}
    season.save()
    rebuild(season, NOW)
    assert set(percentiles_of(season, everybody)) == {fresh.pk, active.pk}
    season.rules["ranked"]["window"] = "60d"
    season.save()
    rebuild(season, NOW)
    assert set(percentiles_of(season, everybody)) == set(everybody)
    rows = {row.player_id: row.percentile for row in leaderboard(season, now=NOW).rows}
    assert percentiles_of(season, everybody) == rows


def test_queue_page_and_leaderboard_give_the_same_percentile(
    client: Client, queue: ArenaQueue, alice: Player
) -> None:
    """Alice has played three matches, and here that is enough to be ranked."""
    season = season_of(queue.arena)
    field(season, 4)
    season.rules = {**season.rules, "ranked": {"placement_matches": 3, "opponents": 0}}
    season.save()
    assert alice.user
    client.force_login(alice.user)
    address = reverse("queue", args=[queue.arena.slug])
    page = " ".join(client.get(address).content.decode().split())
    assert (
        "To be ranked, play 3 rated matches. One of them must be within the last 30 days." in page
    )
    Rating.objects.create(
        season=season,
        player=alice,
        rating=1005,
        deviation=30,
        volatility=0.06,
        games=3,
        last_played_at=NOW,
    )
    rebuild(season, NOW)
    (percentile,) = percentiles_of(season, [alice.pk]).values()
    assert percentile == 50
    assert f"You are in percentile {percentile} of 100." in client.get(address).content.decode()


def proposed(queue: ArenaQueue, *players: Player, waited: float = 0) -> bool:
    """Return whether these players are proposed a match after a wait."""
    for player in players:
        join(queue.arena, player, [], now=NOW)
    made = tick(queue.arena_id, now=NOW + timedelta(seconds=waited), seed=1)
    assert made
    assert run_again(made) == made.found
    return made.proposed == 1


@pytest.mark.parametrize("matcher", ArenaQueue.Matcher.values)
def test_a_strict_filter_never_widens(queue: ArenaQueue, matcher: str) -> None:
    if matcher != ArenaQueue.Matcher.LAUREL:
        queue.rules = {"queue": {"potentials_min": 0, "rating_min": 1000}}
    queue.matcher = matcher
    queue.save()
    low, high = field(season_of(queue.arena), 20)[5::10]
    set_filter(queue.arena, high, 20, strict=True)
    assert not proposed(queue, low, high, waited=3000)
    set_filter(queue.arena, high, None, strict=True)
    assert tick(queue.arena_id, now=NOW + timedelta(seconds=3100), seed=1)
    assert Proposal.objects.count() == 1


def test_a_loose_filter_widens_with_the_wait(queue: ArenaQueue) -> None:
    low, high = field(season_of(queue.arena), 20)[5::10]
    set_filter(queue.arena, high, 20, strict=False)
    assert not proposed(queue, low, high, waited=40)
    assert tick(queue.arena_id, now=NOW + timedelta(seconds=90), seed=1)
    assert not Proposal.objects.exists()  # they stand 52 percentiles apart, and it reaches 50
    assert tick(queue.arena_id, now=NOW + timedelta(seconds=130), seed=1)
    assert Proposal.objects.count() == 1


def test_a_filter_is_one_for_each_player_and_arena(duel: Arena, alice: Player) -> None:
    for reach in (5, 10):
        set_filter(duel, alice, reach, strict=True)
    assert filters_of(duel, [alice.pk]) == {alice.pk: RankFilter(10, strict=True)}
    set_filter(duel, alice, 100, strict=True)
    assert filters_of(duel, [alice.pk]) == {}
    for impossible in (0, -1, 101, float("inf"), float("nan")):
        with pytest.raises(Refused, match="from 1 to 100"):
            set_filter(duel, alice, impossible, strict=False)


@pytest.mark.parametrize("system", [name for name in SYSTEMS if name != "ladder"])
def test_the_better_team_is_predicted_to_win(queue: ArenaQueue, system: str) -> None:
    place = arena("league", rating_system=system)
    season = season_of(place)
    newcomer = season.system().newcomers(1)
    for number, player in enumerate(Player.objects.bulk_create([named("One"), named("Two")])):
        Rating.objects.create(
            season=season,
            player=player,
            rating=newcomer.rating[0] + 0.04 * number * (newcomer.rating[0] or 1000),
            deviation=None if np.isnan(newcomer.deviation[0]) else newcomer.deviation[0],
            volatility=None if np.isnan(newcomer.volatility[0]) else newcomer.volatility[0],
            games=1,
            memory=newcomer.memory[0].tolist(),
        )
    queue.arena = place
    queue.save()
    assert proposed(queue, *Player.objects.order_by("name"))
    proposal = Proposal.objects.get()
    better = proposal.tickets.get(captain__name="Two").team
    assert proposal.forecast is not None
    chance = proposal.forecast if better == 1 else 1 - proposal.forecast
    assert 0.5 < chance <= 1
    assert band_width(season) > 0


def named(name: str) -> Player:
    return Player(name=name, folded_name=name.lower())


def test_players_read_the_published_prediction(queue: ArenaQueue) -> None:
    queue.prediction = {"rating_spread": 200, "rating_weight": 1}
    queue.save()
    low, high = field(season_of(queue.arena), 20)[5::10]
    assert proposed(queue, low, high)
    proposal = Proposal.objects.get()
    # 50 points of 200 are a quarter of the way from even odds to certainty.
    wanted = 0.375 if proposal.tickets.get(captain=low).team == 1 else 0.625
    assert proposal.forecast == pytest.approx(wanted)
