"""The week in one page says what its matches say, by adding them up one by one."""

import random
from datetime import date, timedelta

import pytest
from django.core.cache import caches
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from league.models import Arena, Match, Player, RatingEvent
from league.services.home import week as service
from league.services.results.reports.answers import confirm
from league.services.site import frame
from tests.support.cast import beats
from tests.support.correction_steps import correct
from tests.support.web_steps import words

pytestmark = pytest.mark.usefixtures("countless_reports")

MONDAY = date(2026, 3, 2)
THIS_WEEK = date(2026, 4, 6)


def play(people: list[Player], arena: Arena, count: int, seed: int = 1) -> list[Match]:
    """Play a match every seven hours from the Monday on."""
    draw = random.Random(seed)  # noqa: S311 - no secrets
    start = service.bounds(MONDAY)[0] + timedelta(hours=2)
    matches = []
    for number in range(count):
        one, other = draw.sample(people, 2)
        now = start + timedelta(hours=7 * number)
        matches.append(confirm(beats(one, other, arena, now=now).pk, by=other, now=now))
    return matches


def test_a_week_is_what_its_matches_add_up_to(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    assert olga.user
    matches = play([alice, bob, charlie], duel, 30)
    correct(matches[4], olga.user)
    begin, end = service.bounds(MONDAY)
    shown = service.read(MONDAY, None, THIS_WEEK)
    within = [one for one in Match.objects.filter(status="rated") if begin <= one.played_at < end]
    assert 0 < len(within) < 29
    assert shown.games == len(within)
    events = [one for one in RatingEvent.objects.all() if one.match in within]
    total = {
        player: sum(one.change for one in events if one.player_id == player.pk)
        for player in (alice, bob, charlie)
    }
    found = {one.player: one.change.change for one in (*shown.gained, *shown.lost)}
    assert found == pytest.approx({player: moved for player, moved in total.items() if moved})
    chances = {one.pk: one.forecast[one.sides.get(place=0).index] for one in within if one.forecast}
    least = min(chances.values())
    assert shown.surprise
    assert shown.chance == pytest.approx(least)
    assert chances[shown.surprise.pk] == least
    weakest = {
        one.pk: min(e.rating_before for e in events if e.match_id == one.pk) for one in within
    }
    assert shown.best
    assert weakest[shown.best.pk] == max(weakest.values())
    assert {one.player: (one.games, one.wins) for one in shown.active} == {
        player: (
            sum(e.player_id == player.pk for e in events),
            sum(one.sides.get(place=0).captain_id == player.pk for one in within),
        )
        for player in (alice, bob, charlie)
    }
    assert set(shown.faces) == {alice, bob, charlie}
    later = service.read(MONDAY + service.WEEK, duel, THIS_WEEK)
    assert later.faces == []
    assert later.earlier == MONDAY
    assert later.later == THIS_WEEK


def test_who_hides_or_left_is_in_no_list(duel: Arena, alice: Player, bob: Player) -> None:
    play([alice, bob], duel, 3)
    Player.objects.filter(pk=alice.pk).update(hides_history=True)
    shown = service.read(MONDAY, None, THIS_WEEK)
    moved = {one.player for one in (*shown.gained, *shown.lost)}
    active = {one.player for one in shown.active}
    assert moved | active | set(shown.faces) == {bob}
    assert shown.games == 3


def test_pages_of_weeks(duel: Arena, alice: Player, bob: Player) -> None:
    caches["pages"].clear()
    service.read_kept.cache_clear()
    frame.forget()  # another test's zone would be kept for a second
    play([alice, bob], duel, 1)
    led = Client().get("/week/", follow=True)
    assert led.request["PATH_INFO"] == "/week/2026-10/"
    assert "Alice" in words(led)
    assert "Gained most" in words(led)
    assert "Nothing was played in this week" in words(Client().get("/week/2026-09/"))
    assert "Alice" in words(Client().get("/week/2026-10/?arena=duel"))
    for address in ("2026-54", "2026-00", "0000-01", "1800-01", "9999-52"):
        assert Client().get(f"/week/{address}/").status_code == 404
    assert Client().get("/week/2026-10/?arena=nowhere").status_code == 404


def test_statements_do_not_grow(duel: Arena, alice: Player, bob: Player, charlie: Player) -> None:
    counts = []
    for number in (3, 12):
        play([alice, bob, charlie], duel, number)
        with CaptureQueriesContext(connection) as taken:
            service.read(MONDAY, None, THIS_WEEK)
        counts.append(len(taken))
    assert counts[0] == counts[1] <= 26
