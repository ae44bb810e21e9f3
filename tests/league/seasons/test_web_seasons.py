"""The public pages of seasons: the list, the archive, and the archive as a file."""

from __future__ import annotations

import csv
import io
import json
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from league.models import Player
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_season
from league.services.seasons.planning import plan_season
from tests.support.season_steps import NEXT, win

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from league.models import Arena, Season

pytestmark = pytest.mark.django_db


@pytest.fixture
def archived(duel: Arena, alice: Player, bob: Player) -> Season:
    """An archived season that Alice won, a running second and a planned third one."""
    bob.name = "=Bob()"
    bob.save()
    win(duel, alice, bob)
    win(duel, alice, bob)
    first = duel.seasons.get()
    open_season(duel, starts_at=NEXT, ends_at=NEXT + timedelta(days=9000))
    plan_season(duel, starts_at=NEXT + timedelta(days=9000))
    assert freeze(first.pk, now=NEXT + timedelta(days=3))
    first.refresh_from_db()
    return first


def text(response: Any) -> str:
    assert response.status_code == 200
    content: str = response.content.decode()
    return content


def test_the_archive_is_read_at_an_address_that_stays(
    client: Client, archived: Season, alice: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(name="Alicia", folded_name="alicia")
    page = text(client.get(f"/seasons/{archived.pk}/"))
    assert "Final standings" in page
    assert f'<a href="/players/{alice.pk}/?season={archived.pk}">Alice</a>' in page
    assert "won 2 in a row" in page
    assert "it goes to the highest ranked, and players with equal ranks share it" in page
    assert alice.user is not None
    client.force_login(alice.user)
    assert "Jump to me" in text(client.get(f"/seasons/{archived.pk}/?page=99"))


def test_the_list_shows_each_seasons_state_and_winner(
    client: Client, archived: Season, duel: Arena
) -> None:
    page = text(client.get("/arenas/duel/seasons/"))
    for words in ("archived", "running", "planned", "Alice", archived.get_absolute_url()):
        assert words in page
    ends_at = NEXT + timedelta(days=9000)  # of what is still to come the hour counts
    assert page.count(f"{ends_at.day} {ends_at:%b %Y}, 12:00 UTC") == 2
    running, planned = duel.seasons.get(name="Season 2"), duel.seasons.get(name="Season 3")
    board = client.get(f"/seasons/{running.pk}/")
    assert board["Location"] == f"/arenas/duel/leaderboard/?season={running.pk}"
    assert client.get(f"/seasons/{planned.pk}/")["Location"] == "/arenas/duel/seasons/"
    assert client.get(f"/seasons/{running.pk}/standings.csv").status_code == 404


def test_the_archive_is_exported_as_csv_and_json(
    client: Client, archived: Season, alice: Player
) -> None:
    answer = client.get(f"/seasons/{archived.pk}/standings.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="duel-season-1.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [(row["position"], row["name"], row["wins"]) for row in rows] == [
        ("1", "Alice", "2"),
        ("2", "'=Bob()", "0"),  # no formula
    ]
    answer = client.get(f"/seasons/{archived.pk}/standings.json")
    assert answer["Content-Disposition"] == 'attachment; filename="duel-season-1.json"'
    assert answer["Content-Type"] == "application/json"
    held = json.loads(answer.getvalue())
    assert (held["season"], held["rating_system"]) == ("Season 1", "glicko-2")
    assert [(row["rank"], row["name"]) for row in held["standings"]] == [
        (1, "Alice"),
        (2, "=Bob()"),
    ]
    assert float(rows[0]["rating"]) == held["standings"][0]["rating"]
    assert {"kind": "streak", "player_id": alice.pk, "name": "Alice", "value": 2.0} in held[
        "awards"
    ]


def test_an_empty_archive_says_so(client: Client, duel: Arena) -> None:
    season = duel.seasons.get()
    season.ends_at = NEXT
    season.save()
    freeze(season.pk, now=NEXT + timedelta(days=3))
    assert "Nobody was rated" in text(client.get(f"/seasons/{season.pk}/"))


def test_a_page_of_the_archive_takes_few_queries(
    client: Client, archived: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        client.get(f"/seasons/{archived.pk}/?page=2")
    assert client.get("/seasons/999999/").status_code == 404
