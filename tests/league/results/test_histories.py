"""Cached histories are those of now: after a result, a correction and a new name."""

import re
from datetime import timedelta

from django.test import Client
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Match, Player, RatingEvent
from league.services.core.numbers import MINUS
from league.services.people.renaming import rename
from league.services.results.records.histories import history_of
from league.services.results.records.profiles import Record, rating_history
from league.services.results.reports.answers import confirm
from league.services.seasons.opening import open_season
from tests.support.cast import NOW, beats
from tests.support.correction_steps import correct


def wins(winner: Player, loser: Player, arena: Arena, hours: int = 0) -> Match:
    now = NOW + timedelta(hours=hours)
    return confirm(beats(winner, loser, arena, now=now).pk, by=loser, now=now)


def page_of(player: Player) -> str:
    return Client().get(player.get_absolute_url()).content.decode()


def games_on(page: str) -> str:
    """Return the sides of the matches that a page lists."""
    sides = re.findall(
        r'<span class="sides[^"]*">(.*?)</span>\s*<span class="when">', page, re.DOTALL
    )
    return ", ".join(" ".join(strip_tags(one).split()) for one in sides)


def met(player: Player, arena: Arena) -> dict[str, Record]:
    history = history_of(arena.seasons.get(), player)
    return {one.player.name: one.record for one in history.opponents()}


def test_a_cached_history_costs_a_statement_and_its_opponents_another(
    alice: Player, charlie: Player, duel: Arena, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    wins(alice, charlie, duel)
    season = duel.seasons.get()
    first = history_of(season, alice)
    assert first.points == rating_history(season, alice)
    assert [one.player for one in first.opponents()] == [charlie]
    with django_assert_num_queries(2):
        again = history_of(season, alice)
        assert again.points == first.points
        assert [one.player for one in again.opponents()] == [charlie]


def test_a_match_is_on_the_page_at_once(
    alice: Player, charlie: Player, eve: Player, duel: Arena
) -> None:
    wins(alice, charlie, duel)
    assert "From 1200 to 1362 in 1 match," in page_of(alice)
    assert met(alice, duel) == {"Charlie": Record(1, 0, 0)}
    wins(eve, alice, duel)
    assert "in 2 matches" in page_of(alice)
    assert met(alice, duel) == {"Charlie": Record(1, 0, 0), "Eve": Record(0, 0, 1)}


def test_a_corrected_and_a_void_match_are_at_once(
    alice: Player, charlie: Player, olga: Player, duel: Arena
) -> None:
    assert olga.user
    first = wins(alice, charlie, duel)
    wins(alice, charlie, duel, hours=5)
    assert met(alice, duel) == {"Charlie": Record(2, 0, 0)}
    assert games_on(page_of(alice)) == "Alice beat Charlie, Alice beat Charlie"
    correct(first, olga.user, [(0, None), (0, None)])
    assert games_on(page_of(alice)) == "Alice beat Charlie, Alice drew with Charlie"
    assert met(alice, duel) == {"Charlie": Record(1, 1, 0)}
    correct(first, olga.user)
    assert games_on(page_of(alice)) == "Alice beat Charlie"
    assert met(alice, duel) == {"Charlie": Record(1, 0, 0)}
    assert "in 1 match," in page_of(alice)


def test_new_names_are_on_the_page_at_once(alice: Player, charlie: Player, duel: Arena) -> None:
    wins(alice, charlie, duel)
    assert "Rating of Alice over time" in page_of(alice)
    assert games_on(page_of(alice)) == "Alice beat Charlie"
    assert "Won against Charlie" in page_of(alice)
    rename(alice, "Alicia", now=NOW)
    rename(charlie, "Charles", now=NOW)
    page = page_of(alice)
    assert "Rating of Alicia over time" in page
    assert games_on(page) == "Alicia beat Charles"
    assert "Won against Charles" in page
    assert met(alice, duel) == {"Charles": Record(1, 0, 0)}


def test_the_chart_and_the_list_are_in_the_time_zone_of_the_reader(
    alice: Player, charlie: Player, duel: Arena
) -> None:
    wins(alice, charlie, duel)  # at 11:00 UTC
    browser = Client()
    here = browser.get(alice.get_absolute_url()).content.decode()
    browser.cookies["timezone"] = "Pacific/Kiritimati"
    there = browser.get(alice.get_absolute_url()).content.decode()
    assert 'data-says="1 Mar 2026' in here
    assert 'data-says="2 Mar 2026' in there
    assert 'data-zone="UTC">1 Mar 2026</time>' in here
    assert 'data-zone="Pacific/Kiritimati">2 Mar 2026</time>' in there


def rows_of(page: str) -> list[tuple[str, str, str]]:
    """Return the result, change and rating in each row of a page's chart."""
    rows = re.findall(r"<tr data-at.*?</tr>", page, re.DOTALL)
    cells = [[strip_tags(cell) for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    return [(row[1], row[2], row[3]) for row in cells]


def test_the_chart_says_against_whom_each_point_was_won_as_in_the_ledger(
    alice: Player, charlie: Player, eve: Player, duel: Arena
) -> None:
    wins(alice, charlie, duel)
    wins(eve, alice, duel, hours=1)
    start, *rows = rows_of(page_of(alice))
    assert start == ("", "", "1200")
    events = RatingEvent.objects.filter(player=alice).order_by("games")
    assert rows == [
        (met, f"{round(one.rating_after) - round(one.rating_before):+}".replace("-", MINUS),
         f"{one.rating_after:.0f}")
        for one, met in zip(events, ["Won against Charlie", "Lost against Eve"], strict=True)
    ]  # fmt: skip


def test_the_address_keeps_the_time_that_the_chart_shows(
    alice: Player, charlie: Player, duel: Arena
) -> None:
    for days in (0, 20, 45):
        wins(alice, charlie, duel, hours=days * 24)
    season = duel.seasons.get()
    address = f"{alice.get_absolute_url()}?season={season.pk}"
    page = Client().get(address).content.decode()
    assert "time=month#chart" in page
    assert "time=all" not in page  # as there is one season
    assert len(rows_of(page)) == 4
    month = Client().get(f"{address}&time=month").content.decode()
    assert 'time=month#chart" aria-current="true"' in month
    assert [row[2] for row in rows_of(month)] == [row[2] for row in rows_of(page)][1:]
    odd = Client().get(f"{address}&time=never").content.decode()
    assert rows_of(odd) == rows_of(page)


def test_all_seasons_are_one_chart_with_a_border(
    alice: Player, charlie: Player, duel: Arena
) -> None:
    wins(alice, charlie, duel)
    season = open_season(duel, starts_at=NOW + timedelta(days=2), name="Second season")
    wins(charlie, alice, duel, hours=72)
    wins(charlie, alice, duel, hours=300)
    address = f"{alice.get_absolute_url()}?season={season.pk}"
    page = Client().get(f"{address}&time=all").content.decode()
    assert 'class="border' in page
    assert ">Second season</text>" in page
    lost = ["Lost against Charlie"] * 2
    assert [row[0] for row in rows_of(page)] == ["", "Won against Charlie", *lost]
    alone = Client().get(address).content.decode()
    assert [row[0] for row in rows_of(alone)] == ["", *lost]
