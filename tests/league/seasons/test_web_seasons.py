"""The public pages of seasons: the list, the archive, and the archive as a file."""

import csv
import io
import json
import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from openpyxl import load_workbook
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Player, Season
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons import archives
from league.services.seasons.ending import end, freeze, freeze_early
from league.services.seasons.opening import open_season
from league.services.seasons.planning import plan_season
from tests.support.cast import NOW, arena, side
from tests.support.season_steps import NEXT, win
from tests.support.web_steps import words


@pytest.fixture
def archived_season(duel: Arena, alice: Player, bob: Player) -> Season:
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
    client: Client, archived_season: Season, alice: Player
) -> None:
    Player.objects.filter(pk=alice.pk).update(name="Alicia", folded_name="alicia")
    page = text(client.get(f"/seasons/{archived_season.pk}/"))
    assert "Final standings" in page
    assert f'<a href="/players/{alice.pk}/?season={archived_season.pk}">Alice</a>' in page
    assert "won 2 in a row" in page
    assert "it goes to the highest ranked, and players with equal ranks share it" in page
    assert alice.user is not None
    client.force_login(alice.user)
    assert "Jump to me" in text(client.get(f"/seasons/{archived_season.pk}/?page=99"))


def test_the_list_shows_each_seasons_state_and_winner(
    client: Client, archived_season: Season, duel: Arena
) -> None:
    page = text(client.get("/arenas/duel/seasons/"))
    for wanted in ("archived", "running", "planned", "Alice", archived_season.get_absolute_url()):
        assert wanted in page
    ends_at = NEXT + timedelta(days=9000)  # of what is still to come the hour counts
    assert page.count(f"{ends_at.day} {ends_at:%b %Y}, 12:00 UTC") == 2
    running, planned = duel.seasons.get(name="Season 2"), duel.seasons.get(name="Season 3")
    board = client.get(f"/seasons/{running.pk}/")
    assert board["Location"] == f"/arenas/duel/leaderboard/?season={running.pk}"
    assert client.get(f"/seasons/{planned.pk}/")["Location"] == "/arenas/duel/seasons/"
    assert client.get(f"/seasons/{running.pk}/standings.csv").status_code == 404


def test_the_archive_is_exported_as_csv_and_json(
    client: Client, archived_season: Season, alice: Player
) -> None:
    answer = client.get(f"/seasons/{archived_season.pk}/standings.csv")
    assert answer["Content-Disposition"] == 'attachment; filename="duel-season-1.csv"'
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    rows = list(csv.DictReader(io.StringIO(answer.getvalue().decode())))
    assert [(row["position"], row["name"], row["wins"]) for row in rows] == [
        ("1", "Alice", "2"),
        ("2", "'=Bob()", "0"),  # no formula
    ]
    answer = client.get(f"/seasons/{archived_season.pk}/standings.json")
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


def test_the_archive_is_exported_as_a_spreadsheet(
    client: Client, archived_season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/seasons/{archived_season.pk}/standings.xlsx"
    assert address in client.get(f"/seasons/{archived_season.pk}/").content.decode()
    answer = client.get(address)
    assert answer["Content-Disposition"] == 'attachment; filename="duel-season-1.xlsx"'
    sheet = load_workbook(io.BytesIO(answer.getvalue())).active
    assert sheet is not None
    header, *rows = sheet.iter_rows(values_only=True)
    at = header.index("name")
    assert [row[at] for row in rows] == ["Alice", "=Bob()"]
    assert sheet.cell(3, at + 1).data_type == "s"  # no formula
    monkeypatch.setattr(archives, "MOST_SHEET_ROWS", 1)
    refused = client.get(address, follow=True)
    assert "take them as CSV" in refused.content.decode()


def test_an_empty_archive_says_so(client: Client, duel: Arena) -> None:
    season = duel.seasons.get()
    season.ends_at = NEXT
    season.save()
    freeze(season.pk, now=NEXT + timedelta(days=3))
    assert "Nobody was rated" in text(client.get(f"/seasons/{season.pk}/"))


def test_a_page_of_the_archive_takes_few_queries(
    client: Client, archived_season: Season, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(5):
        client.get(f"/seasons/{archived_season.pk}/?page=2")
    assert client.get("/seasons/999999/").status_code == 404


def test_the_archive_of_a_melee_shows_places_and_no_draws_and_losses(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for first, *others in ((alice, bob, charlie), (bob, alice, charlie)):
        sides = [side(player, place=place) for place, player in enumerate((first, *others))]
        made = report(melee, sides, reporter=first, played_at=NOW, now=NOW, client_token=uuid4())
        for other in others:
            confirm(made.pk, by=other, now=NOW)
    season = melee.seasons.get()
    assert end(season.pk, now=NEXT)
    assert freeze_early(season.pk, now=NEXT + timedelta(seconds=1))
    page = words(Client().get(f"/seasons/{season.pk}/"))
    assert "1st · 2nd · 3rd" in page
    assert "W · D · L" not in page
    assert "1 · 1 · 0 1.5 2" in page  # Alice and Bob
    assert "0 · 0 · 2 3.0 2" in page  # Charlie


def test_the_archive_begins_with_its_podium_and_names_nobody_twice_for_a_rank(
    client: Client, archived_season: Season
) -> None:
    page = words(client.get(f"/seasons/{archived_season.pk}/"))
    assert re.search(r"Podium 1 Alice champion \d+ \D+ 2 =Bob\(\) \d+ \D+ Awards", page)
    assert "Rank 1 Alice" not in page
    assert "Longest winning streak Alice" in page
    assert "Not ranked" not in page


def test_an_archive_of_players_without_a_rank_says_so_once(
    client: Client, alice: Player, bob: Player
) -> None:
    season = arena("club", season_rules={}).seasons.get()
    win(season.arena, alice, bob)
    assert end(season.pk, now=NEXT)
    assert freeze_early(season.pk, now=NEXT + timedelta(seconds=1))
    page = words(client.get(f"/seasons/{season.pk}/"))
    assert "Podium" not in page
    assert page.count("Not ranked: too few matches, or none lately") == 1
    assert "–" not in page.partition("Not ranked")[2].partition("1–2 of 2")[0]


def test_awards_are_on_the_page_of_their_player(archived_season: Season, alice: Player) -> None:
    page = words(Client().get(f"/players/{alice.pk}/"))
    assert "Trophies Rank 1" in page
    assert "won 2 in a row Duel, " in page
    bob = Player.objects.get(name="=Bob()")
    assert "Longest winning streak" not in words(Client().get(f"/players/{bob.pk}/"))
