"""The rating distribution, and the list of inactive players."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Rating
from league.services.standings import distributions
from league.services.standings.distributions import rating_distribution
from league.services.standings.leaderboards import inactive, leaderboard
from ratings.percentile import distribution
from tests.support.cast import NOW, arena, put_in_order
from tests.support.web_steps import browser_of, words


def crowd(arena: Arena, ratings: list[float], last: datetime = NOW, called: str = "Player") -> None:
    players = Player.objects.bulk_create(
        Player(name=f"{called} {number:04}", folded_name=f"{called.lower()} {number:04}")
        for number in range(len(ratings))
    )
    Rating.objects.bulk_create(
        Rating(
            season=arena.seasons.get(),
            player=player,
            rating=rating,
            deviation=50,
            volatility=0.06,
            games=3,
            last_played_at=last,
        )
        for player, rating in zip(players, ratings, strict=True)
    )
    put_in_order()


def test_the_picture_counts_everybody_once_and_measures_the_width(
    duel: Arena, monkeypatch: pytest.MonkeyPatch
) -> None:
    ratings = np.random.default_rng(7).normal(1500, 200, 1500).round(3)
    crowd(duel, ratings.tolist())
    season = duel.seasons.get()
    right = distribution(ratings)
    exact = rating_distribution(season)
    assert exact
    assert exact.mean == pytest.approx(right.mean)
    assert exact.width == pytest.approx(right.width)
    assert exact.within == pytest.approx(right.within)
    for bar in exact.bars:
        assert bar.players == int(((ratings >= bar.low) & (ratings < bar.high)).sum())
    assert sum(bar.normal for bar in exact.bars) == pytest.approx(1500, rel=0.01)
    monkeypatch.setattr(distributions, "COUNTED_SINGLY", 0)
    rough = rating_distribution(season)
    assert rough
    assert sum(bar.players for bar in rough.bars) == 1500
    assert rough.mean == pytest.approx(right.mean, abs=10)
    assert rough.width == pytest.approx(right.width, rel=0.15)
    assert len(rough.bars) == len(exact.bars)
    for one, other in zip(rough.bars, exact.bars, strict=True):
        assert abs(one.players - other.players) <= 40


@pytest.mark.parametrize("ratings", [[1500.0], [1500.0, 1500.0], [0.0, -3.5], [1e-9, 1e9]])
@pytest.mark.parametrize("singly", [0, 2000])
def test_few_equal_or_odd_ratings_have_a_picture_too(
    duel: Arena, ratings: list[float], singly: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distributions, "COUNTED_SINGLY", singly)
    crowd(duel, ratings)
    shape = rating_distribution(duel.seasons.get())
    assert shape
    assert sum(bar.players for bar in shape.bars) == len(ratings)
    assert len(shape.bars) <= 100
    page = Client().get("/arenas/duel/distribution/")
    assert f"{len(ratings)} ranked player" in words(page)
    assert "nan" not in page.content.decode()


def test_the_page_marks_the_readers_place_and_says_it_in_words(
    duel: Arena, alice: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert "Nobody is ranked yet" in words(Client().get("/arenas/duel/distribution/"))
    crowd(duel, [1500.0 + number for number in range(120)])
    Rating.objects.create(
        season=duel.seasons.get(), player=alice, rating=1559.5, games=3, last_played_at=NOW
    )
    put_in_order()
    browser = browser_of(alice)
    with django_assert_max_num_queries(14):
        mine = browser.get("/arenas/duel/distribution/")
    assert "Your rating is 1560 (percentile 50 of 100)." in words(mine)
    assert mine.content.decode().count('class="bar mine"') == 1
    assert "1555 to 1560 you 6 " in words(mine)
    with django_assert_max_num_queries(5):
        other = Client().get("/arenas/duel/distribution/")
    assert "mine" not in other.content.decode()
    assert "68 % of the players" not in words(other)  # they lie evenly: fewer are near the middle
    assert Client().get("/arenas/none/distribution/").status_code == 404


def test_a_ladder_has_no_distribution(db: None) -> None:
    arena("ladder", rating_system="ladder")
    assert "No distribution to show" in words(Client().get("/arenas/ladder/distribution/"))


def test_inactive_players_are_listed_with_the_ranks_at_which_they_would_return(
    duel: Arena, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    assert "No inactive players" in words(Client().get("/arenas/duel/inactive/"))
    crowd(duel, [1500.0 - number for number in range(10)], called="Here")
    gone = [1500.5, 1500.0, 1495.5, *(1000.0 - number for number in range(60))]
    crowd(duel, gone, NOW - timedelta(days=4000), called="Gone")
    season = duel.seasons.get()
    first = inactive(season, now=NOW)
    assert [(row.name, row.rank) for row in first.rows[:4]] == [
        ("Gone 0000", 1),
        ("Gone 0001", 1),
        ("Gone 0002", 6),
        ("Gone 0003", 11),
    ]
    rest = inactive(season, now=NOW, after=first.next)
    assert [row.name for row in rest.rows] == [f"Gone {number:04}" for number in range(50, 63)]
    assert rest.next is None
    with django_assert_max_num_queries(5):
        page = Client().get("/arenas/duel/inactive/")
    assert "6 Gone 0002 1496" in words(page)
    further = page.content.decode().partition('rel="next" href="')[2].partition('"')[0]
    assert "Gone 0050" in words(Client().get("/arenas/duel/inactive/" + further))
    for nonsense in ("nan,1", "inf,2", "1", "x,y", "1," + "9" * 40):
        answer = Client().get("/arenas/duel/inactive/", {"after": nonsense})
        assert "6 Gone 0002" in words(answer)
    for name, rank in (("Gone 0000", 1), ("Gone 0002", 7)):
        Rating.objects.filter(player__name=name).update(last_played_at=NOW)
        put_in_order()
        found = leaderboard(season, now=NOW, search=name).rows
        assert [row.rank for row in found] == [rank]


def test_the_page_says_how_discriminating_the_game_is() -> None:
    pit = arena("pit", rating_system="fermi")
    crowd(pit, np.random.default_rng(1).normal(0, 1.0, 200).tolist())
    season = pit.seasons.get()
    found = rating_distribution(season)
    assert found
    page = words(Client().get("/arenas/pit/distribution/"))
    assert "How much skill decides" in page
    assert "is expected to win 72 %" in page or "is expected to win 73 %" in page
    assert "the better player usually wins, and upsets are common" in page
    season.rating_parameters = {**season.rating_parameters, "T": 10.0}
    season.save()
    assert "chance decides most matches" in words(Client().get("/arenas/pit/distribution/"))
