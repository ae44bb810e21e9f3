"""Rating distributions and inactive players, as programs read them."""

from datetime import timedelta
from typing import Any

from django.test import Client

from league.models import Arena, Player, Rating
from league.services.standings.distributions import rating_distribution
from tests.support.api_steps import fields_at_fault
from tests.support.cast import NOW, arena, put_in_order


def field(where: Arena, ratings: list[float], *, days_ago: int = 0, called: str = "P") -> None:
    for number, rating in enumerate(ratings):
        Rating.objects.create(
            season=where.seasons.get(),
            player=Player.objects.create(name=f"{called}{number}"),
            rating=rating,
            deviation=50,
            volatility=0.06,
            games=3,
            last_played_at=NOW - timedelta(days=days_ago),
        )
    put_in_order()


def read(where: Arena, page: str, query: str = "") -> Any:
    return Client().get(f"/api/v1/arenas/{where.slug}/{page}/{query}")


def test_the_distribution_is_that_of_the_page(duel: Arena) -> None:
    field(duel, [1400, 1500, 1520, 1700])
    season = duel.seasons.get()
    found = read(duel, "distribution").json()
    right = rating_distribution(season)
    assert right
    assert (found["players"], found["mean"], found["width"]) == (4, right.mean, right.width)
    assert found["season"] == {"id": season.pk, "name": season.name}
    assert [bar["players"] for bar in found["bars"]] == [bar.players for bar in right.bars]
    assert found["bars"][0]["shown_low"] == season.shows.show(right.bars[0].low)
    assert 0.5 < found["discrimination"]["chance"] < 1
    assert found["drift"] is None
    season.anchors = [Player.objects.get(name="P0").pk]
    season.save()
    drift = read(duel, "distribution").json()["drift"]
    assert (drift["anchors"][0]["name"], drift["matches"], drift["months"]) == ("P0", 0, [])


def test_without_ranked_players_there_is_no_distribution(duel: Arena) -> None:
    found = read(duel, "distribution").json()
    assert (found["players"], found["mean"], found["width"], found["bars"]) == (0, None, None, [])
    ladder = arena("ladder", rating_system="ladder")
    assert read(ladder, "distribution").status_code == 404
    other = ladder.seasons.get()
    assert read(duel, "distribution", f"?season={other.pk}").status_code == 404
    assert fields_at_fault(read(duel, "distribution", "?season=x")) == {"season"}
    duel.is_draft = True
    duel.save()
    assert read(duel, "inactive").status_code == 404


def test_inactive_players_are_read_forwards_and_backwards(duel: Arena) -> None:
    field(duel, [1450.0])
    field(duel, [1300, 1400, 1400, 1500, 1600], days_ago=4_000, called="Gone")
    whole = read(duel, "inactive").json()
    assert [row["player"]["name"] for row in whole["results"]] == [
        "Gone4",
        "Gone3",
        "Gone1",
        "Gone2",
        "Gone0",
    ]
    assert [row["rank"] for row in whole["results"]] == [1, 1, 2, 2, 2]
    assert (whole["next"], whole["previous"]) == (None, None)
    part, there, back = read(duel, "inactive", "?page_size=2").json(), [], []
    assert part["previous"] is None
    while part:
        there.append(part["results"])
        last, part = part, part["next"] and Client().get(part["next"]).json()
    while last:
        back.append(last["results"])
        last = last["previous"] and Client().get(last["previous"]).json()
    assert [row for results in there for row in results] == whole["results"]
    assert back[::-1] == there
    assert fields_at_fault(read(duel, "inactive", "?page=2")) == {"page"}
    assert fields_at_fault(read(duel, "inactive", "?cursor=x")) == {"cursor"}
