"""The bracket after groups is published before they are played, and its draw can be undone."""

from __future__ import annotations

import csv
import io
from datetime import datetime
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Match, Player
from league.services.competitions import pages, progress
from league.services.competitions.standings.competition_tables import read_group_tables
from league.services.core.clock import database_now
from tests.league.competitions.test_control_page import page_of, send, with_names
from tests.league.competitions.test_presets_played import NAMES, played, sets
from tests.support.competition_steps import opened
from tests.support.result_steps import user_of

Game = tuple[str, str, datetime]
PLACES = ("Winner", "Second")


@pytest.fixture
def olgas(client: Client, olga: Player) -> Client:
    client.force_login(user_of(olga))
    return client


def cup(duel: Arena, olga: Player, olgas: Client, **play: object) -> Competition:
    """Return groups with a bracket after them, whose groups are drawn."""
    rules = {"groups": 2, "qualify": 2, "third_place": True} | play
    one = opened(duel, olga, "groups-knockout", play=rules)
    one.starts_at = database_now().replace(year=2090)
    one.save()
    with_names(one, olga, *NAMES)
    send(olgas, one, "start")
    one.refresh_from_db()
    return one


def bracket_of(one: Competition) -> list[Game]:
    """Return the fixtures of the bracket as the page shows them, with the times of their rounds."""
    page = pages.load(one)
    return [
        (str(line.fixture.home), str(line.fixture.away), each.round.play_at)
        for each in page.bracket or page.bracket_plan
        for line in each.fixtures
    ]


def by_place(one: Competition, games: list[Game]) -> list[Game]:
    """Return games with the places of those who qualified instead of their names."""
    places = {
        line.entrant.name: f"{place} of group {'AB'[table.group or 0]}"
        for table in read_group_tables(one)
        for place, line in zip(PLACES, table.lines, strict=False)
    }
    return [(places.get(home, home), places.get(away, away), at) for home, away, at in games]


def groups_played(olgas: Client, one: Competition) -> None:
    while one.fixtures.filter(round__stage="final").count() == 0:
        played(olgas, one, sets, rounds=1)


def test_the_schedule_that_was_published_is_played(
    duel: Arena, olga: Player, olgas: Client
) -> None:
    one = cup(duel, olga, olgas)
    planned = bracket_of(one)
    assert len(planned) == 4
    assert {side for game in planned[:2] for side in game[:2]} == {
        "Winner of group A",
        "Winner of group B",
        "Second of group A",
        "Second of group B",
    }
    assert all(home[-1] != away[-1] for home, away, _at in planned[:2])  # of different groups
    groups_played(olgas, one)
    assert by_place(one, bracket_of(one)) == planned


def test_it_is_on_the_page_in_the_file_and_in_the_calendar(
    duel: Arena, olga: Player, olgas: Client
) -> None:
    one = cup(duel, olga, olgas)
    page = Client().get(one.get_absolute_url()).content.decode()
    file = reverse("competition_file", args=[duel.slug, one.pk, "schedule", "csv"])
    rows = list(csv.DictReader(io.StringIO(Client().get(file).getvalue().decode("utf-8-sig"))))
    calendar = Client().get(reverse("competition_calendar", args=[duel.slug, one.pk]))
    events = calendar.content.decode().replace("\r\n ", "")
    for home, away, at in bracket_of(one)[:2]:
        assert home in page
        assert away in page
        row = next(row for row in rows if row["home"] == home)
        assert (row["away"], row["play_at"][:10]) == (away, f"{at:%Y-%m-%d}")
        event = next(part for part in events.split("BEGIN:VEVENT") if f"{home} against" in part)
        assert f"DTSTART:{at:%Y%m%dT%H%M%S}Z" in event
    final = rows[-1]
    assert (final["home"], final["away"]) == ("winner of 13", "winner of 14")
    assert "winner of 13 against winner of 14" in events
    assert "Third place" in page


def test_an_organiser_alone_plays_it_to_the_end(duel: Arena, olga: Player, olgas: Client) -> None:
    one = cup(duel, olga, olgas, best_of=3)

    def results(random: Random) -> tuple[str, float, float]:
        return random.choice([("2-0", 2, 0), ("1-2", 1, 2)])

    played(olgas, one, results)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    places = one.entrants.exclude(place=None).order_by("place").values_list("place", flat=True)
    assert list(places) == [1, 2, 3, 4]


def test_the_draw_of_the_bracket_is_undone_and_the_groups_stay(
    duel: Arena, olga: Player, olgas: Client
) -> None:
    one = cup(duel, olga, olgas)
    assert "Undo the draw of the bracket" not in olgas.get(page_of(one)).content.decode()
    groups_played(olgas, one)
    drawn, matches = bracket_of(one), Match.objects.count()
    assert "Undo the draw of the bracket" in olgas.get(page_of(one)).content.decode()
    text = send(olgas, one, "undo-bracket").content.decode()
    assert "It waits for you to draw it." in text
    assert not one.rounds.filter(stage="final").exists()
    assert Match.objects.count() == matches
    progress.sweep(database_now())
    assert not one.rounds.filter(stage="final").exists()  # nothing draws it but Olga
    assert len(bracket_of(one)) == 4
    assert send(olgas, one, "undo-bracket").status_code in {400, 409}
    assert "The bracket is drawn." in send(olgas, one, "draw-bracket").content.decode()
    assert bracket_of(one) == drawn
    assert send(olgas, one, "draw-bracket").status_code in {400, 409}


def test_it_stays_once_a_game_of_it_has_a_result(duel: Arena, olga: Player, olgas: Client) -> None:
    one = cup(duel, olga, olgas)
    groups_played(olgas, one)
    played(olgas, one, lambda _random: ("2-1", 2, 1), rounds=1)
    played(olgas, one, lambda _random: ("2-1", 2, 1), rounds=1)
    assert "Undo the draw of the bracket" not in olgas.get(page_of(one)).content.decode()
    assert send(olgas, one, "undo-bracket").status_code in {400, 409}
    assert one.rounds.filter(stage="final").exists()


@pytest.mark.parametrize("limit", ["", "?page_size=5"])
def test_programs_read_the_planned_bracket_as_the_page_shows_it(
    duel: Arena, olga: Player, olgas: Client, limit: str
) -> None:
    one = cup(duel, olga, olgas)
    rows, address = [], reverse("api:fixtures", args=[one.pk]) + limit
    while address:
        answer = olgas.get(address).json()
        rows += answer["results"]
        address = answer["next"]
    planned = [row for row in rows if not row["is_drawn"]]
    shown = [
        (line.fixture.number, home, away, at)
        for (home, away, at), line in zip(
            bracket_of(one),
            [line for each in pages.load(one).bracket_plan for line in each.fixtures],
            strict=True,
        )
    ]
    assert len(planned) == len(shown) == 4
    for row, (number, home, away, at) in zip(planned, shown, strict=True):
        assert (row["number"], row["home"], row["away"]) == (number, None, None)
        assert datetime.fromisoformat(row["planned_at"]) == at
        if home != "None":
            assert (row["home_name"], row["away_name"]) == (home, away)
        else:
            assert row["home_name"].startswith(("winner of", "loser of"))
    assert sorted(row["number"] for row in rows) == list(range(1, len(rows) + 1))
    assert all(row["home_name"] and row["home"] for row in rows if row["is_drawn"])
