"""Pages of the whole league: its schedule, its competitions, and where to play."""

import html
import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.models import Arena, Arrangement, FixtureGame, Match, Player
from league.services.competitions.fixture_words import name_round, round_in_words
from league.services.home import front
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, account, arena, beats, put_in_order
from tests.support.competition_steps import begun
from tests.support.web_steps import browser_of, words

State = Arrangement.State


@pytest.fixture(autouse=True)
def fresh_front() -> None:
    front.clear()


def schedule(browser: Client, address: str = "/schedule/") -> str:
    """Return the words of the schedule without times of day."""
    return re.sub(r"\d\d:\d\d (?=against)", "", words(browser.get(address)))


def agree(arena: Arena, one: Player, other: Player, days: float) -> Arrangement:
    """Return an agreed date in some days."""
    now = timezone.now()
    return Arrangement.objects.create(
        arena=arena,
        proposer=one,
        opponent=other,
        asked=other,
        play_at=now + timedelta(days=days),
        state=State.ACCEPTED,
        created_at=now,
        answered_at=now,
        accepted_at=now,
    )


def test_the_schedule_has_the_coming_dates_by_day_and_mine_first(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    agree(duel, bob, charlie, days=1)
    agree(duel, alice, bob, days=2)
    agree(duel, bob, charlie, days=-1)
    everybody, mine = schedule(Client()), schedule(browser_of(alice))
    assert everybody.count("Bob against Charlie") == 1
    assert everybody.index("Bob against Charlie") < everybody.index("Alice against Bob")
    assert mine.index("Your next matches All open matches Alice against Bob") < mine.index(
        "Bob against Charlie"
    )
    days = [timezone.now() + timedelta(days=one) for one in (1, 2)]
    assert all(f"{day:%A} · {day.day} {day:%B}" in everybody for day in days)


def test_a_day_is_that_of_the_reader(duel: Arena, alice: Player, bob: Player) -> None:
    one = agree(duel, alice, bob, days=3)
    one.play_at = one.play_at.replace(hour=23, minute=30)
    one.save(update_fields=["play_at"])
    tokyo = Client()
    tokyo.cookies["timezone"] = "Asia/Tokyo"
    next_day = one.play_at + timedelta(days=1)
    assert f"{next_day:%A} · {next_day.day} {next_day:%B}" in words(tokyo.get("/schedule/"))
    assert f"{one.play_at:%A} · {one.play_at.day} {one.play_at:%B}" in words(
        Client().get("/schedule/")
    )


def test_dates_and_competitions_of_drafts_are_shown_to_nobody(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    agree(duel, alice, bob, days=1)
    begun(duel, olga, [alice, bob, charlie])
    shown = words(Client().get("/competitions/"))
    assert "Being played Spring Cup Duel League table" in shown
    assert "3 entrants" in shown
    Arena.objects.update(is_draft=True)
    assert "No match is scheduled" in words(Client().get("/schedule/"))
    assert "No competitions yet" in words(Client().get("/competitions/"))


def test_a_long_schedule_has_pages_and_any_page_number_is_answered(
    duel: Arena, alice: Player, bob: Player
) -> None:
    for number in range(61):
        agree(duel, alice, bob, days=1 + number / 10)
    seen = [schedule(Client(), f"/schedule/?page={one}") for one in (1, 2)]
    assert [page.count("Alice against Bob") for page in seen] == [60, 1]
    for odd in ("0", "-3", "9" * 30, "x", ""):
        assert Client().get("/schedule/", {"page": odd}).status_code == 200


def test_play_offers_what_the_reader_can_do_in_each_arena(duel: Arena, alice: Player) -> None:
    page = words(browser_of(alice).get("/play/"))
    assert "Report a result in Duel" in page
    assert "Join the queue" not in page
    assert "you need an account" in words(Client().get("/play/"))
    duel.seasons.update(ends_at=timezone.now())
    front.clear()
    assert "No season is running" in words(browser_of(alice).get("/play/"))


def test_the_card_of_an_arena_is_one_link_and_says_what_is_on_who_leads_and_the_own_rank(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    put_in_order()
    start(duel, [StartingSide(one, [one]) for one in (alice, charlie)], now=timezone.now())
    answer = browser_of(charlie).get("/arenas/")
    (card,) = re.findall(r'<li class="card arena">.*?</li>', answer.content.decode(), re.DOTALL)
    assert re.findall(r'href="([^"]+)"', card) == [duel.get_absolute_url()]
    page = words(answer)
    assert re.search(r"Duel .* Season 1 .* Leader: Alice \d+ 1 live You Rank 2", page)
    assert "You Rank" not in words(Client().get("/arenas/"))


def test_all_results_are_listed_once_latest_first_whichever_way_the_pages_are_turned(
    duel: Arena, alice: Player, charlie: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("league.web.home.league_wide.RESULTS_A_PAGE", 3)
    other = arena("other")
    for number in range(8):  # two of each time, in both arenas
        where = other if number % 4 == 3 else duel
        played = NOW + timedelta(hours=number // 2)
        confirm(beats(alice, charlie, where, now=played).pk, by=charlie, now=played)
    beats(alice, charlie, duel)  # not confirmed
    matches = Match.objects.rated().order_by("-played_at", "-pk")
    everywhere = [match.pk for match in matches]
    assert len(everywhere) == 8

    def turn(address: str, link: str) -> tuple[list[list[int]], str]:
        """Return the matches of each page, and the address of the last one."""
        pages, following = [], address
        while following:
            address = following
            body = Client().get(address).content.decode()
            pages.append([int(pk) for pk in re.findall(r'"game" href="/matches/(\d+)/"', body)])
            found = re.search(rf'href="([^"]+)">{link}<', body)
            following = "/results/" + html.unescape(found[1]) if found else ""
        return pages, address

    pages, last = turn("/results/", "Older")
    assert pages == [everywhere[:3], everywhere[3:6], everywhere[6:]]
    back, first = turn(last, "Newer")
    assert back == [everywhere[6:], everywhere[3:6], everywhere[:3]]
    assert "before=" in first
    here = [match.pk for match in matches.filter(arena=other)]
    assert turn("/results/?arena=other", "Older")[0] == [here]
    Arena.objects.filter(pk=other.pk).update(is_draft=True)
    front.clear()
    left = {pk for page in turn("/results/", "Older")[0] for pk in page}
    assert left == set(everywhere) - set(here)
    assert "All results" in words(Client().get("/"))


def test_rows_of_matches_name_the_competition_and_the_round(
    duel: Arena, olga: Player, alice: Player, bob: Player, charlie: Player
) -> None:
    begun(duel, olga, [alice, bob, charlie, account("Dora")], "single")
    soon = timezone.now() + timedelta(days=2)
    Arrangement.objects.update(play_at=soon, play_until=soon + timedelta(days=1))
    named = "Spring Cup · Semi-finals"
    for address in ("/", "/schedule/", f"{duel.get_absolute_url()}dates/", "/matches/waiting/"):
        assert named in words(browser_of(alice).get(address)), address
    date: Any = Arrangement.objects.in_lines().first()
    assert date
    fixture = FixtureGame.objects.get(arrangement=date).fixture
    assert f"Spring Cup, {name_round(date.round)}" == round_in_words(fixture)


def test_the_first_card_of_home_offers_what_to_do_with_the_next_match(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    assert "Nothing waits for you. Find a match" in words(browser_of(alice).get("/"))
    one = agree(duel, bob, alice, days=1)
    agree(duel, alice, charlie, days=2)
    report = reverse("date_report", args=[duel.slug, one.pk])
    page = browser_of(alice).get("/")
    said = words(page)
    assert said.index("Your next matches") < said.index("Bob against Alice")
    assert said.index("Bob against Alice") < said.index("Latest results")
    assert report not in page.content.decode()
    Arrangement.objects.filter(pk=one.pk).update(play_at=timezone.now())
    for address in ("/", "/matches/waiting/"):
        assert report in browser_of(alice).get(address).content.decode(), address
        assert report not in browser_of(charlie).get(address).content.decode(), address
    match = beats(bob, alice, duel, now=timezone.now())
    agree(duel, alice, charlie, days=3)
    agree(duel, alice, charlie, days=4)
    answer = browser_of(alice).get("/")
    own = words(answer).partition("Your next matches")[2].partition("Next matches")[0]
    assert own.startswith(" Times in UTC All 5 of your open matches Alice (you) lost to Bob")
    assert (own.count("Bob"), own.count("Charlie")) == (3, 1)
    assert reverse("match_confirm", args=[match.pk]) in answer.content.decode()


def test_the_schedule_names_today_folds_long_days_and_shows_one_arena(
    duel: Arena, melee: Arena, alice: Player, bob: Player
) -> None:
    for _game in range(9):
        agree(duel, alice, bob, days=1)
    page = schedule(Client())
    now = timezone.now()
    today, tomorrow = now, now + timedelta(days=1)
    assert "Nothing is planned for today." in page
    assert f"Today · {today:%A} · {today.day} {today:%B} Nothing" in page
    assert f"Tomorrow · {tomorrow:%A} · {tomorrow.day} {tomorrow:%B} Duel Alice against Bob" in page
    assert "3 more" in page
    assert page.count("Alice against Bob") == 9
    assert schedule(Client(), "/schedule/?arena=duel").count("Alice against Bob") == 9
    assert "Alice" not in schedule(Client(), f"/schedule/?arena={melee.slug}")
    assert schedule(Client(), "/schedule/?arena=nowhere").count("Alice against Bob") == 9


def test_two_games_at_one_time_are_pointed_out(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    one, other = agree(duel, alice, bob, days=1), agree(duel, charlie, alice, days=2)
    said = "Two of your games are at this time"
    assert said not in words(browser_of(alice).get("/matches/waiting/"))
    Arrangement.objects.filter(pk=other.pk).update(play_at=one.play_at)
    assert said in words(browser_of(alice).get("/matches/waiting/"))
    assert said not in words(browser_of(bob).get("/matches/waiting/"))


def test_those_whom_one_played_lately_or_should_play_are_offered_for_a_proposal(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    new = f"{duel.get_absolute_url()}dates/new/"
    assert "You played lately" not in words(browser_of(alice).get(new))
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    assert "You played lately Charlie" in words(browser_of(alice).get(new))
    assert "You played lately" not in words(browser_of(alice).get(f"{new}?opponent=Charlie"))
    put_in_order()
    front.clear()
    assert "Who should you play? Duel Charlie" in words(browser_of(alice).get("/play/"))
    assert "Who should you play?" not in words(Client().get("/play/"))
    # Those played lately are not offered twice.
    assert "Who should you play?" not in words(browser_of(alice).get(new))
    confirm(beats(bob, charlie, duel).pk, by=charlie, now=NOW)
    put_in_order()
    offered = browser_of(alice).get(new)
    assert "You played lately Charlie Who should you play? Bob an even match" in words(offered)
    assert f'{new}?opponent=Bob"' in offered.content.decode()
    assert "Who should you play?" not in words(browser_of(alice).get(f"{new}?opponent=Bob"))
