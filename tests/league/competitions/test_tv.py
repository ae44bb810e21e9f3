"""The screen in the hall: its code, and what it turns through."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.models import Arena, Competition, Player, TvCode
from league.services.competitions import pages, progress, screens
from league.services.competitions.running import clock
from league.services.competitions.slides import ROWS, Slide, in_parts, slides_of
from league.services.core.errors import Forbidden
from tests.support.competition_steps import (
    START,
    begun,
    competition,
    crowd,
    enter,
    opened,
    play,
    sides_of,
)
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def press(one: Competition, by: Player, answer: str) -> Any:
    """Press a button of the page that runs a competition."""
    address = reverse("competition_run", args=[one.season.arena.slug, one.pk])
    return browser_of(by).post(address, {"answer": answer}, follow=True)


def turn(key: object) -> list[str]:
    """Return the words of each slide, as a browser without scripts turns through them."""
    address = first = reverse("tv_screen", args=[key])
    seen: list[str] = []
    while len(seen) < 100:
        shown = Client().get(address)
        seen.append(words(shown))
        found = re.search(
            r'<noscript><meta http-equiv="refresh" content="\d+; url=([^"]+)">',
            shown.content.decode(),
        )
        assert found
        address = found[1]
        if address == f"{first}?slide=0":
            return seen
    raise AssertionError("It never comes round.")


def kinds_of(one: Competition, *, has_clock: bool = False) -> list[tuple[str, str]]:
    return [(each.kind, each.heading) for each in slides_of(pages.load(one), has_clock=has_clock)]


def test_a_code_starts_a_screen_that_turns_through_everything(duel: Arena, olga: Player) -> None:
    people = crowd(20)
    one = begun(duel, olga, people, "swiss")
    page = press(one, olga, "screen")
    code = screens.code_of(one)
    assert code in words(page)
    typed = f" {code[:3].lower()}-{code[4:].lower()} "
    shown = Client().get(reverse("tv"), {"code": typed})
    key = TvCode.objects.get().key
    assert shown.headers["Location"] == reverse("tv_screen", args=[key])
    seen = turn(key)
    assert len(seen) == 2 + 3  # ten games, then twenty places, eight rows each
    for person in people:
        assert sum(person.name in text for text in seen) == 2


def test_a_code_that_is_taken_away_or_replaced_ends_its_screens(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "table")
    before = screens.renew_code(one, by=user_of(olga))
    press(one, olga, "screen")
    after = TvCode.objects.get()
    assert Client().get(reverse("tv"), {"code": before.code}).status_code == 404
    ended = Client().get(reverse("tv_screen", args=[before.key]), follow=True)
    assert "The organiser has ended this screen." in words(ended)
    assert Client().get(reverse("tv_screen", args=[after.key])).status_code == 200
    press(one, olga, "screen-end")
    assert Client().get(reverse("tv_screen", args=[after.key])).status_code == 302
    assert not TvCode.objects.exists()


@pytest.mark.parametrize("typed", [" ", "0", "1" * 5000, "\x00", "ßß", "💥", "' OR 1=1"])
def test_whatever_is_typed_is_answered(duel: Arena, typed: str) -> None:
    assert Client().get(reverse("tv"), {"code": typed}).status_code in {400, 404}


def test_only_those_who_run_it_have_its_code(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, (people := crowd(2)))
    for step in (screens.renew_code, screens.revoke_code):
        with pytest.raises(Forbidden):
            step(one, by=user_of(people[0]))
    assert press(one, people[0], "screen").status_code == 403
    assert not TvCode.objects.exists()


def test_a_code_does_not_show_a_draft(duel: Arena, olga: Player) -> None:
    made = screens.renew_code(competition(duel), by=user_of(olga))
    assert Client().get(reverse("tv_screen", args=[made.key])).status_code == 302


@pytest.mark.usefixtures("within_a_minute")
def test_guesses_are_limited_and_screens_that_run_are_not(
    duel: Arena, olga: Player, settings: Settings
) -> None:
    settings.REQUESTS_A_MINUTE = {
        **settings.REQUESTS_A_MINUTE,
        "codes": {"address": 3, "account": 3},
    }
    made = screens.renew_code(begun(duel, olga, crowd(2)), by=user_of(olga))
    visitor = Client()
    statuses = [visitor.get(reverse("tv"), {"code": "BCDFGH"}).status_code for _guess in range(3)]
    assert statuses == [404] * 3
    refused = visitor.get(reverse("tv"), {"code": made.code})
    assert refused.status_code == 429
    assert refused.headers["Retry-After"]
    assert visitor.get(reverse("tv")).status_code == 200
    assert visitor.get(reverse("tv_screen", args=[made.key])).status_code == 200


def test_before_the_draw_it_says_when_it_starts_and_who_has_entered(
    duel: Arena, olga: Player
) -> None:
    one = opened(duel, olga)
    made = screens.renew_code(one, by=user_of(olga))
    [start] = turn(made.key)
    assert "Nobody has entered yet." in start
    people = crowd(30)
    enter(one, *people)
    start, *lists = turn(made.key)
    assert "30 entrants" in start
    assert len(lists) == 2
    assert all(any(person.name in text for text in lists) for person in people)


def test_a_new_round_is_followed_by_the_results_of_the_one_before(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "swiss", play={"rounds": 3})
    assert kinds_of(one) == [("games", "Round 1"), ("table", "Standings")]
    for fixture in one.fixtures.with_sides():
        play(fixture, sides_of(fixture)[0].player)
    progress.sweep(START + timedelta(days=8))
    assert kinds_of(one)[:2] == [("games", "Round 2"), ("games", "Round 1")]
    fixture = one.fixtures.with_sides().filter(round__number=2)[0]
    play(fixture, sides_of(fixture)[0].player)
    assert kinds_of(one, has_clock=True) == [
        ("games", "Round 2"),
        ("table", "Standings"),
        ("clock", "Clock of the round"),
    ]


def test_a_knock_out_ends_with_its_podium(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "single")
    assert kinds_of(one) == [("games", "Semi-finals"), ("bracket", "Bracket")]
    while (
        fixture := one.fixtures.with_sides()
        .filter(home__isnull=False, away__isnull=False, games__arrangement__match=None)
        .first()
    ):
        play(fixture, sides_of(fixture)[0].player)
        progress.sweep(START + timedelta(days=8))
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    assert kinds_of(one, has_clock=True)[0] == ("podium", "Final places")
    assert "clock" not in dict(kinds_of(one, has_clock=True))
    made = screens.renew_code(one, by=user_of(olga))
    winner = pages.load(one).winner
    assert winner
    assert winner.name in turn(made.key)[0]


def test_a_cancelled_competition_says_so(duel: Arena, olga: Player) -> None:
    one = opened(duel, olga)
    Competition.objects.filter(pk=one.pk).update(state="cancelled")
    one.refresh_from_db()
    assert kinds_of(one) == [("cancelled", "Cancelled")]


def test_the_clock_is_on_every_slide(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4))
    clock.set_to(one.pk, 45, by=user_of(olga))
    made = screens.renew_code(one, by=user_of(olga))
    assert all("45:00 paused" in text for text in turn(made.key))


@pytest.mark.parametrize("count", range(40))
def test_rows_are_cut_into_the_fewest_parts_of_about_the_same_length(count: int) -> None:
    parts = list(in_parts(Slide("games", rows=range(count))))
    assert [row for part in parts for row in part.rows] == list(range(count))
    lengths = [len(part.rows) for part in parts]
    assert len(parts) == -(-count // ROWS)
    assert not lengths or max(lengths) - min(lengths) <= 1
    assert all(0 < length <= ROWS for length in lengths)
