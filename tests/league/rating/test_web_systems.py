"""Rating systems on pages: ranks, decimals, deviations and reasons."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Format, Match, Player, Rating, Season, Status
from league.services.core.types import PlayedBy, ReportedSide
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm, confirm_expired
from league.services.results.reports.reporting import report
from league.services.standings import leaderboards
from league.services.standings.professions import Profession, played_with, professions_of
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, account, arena, beats, put_in_order, side
from tests.support.web_steps import browser_of, words


def won(winner: Player, loser: Player, arena: Arena, days: int = 0) -> Match:
    match = beats(winner, loser, arena, now=NOW + timedelta(days=days))
    confirmed = confirm(match.pk, by=loser, now=NOW)
    put_in_order()
    return confirmed


def with_professions(season: Season, player: Player) -> list[Profession]:
    return professions_of(season, player, played_with(season, player))


@pytest.fixture
def ladder(db: None) -> Arena:
    return arena("ladder", rating_system="ladder")


@pytest.fixture
def rungs(ladder: Arena) -> list[Player]:
    """Sixty players of a ladder, from the bottom up, so that ids are in the opposite order."""
    players = Player.objects.bulk_create(
        Player(name=f"Rung {rank:02}", folded_name=f"rung {rank:02}") for rank in range(60, 0, -1)
    )
    season = ladder.seasons.get()
    Rating.objects.bulk_create(
        Rating(season=season, player=player, rating=60.0 - at, games=3, last_played_at=NOW)
        for at, player in enumerate(players)
    )
    put_in_order()
    return players


def test_a_ladder_has_its_first_rank_at_the_top_and_shows_each_rank_once(
    ladder: Arena, alice: Player, charlie: Player
) -> None:
    won(charlie, alice, ladder)
    board = words(Client().get(reverse("leaderboard", args=["ladder"])))
    assert "1 · 0 · 0 W1 won the last match 100 1 Mar 2026 2 Alice" in board
    assert "provisional" not in board
    assert "Leader: Charlie" in words(Client().get("/"))


def test_a_long_ladder_takes_alice_to_her_page_and_keeps_ranks_in_a_search(
    ladder: Arena, rungs: list[Player], alice: Player
) -> None:
    Rating.objects.create(
        season=ladder.seasons.get(), player=alice, rating=61, games=1, last_played_at=NOW
    )
    put_in_order()
    address = reverse("leaderboard", args=["ladder"])
    first = browser_of(alice).get(address)
    assert "You are number 61: jump to me" in words(first)
    assert f"{address}?page=2#me" in first.content.decode()
    assert re.search(r"\b1 Rung 01 \w+ –", words(first))
    assert re.search(r"\b51 Rung 51 \w+ –", words(Client().get(address, {"page": "2"})))
    assert re.search(r"\b17 Rung 17 \w+ –", words(Client().get(address, {"q": "rung 17"})))


def test_ranks_of_a_ladder_are_those_of_its_standings(ladder: Arena, rungs: list[Player]) -> None:
    season = ladder.seasons.get()
    top, middle = rungs[-1], rungs[30]
    row = leaderboards.player_row(season, top, now=NOW)
    assert row is not None
    assert row.rank == 1
    row = leaderboards.player_row(season, middle, now=NOW)
    assert row is not None
    assert (row.rank, row.position, row.page, row.rating) == (30, 29, 1, 30)
    leaders = leaderboards.leaders([season], now=NOW)[season.pk]
    assert [(row.rank, row.player.name) for row in leaders] == [
        (1, "Rung 01"),
        (2, "Rung 02"),
        (3, "Rung 03"),
    ]


def test_ladders_and_ratings_have_their_own_leaders_side_by_side(
    ladder: Arena, duel: Arena, alice: Player, charlie: Player
) -> None:
    won(charlie, alice, ladder)
    won(alice, charlie, duel)
    seasons = [ladder.seasons.get(), duel.seasons.get()]
    leaders = leaderboards.leaders(seasons, now=NOW)
    assert [leaders[season.pk][0].player for season in seasons] == [charlie, alice]


def test_whoever_climbs_a_ladder_is_shown_to_go_up_though_the_number_falls(
    ladder: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    won(charlie, eve, ladder, days=-2)
    won(charlie, alice, ladder, days=-1)
    match = won(alice, charlie, ladder)
    page = Client().get(match.get_absolute_url())
    text = words(page)
    assert "3 → to 1 ▲ up 2 ranks" in text
    assert "1 → to 3 ▼ down 2 ranks" in text
    assert 'class="change up"><span aria-hidden="true">▲' in page.content.decode()
    assert 'class="change down"><span aria-hidden="true">▼' in page.content.decode()
    assert "Seed 2 · Finish 1" in text
    listed = Client().get(alice.get_absolute_url())
    assert "▲ up 2 W win" in words(listed)
    held = words(Client().get(won(alice, eve, ladder).get_absolute_url()))
    assert held.count("same rank") == 2


def test_a_wager_is_shown_to_the_hundredth(alice: Player, charlie: Player) -> None:
    match = won(alice, charlie, arena("wager", rating_system="wager"))
    page = words(Client().get(match.get_absolute_url()))
    assert "1.00 → to 1.05 +0.05" in page
    assert "Rank points" in words(Client().get(reverse("leaderboard", args=["wager"])))
    assert "Rank points 1.05 Rank 1" in words(Client().get(alice.get_absolute_url()))


def test_a_volatility_is_shown_where_a_system_keeps_one(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    won(alice, charlie, duel)
    assert "Volatility 0.06" in words(Client().get(alice.get_absolute_url()))
    won(alice, charlie, arena("plain", rating_system="elo"))
    other = Client().get(alice.get_absolute_url(), {"arena": "plain"})
    assert "Volatility" not in words(other)


@pytest.mark.parametrize("ratio", [0, 0.5])
def test_each_profession_has_its_rating_on_the_players_page(
    ratio: float, alice: Player, charlie: Player
) -> None:
    keep = arena("keep", rating_parameters={"rating_profession_ratio": ratio})
    for days, profession, places in (
        (-2, "Warden", (0, 1)),
        (-1, "Bard", (1, 0)),
        (0, "Bard", (1, 0)),
    ):
        match = report(
            keep,
            [
                ReportedSide(alice, [PlayedBy(alice, profession=profession)], places[0]),
                ReportedSide(charlie, [PlayedBy(charlie)], places[1]),
            ],
            reporter=alice,
            played_at=NOW + timedelta(days=days),
            now=NOW,
        )
        confirm(match.pk, by=charlie, now=NOW)
    bard, warden = with_professions(keep.seasons.get(), alice)
    assert (bard.name, bard.matches, warden.name, warden.matches) == ("Bard", 2, "Warden", 1)
    assert bard.rating < 1200 < warden.rating
    page = words(Client().get(alice.get_absolute_url()))
    assert f"Bard {bard.rating:.0f} ± {bard.deviation:.0f} 2" in page
    assert f"Warden {warden.rating:.0f} ± {warden.deviation:.0f} 1" in page
    assert verify(keep.seasons.get()) == []
    assert with_professions(keep.seasons.get(), charlie) == []
    assert "Professions" not in words(Client().get(charlie.get_absolute_url()))


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_system_explains_a_result_in_its_own_words(
    name: str, alice: Player, charlie: Player
) -> None:
    made = arena("court", rating_system=name)
    won(charlie, alice, made, days=-1)
    match = won(alice, charlie, made)
    system = made.system()
    page = words(Client().get(match.get_absolute_url()))
    assert f"Rated with {system.label}." in page
    for term in system.terms:
        if term.name in match.events.all()[0].why:
            assert f"{term.label} " in page
            assert term.help in page
    for address in (alice.get_absolute_url(), made.get_absolute_url(), "/"):
        assert system.shows.rating in words(Client().get(address)) or address == "/"


@pytest.fixture
def contest(db: None) -> tuple[Match, list[Player]]:
    """A contest of 120 players, in the order of their names; numbers 2 and 3 tie."""
    melee = arena("contest", format=Format.FREE_FOR_ALL, sides_max=500, rating_system="elo-mmr")
    players = [account(f"Runner {number:03}") for number in range(1, 121)]
    places = [0, 1, 1, *range(3, 120)]
    match = report(
        melee,
        [side(one, place=at, score=200 - at) for at, one in zip(places, players, strict=True)],
        reporter=players[0],
        played_at=NOW,
        now=NOW,
        information={"tournament": "Spring run"},
    )
    return match, players


def confirmed_by_half(match: Match, players: list[Player]) -> None:
    """Let 60 of the 119 others confirm the report, and its time pass."""
    for player in players[1:61]:
        match = confirm(match.pk, by=player, now=NOW)
    assert match.confirm_deadline
    assert confirm_expired(match.confirm_deadline) == 1
    match.refresh_from_db()
    assert match.status == Status.RATED


def test_a_large_contest_comes_a_page_at_a_time_with_my_own_result_on_each(
    contest: tuple[Match, list[Player]],
) -> None:
    match, players = contest
    waiting = words(browser_of(players[110]).get(match.get_absolute_url()))
    assert "Any of the other captains has until" in waiting
    assert "Yes, confirm" in waiting
    confirmed_by_half(match, players)
    address = match.get_absolute_url()
    first = words(Client().get(address))
    assert "Spring run Runner 001 won against 119 others" in first
    assert "1–50 of 120" in first
    assert "2 Runner 003" in first
    assert "Runner 051" not in first
    assert "Your own result" not in first
    last = words(browser_of(players[110]).get(address, {"page": "3"}))
    assert "101–120 of 120" in last
    assert "Runner 001 won against 119 others" in last
    assert "111 Runner 111 you" in last
    assert "Your own result" not in last
    mine = words(browser_of(players[110]).get(address))
    own = mine.partition("Your own result")[2].partition("1 Runner 001")[0]
    assert "Runner 111" in own
    assert "1500.0 → to" in own
    assert "Opponents" in own


def test_a_contest_on_a_players_page_tells_the_place(
    contest: tuple[Match, list[Player]],
) -> None:
    match, players = contest
    confirmed_by_half(match, players)
    page = words(Client().get(players[110].get_absolute_url()))
    assert "1st Runner 001 2nd Runner 002 2nd Runner 003 4th Runner 004 and 116 more" in page
    assert "place 111 of 120" in page
    assert "First places 0 of 1" in page
    assert "Spring run" in page
    # In so large a crowd nobody is said to have met.
    assert "Most frequent opponents" not in page


def test_the_size_of_a_contest_asks_no_more_of_the_database(
    contest: tuple[Match, list[Player]], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    match, players = contest
    confirmed_by_half(match, players)
    browser = browser_of(players[110])
    with django_assert_max_num_queries(11):
        Client().get(match.get_absolute_url(), {"page": "2"})
    with django_assert_max_num_queries(18):
        browser.get(match.get_absolute_url(), {"page": "2"})
    with django_assert_max_num_queries(12):
        Client().get(match.arena.get_absolute_url())
    with django_assert_max_num_queries(22):  # two of them for badges
        Client().get(players[0].get_absolute_url())
