"""The competitions on the page of an arena and in the archive of a season."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, Competition, Player
from league.services.competitions import progress
from league.services.competitions.listing import list_competitions
from league.services.competitions.running import starting
from tests.support.cast import NOW
from tests.support.competition_steps import START, begun, competition, crowd, opened
from tests.support.result_steps import user_of
from tests.support.web_steps import words

WEEK = timedelta(days=7)


def finished(arena: Arena, olga: Player, players: list[Player], format_: str) -> Competition:
    """Return a competition that went by the seeds."""
    one = begun(arena, olga, players, format_)
    Competition.objects.filter(pk=one.pk).update(name=f"Cup {format_}")
    for week in range(8):
        known = one.fixtures.exclude(home=None).exclude(away=None).undecided()
        better = set(known.filter(home__seed__lt=F("away__seed")).values_list("pk", flat=True))
        for fixture in known:
            result = "home" if fixture.pk in better else "away"
            decided = one.fixtures.filter(pk=fixture.pk)
            decided.update(result=result, decided_by="staff", decided_at=START)
        progress.sweep(START + week * WEEK)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    return one


@pytest.fixture
def archive(duel: Arena, olga: Player, client: Client) -> str:
    """Return the address of the archive of a season with five competitions."""
    players = crowd(7)
    for format_ in ("table", "single", "groups"):
        finished(duel, olga, players, format_)
    starting.cancel(opened(duel, olga).pk, by=user_of(olga), reason="Rain.", now=NOW)
    Competition.objects.filter(name="Spring Cup").update(name="Cancelled")
    competition(duel)
    Competition.objects.filter(name="Spring Cup").update(name="Draft")
    duel.seasons.update(archived_at=NOW, ends_at=NOW)
    return reverse("season", args=[duel.seasons.get().pk])


def test_the_archive_says_who_won_and_shows_tables_and_brackets(
    archive: str, client: Client
) -> None:
    answer = client.get(archive)
    page, told = answer.content.decode(), words(answer)
    table, single = (Competition.objects.get(name=f"Cup {name}") for name in ("table", "single"))
    final = [line["name"] for line in (table.final or {})["boards"][0]["lines"]]
    assert f"Cup table won by {final[0]}" in told
    assert "Final table : Cup table" in told
    assert all(name in told for name in final[:5])
    assert final[6] not in told[told.index("Final table") : told.index("2 more")]
    assert f'href="{table.get_absolute_url()}#table-1"' in page
    winner = single.entrants.get(place=1)
    assert f"Cup single won by {winner}" in told
    assert f'href="{single.get_absolute_url()}#bracket"' in page
    assert "Cup groups won by" not in told
    assert "Cup groups" in told
    assert "Cancelled" not in told
    assert "Draft" not in told


def test_a_shared_first_place_has_no_winner(duel: Arena, olga: Player, client: Client) -> None:
    one = begun(duel, olga, crowd(2))
    one.fixtures.update(result="draw", decided_by="staff", decided_at=START)
    progress.sweep(START + WEEK)
    [line] = list_competitions(duel.seasons.get(), 5)
    assert [row.place for row in line.table] == [1, 1]
    assert line.winner is None


def test_the_arena_lists_what_is_open_before_what_is_over(
    duel: Arena, olga: Player, client: Client
) -> None:
    address = reverse("arena", args=["duel"])
    with CaptureQueriesContext(connection) as before:
        assert "All competitions" not in client.get(address).content.decode()
    players = crowd(3)
    finished(duel, olga, players, "table")
    running = begun(duel, olga, players)
    Competition.objects.filter(pk=running.pk).update(name="Running")
    opened(duel, olga)
    with CaptureQueriesContext(connection) as after:
        told = words(client.get(address))
    assert told.index("Spring Cup") < told.index("Cup table won by")
    assert told.index("Running") < told.index("Cup table won by")
    assert "Final table" not in told
    assert len(after) <= len(before) + 1, "the winners take one more statement"
