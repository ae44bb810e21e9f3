"""Seasons and their archives in the API."""

from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from league.models import Arena, FinalPoints, FinalStanding, Player, Season
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_season
from league.services.seasons.planning import plan_season
from tests.support.api_steps import fields_at_fault
from tests.support.season_steps import NEXT, win


@pytest.fixture
def archived_season(duel: Arena, alice: Player, bob: Player) -> Season:
    """An archived season that Alice won, a running second and a planned third one."""
    win(duel, alice, bob)
    win(duel, alice, bob)
    first = duel.seasons.get()
    open_season(duel, starts_at=NEXT, ends_at=NEXT + timedelta(days=9000))
    plan_season(duel, starts_at=NEXT + timedelta(days=9000))
    assert freeze(first.pk, now=NEXT + timedelta(days=3))
    first.refresh_from_db()
    return first


def read(address: str) -> Any:
    answer = APIClient().get(address)
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_past_running_and_planned_seasons_are_listed(archived_season: Season, duel: Arena) -> None:
    listed = read("/api/v1/arenas/duel/seasons/")["results"]
    assert [row["state"] for row in listed] == ["planned", "running", "archived"]
    assert listed[-1]["id"] == archived_season.pk
    assert listed[-1]["arena"] == {"slug": "duel", "name": duel.name}


def test_seasons_follow_each_other_by_cursors(archived_season: Season) -> None:
    seen, address = [], "/api/v1/arenas/duel/seasons/?page_size=1"
    while address:
        page = read(address)
        seen += [row["state"] for row in page["results"]]
        address, back = page["next"], page["previous"]
    assert seen == ["planned", "running", "archived"]
    assert [row["state"] for row in read(back)["results"]] == ["running"]


def test_a_season_has_its_rules_and_awards(archived_season: Season, alice: Player) -> None:
    Player.objects.filter(pk=alice.pk).update(name="Alicia", folded_name="alicia")
    season = read(f"/api/v1/seasons/{archived_season.pk}/")
    assert season["state"] == "archived"
    assert season["rating_system"] == archived_season.rating_system
    assert season["divisions"][0].keys() == {"name", "first", "colour"}
    top = season["awards"][0]
    assert (top["kind"], top["value"]) == ("top", 1)
    assert top["player"] == {"id": alice.pk, "name": "Alice"}  # the name of that time


def test_the_final_standings_are_those_of_the_archive(archived_season: Season) -> None:
    rows = read(f"/api/v1/seasons/{archived_season.pk}/standings/")["results"]
    kept = list(FinalStanding.objects.filter(season=archived_season).order_by("position"))
    assert [row["player"]["id"] for row in rows] == [row.player_id for row in kept]
    assert (rows[0]["position"], rows[0]["wins"], rows[0]["rating"]) == (1, 2, kept[0].rating)


def test_a_part_of_the_standings_costs_the_same_at_any_depth(
    archived_season: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    last = FinalStanding.objects.filter(season=archived_season).order_by("-position")[0]
    FinalStanding.objects.bulk_create(
        FinalStanding(
            **{
                **{name: getattr(last, name) for name in ("season", "rating", "games")},
                **{name: getattr(last, name) for name in ("wins", "draws", "losses", "streak")},
                "position": 1_000 + number,
                "name": f"Player {number}",
                "player": Player.objects.create(name=f"Player {number}"),
            }
        )
        for number in range(30)
    )
    address, positions = f"/api/v1/seasons/{archived_season.pk}/standings/?page_size=10", []
    while address:
        with django_assert_max_num_queries(3):
            page = read(address)
        positions += [row["position"] for row in page["results"]]
        address = page["next"]
    assert positions == sorted(set(positions))
    assert len(positions) == 32


def test_final_points_are_those_of_the_archive(archived_season: Season, alice: Player) -> None:
    address = f"/api/v1/seasons/{archived_season.pk}/points/"
    assert read(address)["results"] == []
    FinalPoints.objects.create(
        season=archived_season,
        position=1,
        player=alice,
        name="Alice",
        rank=1,
        points=7,
        matches=3,
        wins=2,
    )
    [row] = read(address)["results"]
    assert row == {
        "position": 1,
        "rank": 1,
        "points": 7,
        "matches": 3,
        "wins": 2,
        "player": {"id": alice.pk, "name": "Alice"},
    }


def test_a_season_without_an_archive_has_no_final_standings(
    archived_season: Season, duel: Arena
) -> None:
    running = duel.seasons.get(archived_at=None, opened_at__isnull=False)
    for part in ("standings", "points"):
        answer = APIClient().get(f"/api/v1/seasons/{running.pk}/{part}/")
        assert answer.status_code == 404
        assert "has no archive yet" in answer.json()["detail"]


def test_seasons_of_a_draft_are_not_found(archived_season: Season, duel: Arena) -> None:
    type(duel).objects.filter(pk=duel.pk).update(is_draft=True)
    assert APIClient().get(f"/api/v1/seasons/{archived_season.pk}/").status_code == 404


@pytest.mark.parametrize("cursor", ["x", "cD0x", "bz0tMQ==", "%C3%A9", "b3M9MTAwMDAwMDAw"])
def test_a_cursor_that_is_none_is_refused(archived_season: Season, cursor: str) -> None:
    answer = APIClient().get(f"/api/v1/seasons/{archived_season.pk}/standings/?cursor={cursor}")
    if answer.status_code != 200:  # some texts are a cursor by chance
        assert answer.status_code == 400
        assert fields_at_fault(answer) == {"cursor"}
